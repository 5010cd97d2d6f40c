import * as NodeContext from "@effect/platform-node/NodeContext"
import * as FileSystem from "@effect/platform/FileSystem"
import { assert, describe, it } from "@effect/vitest"
import type { ModelError } from "@weir/model/ModelError"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as ErrorReading from "../src/ErrorReading.js"

const optionalNumber = Schema.optional(Schema.Number)

const Case = Schema.Struct({
  provider: Schema.String,
  api: Schema.String,
  httpStatus: Schema.Int,
  body: Schema.Unknown,
  where: Schema.Literal("http", "stream", "usage"),
  kind: Schema.String,
  errorName: Schema.optional(Schema.String),
  maxTokens: optionalNumber,
  actualTokens: optionalNumber,
  promptTokens: optionalNumber,
  outputLimit: optionalNumber,
  retryAfterMs: optionalNumber
})

const corpus = Effect.gen(function*() {
  const fileSystem = yield* FileSystem.FileSystem
  const text = yield* fileSystem.readFileString(new URL("overflow-cases.json", import.meta.url).pathname)
  return yield* Schema.decode(Schema.parseJson(Schema.Array(Case)))(text)
}).pipe(Effect.provide(NodeContext.layer))

/** What each kind of the corpus has to become. */
const expected: Record<string, (error: ModelError) => boolean> = {
  content_policy: (error) => error._tag === "ContentRefused",
  context: (error) => error._tag === "ContextWindowExceeded" && error.kind === "tokens",
  image: (error) => error._tag === "InvalidRequest",
  invalid_request: (error) => error._tag === "InvalidRequest",
  item_too_large: (error) => error._tag === "InvalidRequest",
  output_limit: (error) => error._tag === "OutputLimitExceeded",
  payload: (error) => error._tag === "ContextWindowExceeded" && error.kind === "bytes",
  quota: (error) => error._tag === "QuotaExhausted",
  rate_limit: (error) => error._tag === "ModelUnavailable" && error.reason === "rateLimited",
  replay_shape: (error) => error._tag === "InvalidRequest",
  tpm_too_large: (error) => error._tag === "QuotaExhausted",
  transient: (error) => error._tag === "ModelUnavailable"
}

const origin = (provider: string): ErrorReading.Origin => ({
  model: "m",
  provider,
  refusesSilently: provider === "cerebras",
  secrets: [Redacted.make("very-secret-key")]
})

const raw = (body: unknown) => typeof body === "string" ? body : JSON.stringify(body)

const readCase = (one: typeof Case.Type) =>
  ErrorReading.read(
    origin(one.provider),
    one.where === "stream"
      ? { body: [one.body, { name: one.errorName }] }
      : { status: one.httpStatus, body: raw(one.body) },
    0
  )

describe("ErrorReading", () => {
  it.effect("reads every error of the corpus, over all APIs, with its numbers", () =>
    Effect.gen(function*() {
      const cases = (yield* corpus).filter((one) => one.where !== "usage" && one.kind !== "length")
      assert.isAbove(cases.length, 80)
      const wrong = cases.flatMap((one) => {
        const error = readCase(one)
        const finish = raw(one.body).includes("finish_reason")
        const good = expected[one.kind]?.(error) === true &&
          (finish || error._tag !== "ContextWindowExceeded" ||
            error.limit === one.maxTokens && error.actual === one.actualTokens) &&
          (error._tag !== "OutputLimitExceeded" || error.limit === one.outputLimit) &&
          (one.promptTokens === undefined ||
            error._tag === "ContextWindowExceeded" && error.input === one.promptTokens) &&
          (one.retryAfterMs === undefined ||
            error._tag === "ModelUnavailable" && error.retryAfter !== undefined &&
              Duration.toMillis(error.retryAfter) === one.retryAfterMs)
        return good ? [] : [{ provider: one.provider, kind: one.kind, body: raw(one.body), error }]
      })
      assert.deepStrictEqual(wrong, [])
    }))
})
