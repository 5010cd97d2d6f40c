/** What the model reads of a request that is made of blocks: as a prompt, and as what can be counted and cached. */
import type { Entry, Step } from "@weir/model/Conversation"
import * as Conversation from "@weir/model/Conversation"
import type { Prompt } from "@weir/model/Prompt"
import type { Block } from "./AnthropicBlocks.js"
import type { AnthropicMessage } from "./AnthropicMessages.js"
import type { AnthropicRequest } from "./AnthropicValidator.js"
import { print } from "./Json.js"
import type { Piece } from "./Wire.js"

const textOf = (blocks: ReadonlyArray<Block>) =>
  blocks.flatMap((block) => block.type === "text" ? [block.text] : []).join("\n")

const toStep = (message: AnthropicMessage, following: AnthropicMessage | undefined): Step => ({
  _tag: "Step",
  parts: message.blocks.flatMap((block): Step["parts"] => {
    switch (block.type) {
      case "text":
        return [Conversation.Text.make({ text: block.text })]
      case "thinking":
        return [Conversation.Reasoning.make({ text: block.thinking })]
      case "tool_use": {
        const result = following?.blocks.find((other) => other.type === "tool_result" && other.id === block.id)
        const { images = [], isError = false, text = "" } = result?.type === "tool_result" ? result : {}
        return [{
          _tag: "Exchange",
          call: { _tag: "ToolCall", arguments: print(block.input), id: block.id, name: block.name },
          result: { facts: [], images, isError, text }
        }]
      }
      default:
        return []
    }
  })
})

export const toPrompt = ({ messages, system, tools }: AnthropicRequest): Prompt => ({
  entries: messages.flatMap((message, index): ReadonlyArray<Entry> => {
    if (message.role === "assistant") return [toStep(message, messages[index + 1])]
    const said = message.blocks.filter(({ type }) => type !== "tool_result")
    const images = said.flatMap((block) => block.type === "image" ? [block.image] : [])
    return said.length === 0 ? [] : [Conversation.userMessage(textOf(said), images)]
  }),
  system: textOf(system),
  tools: tools.map(({ description, name, parameters }) => ({ description, name, parameters }))
})

const countable = (block: Block): Pick<Piece, "text" | "images" | "calls"> => {
  switch (block.type) {
    case "text":
      return { calls: 0, images: 0, text: block.text }
    case "image":
      return { calls: 0, images: 1, text: "" }
    case "tool_use":
      return { calls: 1, images: 0, text: `${block.name}${print(block.input)}` }
    case "tool_result":
      return { calls: 1, images: block.images.length, text: block.text }
    case "thinking":
      return { calls: 0, images: 0, text: block.thinking }
    case "redacted_thinking":
      return { calls: 0, images: 0, text: block.data }
  }
}

/** One piece a block. `scope` is what else must be the same for a cache to hold. */
const toMessagePieces = (blocks: ReadonlyArray<Block>, scope: string): ReadonlyArray<Piece> =>
  blocks.map((block, index): Piece => ({
    ...countable(block),
    key: scope + block.key,
    kind: index === 0 ? "message" : "block",
    marked: block.mark !== undefined
  }))

/** The last piece that can end a cached prefix carries the mark of the request as a whole. */
const markLast = (pieces: ReadonlyArray<Piece>): ReadonlyArray<Piece> =>
  pieces.map((piece, index) => index === pieces.length - 1 ? { ...piece, marked: true } : piece)

export const toPieces = (request: AnthropicRequest): ReadonlyArray<Piece> => {
  const { choice, marked, messages, system, thinking, tools } = request
  const pieces = [
    ...tools.map(({ mark, ...tool }): Piece => ({
      calls: 0,
      images: 0,
      kind: "tool",
      marked: mark !== undefined,
      text: print(tool)
    })),
    ...toMessagePieces(system, "system"),
    // Another choice of tools or mode of thinking makes what is cached of the messages useless.
    ...messages.flatMap(({ blocks, role }) => toMessagePieces(blocks, `${role}${choice.type}${thinking}`))
  ]
  return marked ? markLast(pieces) : pieces
}
