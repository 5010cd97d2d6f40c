/** Fields of the OpenAI APIs' requests, each refused in their words. A field that is null is absent. */
import * as Either from "effect/Either"
import type { JsonObject } from "./Json.js"
import * as Json from "./Json.js"
import type { OpenAiError } from "./OpenAiError.js"
import * as Errors from "./OpenAiError.js"
import type { RawRequest, Rules } from "./Wire.js"

export type Read<A> = Either.Either<A, OpenAiError>

export const efforts = ["none", "minimal", "low", "medium", "high", "xhigh", "max"]

export const number = (body: JsonObject, key: string, kind: "integer" | "decimal", min: number, max: number) => {
  const value = body[key]
  if (value === undefined || value === null) return Either.right(undefined)
  if (typeof value !== "number" || (kind === "integer" && !Number.isInteger(value))) {
    return Either.left(Errors.wrongType(key, kind === "integer" ? "an integer" : "a decimal", value))
  }
  if (value < min) return Either.left(Errors.outOfRange(key, kind, "below", min, value))
  if (value > max) return Either.left(Errors.outOfRange(key, kind, "above", max, value))
  return Either.right(value)
}

export const boolean = (body: JsonObject, key: string): Read<boolean | undefined> => {
  const value = body[key]
  if (value === undefined || value === null) return Either.right(undefined)
  return typeof value === "boolean" ? Either.right(value) : Either.left(Errors.wrongType(key, "a boolean", value))
}

export const string = (body: JsonObject, key: string): Read<string | undefined> => {
  const value = body[key]
  if (value === undefined || value === null) return Either.right(undefined)
  return typeof value === "string" ? Either.right(value) : Either.left(Errors.wrongType(key, "a string", value))
}

/** The parsed body. */
export const readBody = (request: RawRequest): Read<JsonObject> => {
  const contentType = request.headers["content-type"]
  if (!contentType?.toLowerCase().startsWith("application/json")) {
    return Either.left(Errors.invalid(
      `Unsupported content type: '${contentType ?? ""}'. This API method only accepts 'application/json' requests, ` +
        `but you specified the header 'Content-Type: ${contentType ?? ""}'. ` +
        "Please try again with a supported content type.",
      null,
      "unsupported_content_type"
    ))
  }
  const { body, isUtf8, json } = request
  return isUtf8 && Json.isObject(json) && !Json.hasLoneSurrogate(body, json)
    ? Either.right(json)
    : Either.left(Errors.unreadable)
}

export const readModel = (body: JsonObject, rules: Rules): Read<string> => {
  const model = body.model
  if (model === undefined || model === null || model === "") {
    return Either.left(Errors.invalid("you must provide a model parameter"))
  }
  if (typeof model !== "string") return Either.left(Errors.wrongType("model", "a string", model))
  return rules.models === undefined || rules.models.includes(model) ? Either.right(model) : Either.left({
    ...Errors.invalid(
      `The model \`${model}\` does not exist or you do not have access to it.`,
      null,
      "model_not_found"
    ),
    status: 404
  })
}

const namePattern = "^[a-zA-Z0-9_-]+$"

export const readName = (path: string, name: unknown): Read<string> => {
  if (name === undefined) return Either.left(Errors.missing(path))
  if (typeof name !== "string") return Either.left(Errors.wrongType(path, "a string", name))
  if (!new RegExp(namePattern).test(name)) {
    return Either.left(Errors.invalid(
      `Invalid '${path}': string does not match pattern. Expected a string that matches the pattern '${namePattern}'.`,
      path,
      "invalid_value"
    ))
  }
  return name.length > 64 ? Either.left(Errors.longString(path, 64, name.length)) : Either.right(name)
}

/** The schema of what a function takes. */
export const readParameters = (path: string, name: string, value: unknown): Read<JsonObject> => {
  if (value === undefined) return Either.right({})
  if (!Json.isObject(value)) return Either.left(Errors.wrongType(path, "an object", value))
  const type = value.type
  return type === "object" ? Either.right(value) : Either.left(Errors.invalid(
    `Invalid schema for function '${name}': schema must be a JSON Schema of 'type: "object"', ` +
      `got 'type: "${typeof type === "string" ? type : "None"}"'.`,
    path,
    "invalid_function_parameters"
  ))
}

const imageTypes = ["png", "jpeg", "gif", "webp"]
const dataUrl = /^data:([a-z]+\/[a-z0-9.+-]+);base64,(.*)$/is

/** The address or data URL of an image. */
export const imageUrl = (at: string, url: unknown): Read<string> => {
  if (url === undefined) return Either.left(Errors.missing(at))
  if (typeof url !== "string") return Either.left(Errors.wrongType(at, "a string", url))
  const data = dataUrl.exec(url)
  if (data === null) {
    return /^https?:\/\/[^\s/]+/.test(url) ? Either.right(url) : Either.left(Errors.invalid(
      `Invalid '${at}'. Expected a valid URL, but got a value with an invalid format.`,
      at,
      "invalid_value"
    ))
  }
  const [, mediaType = "", base64 = ""] = data
  if (!imageTypes.includes(mediaType.toLowerCase().replace("image/", ""))) {
    return Either.left(Errors.invalid(
      "You uploaded an unsupported image. Please make sure your image has of one the following formats: " +
        `[${imageTypes.map((type) => `'${type}'`).join(", ")}].`,
      null,
      "invalid_image_format"
    ))
  }
  return Json.isBase64(base64)
    ? Either.right(url)
    : Either.left(Errors.invalid(`Invalid '${at}'. Expected a base64-encoded data URL.`, at, "invalid_base64"))
}
