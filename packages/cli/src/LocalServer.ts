/**
 * What a model server on this machine or network tells of its models. It is asked before the first request, so a
 * server that is slow, silent or different must cost next to nothing: whatever goes wrong counts as no answer.
 */
import * as Document from "@weir/transport/Document"
import * as Headers from "@weir/transport/Headers"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"

/** How long the server may think about it. */
const patience = "2 seconds"

export interface Address {
  readonly baseUrl: string
  readonly apiKey?: Redacted.Redacted
  readonly headers?: Headers.Headers
}

/** One model, or all of the server's where there is no id. The window in tokens, as it is configured there. */
export interface Served {
  readonly id?: string
  readonly window?: number
}

const Window = Schema.Int.pipe(Schema.greaterThan(0))

const window = (value: number | undefined): { readonly window?: number } => value === undefined ? {} : { window: value }

const read = <A, I>(schema: Schema.Schema<A, I>, served: (answer: A) => ReadonlyArray<Served>) => {
  const decode = Schema.decode(Schema.parseJson(schema))
  return (text: string) => Effect.map(decode(text), served)
}

/** vLLM and SGLang tell `max_model_len`, llama.cpp `n_ctx`. */
const models = read(
  Schema.Struct({
    data: Schema.Array(Schema.Struct({
      id: Schema.String,
      max_model_len: Schema.optional(Schema.NullOr(Window)),
      meta: Schema.optional(Schema.NullOr(Schema.Struct({ n_ctx: Schema.optional(Window) })))
    }))
  }),
  ({ data }) => data.map(({ id, max_model_len, meta }) => ({ id, ...window(max_model_len ?? meta?.n_ctx) }))
)

/** llama.cpp: the window of each of its slots, whatever the model is called. */
const props = read(
  Schema.Struct({ default_generation_settings: Schema.Struct({ n_ctx: Window }) }),
  ({ default_generation_settings: { n_ctx } }) => [{ window: n_ctx }]
)

/** Ollama: the models that are loaded. */
const ps = read(
  Schema.Struct({ models: Schema.Array(Schema.Struct({ name: Schema.String, context_length: Window })) }),
  ({ models: loaded }) => loaded.map(({ context_length, name }) => ({ id: name, window: context_length }))
)

const questions = (baseUrl: string) => {
  const root = baseUrl.replace(/\/+(?:v\d\w*\/*)?$/, "")
  return [
    { url: `${root}/v1/models`, understand: models },
    { url: `${root}/props`, understand: props },
    { url: `${root}/api/ps`, understand: ps }
  ]
}

const privateHost =
  /^(localhost|.*\.local(host)?|host\.docker\.internal|0\.0\.0\.0|127\.[\d.]+|10\.[\d.]+|192\.168\.[\d.]+|172\.(1[6-9]|2\d|3[01])\.[\d.]+|\[::1\]|\[f[cd][\da-f]{2}:.*\])$/

/** Whether the address is on this machine or in a private network. */
export const isLocal = (baseUrl: string): boolean =>
  URL.canParse(baseUrl) && privateHost.test(new URL(baseUrl).hostname)

/** What the server tells, within two seconds. */
export const ask = ({ apiKey, baseUrl, headers }: Address): Effect.Effect<ReadonlyArray<Served>> => {
  const sent = Headers.over(apiKey ? { authorization: `Bearer ${Redacted.value(apiKey)}` } : {}, headers)
  return Effect.map(
    Effect.forEach(
      questions(baseUrl),
      ({ understand, url }) =>
        Document.get(url, sent).pipe(
          Effect.flatMap(understand),
          Effect.timeout(patience),
          Effect.orElseSucceed((): ReadonlyArray<Served> => [])
        ),
      { concurrency: "unbounded" }
    ),
    (answers) => answers.flat()
  )
}

const untagged = (id: string) => id.replace(/:latest$/, "")

/** The window of one model: the smallest of what was told. The only model of a server answers to any name. */
export const windowOf = (served: ReadonlyArray<Served>, model: string): Option.Option<number> => {
  const only = new Set(served.flatMap(({ id }) => id ?? [])).size === 1
  const told = served.flatMap(({ id, window }) =>
    window !== undefined && (id === undefined || only || untagged(id) === untagged(model)) ? [window] : []
  )
  return told.length === 0 ? Option.none() : Option.some(Math.min(...told))
}
