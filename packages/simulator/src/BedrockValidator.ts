/**
 * Reads a Bedrock Converse request as strictly as the service and a Claude behind it: the first thing wrong is refused
 * in their words. Messages, blocks and tools have files of their own.
 */
import * as Either from "effect/Either"
import type { Block } from "./AnthropicBlocks.js"
import type { AnthropicMessage } from "./AnthropicMessages.js"
import * as Thinking from "./AnthropicThinking.js"
import type { AnthropicRequest } from "./AnthropicValidator.js"
import { attach, readItem } from "./BedrockBlocks.js"
import * as Errors from "./BedrockError.js"
import type { Read } from "./BedrockFields.js"
import * as Fields from "./BedrockFields.js"
import { readMessages } from "./BedrockMessages.js"
import type { ToolConfig } from "./BedrockTools.js"
import { readToolConfig } from "./BedrockTools.js"
import type { JsonObject } from "./Json.js"
import * as Json from "./Json.js"
import type { RawRequest, Rules } from "./Wire.js"

const parameters = [
  "additionalModelRequestFields",
  "additionalModelResponseFieldPaths",
  "guardrailConfig",
  "inferenceConfig",
  "messages",
  "outputConfig",
  "performanceConfig",
  "promptVariables",
  "requestMetadata",
  "serviceTier",
  "system",
  "toolConfig"
]

const route = /^\/model\/([^/]+)\/converse(-stream)?$/

/** The model that a path names, and whether its reply is to be streamed. */
export const routeOf = (path: string): { readonly model: string; readonly stream: boolean } | undefined => {
  const [, model, stream] = route.exec(path) ?? []
  return model === undefined
    ? undefined
    : {
      model: Either.getOrElse(Either.try(() => decodeURIComponent(model)), () => model),
      stream: stream !== undefined
    }
}

const readBody = ({ body, isUtf8, json }: RawRequest): Read<JsonObject> =>
  isUtf8 && Json.isObject(json) && !Json.hasLoneSurrogate(body, json)
    ? Either.right(json)
    : Either.left(Errors.unreadable("The request body could not be read as a JSON object."))

const checkModel = (model: string, { models }: Rules): Read<void> =>
  models === undefined || models.includes(model)
    ? Either.void
    : Either.left(Errors.invalid("The provided model identifier is invalid."))

const readMaxTokens = (body: JsonObject, { maxOutput }: Rules): Read<number | undefined> =>
  Either.gen(function*() {
    const path = "inferenceConfig"
    const config = yield* Fields.optional(path, body.inferenceConfig, (at, given) =>
      Fields.record(at, given, ["maxTokens", "stopSequences", "temperature", "topP"]))
    if (config === undefined) {
      return undefined
    }
    for (const ratio of ["temperature", "topP"]) {
      yield* Fields.optional(`${path}.${ratio}`, config[ratio], (at, given) =>
        Fields.number(at, given, 0, 1))
    }
    const tokens = yield* Fields.optional(`${path}.maxTokens`, config.maxTokens, (at, given) =>
      Fields.integer(at, given, 1))
    return tokens === undefined || tokens <= maxOutput ? tokens : yield* Either.left(Errors.invalid(
      `The maximum tokens you requested exceeds the model limit of ${maxOutput}. Try again with a maximum tokens value ` +
        `that is lower than ${maxOutput}.`
    ))
  })

/** The mode of thinking, when one is asked for. */
const readThinking = (fields: JsonObject, maxTokens: number | undefined): Read<string | undefined> =>
  Fields.optional("additionalModelRequestFields.thinking", fields.thinking, (path, value) =>
    Either.gen(function*() {
      const thinking = yield* Fields.record(path, value, ["type", "budget_tokens", "display"])
      const mode = ["adaptive", "disabled", "enabled"].find((known) => known === thinking.type)
      if (mode === undefined) {
        return yield* Either.left(
          Errors.byModel(`thinking: Input tag '${thinking.type}' found using 'type' does not match`)
        )
      }
      if (mode !== "enabled") return mode
      const budget = thinking.budget_tokens
      if (typeof budget !== "number" || budget < 1_024) {
        return yield* Either.left(
          Errors.byModel("thinking.enabled.budget_tokens: Input should be greater than or equal to 1024")
        )
      }
      return maxTokens === undefined || budget < maxTokens ? mode : yield* Either.left(
        Errors.byModel("`max_tokens` must be greater than `thinking.budget_tokens`.")
      )
    }))

const readFields = (body: JsonObject): Read<JsonObject> =>
  Either.map(
    Fields.optional("additionalModelRequestFields", body.additionalModelRequestFields, Fields.object),
    (fields) => fields ?? {}
  )

const checkTools = (
  messages: ReadonlyArray<AnthropicMessage>,
  { choice, tools }: ToolConfig,
  mode: string | undefined
) => {
  const used = messages.some(({ blocks }) => blocks.some(({ type }) => type === "tool_use" || type === "tool_result"))
  if (used && tools.length === 0) {
    return Either.left(Errors.invalid(
      "The toolConfig field must be defined when using toolUse and toolResult content blocks."
    ))
  }
  const thinks = mode === "enabled" || mode === "adaptive"
  return thinks && (choice.type === "any" || choice.type === "tool")
    ? Either.left(Errors.byModel("Thinking may not be enabled when tool_choice forces tool use."))
    : Either.void
}

const maxMarks = 4

/** Makers whose models take no cache points at all. */
const uncached = /\b(ai21|cohere|deepseek|meta|mistral|openai|qwen|stability|titan)\b/

const checkMarks = (model: string, count: number): Read<void> => {
  if (count > 0 && uncached.test(model)) {
    return Either.left({
      kind: "AccessDeniedException",
      message: "You invoked an unsupported model or your request did not allow prompt caching. See the documentation " +
        "for more information.",
      status: 403
    })
  }
  return count <= maxMarks ? Either.void : Either.left(Errors.byModel(
    `A maximum of ${maxMarks} blocks with cache_control may be provided. Found ${count}.`
  ))
}

const readSystem = (value: unknown): Read<ReadonlyArray<Block>> =>
  Either.gen(function*() {
    const items = yield* Fields.optional("system", value, (path, given) =>
      Fields.each(path, given, (at, item) =>
        readItem(at, item, "SystemContentBlock", ["text", "cachePoint"])))
    return yield* attach(items ?? [])
  })

export const validate = (request: RawRequest, rules: Rules): Read<AnthropicRequest> =>
  Either.gen(function*() {
    const body = yield* readBody(request)
    const { model, stream } = routeOf(request.path) ?? { model: "", stream: false }
    yield* checkModel(model, rules)
    yield* Fields.closed("", body, parameters)
    const messages = yield* readMessages(body.messages)
    const system = yield* readSystem(body.system)
    const config = yield* readToolConfig(body.toolConfig)
    const maxOutput = yield* readMaxTokens(body, rules)
    const fields = yield* readFields(body)
    const mode = yield* readThinking(fields, maxOutput)
    yield* checkTools(messages, config, mode)
    const marks = [...config.tools, ...system, ...messages.flatMap(({ blocks }) => blocks)]
      .flatMap(({ mark }) => mark === undefined ? [] : [mark])
    yield* checkMarks(model, marks.length)
    yield* Either.mapLeft(Thinking.check(messages, { model, prefix: "tooluse" }, mode), ({ message }) =>
      Errors.byModel(message))
    return {
      ...config,
      longLived: marks.at(-1)?.ttl === "1h",
      marked: false,
      maxOutput,
      messages,
      model,
      stream,
      system,
      thinking: Json.print(fields.thinking ?? null),
      user: undefined
    }
  })
