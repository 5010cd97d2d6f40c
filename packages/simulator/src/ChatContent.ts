/** What a message says: a string, or parts of text and images. */
import * as Either from "effect/Either"
import type { ChatError } from "./ChatError.js"
import * as ChatErrors from "./ChatError.js"
import type { JsonObject } from "./Json.js"
import * as Json from "./Json.js"

export interface ChatContent {
  readonly text: string
  /** Addresses or data URLs. */
  readonly images: ReadonlyArray<string>
}

type Role = "system" | "developer" | "user" | "assistant" | "tool"

const partTypes = ["text", "image_url", "input_audio", "refusal", "audio", "file"]
const imageTypes = ["png", "jpeg", "gif", "webp"]
const dataUrl = /^data:([a-z]+\/[a-z0-9.+-]+);base64,(.*)$/is

const readImage = (path: string, part: JsonObject, role: Role): Either.Either<ChatContent, ChatError> => {
  if (role !== "user") {
    const message = path.slice(0, path.indexOf("]") + 1)
    return Either.left(ChatErrors.invalid(
      `Invalid '${message}'. Image URLs are only allowed for messages with role 'user', ` +
        `but this message with role '${role}' contains an image URL.`,
      message,
      "invalid_value"
    ))
  }
  if (part.image_url === undefined) return Either.left(ChatErrors.missing(`${path}.image_url`))
  if (!Json.isObject(part.image_url)) {
    return Either.left(ChatErrors.wrongType(`${path}.image_url`, "an object", part.image_url))
  }
  const at = `${path}.image_url.url`
  const url = part.image_url.url
  if (url === undefined) return Either.left(ChatErrors.missing(at))
  if (typeof url !== "string") return Either.left(ChatErrors.wrongType(at, "a string", url))
  const data = dataUrl.exec(url)
  if (data === null) {
    return /^https?:\/\/[^\s/]+/.test(url) ? Either.right({ images: [url], text: "" }) : Either.left(ChatErrors.invalid(
      `Invalid '${at}'. Expected a valid URL, but got a value with an invalid format.`,
      at,
      "invalid_value"
    ))
  }
  const [, mediaType = "", base64 = ""] = data
  if (!imageTypes.includes(mediaType.toLowerCase().replace("image/", ""))) {
    return Either.left(ChatErrors.invalid(
      "You uploaded an unsupported image. Please make sure your image has of one the following formats: " +
        `[${imageTypes.map((type) => `'${type}'`).join(", ")}].`,
      null,
      "invalid_image_format"
    ))
  }
  return Json.isBase64(base64)
    ? Either.right({ images: [url], text: "" })
    : Either.left(ChatErrors.invalid(`Invalid '${at}'. Expected a base64-encoded data URL.`, at, "invalid_base64"))
}

const readPart = (path: string, part: unknown, role: Role): Either.Either<ChatContent, ChatError> => {
  if (!Json.isObject(part)) return Either.left(ChatErrors.wrongType(path, "an object", part))
  if (part.type === undefined) return Either.left(ChatErrors.missing(`${path}.type`))
  if (part.type === "image_url") return readImage(path, part, role)
  if (part.type !== "text") {
    return Either.left(ChatErrors.unsupported(`${path}.type`, String(part.type), partTypes))
  }
  if (part.text === undefined) return Either.left(ChatErrors.missing(`${path}.text`))
  return typeof part.text === "string"
    ? Either.right({ images: [], text: part.text })
    : Either.left(ChatErrors.wrongType(`${path}.text`, "a string", part.text))
}

export const readContent = (path: string, value: unknown, role: Role): Either.Either<ChatContent, ChatError> => {
  if (typeof value === "string") return Either.right({ images: [], text: value })
  if (value === undefined) return Either.left(ChatErrors.missing(path))
  if (value === null) {
    return Either.left(ChatErrors.invalid(
      "Invalid value for 'content': expected a string, got null.",
      path.replace("[", ".[")
    ))
  }
  if (!Json.isArray(value)) {
    return Either.left(ChatErrors.wrongType(path, "one of a string or array of objects", value))
  }
  if (value.length === 0) return Either.left(ChatErrors.emptyArray(path))
  return Either.map(
    Either.all(value.map((part, index) => readPart(`${path}[${index}]`, part, role))),
    (parts) => ({
      images: parts.flatMap((part) => part.images),
      text: parts.flatMap((part) => part.images.length > 0 ? [] : [part.text]).join("\n")
    })
  )
}
