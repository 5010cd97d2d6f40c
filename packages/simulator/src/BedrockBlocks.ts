/** The blocks that messages, tool results and system prompts are made of: the shape of each. */
import type { Image } from "@weir/model/Conversation"
import * as Either from "effect/Either"
import type { Block, BlockContent } from "./AnthropicBlocks.js"
import * as Errors from "./BedrockError.js"
import type { Read } from "./BedrockFields.js"
import * as Fields from "./BedrockFields.js"
import * as Json from "./Json.js"

const idPattern = "[a-zA-Z0-9_-]+"
export const longestName = 64

/** A place where the cache ends, or a block. */
export type Item = Block | { readonly type: "cachePoint"; readonly path: string; readonly ttl: "5m" | "1h" }

export type Kind = "text" | "image" | "toolUse" | "toolResult" | "reasoningContent" | "cachePoint"

export const readCachePoint = (path: string, value: unknown): Read<Item> =>
  Either.gen(function*() {
    const point = yield* Fields.record(path, value, ["type", "ttl"])
    yield* Fields.oneOf(`${path}.type`, point.type, ["default"])
    const ttl = yield* Fields.optional(`${path}.ttl`, point.ttl, (at, given) => Fields.oneOf(at, given, ["5m", "1h"]))
    return { path, ttl: ttl === "1h" ? "1h" : "5m", type: "cachePoint" }
  })

/** `at` is the block's own path. */
const readText = (at: string, what: string, value: unknown): Read<BlockContent> =>
  Either.flatMap(Fields.string(`${at}.text`, value), (text) =>
    text.trim() === ""
      ? Either.left(Errors.invalid(
        `The text field in the ${what} object at ${at} is blank. Add text to the text field, and try again.`
      ))
      : Either.right({ text, type: "text" }))

const beginnings: Readonly<Record<string, string>> = {
  gif: "R0lGOD",
  jpeg: "/9j/",
  png: "iVBORw0KGgo",
  webp: "UklGR"
}

const maxImageBytes = 5 * 1024 * 1024

const readBytes = (path: string, value: unknown): Read<string> =>
  Either.flatMap(Fields.string(path, value), (data) =>
    Json.isBase64(data)
      ? Either.right(data)
      : Either.left(Errors.unreadable(`${path}: Unable to decode base64 blob`)))

const readImage = (path: string, value: unknown): Read<Image> =>
  Either.gen(function*() {
    const image = yield* Fields.record(path, value, ["format", "source"])
    const format = yield* Fields.oneOf(`${path}.format`, image.format, ["png", "jpeg", "gif", "webp"])
    const [, given] = yield* Fields.member(`${path}.source`, image.source, "ImageSource", ["bytes"])
    const data = yield* readBytes(`${path}.source.bytes`, given)
    if (data.length > maxImageBytes) {
      const problem = `image exceeds 5 MB maximum: ${data.length} bytes > ${maxImageBytes} bytes`
      return yield* Either.left(Errors.byModel(`${path}.source.base64: ${problem}`))
    }
    const looksLike = Object.keys(beginnings).find((name) => data.startsWith(beginnings[name] ?? ""))
    if (looksLike !== undefined && looksLike !== format) {
      const problem = `Image does not match the provided media type image/${format}`
      return yield* Either.left(Errors.byModel(`${path}.source.base64.data: ${problem}`))
    }
    return { data, mediaType: `image/${format}` }
  })

const readUse = (path: string, value: unknown): Read<BlockContent> =>
  Either.gen(function*() {
    const use = yield* Fields.record(path, value, ["toolUseId", "name", "input"])
    const id = yield* Fields.matching(`${path}.toolUseId`, use.toolUseId, idPattern, 64)
    const name = yield* Fields.matching(`${path}.name`, use.name, idPattern, longestName)
    if (Fields.isAbsent(use.input)) return yield* Either.left(Errors.required(`${path}.input`))
    return Json.isObject(use.input)
      ? { id, input: use.input, name, type: "tool_use" }
      : yield* Either.left(Errors.invalid(
        `The format of the value at ${path}.input is invalid. Provide a json object for the field and try again.`
      ))
  })

const readResult = (path: string, value: unknown): Read<BlockContent> =>
  Either.gen(function*() {
    const result = yield* Fields.record(path, value, ["toolUseId", "content", "status"])
    const id = yield* Fields.matching(`${path}.toolUseId`, result.toolUseId, idPattern, 64)
    const status = yield* Fields.optional(`${path}.status`, result.status, (at, given) =>
      Fields.oneOf(at, given, ["success", "error"]))
    const content = yield* Fields.each(`${path}.content`, result.content, (at, item): Read<BlockContent> =>
      Either.gen(function*() {
        const [kind, given] = yield* Fields.member(at, item, "ToolResultContentBlock", ["text", "json", "image"])
        if (kind === "image") {
          return { image: yield* readImage(`${at}.image`, given), type: "image" }
        }
        return kind === "json"
          ? { text: Json.print(yield* Fields.object(`${at}.json`, given)), type: "text" }
          : yield* readText(at, "ToolResultContentBlock", given)
      }))
    if (content.length === 0) {
      return yield* Either.left(Errors.invalid(
        `The content field in the ToolResultBlock object at ${path} is empty. ` +
          "Add a ToolResultContentBlock object to the content field and try again."
      ))
    }
    const images = content.flatMap((block) =>
      block.type === "image" ? [block.image] : []
    )
    if (status === "error" && images.length > 0) {
      return yield* Either.left(Errors.byModel(`${path}: all content must be type "text" if \`is_error\` is true`))
    }
    const text = content.flatMap((block) =>
      block.type === "text" ? [block.text] : []
    ).join("\n")
    return { id, images, isError: status === "error", text, type: "tool_result" }
  })

const readReasoning = (path: string, value: unknown): Read<BlockContent> =>
  Either.gen(function*() {
    const [kind, given] = yield* Fields.member(path, value, "ReasoningContentBlock", [
      "reasoningText",
      "redactedContent"
    ])
    if (kind === "redactedContent") {
      return { data: yield* readBytes(`${path}.${kind}`, given), type: "redacted_thinking" }
    }
    const at = `${path}.${kind}`
    const reasoning = yield* Fields.record(at, given, ["text", "signature"])
    if (Fields.isAbsent(reasoning.signature)) {
      return yield* Either.left(Errors.byModel(`${path}.thinking.signature: Field required`))
    }
    return {
      signature: yield* Fields.string(`${at}.signature`, reasoning.signature),
      thinking: yield* Fields.string(`${at}.text`, reasoning.text),
      type: "thinking"
    }
  })

const readContent = (path: string, kind: Exclude<Kind, "cachePoint">, what: string, value: unknown) => {
  switch (kind) {
    case "text":
      return readText(path, what, value)
    case "image":
      return Either.map(readImage(`${path}.image`, value), (image): BlockContent => ({ image, type: "image" }))
    case "toolUse":
      return readUse(`${path}.toolUse`, value)
    case "toolResult":
      return readResult(`${path}.toolResult`, value)
    case "reasoningContent":
      return readReasoning(`${path}.reasoningContent`, value)
  }
}

/** The blocks of a list, each marked when a cache point follows it. */
export const attach = (items: ReadonlyArray<Item>): Read<ReadonlyArray<Block>> => {
  const blocks: Array<Block> = []
  for (const item of items) {
    if (item.type !== "cachePoint") {
      blocks.push(item)
      continue
    }
    const last = blocks.pop()
    if (last === undefined || last.mark !== undefined) {
      return Either.left(Errors.invalid(`The cachePoint object at ${item.path} must follow a block of content.`))
    }
    if (last.type === "thinking" || last.type === "redacted_thinking") {
      return Either.left(Errors.byModel(`${last.path}.${last.type}.cache_control: Extra inputs are not permitted`))
    }
    blocks.push({ ...last, mark: { path: item.path, ttl: item.ttl } })
  }
  return Either.right(blocks)
}

/** One block of one of these kinds; `what` is the API's name for them all. */
export const readItem = (path: string, value: unknown, what: string, kinds: ReadonlyArray<Kind>): Read<Item> =>
  Either.gen(function*() {
    const [kind, given] = yield* Fields.member(path, value, what, kinds)
    if (kind === "cachePoint") return yield* readCachePoint(`${path}.cachePoint`, given)
    return { ...(yield* readContent(path, kind, what, given)), key: Json.print(value), path }
  })
