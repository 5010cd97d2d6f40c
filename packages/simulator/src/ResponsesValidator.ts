/**
 * Reads a Responses request as strictly as the real API: the first thing wrong is refused in its words.
 * Input, reasoning and tools have files of their own.
 */
import * as Either from "effect/Either"
import type { JsonObject } from "./Json.js"
import * as Json from "./Json.js"
import * as Errors from "./OpenAiError.js"
import type { Read } from "./OpenAiFields.js"
import * as Fields from "./OpenAiFields.js"
import type { OpenAiTool } from "./OpenAiTools.js"
import { readToolChoice, readTools } from "./OpenAiTools.js"
import type { ResponsesItem } from "./ResponsesInput.js"
import { readInput } from "./ResponsesInput.js"
import * as Reasoning from "./ResponsesReasoning.js"
import type { RawRequest, Rules } from "./Wire.js"

export interface ResponsesRequest {
  readonly model: string
  readonly instructions: string
  readonly items: ReadonlyArray<ResponsesItem>
  readonly tools: ReadonlyArray<OpenAiTool>
  readonly mayCall: boolean
  readonly stream: boolean
  /** Whether reasoning is to come with what brings it back. */
  readonly encrypts: boolean
  readonly maxOutput: number | undefined
  readonly cacheKey: string | undefined
}

const parameters: ReadonlySet<string> = new Set([
  "background",
  "context_management",
  "conversation",
  "include",
  "input",
  "instructions",
  "max_output_tokens",
  "max_tool_calls",
  "metadata",
  "model",
  "parallel_tool_calls",
  "previous_response_id",
  "prompt",
  "prompt_cache_key",
  "prompt_cache_options",
  "prompt_cache_retention",
  "reasoning",
  "safety_identifier",
  "service_tier",
  "store",
  "stream",
  "stream_options",
  "temperature",
  "text",
  "tool_choice",
  "tools",
  "top_logprobs",
  "top_p",
  "truncation",
  "user"
])

const smallestOutput = 16

/** Whether the model thinks before it answers. */
const thinks = (model: string) => !/^(?:gpt-[34]|chatgpt)/.test(model)

const encrypted = "reasoning.encrypted_content"

const includable = [
  "file_search_call.results",
  "web_search_call.results",
  "web_search_call.action.sources",
  "message.input_image.image_url",
  "computer_call_output.output.image_url",
  "code_interpreter_call.outputs",
  encrypted,
  "message.output_text.logprobs"
]

const readInclude = (value: unknown, model: string): Read<boolean> => {
  if (value === undefined || value === null) return Either.right(false)
  if (!Json.isArray(value)) return Either.left(Errors.wrongType("include", "an array of strings", value))
  const index = value.findIndex((one) => !includable.some((known) => known === one))
  if (index >= 0) return Either.left(Errors.unsupported(`include[${index}]`, String(value[index]), includable))
  const wanted = value.includes(encrypted)
  return wanted && !thinks(model)
    ? Either.left(Errors.invalid("Encrypted content is not supported with this model.", "include"))
    : Either.right(wanted)
}

const summaries = ["auto", "concise", "detailed"]

const literal = (body: JsonObject, path: string, key: string, allowed: ReadonlyArray<string>): Read<void> => {
  const value = body[key]
  return value === undefined || value === null || allowed.some((one) => one === value)
    ? Either.void
    : Either.left(Errors.unsupported(`${path}.${key}`, String(value), allowed))
}

const object = (body: JsonObject, key: string, fields: ReadonlyArray<string>): Read<JsonObject> => {
  const value = body[key]
  if (value === undefined || value === null) return Either.right({})
  if (!Json.isObject(value)) return Either.left(Errors.wrongType(key, "an object", value))
  const unknown = Object.keys(value).find((name) => !fields.includes(name))
  return unknown === undefined ? Either.right(value) : Either.left(Errors.unknownParameter(`${key}.${unknown}`))
}

const checkReasoning = (body: JsonObject, model: string): Read<void> =>
  Either.gen(function*() {
    const reasoning = yield* object(body, "reasoning", ["context", "effort", "generate_summary", "summary"])
    const [first] = Object.keys(reasoning)
    if (first !== undefined && !thinks(model)) {
      return yield* Either.left(Errors.invalid(
        `Unsupported parameter: 'reasoning.${first}' is not supported with this model.`,
        `reasoning.${first}`,
        "unsupported_parameter"
      ))
    }
    yield* literal(reasoning, "reasoning", "effort", Fields.efforts)
    yield* literal(reasoning, "reasoning", "summary", summaries)
  })

const readMaxOutput = (body: JsonObject, rules: Rules): Read<number | undefined> =>
  Either.flatMap(
    Fields.number(body, "max_output_tokens", "integer", smallestOutput, Infinity),
    (value) =>
      value === undefined || value <= rules.maxOutput ? Either.right(value) : Either.left(Errors.invalid(
        `max_output_tokens is too large: ${value}. This model supports at most ${rules.maxOutput} output tokens, ` +
          `whereas you provided ${value}.`,
        "max_output_tokens",
        "invalid_value"
      ))
  )

const longestKey = 64

const readCacheKey = (body: JsonObject): Read<string | undefined> =>
  Either.flatMap(Fields.string(body, "prompt_cache_key"), (key) =>
    key !== undefined && key.length > longestKey
      ? Either.left(Errors.longString("prompt_cache_key", longestKey, key.length))
      : Either.right(key))

/** Nothing that was said before is kept here. */
const checkPrevious = (body: JsonObject): Read<void> =>
  Either.flatMap(
    Fields.string(body, "previous_response_id"),
    (id) =>
      id === undefined ? Either.void : Either.left(Errors.invalid(
        `Previous response with id '${id}' not found.`,
        "previous_response_id",
        "previous_response_not_found"
      ))
  )

export const validate = (request: RawRequest, rules: Rules): Read<ResponsesRequest> =>
  Either.gen(function*() {
    const body = yield* Fields.readBody(request)
    const model = yield* Fields.readModel(body, rules)
    const unknown = Object.keys(body).find((key) => !parameters.has(key))
    if (unknown !== undefined) return yield* Either.left(Errors.unknownParameter(unknown))
    yield* checkPrevious(body)
    const instructions = (yield* Fields.string(body, "instructions")) ?? ""
    const items = yield* readInput(body.input)
    yield* Reasoning.check(items, model)
    const tools = yield* readTools(body, "flat")
    const mayCall = yield* readToolChoice(body, tools, "flat")
    const stream = (yield* Fields.boolean(body, "stream")) ?? false
    const encrypts = yield* readInclude(body.include, model)
    yield* checkReasoning(body, model)
    const text = yield* object(body, "text", ["format", "verbosity"])
    yield* literal(text, "text", "verbosity", ["low", "medium", "high"])
    const maxOutput = yield* readMaxOutput(body, rules)
    yield* Fields.number(body, "temperature", "decimal", 0, 2)
    yield* Fields.number(body, "top_p", "decimal", 0, 1)
    yield* Fields.boolean(body, "store")
    const cacheKey = yield* readCacheKey(body)
    return { cacheKey, encrypts, instructions, items, maxOutput, mayCall, model, stream, tools }
  })
