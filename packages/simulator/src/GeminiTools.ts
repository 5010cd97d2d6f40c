/** The tools of a Gemini request and which of them may be called. */
import type { ToolSpec } from "@weir/model/Prompt"
import * as Either from "effect/Either"
import * as Errors from "./GeminiError.js"
import type { Read } from "./GeminiFields.js"
import * as Fields from "./GeminiFields.js"
import * as Json from "./Json.js"

const namePattern = /^[A-Za-z_][A-Za-z0-9_.:-]{0,63}$/

const schemaFields = [
  "anyOf",
  "default",
  "description",
  "enum",
  "example",
  "format",
  "items",
  "maxItems",
  "maxLength",
  "maxProperties",
  "maximum",
  "minItems",
  "minLength",
  "minProperties",
  "minimum",
  "nullable",
  "pattern",
  "properties",
  "propertyOrdering",
  "required",
  "title",
  "type"
]

/** The API's own kind of schema, which knows less than JSON Schema does. */
const checkSchema = (path: string, value: unknown): Read<void> =>
  Either.gen(function*() {
    const schema = yield* Fields.message(path, value, "Schema", schemaFields)
    yield* Fields.optional(Fields.join(path, "type"), schema.type, Fields.string)
    const properties = Object.values(Json.isObject(schema.properties) ? schema.properties : {})
    const inner = properties.map((property, index) => [`${path}.properties[${index}].value`, property] as const)
    for (const [at, property] of inner) yield* checkSchema(at, property)
    yield* Fields.optional(Fields.join(path, "items"), schema.items, checkSchema)
    yield* Fields.each(Fields.join(path, "anyOf"), schema.anyOf, checkSchema)
  })

const declarationFields = [
  "behavior",
  "description",
  "name",
  "parameters",
  "parametersJsonSchema",
  "response",
  "responseJsonSchema"
]

const readDeclaration = (path: string, value: unknown): Read<ToolSpec> =>
  Either.gen(function*() {
    const given = yield* Fields.message(path, value, "FunctionDeclaration", declarationFields)
    const name = yield* Fields.string(Fields.join(path, "name"), given.name ?? "")
    if (!namePattern.test(name)) {
      return yield* Either.left(Errors.at(
        Fields.join(path, "name"),
        "Invalid function name. Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), " +
          "underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 64."
      ))
    }
    yield* Fields.optional(Fields.join(path, "parameters"), given.parameters, checkSchema)
    const at = Fields.join(path, "parametersJsonSchema")
    const schema = yield* Fields.optional(at, given.parametersJsonSchema, Fields.struct)
    const description = yield* Fields.optional(Fields.join(path, "description"), given.description, Fields.string)
    const parameters = schema ?? (Json.isObject(given.parameters) ? given.parameters : {})
    return { description: description ?? "", name, parameters }
  })

const toolFields = ["codeExecution", "fileSearch", "functionDeclarations", "googleMaps", "googleSearch", "urlContext"]

const readTool = (path: string, value: unknown): Read<ReadonlyArray<ToolSpec>> =>
  Either.flatMap(
    Fields.message(path, value, "Tool", toolFields),
    (tool) => Fields.each(Fields.join(path, "functionDeclarations"), tool.functionDeclarations, readDeclaration)
  )

export const readTools = (path: string, value: unknown): Read<ReadonlyArray<ToolSpec>> =>
  Either.flatMap(Fields.each(path, value, readTool), (lists) => {
    const tools = lists.flat()
    const twice = tools.find(({ name }, index) => tools.findIndex((other) => other.name === name) !== index)
    return twice === undefined
      ? Either.right(tools)
      : Either.left(Errors.invalid(`Duplicate function declaration found: ${twice.name}`))
  })

const modes = ["MODE_UNSPECIFIED", "AUTO", "ANY", "NONE", "VALIDATED"]

/** Whether the reply may hold calls. */
export const readToolConfig = (path: string, value: unknown, tools: ReadonlyArray<ToolSpec>): Read<boolean> =>
  Either.gen(function*() {
    if (value === undefined) return tools.length > 0
    const config = yield* Fields.message(path, value, "ToolConfig", ["functionCallingConfig", "retrievalConfig"])
    if (config.functionCallingConfig === undefined) return tools.length > 0
    const at = Fields.join(path, "functionCallingConfig")
    const calling = yield* Fields.message(at, config.functionCallingConfig, "FunctionCallingConfig", [
      "mode",
      "allowedFunctionNames"
    ])
    const mode = yield* Fields.literal(
      Fields.join(at, "mode"),
      calling.mode ?? "AUTO",
      "FunctionCallingConfig.Mode",
      modes
    )
    return tools.length === 0
      ? yield* Either.left(Errors.invalid("Function calling config is set without function_declarations."))
      : mode !== "NONE"
  })
