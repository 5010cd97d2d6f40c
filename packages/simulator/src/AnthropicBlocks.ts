/** The blocks that messages, tool results and system prompts are made of: the shape of each. */
import type { Image } from "@weir/model/Conversation"
import * as Either from "effect/Either"
import * as Errors from "./AnthropicError.js"
import type { Read } from "./AnthropicFields.js"
import * as Fields from "./AnthropicFields.js"
import { readImage } from "./AnthropicImage.js"
import type { JsonObject } from "./Json.js"
import * as Json from "./Json.js"

/** A request to cache the input up to the end of what carries it. */
export interface Mark {
  readonly path: string
  readonly ttl: "5m" | "1h"
}

export type BlockContent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly image: Image }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly input: JsonObject }
  | {
    readonly type: "tool_result"
    readonly id: string
    readonly isError: boolean
    readonly text: string
    readonly images: ReadonlyArray<Image>
  }
  | { readonly type: "thinking"; readonly thinking: string; readonly signature: string }
  | { readonly type: "redacted_thinking"; readonly data: string }

export type Block = BlockContent & {
  readonly path: string
  readonly mark?: Mark
  /** The block as JSON, without its mark. */
  readonly key: string
}

export const idPattern = "^[a-zA-Z0-9_-]+$"

const keys: Readonly<Record<BlockContent["type"], ReadonlyArray<string>>> = {
  image: ["type", "source", "cache_control"],
  redacted_thinking: ["type", "data"],
  text: ["type", "text", "cache_control", "citations"],
  thinking: ["type", "thinking", "signature"],
  tool_result: ["type", "tool_use_id", "content", "is_error", "cache_control"],
  tool_use: ["type", "id", "name", "input", "cache_control", "caller"]
}

export const readMark = (path: string, value: unknown): Read<Mark | undefined> =>
  Fields.optional(Fields.join(path, "cache_control"), value, (at, given) =>
    Either.gen(function*() {
      const control = yield* Fields.object(at, given)
      yield* Fields.literal(`${at}.type`, control.type, ["ephemeral"])
      yield* Fields.closed(at, control, ["type", "ttl", "scope"])
      const ttl = yield* Fields.optional(`${at}.ttl`, control.ttl, (where, ttl) =>
        Fields.literal(where, ttl, ["5m", "1h"]))
      return { path: at, ttl: ttl === "1h" ? "1h" : "5m" }
    }))

const readText = (path: string, block: JsonObject): Read<BlockContent> =>
  Either.gen(function*() {
    const text = yield* Fields.string(`${path}.text`, block.text)
    if (text === "" && !Fields.isAbsent(block.cache_control)) {
      return yield* Either.left(Errors.at(path, "cache_control cannot be set for empty text blocks"))
    }
    if (text.trim() !== "") return { text, type: "text" }
    const list = path.slice(0, path.search(/\.|$/))
    return yield* Either.left(Errors.at(
      list,
      text === "" ? "text content blocks must be non-empty" : "text content blocks must contain non-whitespace text"
    ))
  })

const readResult = (path: string, block: JsonObject): Read<BlockContent> =>
  Either.gen(function*() {
    const id = yield* Fields.matching(`${path}.tool_use_id`, block.tool_use_id, idPattern)
    const isError = (yield* Fields.boolean(`${path}.is_error`, block.is_error)) ?? false
    const content = block.content
    if (Fields.isAbsent(content) || typeof content === "string") {
      return { id, images: [], isError, text: content ?? "", type: "tool_result" }
    }
    const blocks = yield* Fields.each(
      `${path}.content`,
      content,
      (at, value) => readBlock(at, value, ["text", "image"])
    )
    const images = blocks.flatMap((inner) => inner.type === "image" ? [inner.image] : [])
    if (isError && images.length > 0) {
      return yield* Either.left(Errors.at(path, "all content must be type \"text\" if `is_error` is true"))
    }
    const text = blocks.flatMap((inner) => inner.type === "text" ? [inner.text] : []).join("\n")
    return { id, images, isError, text, type: "tool_result" }
  })

const readInner = (path: string, block: JsonObject, type: BlockContent["type"]): Read<BlockContent> =>
  Either.gen(function*() {
    switch (type) {
      case "text":
        return yield* readText(path, block)
      case "image":
        return { image: yield* readImage(path, block), type }
      case "tool_use": {
        const id = yield* Fields.matching(`${path}.id`, block.id, idPattern)
        const name = yield* Fields.string(`${path}.name`, block.name)
        if (name === "" || name.length > 200) {
          return yield* Either.left(Errors.at(`${path}.name`, "String should have 1 to 200 characters"))
        }
        return { id, input: yield* Fields.object(`${path}.input`, block.input), name, type }
      }
      case "tool_result":
        return yield* readResult(path, block)
      case "thinking": {
        const signature = yield* Fields.string(`${path}.signature`, block.signature)
        return { signature, thinking: yield* Fields.string(`${path}.thinking`, block.thinking), type }
      }
      case "redacted_thinking":
        return { data: yield* Fields.string(`${path}.data`, block.data), type }
    }
  })

/** One block of one of these types. */
export const readBlock = (
  path: string,
  value: unknown,
  allowed: ReadonlyArray<BlockContent["type"]>
): Read<Block> =>
  Either.gen(function*() {
    const block = yield* Fields.object(path, value)
    const type = allowed.find((known) => known === block.type)
    if (type === undefined) return yield* Either.left(Errors.unknownTag(path, block.type, allowed))
    const at = `${path}.${type}`
    yield* Fields.closed(at, block, keys[type])
    const mark = yield* readMark(at, block.cache_control)
    const { cache_control: _, ...unmarked } = block
    const content = yield* readInner(type === "text" && path.startsWith("system") ? path : at, block, type)
    return { ...content, key: Json.print(unmarked), path, ...(mark && { mark }) }
  })

/** A string is one block of text. */
export const readContent = (
  path: string,
  value: unknown,
  allowed: ReadonlyArray<BlockContent["type"]>
): Read<ReadonlyArray<Block>> =>
  typeof value === "string"
    ? value === "" ?
      Either.right([]) :
      Fields.each(path, [{ text: value, type: "text" }], (at, block) => readBlock(at, block, allowed))
    : Fields.each(path, value, (at, block) => readBlock(at, block, allowed))
