/** What a message says: a string, or parts of text and images. */
import * as Either from "effect/Either"
import type { JsonObject } from "./Json.js"
import * as Json from "./Json.js"
import type { OpenAiError } from "./OpenAiError.js"
import * as Errors from "./OpenAiError.js"
import * as Fields from "./OpenAiFields.js"

export interface ChatContent {
  readonly text: string
  /** Addresses or data URLs. */
  readonly images: ReadonlyArray<string>
}

type Role = "system" | "developer" | "user" | "assistant" | "tool"

const partTypes = ["text", "image_url", "input_audio", "refusal", "audio", "file"]
const readImage = (path: string, part: JsonObject, role: Role): Either.Either<ChatContent, OpenAiError> => {
  if (role !== "user") {
    const message = path.slice(0, path.indexOf("]") + 1)
    return Either.left(Errors.invalid(
      `Invalid '${message}'. Image URLs are only allowed for messages with role 'user', ` +
        `but this message with role '${role}' contains an image URL.`,
      message,
      "invalid_value"
    ))
  }
  if (part.image_url === undefined) return Either.left(Errors.missing(`${path}.image_url`))
  if (!Json.isObject(part.image_url)) {
    return Either.left(Errors.wrongType(`${path}.image_url`, "an object", part.image_url))
  }
  return Either.map(
    Fields.imageUrl(`${path}.image_url.url`, part.image_url.url),
    (url) => ({ images: [url], text: "" })
  )
}

const readPart = (path: string, part: unknown, role: Role): Either.Either<ChatContent, OpenAiError> => {
  if (!Json.isObject(part)) return Either.left(Errors.wrongType(path, "an object", part))
  if (part.type === undefined) return Either.left(Errors.missing(`${path}.type`))
  if (part.type === "image_url") return readImage(path, part, role)
  if (part.type !== "text") {
    return Either.left(Errors.unsupported(`${path}.type`, String(part.type), partTypes))
  }
  if (part.text === undefined) return Either.left(Errors.missing(`${path}.text`))
  return typeof part.text === "string"
    ? Either.right({ images: [], text: part.text })
    : Either.left(Errors.wrongType(`${path}.text`, "a string", part.text))
}

export const readContent = (path: string, value: unknown, role: Role): Either.Either<ChatContent, OpenAiError> => {
  if (typeof value === "string") return Either.right({ images: [], text: value })
  if (value === undefined) return Either.left(Errors.missing(path))
  if (value === null) {
    return Either.left(Errors.invalid(
      "Invalid value for 'content': expected a string, got null.",
      path.replace("[", ".[")
    ))
  }
  if (!Json.isArray(value)) {
    return Either.left(Errors.wrongType(path, "one of a string or array of objects", value))
  }
  if (value.length === 0) return Either.left(Errors.emptyArray(path))
  return Either.map(
    Either.all(value.map((part, index) => readPart(`${path}[${index}]`, part, role))),
    (parts) => ({
      images: parts.flatMap((part) => part.images),
      text: parts.flatMap((part) => part.images.length > 0 ? [] : [part.text]).join("\n")
    })
  )
}
