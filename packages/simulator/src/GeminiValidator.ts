/**
 * Reads a Gemini request as strictly as the real API: the first thing wrong is refused in its words. Contents, parts,
 * signatures, tools and configuration have files of their own.
 */
import type { ToolSpec } from "@weir/model/Prompt"
import * as Either from "effect/Either"
import { readConfig } from "./GeminiConfig.js"
import type { GeminiContent } from "./GeminiContents.js"
import { readContent, readContents } from "./GeminiContents.js"
import * as Errors from "./GeminiError.js"
import type { Read } from "./GeminiFields.js"
import * as Fields from "./GeminiFields.js"
import type { GeminiPart } from "./GeminiParts.js"
import * as Signature from "./GeminiSignature.js"
import { readToolConfig, readTools } from "./GeminiTools.js"
import type { JsonObject } from "./Json.js"
import * as Json from "./Json.js"
import type { RawRequest, Rules } from "./Wire.js"

export interface GeminiRequest {
  readonly model: string
  readonly method: Method
  readonly system: ReadonlyArray<GeminiPart>
  readonly tools: ReadonlyArray<ToolSpec>
  readonly contents: ReadonlyArray<GeminiContent>
  readonly mayCall: boolean
  readonly maxOutput: number | undefined
}

const methods = ["generateContent", "streamGenerateContent", "countTokens"] as const

export type Method = typeof methods[number]

/** Model and method, which stand in the path. */
export const readPath = (path: string): { readonly model: string; readonly method: Method } | undefined => {
  const [, model, name] = /^\/v1beta\/models\/([^/:]+):([A-Za-z]+)$/.exec(path) ?? []
  const method = methods.find((known) => known === name)
  return model === undefined || method === undefined ? undefined : { method, model: decodeURIComponent(model) }
}

const requestFields = [
  "cachedContent",
  "contents",
  "generationConfig",
  "model",
  "safetySettings",
  "serviceTier",
  "store",
  "systemInstruction",
  "toolConfig",
  "tools"
]

const readBody = ({ body, isUtf8, json }: RawRequest): Read<JsonObject> => {
  const unreadable = (problem: string) => Either.left(Errors.unreadable(problem))
  if (!isUtf8) return unreadable("Invalid UTF-8.")
  if (json === undefined) return unreadable(body.trim() === "" ? "Unexpected end of string." : "Unexpected token.")
  if (Json.hasLoneSurrogate(body, json)) return unreadable("Illegal unicode code point.")
  return Json.isObject(json) ? Either.right(json) : unreadable("Root element must be a message.")
}

/** A request to count tokens holds contents, or a whole request to generate. */
const readCounted = (body: JsonObject): Read<JsonObject> =>
  Either.flatMap(
    Fields.message("", body, "CountTokensRequest", ["contents", "generateContentRequest", "model"]),
    ({ generateContentRequest, ...counted }) =>
      Either.map(
        Fields.optional(
          "generate_content_request",
          generateContentRequest,
          (path, value) => Fields.message(path, value, "GenerateContentRequest", requestFields)
        ),
        (request) => request ?? counted
      )
  )

const readSystem = (path: string, value: unknown): Read<ReadonlyArray<GeminiPart>> =>
  Either.map(Fields.optional(path, value, readContent), (content) => content?.parts ?? [])

export const validate = (request: RawRequest, rules: Rules): Read<GeminiRequest> =>
  Either.gen(function*() {
    const { method, model } = readPath(request.path) ?? { method: "generateContent", model: "" }
    if (rules.models !== undefined && !rules.models.includes(model)) {
      const generates = method === "countTokens" ? method : "generateContent"
      return yield* Either.left(Errors.unknownModel(model, generates))
    }
    const given = yield* readBody(request)
    const body = method === "countTokens"
      ? yield* readCounted(given)
      : yield* Fields.message("", given, "GenerateContentRequest", requestFields)
    const system = yield* readSystem("system_instruction", body.systemInstruction)
    const maxOutput = yield* readConfig("generation_config", body.generationConfig, model, rules)
    const tools = yield* readTools("tools", body.tools)
    const mayCall = yield* readToolConfig("tool_config", body.toolConfig, tools)
    const contents = yield* readContents("contents", body.contents, model)
    yield* Signature.check(contents, model)
    return { contents, maxOutput, mayCall, method, model, system, tools }
  })
