/** A short document beside a model's API, such as the list of its models. The HTTP client is loaded when it is needed. */
import * as Effect from "effect/Effect"
import * as HttpExchange from "./HttpExchange.js"
import { ConnectionFailure, HttpFailure } from "./SdkFetch.js"

/** How long a server may be silent, in milliseconds. */
const patience = 30_000

/** Without pipelining it keeps no connection. */
const load = () =>
  import("undici").then(({ default: { Agent } }) =>
    new Agent({
      bodyTimeout: patience,
      headersTimeout: patience,
      maxHeaderSize: HttpExchange.maxHeaderSize,
      pipelining: 0
    })
  )
let client: ReturnType<typeof load> | undefined

interface Asked {
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

const ask = (url: string, { body, headers }: Asked): Effect.Effect<string, ConnectionFailure | HttpFailure> =>
  Effect.gen(function*() {
    const agent = yield* Effect.promise(() => client ??= load())
    const attempt = <A>(f: (signal: AbortSignal) => Promise<A>) =>
      Effect.tryPromise({
        try: f,
        catch: (problem) => new ConnectionFailure({ address: new URL(url).host, problem })
      })
    const response = yield* attempt((signal) =>
      HttpExchange.send(agent, {
        body: body ?? null,
        headers,
        method: body === undefined ? "GET" : "POST",
        signal,
        url: new URL(url)
      })
    )
    const text = yield* attempt(() => response.text())
    if (response.ok) return text
    return yield* new HttpFailure({
      body: text,
      headers: Object.fromEntries(response.headers),
      status: response.status
    })
  })

/** The text at an address, not at one that it refers to. Interruption closes the connection. */
export const get = (
  url: string,
  headers: Readonly<Record<string, string>> = {}
): Effect.Effect<string, ConnectionFailure | HttpFailure> => ask(url, { headers })

/** The text that answers a form. Interruption closes the connection. */
export const submit = (
  url: string,
  form: Readonly<Record<string, string>>
): Effect.Effect<string, ConnectionFailure | HttpFailure> =>
  ask(url, {
    body: new URLSearchParams(form).toString(),
    headers: { accept: "application/json", "content-type": "application/x-www-form-urlencoded" }
  })
