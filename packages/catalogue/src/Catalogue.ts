/**
 * What is known of models before they are asked: windows, output limits, prices, capabilities. The data, one file for
 * each provider, is made by `scripts/generate.mjs` and read when a provider is looked up.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import hostNames from "../data/hosts.json"
import * as ModelId from "./ModelId.js"

/** In US dollars per million tokens. Zero where there is no such price. */
export interface Prices {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
}

/** All limits in tokens. */
export interface Entry {
  readonly provider: string
  readonly id: string
  /** Input and output together. */
  readonly window: number
  /** A limit on input alone, where the provider has one. */
  readonly maxInput?: number
  readonly maxOutput?: number
  /** Absent where nothing is charged by the token. */
  readonly prices?: Prices
  readonly images: boolean
  readonly reasoning: boolean
}

const Tokens = Schema.NonNegativeInt

const Price = Schema.NonNegative

/** Window, limit on input (0 is none), limit on output (0 is unknown), the four prices, 1 for images + 2 for reasoning. */
const Row = Schema.Tuple(Tokens, Tokens, Tokens, Price, Price, Price, Price, Schema.Literal(0, 1, 2, 3))

/** Rows are decoded one by one as they are asked for: all at once would take longer than reading them. */
const Rows = Schema.Record({ key: Schema.String, value: Schema.Unknown })

const hosts = new Map(Object.entries(hostNames))

/** Names of all providers that the catalogue knows; some of them are hosts of others' models. */
export const providers: ReadonlyArray<string> = [...new Set(hosts.values())].sort()

/** The provider whose API has this address. */
export const providerAt = (baseUrl: string): Option.Option<string> => {
  if (!URL.canParse(baseUrl)) return Option.none()
  const labels = new URL(baseUrl).hostname.split(".")
  const domains = labels.map((_, at) => labels.slice(at).join("."))
  return Option.fromNullable(domains.map((domain) => hosts.get(domain)).find((name) => name !== undefined))
}

const entry = (provider: string, id: string) => (row: typeof Row.Type): Entry => {
  const [window, maxInput, maxOutput, input, output, cacheRead, cacheWrite, abilities] = row
  return {
    provider,
    id,
    window,
    ...(maxInput > 0 && { maxInput }),
    ...(maxOutput > 0 && { maxOutput }),
    ...(input + output > 0 && { prices: { input, output, cacheRead, cacheWrite } }),
    images: (abilities & 1) !== 0,
    reasoning: (abilities & 2) !== 0
  }
}

/** Our own data: whatever is wrong with it is a defect. */
const decode = (provider: string, id: string, row: unknown) =>
  Effect.map(Effect.orDie(Schema.decodeUnknown(Row)(row)), entry(provider, id))

const rows = (provider: string) =>
  providers.includes(provider)
    ? Effect.promise(() => import(`../data/models/${provider}.json`)).pipe(
      Effect.flatMap(({ default: content }) => Effect.orDie(Schema.decodeUnknown(Rows)(content)))
    )
    : Effect.succeed<typeof Rows.Type>({})

/** All models of a provider; none of one that is not known. */
export const models = Effect.fnUntraced(function*(provider: string) {
  const found = yield* rows(provider)
  return yield* Effect.forEach(Object.entries(found), ([id, row]) => decode(provider, id, row))
})

/** The model that an id at a provider means, which may be a dated, regional or prefixed form of a known one. */
export const lookup = Effect.fnUntraced(function*(provider: string, model: string) {
  const found = yield* rows(provider)
  const id = ModelId.find(model, Object.keys(found))
  return yield* Effect.transposeOption(Option.map(id, (known) => decode(provider, known, found[known])))
})
