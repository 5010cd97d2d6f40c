/** The tools of an Anthropic request and which of them may be called. */
import type { ToolSpec } from "@weir/model/Prompt"
import * as Either from "effect/Either"
import type { Mark } from "./AnthropicBlocks.js"
import { readMark } from "./AnthropicBlocks.js"
import * as Errors from "./AnthropicError.js"
import type { Read } from "./AnthropicFields.js"
import * as Fields from "./AnthropicFields.js"
import type { JsonObject } from "./Json.js"

export interface AnthropicTool extends ToolSpec {
  readonly mark?: Mark
}

export interface ToolChoice {
  readonly type: "auto" | "any" | "tool" | "none"
}

const namePattern = "^[a-zA-Z0-9_-]{1,128}$"

const readSchema = (path: string, value: unknown): Read<JsonObject> =>
  Either.gen(function*() {
    const schema = yield* Fields.object(path, value)
    if (["oneOf", "allOf", "anyOf"].some((key) => key in schema)) {
      return yield* Either.left(Errors.at(
        path,
        "input_schema does not support oneOf, allOf, or anyOf at the top level"
      ))
    }
    yield* Fields.literal(`${path}.type`, schema.type, ["object"])
    return schema
  })

const readTool = (path: string, value: unknown): Read<AnthropicTool> =>
  Either.gen(function*() {
    const tool = yield* Fields.object(path, value)
    yield* Fields.optional(`${path}.type`, tool.type, (at, type) => Fields.literal(at, type, ["custom"]))
    const at = `${path}.custom`
    yield* Fields.closed(at, tool, [
      "type",
      "name",
      "description",
      "input_schema",
      "cache_control",
      "strict",
      "eager_input_streaming"
    ])
    const name = yield* Fields.matching(`${at}.name`, tool.name, namePattern)
    const description = yield* Fields.optional(`${at}.description`, tool.description, Fields.string)
    const parameters = yield* readSchema(`${at}.input_schema`, tool.input_schema)
    yield* Fields.boolean(`${at}.strict`, tool.strict)
    const mark = yield* readMark(at, tool.cache_control)
    return { description: description ?? "", name, parameters, ...(mark && { mark }) }
  })

export const readTools = (value: unknown): Read<ReadonlyArray<AnthropicTool>> =>
  Either.gen(function*() {
    const tools = (yield* Fields.optional("tools", value, (path, list) => Fields.each(path, list, readTool))) ?? []
    const names = new Set(tools.map(({ name }) => name))
    return names.size === tools.length ? tools : yield* Either.left(Errors.at("tools", "Tool names must be unique."))
  })

export const readToolChoice = (value: unknown, tools: ReadonlyArray<AnthropicTool>): Read<ToolChoice> =>
  Either.gen(function*() {
    if (Fields.isAbsent(value)) return { type: tools.length > 0 ? "auto" : "none" }
    const choice = yield* Fields.object("tool_choice", value)
    const type = (["auto", "any", "tool", "none"] as const).find((known) => known === choice.type)
    if (type === undefined) {
      return yield* Either.left(Errors.unknownTag("tool_choice", choice.type, ["any", "auto", "none", "tool"]))
    }
    const parallel = type === "none" ? [] : ["disable_parallel_tool_use"]
    yield* Fields.closed(`tool_choice.${type}`, choice, ["type", ...parallel, ...(type === "tool" ? ["name"] : [])])
    yield* Fields.boolean(`tool_choice.${type}.disable_parallel_tool_use`, choice.disable_parallel_tool_use)
    if (tools.length === 0 && type !== "none") {
      return yield* Either.left(Errors.at(
        "tool_choice",
        "`tool_choice` may only be specified while providing `tools`."
      ))
    }
    if (type !== "tool") return { type }
    const wanted = yield* Fields.string("tool_choice.tool.name", choice.name)
    return tools.some(({ name }) => name === wanted)
      ? { type }
      : yield* Either.left(Errors.at("tool_choice", `Tool '${wanted}' not found in provided tools`))
  })
