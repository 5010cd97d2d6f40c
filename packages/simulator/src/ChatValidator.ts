/**
 * Reads a Chat Completions request as strictly as the real API: the first thing wrong is refused in its words.
 * The messages and tools have files of their own.
 */
import * as Either from "effect/Either"
import type { ChatMessage } from "./ChatMessages.js"
import { readMessages } from "./ChatMessages.js"
import type { JsonObject } from "./Json.js"
import * as Json from "./Json.js"
import type { OpenAiError } from "./OpenAiError.js"
import * as Errors from "./OpenAiError.js"
import * as Fields from "./OpenAiFields.js"
import type { OpenAiTool } from "./OpenAiTools.js"
import { readToolChoice, readTools } from "./OpenAiTools.js"
import type { RawRequest, Rules } from "./Wire.js"

export interface ChatRequest {
  readonly model: string
  readonly messages: ReadonlyArray<ChatMessage>
  readonly tools: ReadonlyArray<OpenAiTool>
  readonly mayCall: boolean
  readonly stream: boolean
  readonly includeUsage: boolean
  readonly maxOutput: number | undefined
  readonly cacheKey: string | undefined
}

const parameters: ReadonlySet<string> = new Set([
  "audio",
  "frequency_penalty",
  "logit_bias",
  "logprobs",
  "max_completion_tokens",
  "max_tokens",
  "messages",
  "metadata",
  "modalities",
  "model",
  "n",
  "parallel_tool_calls",
  "prediction",
  "presence_penalty",
  "prompt_cache_key",
  "prompt_cache_options",
  "prompt_cache_retention",
  "reasoning_effort",
  "response_format",
  "safety_identifier",
  "seed",
  "service_tier",
  "stop",
  "store",
  "stream",
  "stream_options",
  "temperature",
  "tool_choice",
  "tools",
  "top_logprobs",
  "top_p",
  "user",
  "verbosity",
  "web_search_options"
])

const readMaxOutput = (body: JsonObject, rules: Rules): Either.Either<number | undefined, OpenAiError> =>
  Either.gen(function*() {
    const older = yield* Fields.number(body, "max_tokens", "integer", 1, Infinity)
    const newer = yield* Fields.number(body, "max_completion_tokens", "integer", 1, Infinity)
    if (older !== undefined && newer !== undefined) {
      return yield* Either.left(Errors.invalid(
        "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
        null,
        "invalid_parameter_combination"
      ))
    }
    const value = newer ?? older
    if (value !== undefined && value > rules.maxOutput) {
      const name = newer === undefined ? "max_tokens" : "max_completion_tokens"
      return yield* Either.left(Errors.invalid(
        `${name} is too large: ${value}. This model supports at most ${rules.maxOutput} completion tokens, ` +
          `whereas you provided ${value}.`,
        name,
        "invalid_value"
      ))
    }
    return value
  })

/** Whether a usage chunk is wanted. */
const readStreamOptions = (body: JsonObject, stream: boolean): Either.Either<boolean, OpenAiError> => {
  const options = body.stream_options
  if (options === undefined || options === null) return Either.right(false)
  if (!Json.isObject(options)) return Either.left(Errors.wrongType("stream_options", "an object", options))
  if (!stream) {
    return Either.left(Errors.invalid(
      "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
      "stream_options"
    ))
  }
  const unknown = Object.keys(options).find((key) => key !== "include_usage" && key !== "include_obfuscation")
  return unknown === undefined
    ? Either.map(Fields.boolean(options, "include_usage"), (wanted) => wanted ?? false)
    : Either.left(Errors.unknownParameter(`stream_options.${unknown}`))
}

export const validate = (request: RawRequest, rules: Rules): Either.Either<ChatRequest, OpenAiError> =>
  Either.gen(function*() {
    const body = yield* Fields.readBody(request)
    const model = yield* Fields.readModel(body, rules)
    const unknown = Object.keys(body).find((key) => !parameters.has(key))
    if (unknown !== undefined) return yield* Either.left(Errors.unknownParameter(unknown))
    const messages = yield* readMessages(body.messages)
    const tools = yield* readTools(body, "nested")
    const mayCall = yield* readToolChoice(body, tools, "nested")
    const stream = (yield* Fields.boolean(body, "stream")) ?? false
    const includeUsage = yield* readStreamOptions(body, stream)
    const maxOutput = yield* readMaxOutput(body, rules)
    yield* Fields.number(body, "temperature", "decimal", 0, 2)
    yield* Fields.number(body, "top_p", "decimal", 0, 1)
    yield* Fields.number(body, "presence_penalty", "decimal", -2, 2)
    yield* Fields.number(body, "frequency_penalty", "decimal", -2, 2)
    // One choice is all that the simulator writes, so it accepts no request for more.
    yield* Fields.number(body, "n", "integer", 1, 1)
    yield* Fields.number(body, "seed", "integer", Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
    yield* Fields.boolean(body, "store")
    const effort = yield* Fields.string(body, "reasoning_effort")
    if (effort !== undefined && !Fields.efforts.includes(effort)) {
      return yield* Either.left(Errors.unsupported("reasoning_effort", effort, Fields.efforts))
    }
    const cacheKey = yield* Fields.string(body, "prompt_cache_key")
    return { cacheKey, includeUsage, maxOutput, mayCall, messages, model, stream, tools }
  })
