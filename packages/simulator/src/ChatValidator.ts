/**
 * Reads a Chat Completions request as strictly as the real API: the first thing wrong is refused in its words.
 * The messages and tools have files of their own.
 */
import * as Either from "effect/Either"
import type { ChatError } from "./ChatError.js"
import * as ChatErrors from "./ChatError.js"
import type { ChatMessage } from "./ChatMessages.js"
import { readMessages } from "./ChatMessages.js"
import type { ChatTool } from "./ChatTools.js"
import { readToolChoice, readTools } from "./ChatTools.js"
import type { JsonObject } from "./Json.js"
import * as Json from "./Json.js"
import type { RawRequest, Rules } from "./Wire.js"

export interface ChatRequest {
  readonly model: string
  readonly messages: ReadonlyArray<ChatMessage>
  readonly tools: ReadonlyArray<ChatTool>
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

const efforts = ["none", "minimal", "low", "medium", "high", "xhigh", "max"]

const number = (body: JsonObject, key: string, kind: "integer" | "decimal", min: number, max: number) => {
  const value = body[key]
  if (value === undefined || value === null) return Either.right(undefined)
  if (typeof value !== "number" || (kind === "integer" && !Number.isInteger(value))) {
    return Either.left(ChatErrors.wrongType(key, kind === "integer" ? "an integer" : "a decimal", value))
  }
  if (value < min) return Either.left(ChatErrors.outOfRange(key, kind, "below", min, value))
  if (value > max) return Either.left(ChatErrors.outOfRange(key, kind, "above", max, value))
  return Either.right(value)
}

const boolean = (body: JsonObject, key: string): Either.Either<boolean | undefined, ChatError> => {
  const value = body[key]
  if (value === undefined || value === null) return Either.right(undefined)
  return typeof value === "boolean" ? Either.right(value) : Either.left(ChatErrors.wrongType(key, "a boolean", value))
}

const string = (body: JsonObject, key: string): Either.Either<string | undefined, ChatError> => {
  const value = body[key]
  if (value === undefined || value === null) return Either.right(undefined)
  return typeof value === "string" ? Either.right(value) : Either.left(ChatErrors.wrongType(key, "a string", value))
}

const readBody = (request: RawRequest): Either.Either<JsonObject, ChatError> => {
  const contentType = request.headers["content-type"]
  if (!contentType?.toLowerCase().startsWith("application/json")) {
    return Either.left(ChatErrors.invalid(
      `Unsupported content type: '${contentType ?? ""}'. This API method only accepts 'application/json' requests, ` +
        `but you specified the header 'Content-Type: ${contentType ?? ""}'. ` +
        "Please try again with a supported content type.",
      null,
      "unsupported_content_type"
    ))
  }
  const { body, isUtf8, json } = request
  return isUtf8 && Json.isObject(json) && !Json.hasLoneSurrogate(body, json)
    ? Either.right(json)
    : Either.left(ChatErrors.unreadable)
}

const readModel = (body: JsonObject, rules: Rules): Either.Either<string, ChatError> => {
  const model = body.model
  if (model === undefined || model === null || model === "") {
    return Either.left(ChatErrors.invalid("you must provide a model parameter"))
  }
  if (typeof model !== "string") return Either.left(ChatErrors.wrongType("model", "a string", model))
  return rules.models === undefined || rules.models.includes(model) ? Either.right(model) : Either.left({
    ...ChatErrors.invalid(
      `The model \`${model}\` does not exist or you do not have access to it.`,
      null,
      "model_not_found"
    ),
    status: 404
  })
}

const readMaxOutput = (body: JsonObject, rules: Rules): Either.Either<number | undefined, ChatError> =>
  Either.gen(function*() {
    const older = yield* number(body, "max_tokens", "integer", 1, Infinity)
    const newer = yield* number(body, "max_completion_tokens", "integer", 1, Infinity)
    if (older !== undefined && newer !== undefined) {
      return yield* Either.left(ChatErrors.invalid(
        "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
        null,
        "invalid_parameter_combination"
      ))
    }
    const value = newer ?? older
    if (value !== undefined && value > rules.maxOutput) {
      const name = newer === undefined ? "max_tokens" : "max_completion_tokens"
      return yield* Either.left(ChatErrors.invalid(
        `${name} is too large: ${value}. This model supports at most ${rules.maxOutput} completion tokens, ` +
          `whereas you provided ${value}.`,
        name,
        "invalid_value"
      ))
    }
    return value
  })

/** Whether a usage chunk is wanted. */
const readStreamOptions = (body: JsonObject, stream: boolean): Either.Either<boolean, ChatError> => {
  const options = body.stream_options
  if (options === undefined || options === null) return Either.right(false)
  if (!Json.isObject(options)) return Either.left(ChatErrors.wrongType("stream_options", "an object", options))
  if (!stream) {
    return Either.left(ChatErrors.invalid(
      "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
      "stream_options"
    ))
  }
  const unknown = Object.keys(options).find((key) => key !== "include_usage" && key !== "include_obfuscation")
  return unknown === undefined
    ? Either.map(boolean(options, "include_usage"), (wanted) => wanted ?? false)
    : Either.left(ChatErrors.unknownParameter(`stream_options.${unknown}`))
}

export const validate = (request: RawRequest, rules: Rules): Either.Either<ChatRequest, ChatError> =>
  Either.gen(function*() {
    const body = yield* readBody(request)
    const model = yield* readModel(body, rules)
    const unknown = Object.keys(body).find((key) => !parameters.has(key))
    if (unknown !== undefined) return yield* Either.left(ChatErrors.unknownParameter(unknown))
    const messages = yield* readMessages(body.messages)
    const tools = yield* readTools(body)
    const mayCall = yield* readToolChoice(body, tools)
    const stream = (yield* boolean(body, "stream")) ?? false
    const includeUsage = yield* readStreamOptions(body, stream)
    const maxOutput = yield* readMaxOutput(body, rules)
    yield* number(body, "temperature", "decimal", 0, 2)
    yield* number(body, "top_p", "decimal", 0, 1)
    yield* number(body, "presence_penalty", "decimal", -2, 2)
    yield* number(body, "frequency_penalty", "decimal", -2, 2)
    // One choice is all that the simulator writes, so it accepts no request for more.
    yield* number(body, "n", "integer", 1, 1)
    yield* number(body, "seed", "integer", Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
    yield* boolean(body, "store")
    const effort = yield* string(body, "reasoning_effort")
    if (effort !== undefined && !efforts.includes(effort)) {
      return yield* Either.left(ChatErrors.unsupported("reasoning_effort", effort, efforts))
    }
    const cacheKey = yield* string(body, "prompt_cache_key")
    return { cacheKey, includeUsage, maxOutput, mayCall, messages, model, stream, tools }
  })
