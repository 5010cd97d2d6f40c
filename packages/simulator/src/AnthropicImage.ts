/** Images of an Anthropic request: by address, or as data of a known type and a size that the API takes. */
import type { Image } from "@weir/model/Conversation"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import * as Errors from "./AnthropicError.js"
import type { Read } from "./AnthropicFields.js"
import * as Fields from "./AnthropicFields.js"
import type { JsonObject } from "./Json.js"
import * as Json from "./Json.js"

/** With the beginning of its data in Base64. */
const types: Readonly<Record<string, string>> = {
  "image/gif": "R0lGOD",
  "image/jpeg": "/9j/",
  "image/png": "iVBORw0KGgo",
  "image/webp": "UklGR"
}

const maxBytes = 5 * 1024 * 1024
const maxSide = 8_000
const manyImages = 20
const maxSideOfMany = 2_000

/** The longer side of a PNG, in pixels; 0 when it is none or too short to tell. */
const longerSide = (image: Image): number => {
  if (image.mediaType !== "image/png") return 0
  const head = Either.getOrUndefined(Encoding.decodeBase64(image.data.slice(0, 32)))
  if (head === undefined || head.length < 24) return 0
  const view = new DataView(head.buffer, head.byteOffset)
  return Math.max(view.getUint32(16), view.getUint32(20))
}

const readData = (path: string, source: JsonObject): Read<Image> =>
  Either.gen(function*() {
    yield* Fields.closed(path, source, ["type", "media_type", "data"])
    const mediaType = yield* Fields.literal(`${path}.media_type`, source.media_type, [
      "image/jpeg",
      "image/png",
      "image/gif",
      "image/webp"
    ])
    const data = yield* Fields.string(`${path}.data`, source.data)
    if (!Json.isBase64(data)) return yield* Either.left(Errors.at(`${path}.data`, "Invalid base64 data"))
    if (data.length > maxBytes) {
      const problem = `image exceeds 5 MB maximum: ${data.length} bytes > ${maxBytes} bytes`
      return yield* Either.left(Errors.at(path, problem))
    }
    const looksLike = Object.keys(types).find((type) => data.startsWith(types[type] ?? ""))
    if (looksLike !== undefined && looksLike !== mediaType) {
      const problem = `Image does not match the provided media type ${mediaType}`
      return yield* Either.left(Errors.at(`${path}.data`, problem))
    }
    const image = { data, mediaType }
    return longerSide(image) > maxSide
      ? yield* Either.left(Errors.at(
        `${path}.data`,
        `At least one of the image dimensions exceed max allowed size: ${maxSide} pixels`
      ))
      : image
  })

/** `path` is that of the image block, with its type. */
export const readImage = (path: string, block: JsonObject): Read<Image> =>
  Either.gen(function*() {
    const at = `${path}.source`
    const source = yield* Fields.object(at, block.source)
    if (source.type === "base64") return yield* readData(`${at}.base64`, source)
    if (source.type !== "url") return yield* Either.left(Errors.unknownTag(at, source.type, ["base64", "url"]))
    const url = yield* Fields.string(`${at}.url.url`, source.url)
    return /^https:\/\/[^\s/]+/.test(url)
      ? { data: url, mediaType: "text/uri-list" }
      : yield* Either.left(Errors.at(`${at}.url.url`, "Only HTTPS URLs are supported."))
  })

/** Many images in one request must be smaller. */
export const checkMany = (images: ReadonlyArray<Image>): Read<void> =>
  images.length > manyImages && images.some((image) => longerSide(image) > maxSideOfMany)
    ? Either.left(Errors.invalid(
      "messages: At least one of the image dimensions exceed max allowed size for many-image requests: " +
        `${maxSideOfMany} pixels`
    ))
    : Either.void
