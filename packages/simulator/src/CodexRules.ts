/** What the Codex backend of ChatGPT demands of a request beside what the Responses API does. */
import * as Either from "effect/Either"
import { bearer } from "./Bearer.js"
import * as Errors from "./CodexError.js"
import * as Json from "./Json.js"
import type { ResponsesRequest } from "./ResponsesValidator.js"
import { validate } from "./ResponsesValidator.js"
import type { Answer, RawRequest, Rules } from "./Wire.js"

type Read<A> = Either.Either<A, Answer>

const headers = ["chatgpt-account-id", "originator", "session-id"]

const supported: ReadonlySet<string> = new Set([
  "client_metadata",
  "include",
  "input",
  "instructions",
  "model",
  "parallel_tool_calls",
  "prompt_cache_key",
  "reasoning",
  "service_tier",
  "store",
  "stream",
  "text",
  "tool_choice",
  "tools"
])

const checkHeaders = (request: RawRequest): Read<void> => {
  if (bearer(request.headers) === undefined) return Either.left(Errors.unauthorized(undefined))
  const missing = headers.find((name) => !request.headers[name])
  if (missing !== undefined) return Either.left(Errors.detail(`Missing required header: ${missing}`))
  if (request.headers["openai-beta"]?.includes("responses=experimental") !== true) {
    return Either.left(Errors.detail("Missing required header: openai-beta"))
  }
  return request.headers.accept?.includes("text/event-stream") === true
    ? Either.void
    : Either.left(Errors.detail("Accept must be text/event-stream", 406))
}

const checkBody = (json: unknown, rules: Rules): Read<void> => {
  // What is no JSON object is refused further on.
  if (!Json.isObject(json)) return Either.void
  const { input, model, store, stream } = json
  const unknown = Object.keys(json).find((name) => !supported.has(name))
  if (unknown !== undefined) return Either.left(Errors.detail(`Unsupported parameter: ${unknown}`))
  if (store !== false) return Either.left(Errors.detail("Store must be set to false"))
  if (stream !== true) return Either.left(Errors.detail("Stream must be set to true"))
  if (!Json.isArray(input)) return Either.left(Errors.detail("Input must be a list"))
  return typeof model === "string" && rules.models?.includes(model) === false
    ? Either.left(Errors.unsupportedModel(model))
    : Either.void
}

export const read = (request: RawRequest, rules: Rules): Read<ResponsesRequest> =>
  Either.gen(function*() {
    yield* checkHeaders(request)
    yield* checkBody(request.json, rules)
    return yield* Either.mapLeft(validate(request, rules), Errors.passed)
  })
