/** The tools of a Bedrock request and which of them may be called. */
import type { ToolSpec } from "@weir/model/Prompt"
import * as Either from "effect/Either"
import type { AnthropicTool, ToolChoice } from "./AnthropicTools.js"
import { longestName, readCachePoint } from "./BedrockBlocks.js"
import * as Errors from "./BedrockError.js"
import type { Read } from "./BedrockFields.js"
import * as Fields from "./BedrockFields.js"

export interface ToolConfig {
  readonly tools: ReadonlyArray<AnthropicTool>
  readonly choice: ToolChoice
}

const none: ToolConfig = { choice: { type: "none" }, tools: [] }

const readSpec = (path: string, value: unknown): Read<ToolSpec> =>
  Either.gen(function*() {
    const spec = yield* Fields.record(path, value, ["name", "description", "inputSchema", "strict"])
    const name = yield* Fields.matching(`${path}.name`, spec.name, "[a-zA-Z0-9_-]+", longestName)
    const description = yield* Fields.optional(`${path}.description`, spec.description, Fields.string)
    if (description === "") {
      return yield* Either.left(
        Errors.constraint(`${path}.description`, "''", "have length greater than or equal to 1")
      )
    }
    const [, json] = yield* Fields.member(`${path}.inputSchema`, spec.inputSchema, "ToolInputSchema", ["json"])
    const at = `${path}.inputSchema.json`
    const parameters = yield* Fields.object(at, json)
    if (parameters.type !== "object") {
      return yield* Either.left(Errors.invalid(`The value at ${at}.type must be one of the following: object.`))
    }
    if (["oneOf", "allOf", "anyOf"].some((key) => key in parameters)) {
      return yield* Either.left(Errors.byModel(
        `${path}.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`
      ))
    }
    return { description: description ?? "", name, parameters }
  })

const readList = (path: string, value: unknown): Read<ReadonlyArray<AnthropicTool>> =>
  Either.gen(function*() {
    const tools: Array<AnthropicTool> = []
    const items = yield* Fields.each(path, value, (at, item) =>
      Either.map(Fields.member(at, item, "Tool", ["toolSpec", "cachePoint"]), (member) => ({ at, member })))
    for (const { at, member: [kind, given] } of items) {
      if (kind === "toolSpec") {
        tools.push(yield* readSpec(`${at}.${kind}`, given))
        continue
      }
      const point = yield* readCachePoint(`${at}.${kind}`, given)
      const last = tools.pop()
      if (last === undefined || last.mark !== undefined || point.type !== "cachePoint") {
        return yield* Either.left(Errors.invalid(`The cachePoint object at ${at}.${kind} must follow a tool.`))
      }
      tools.push({ ...last, mark: { path: point.path, ttl: point.ttl } })
    }
    return tools
  })

const readChoice = (path: string, value: unknown, tools: ReadonlyArray<ToolSpec>): Read<ToolChoice> =>
  Either.gen(function*() {
    const [type, given] = yield* Fields.member(path, value, "ToolChoice", ["auto", "any", "tool"])
    const choice = yield* Fields.record(`${path}.${type}`, given, type === "tool" ? ["name"] : [])
    if (type !== "tool") return { type }
    const name = yield* Fields.string(`${path}.tool.name`, choice.name)
    return tools.some((tool) => tool.name === name)
      ? { type }
      : yield* Either.left(Errors.byModel(`tool_choice: Tool '${name}' not found in provided tools`))
  })

export const readToolConfig = (value: unknown): Read<ToolConfig> =>
  Either.gen(function*() {
    if (Fields.isAbsent(value)) return none
    const config = yield* Fields.record("toolConfig", value, ["tools", "toolChoice"])
    const tools = yield* readList("toolConfig.tools", config.tools)
    if (tools.length === 0) {
      return yield* Either.left(
        Errors.constraint("toolConfig.tools", "'[]'", "have length greater than or equal to 1")
      )
    }
    const names = new Set(tools.map(({ name }) => name))
    if (names.size < tools.length) {
      return yield* Either.left(Errors.byModel("tools: Tool names must be unique."))
    }
    const choice = yield* Fields.optional("toolConfig.toolChoice", config.toolChoice, (path, given) =>
      readChoice(path, given, tools))
    return { choice: choice ?? { type: "auto" }, tools }
  })
