/**
 * Reads an Anthropic Messages request as strictly as the real API: the first thing wrong is refused in its words.
 * Messages, blocks, tools and thinking have files of their own.
 */
import * as Either from "effect/Either"
import type { Block, Mark } from "./AnthropicBlocks.js"
import { readContent, readMark } from "./AnthropicBlocks.js"
import * as Errors from "./AnthropicError.js"
import type { Read } from "./AnthropicFields.js"
import * as Fields from "./AnthropicFields.js"
import { checkMany } from "./AnthropicImage.js"
import type { AnthropicMessage } from "./AnthropicMessages.js"
import { readMessages } from "./AnthropicMessages.js"
import * as Thinking from "./AnthropicThinking.js"
import type { AnthropicTool, ToolChoice } from "./AnthropicTools.js"
import { readToolChoice, readTools } from "./AnthropicTools.js"
import type { JsonObject } from "./Json.js"
import * as Json from "./Json.js"
import type { RawRequest, Rules } from "./Wire.js"

export interface AnthropicRequest {
  readonly model: string
  readonly system: ReadonlyArray<Block>
  readonly tools: ReadonlyArray<AnthropicTool>
  readonly messages: ReadonlyArray<AnthropicMessage>
  readonly choice: ToolChoice
  /** The mode of thinking that is asked for, as JSON. */
  readonly thinking: string
  /** The request as a whole is marked: the last block is to be cached. */
  readonly marked: boolean
  /** What is cached is to be kept for an hour. */
  readonly longLived: boolean
  readonly stream: boolean
  readonly maxOutput: number | undefined
  readonly user: string | undefined
}

const versions = ["2023-06-01", "2026-10-21"]

/** What a request to count tokens may hold. */
const counted = [
  "cache_control",
  "context_management",
  "mcp_servers",
  "messages",
  "model",
  "output_config",
  "output_format",
  "speed",
  "system",
  "thinking",
  "tool_choice",
  "tools"
]

const parameters = [
  ...counted,
  "container",
  "inference_geo",
  "max_tokens",
  "metadata",
  "service_tier",
  "stop_sequences",
  "stream",
  "temperature",
  "top_k",
  "top_p"
]

const guide = "Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking"

const readBody = ({ body, headers, isUtf8, json }: RawRequest): Read<JsonObject> => {
  const version = headers["anthropic-version"]
  if (version === undefined) return Either.left(Errors.at("anthropic-version", "header is required"))
  if (!versions.includes(version)) {
    return Either.left(Errors.at("anthropic-version", `"${version}" is not a valid version`))
  }
  const unreadable = (problem: string) => Either.left(Errors.at("The request body is not valid JSON", problem))
  if (!isUtf8) return unreadable("str is not valid UTF-8: surrogates not allowed")
  if (json === undefined) return unreadable("unexpected character or end of data")
  if (Json.hasLoneSurrogate(body, json)) return unreadable("no low surrogate in string")
  return Json.isObject(json) ? Either.right(json) : Either.left(Errors.invalid("Input should be a valid dictionary"))
}

const readModel = (body: JsonObject, { models }: Rules): Read<string> =>
  Either.flatMap(
    Fields.string("model", body.model),
    (model) =>
      model !== "" && (models === undefined || models.includes(model))
        ? Either.right(model)
        : Either.left(
          model === ""
            ? Errors.at("model", "String should have at least 1 character")
            : { message: `model: ${model}`, status: 404, type: "not_found_error" }
        )
  )

const readMaxTokens = (body: JsonObject, model: string, { maxOutput }: Rules): Read<number> =>
  Either.flatMap(Fields.number("max_tokens", body.max_tokens, { integer: true, min: 1 }), (value) =>
    value > maxOutput
      ? Either.left(Errors.at(
        "max_tokens",
        `${value} > ${maxOutput}, which is the maximum allowed number of output tokens for ${model}`
      ))
      : Either.right(value))

/** The mode of thinking, when one is asked for. */
const readThinking = (body: JsonObject, maxTokens: number | undefined): Read<string | undefined> =>
  Fields.optional("thinking", body.thinking, (path, value) =>
    Either.gen(function*() {
      const thinking = yield* Fields.object(path, value)
      switch (thinking.type) {
        case "disabled":
        case "between_tools":
          yield* Fields.closed(`thinking.${thinking.type}`, thinking, ["type"])
          return thinking.type
        case "adaptive":
          yield* Fields.closed("thinking.adaptive", thinking, ["type", "display"])
          return "adaptive"
        case "enabled": {
          yield* Fields.closed("thinking.enabled", thinking, ["type", "budget_tokens", "display"])
          const at = "thinking.enabled.budget_tokens"
          const budget = yield* Fields.number(at, thinking.budget_tokens, { integer: true, min: 1_024 })
          return maxTokens !== undefined && budget >= maxTokens
            ? yield* Either.left(Errors.invalid(
              `\`max_tokens\` must be greater than \`thinking.budget_tokens\`. ${guide}#max-tokens-and-context-window-size`
            ))
            : "enabled"
        }
        default:
          return yield* Either.left(
            Errors.unknownTag(path, thinking.type, ["adaptive", "between_tools", "disabled", "enabled"])
          )
      }
    }))

const checkSampling = (body: JsonObject, thinks: boolean): Read<void> =>
  Either.gen(function*() {
    const ratio = (key: string) =>
      Fields.optional(key, body[key], (path, value) => Fields.number(path, value, { max: 1, min: 0 }))
    const temperature = yield* ratio("temperature")
    const topP = yield* ratio("top_p")
    const topK = yield* Fields.optional("top_k", body.top_k, (path, value) =>
      Fields.number(path, value, { integer: true, min: 0 }))
    if (!thinks) {
      return
    }
    if (temperature !== undefined && temperature !== 1) {
      yield* Either.left(Errors.invalid(`\`temperature\` may only be set to 1 when thinking is enabled. ${guide}`))
    }
    if (topK !== undefined) {
      yield* Either.left(Errors.invalid(`\`top_k\` must be unset when thinking is enabled. ${guide}`))
    }
    if (topP !== undefined && topP < 0.95) {
      const problem = "`top_p` must be greater than or equal to 0.95 or unset when thinking is enabled."
      yield* Either.left(Errors.invalid(`${problem} ${guide}`))
    }
  })

const maxMarks = 4

/** The caching that a request asks for, in the order in which the model reads. */
const checkMarks = (marks: ReadonlyArray<Mark>): Read<void> => {
  if (marks.length > maxMarks) {
    return Either.left(Errors.invalid(
      `A maximum of ${maxMarks} blocks with cache_control may be provided. Found ${marks.length}.`
    ))
  }
  const short = marks.findIndex(({ ttl }) => ttl === "5m")
  const late = short < 0 ? undefined : marks.slice(short).find(({ ttl }) => ttl === "1h")
  return late === undefined ? Either.void : Either.left(Errors.at(
    `${late.path}.ttl`,
    "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. " +
      "Note that blocks are processed in the following order: `tools`, `system`, `messages`."
  ))
}

const readUser = (body: JsonObject): Read<string | undefined> =>
  Either.gen(function*() {
    const metadata = yield* Fields.optional("metadata", body.metadata, Fields.object)
    if (metadata === undefined) return undefined
    yield* Fields.closed("metadata", metadata, ["user_id"])
    return yield* Fields.optional("metadata.user_id", metadata.user_id, Fields.string)
  })

const checkTools = (
  messages: ReadonlyArray<AnthropicMessage>,
  tools: ReadonlyArray<AnthropicTool>,
  choice: ToolChoice,
  thinks: boolean
): Read<void> => {
  const used = messages.some(({ blocks }) => blocks.some(({ type }) => type === "tool_use" || type === "tool_result"))
  if (used && tools.length === 0) {
    return Either.left(Errors.invalid(
      "Requests which include `tool_use` or `tool_result` blocks must define tools"
    ))
  }
  return thinks && (choice.type === "any" || choice.type === "tool")
    ? Either.left(Errors.invalid("Thinking may not be enabled when tool_choice forces tool use."))
    : Either.void
}

const imagesOf = (messages: ReadonlyArray<AnthropicMessage>) =>
  messages.flatMap(({ blocks }) =>
    blocks.flatMap((block) => block.type === "image" ? [block.image] : block.type === "tool_result" ? block.images : [])
  )

/** `counts`: the request only asks how many tokens it holds. */
export const validate = (request: RawRequest, rules: Rules, counts: boolean): Read<AnthropicRequest> =>
  Either.gen(function*() {
    const body = yield* readBody(request)
    const model = yield* readModel(body, rules)
    yield* Fields.closed("", body, counts ? counted : parameters)
    const maxOutput = counts ? undefined : yield* readMaxTokens(body, model, rules)
    const messages = yield* readMessages(body.messages)
    const system = yield* Fields.optional("system", body.system, (path, value) => readContent(path, value, ["text"]))
    const tools = yield* readTools(body.tools)
    const choice = yield* readToolChoice(body.tool_choice, tools)
    const mode = yield* readThinking(body, maxOutput)
    const thinks = mode !== undefined && mode !== "disabled"
    yield* checkSampling(body, thinks)
    yield* checkTools(messages, tools, choice, thinks)
    const mark = yield* readMark("", body.cache_control)
    const blocks = [...system ?? [], ...messages.flatMap((message) => message.blocks)]
    const marks = [...[...tools, ...blocks].map((item) => item.mark), mark].filter((found) => found !== undefined)
    yield* checkMarks(marks)
    yield* checkMany(imagesOf(messages))
    yield* Thinking.check(messages, { model, prefix: "toolu" }, mode)
    return {
      choice,
      longLived: marks.at(-1)?.ttl === "1h",
      marked: mark !== undefined,
      maxOutput,
      messages,
      model,
      stream: (yield* Fields.boolean("stream", body.stream)) ?? false,
      system: system ?? [],
      thinking: Json.print(body.thinking ?? null),
      tools,
      user: yield* readUser(body)
    }
  })
