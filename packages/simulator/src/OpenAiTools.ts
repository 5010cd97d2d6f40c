/** The tools of a request to the OpenAI APIs, and which of them may be called. */
import * as Either from "effect/Either"
import type { JsonObject } from "./Json.js"
import * as Json from "./Json.js"
import * as Errors from "./OpenAiError.js"
import * as Fields from "./OpenAiFields.js"

export interface OpenAiTool {
  readonly name: string
  readonly description: string
  readonly parameters: JsonObject
}

/** Where the name of a function stands: beside its type, or one level below it. */
export type Form = "flat" | "nested"

const maxTools = 128

const specOf = (path: string, value: JsonObject, form: Form): Fields.Read<readonly [string, JsonObject]> => {
  if (form === "flat") return Either.right([path, value])
  return Json.isObject(value.function)
    ? Either.right([`${path}.function`, value.function])
    : Either.left(Errors.missing(`${path}.function`))
}

const readTool = (path: string, value: unknown, form: Form): Fields.Read<OpenAiTool> =>
  Either.gen(function*() {
    if (!Json.isObject(value)) return yield* Either.left(Errors.wrongType(path, "an object", value))
    if (value.type === undefined) return yield* Either.left(Errors.missing(`${path}.type`))
    if (value.type !== "function") {
      return yield* Either.left(Errors.unsupported(`${path}.type`, String(value.type), ["function", "custom"]))
    }
    const [at, spec] = yield* specOf(path, value, form)
    const name = yield* Fields.readName(`${at}.name`, spec.name)
    const description = spec.description ?? ""
    if (typeof description !== "string") {
      return yield* Either.left(Errors.wrongType(`${at}.description`, "a string", description))
    }
    const parameters = yield* Fields.readParameters(`${at}.parameters`, name, spec.parameters)
    return { description, name, parameters }
  })

export const readTools = (body: JsonObject, form: Form): Fields.Read<ReadonlyArray<OpenAiTool>> =>
  Either.gen(function*() {
    const list = body.tools
    if (list === undefined || list === null) return []
    if (!Json.isArray(list)) return yield* Either.left(Errors.wrongType("tools", "an array of objects", list))
    if (list.length === 0) return yield* Either.left(Errors.emptyArray("tools"))
    if (list.length > maxTools) return yield* Either.left(Errors.longArray("tools", maxTools, list.length))
    const tools = yield* Either.all(list.map((tool, index) => readTool(`tools[${index}]`, tool, form)))
    const twice = tools.find((tool, index) => tools.findIndex((other) => other.name === tool.name) !== index)
    return twice === undefined ? tools : yield* Either.left(Errors.invalid(
      `Invalid value for 'tools': the function name '${twice.name}' is used more than once. Names must be unique.`,
      "tools",
      "invalid_value"
    ))
  })

/** Whether the reply may hold calls. */
export const readToolChoice = (
  body: JsonObject,
  tools: ReadonlyArray<OpenAiTool>,
  form: Form
): Fields.Read<boolean> => {
  const needsTools = (key: string) =>
    Either.left(Errors.invalid(
      `Invalid value for '${key}': '${key}' is only allowed when 'tools' are specified.`,
      key
    ))
  const choice = body.tool_choice
  const parallel = body.parallel_tool_calls
  if (tools.length === 0) {
    if (choice !== undefined && choice !== null) return needsTools("tool_choice")
    return parallel === undefined || parallel === null ? Either.right(false) : needsTools("parallel_tool_calls")
  }
  if (parallel !== undefined && parallel !== null && typeof parallel !== "boolean") {
    return Either.left(Errors.wrongType("parallel_tool_calls", "a boolean", parallel))
  }
  if (choice === undefined || choice === null) return Either.right(true)
  if (typeof choice === "string") {
    const choices = ["none", "auto", "required"]
    return choices.includes(choice)
      ? Either.right(choice !== "none")
      : Either.left(Errors.unsupported("tool_choice", choice, choices))
  }
  if (!Json.isObject(choice)) {
    return Either.left(Errors.wrongType("tool_choice", "one of a string or an object", choice))
  }
  const spec = form === "flat" ? choice : choice.function
  const named = Json.isObject(spec) ? spec.name : undefined
  if (named === undefined) {
    return Either.left(Errors.missing(form === "flat" ? "tool_choice.name" : "tool_choice.function"))
  }
  return tools.some((tool) => tool.name === named) ? Either.right(true) : Either.left(Errors.invalid(
    `Invalid value for 'tool_choice': no function named '${String(named)}' was specified in the 'tools' parameter.`,
    "tool_choice"
  ))
}
