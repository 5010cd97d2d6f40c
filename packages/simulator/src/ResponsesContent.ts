/** What an item of the Responses API says: a string, or parts of the kinds that belong to its side. */
import * as Either from "effect/Either"
import type { JsonObject } from "./Json.js"
import * as Json from "./Json.js"
import * as Errors from "./OpenAiError.js"
import type { Read } from "./OpenAiFields.js"
import * as Fields from "./OpenAiFields.js"

export interface ResponsesContent {
  readonly text: string
  /** Addresses or data URLs. */
  readonly images: ReadonlyArray<string>
}

/** The parts that are sent to the model, and those that it wrote. */
const kinds = {
  input: ["input_text", "input_image", "input_file"],
  output: ["output_text", "refusal"]
} as const

export type Side = keyof typeof kinds

const partFields: Readonly<Record<string, ReadonlyArray<string>>> = {
  input_image: ["type", "image_url", "file_id", "detail", "prompt_cache_breakpoint"],
  input_text: ["type", "text", "prompt_cache_breakpoint"],
  output_text: ["type", "text", "annotations", "logprobs"],
  refusal: ["type", "refusal"]
}

const readText = (path: string, part: JsonObject, key: "text" | "refusal"): Read<ResponsesContent> => {
  const at = `${path}.${key}`
  const text = part[key]
  if (text === undefined) return Either.left(Errors.missing(at))
  return typeof text === "string"
    ? Either.right({ images: [], text })
    : Either.left(Errors.wrongType(at, "a string", text))
}

const readPart = (path: string, part: unknown, side: Side): Read<ResponsesContent> => {
  if (!Json.isObject(part)) return Either.left(Errors.wrongType(path, "an object", part))
  const type = part.type
  if (type === undefined) return Either.left(Errors.missing(`${path}.type`))
  const fields = typeof type === "string" ? partFields[type] : undefined
  if (fields === undefined || !kinds[side].some((kind) => kind === type)) {
    return Either.left(Errors.unsupported(`${path}.type`, String(type), kinds[side]))
  }
  const unknown = Object.keys(part).find((key) => !fields.includes(key))
  if (unknown !== undefined) return Either.left(Errors.unknownParameter(`${path}.${unknown}`))
  switch (type) {
    case "input_image":
      return Either.map(Fields.imageUrl(`${path}.image_url`, part.image_url), (url) => ({ images: [url], text: "" }))
    case "refusal":
      return readText(path, part, "refusal")
    default:
      return readText(path, part, "text")
  }
}

export const readContent = (path: string, value: unknown, side: Side): Read<ResponsesContent> => {
  if (typeof value === "string") return Either.right({ images: [], text: value })
  if (value === undefined || value === null) return Either.left(Errors.missing(path))
  if (!Json.isArray(value)) {
    return Either.left(Errors.wrongType(path, "one of an array of objects or string", value))
  }
  return Either.map(
    Either.all(value.map((part, index) => readPart(`${path}[${index}]`, part, side))),
    (parts) => ({
      images: parts.flatMap((part) => part.images),
      text: parts.flatMap((part) => part.images.length > 0 ? [] : [part.text]).join("\n")
    })
  )
}
