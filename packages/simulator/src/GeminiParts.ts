/** The parts that contents are made of: the shape of each. */
import type { Image } from "@weir/model/Conversation"
import * as Either from "effect/Either"
import * as Errors from "./GeminiError.js"
import type { Read } from "./GeminiFields.js"
import * as Fields from "./GeminiFields.js"
import type { JsonObject } from "./Json.js"
import * as Json from "./Json.js"

export type PartData =
  | { readonly type: "text"; readonly text: string; readonly thought: boolean }
  | { readonly type: "image"; readonly image: Image }
  | { readonly type: "call"; readonly id: string | undefined; readonly name: string; readonly args: JsonObject }
  | {
    readonly type: "response"
    readonly id: string | undefined
    readonly name: string
    readonly response: JsonObject
    readonly images: ReadonlyArray<Image>
  }

export type GeminiPart = PartData & {
  readonly path: string
  readonly signature: string | undefined
  /** The part as JSON. */
  readonly key: string
}

export type CallPart = Extract<GeminiPart, { readonly type: "call" }>

/** The kinds of data, of which every part has just one. */
const data = ["text", "inlineData", "functionCall", "functionResponse"]

const beside = ["thought", "thoughtSignature", "mediaResolution", "partMetadata", "videoMetadata"]

const imageTypes = ["image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"]

const readImage = (path: string, value: unknown): Read<Image> =>
  Either.gen(function*() {
    const blob = yield* Fields.message(path, value, "Blob", ["mimeType", "data", "displayName"])
    const mediaType = yield* Fields.string(Fields.join(path, "mimeType"), blob.mimeType ?? "")
    const bytes = yield* Fields.bytes(Fields.join(path, "data"), blob.data ?? "")
    if (!imageTypes.includes(mediaType)) {
      return yield* Either.left(Errors.invalid(`Unsupported MIME type: ${mediaType}`))
    }
    return bytes === ""
      ? yield* Either.left(Errors.invalid("Provided image is not valid."))
      : { data: bytes, mediaType }
  })

const readName = (path: string, value: unknown): Read<string> =>
  Either.flatMap(
    Fields.string(path, value ?? ""),
    (name) => name === "" ? Either.left(Errors.at(path, "Name cannot be empty.")) : Either.right(name)
  )

const readCall = (path: string, value: unknown): Read<PartData> =>
  Either.gen(function*() {
    const call = yield* Fields.message(path, value, "FunctionCall", ["id", "name", "args"])
    return {
      args: (yield* Fields.optional(Fields.join(path, "args"), call.args, Fields.struct)) ?? {},
      id: yield* Fields.optional(Fields.join(path, "id"), call.id, Fields.string),
      name: yield* readName(Fields.join(path, "name"), call.name),
      type: "call"
    }
  })

const readResponsePart = (path: string, value: unknown): Read<Image> =>
  Either.flatMap(
    Fields.message(path, value, "FunctionResponsePart", ["inlineData"]),
    ({ inlineData }) => readImage(Fields.join(path, "inlineData"), inlineData)
  )

const readResponse = (path: string, value: unknown): Read<PartData> =>
  Either.gen(function*() {
    const known = ["id", "name", "response", "parts", "willContinue", "scheduling"]
    const given = yield* Fields.message(path, value, "FunctionResponse", known)
    return {
      id: yield* Fields.optional(Fields.join(path, "id"), given.id, Fields.string),
      images: yield* Fields.each(Fields.join(path, "parts"), given.parts, readResponsePart),
      name: yield* readName(Fields.join(path, "name"), given.name),
      response: (yield* Fields.optional(Fields.join(path, "response"), given.response, Fields.struct)) ?? {},
      type: "response"
    }
  })

const readData = (path: string, part: JsonObject, kind: string): Read<PartData> => {
  const at = Fields.join(path, kind)
  switch (kind) {
    case "inlineData":
      return Either.map(readImage(at, part.inlineData), (image) => ({ image, type: "image" }))
    case "functionCall":
      return readCall(at, part.functionCall)
    case "functionResponse":
      return readResponse(at, part.functionResponse)
    default:
      return Either.gen(function*() {
        const text = yield* Fields.string(at, part.text)
        const thought = yield* Fields.optional(Fields.join(path, "thought"), part.thought, Fields.boolean)
        return { text, thought: thought ?? false, type: "text" }
      })
  }
}

export const readPart = (path: string, value: unknown): Read<GeminiPart> =>
  Either.gen(function*() {
    const part = yield* Fields.message(path, value, "Part", [...data, ...beside])
    const [kind, second] = Object.keys(part).filter((name) => data.includes(name))
    if (second !== undefined) return yield* Either.left(Errors.alreadySet(path, second))
    const at = Fields.join(path, "thoughtSignature")
    const signature = yield* Fields.optional(at, part.thoughtSignature, Fields.bytes)
    if (kind === undefined || (part.text === "" && !signature)) {
      const problem = "required oneof field 'data' must have one initialized field"
      return yield* Either.left(Errors.at(Fields.join(path, "data"), problem))
    }
    return { ...(yield* readData(path, part, kind)), key: Json.print(part), path, signature: signature || undefined }
  })
