/** A conversation as the messages of this API. */
import type {
  ContentBlock,
  ImageFormat,
  ToolResultBlock,
  ToolResultContentBlock
} from "@aws-sdk/client-bedrock-runtime"
import type { Entry, Exchange, Image } from "@weir/model/Conversation"
import type { Prompt } from "@weir/model/Prompt"
import * as BlockHistory from "@weir/transport/BlockHistory"
import * as Filler from "@weir/transport/Filler"
import * as Picture from "@weir/transport/Picture"
import * as SignedReply from "@weir/transport/SignedReply"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import * as Option from "effect/Option"
import * as Document from "./Document.js"

export const codec = "bedrock-converse"

export type Message = BlockHistory.Message<ContentBlock>

export type History = BlockHistory.History<ContentBlock>

const text = (text: string) => ({ text })

const formats: Record<Picture.Picture["mediaType"], ImageFormat> = {
  "image/gif": "gif",
  "image/jpeg": "jpeg",
  "image/png": "png",
  "image/webp": "webp"
}

const image = (given: Image) => {
  const bytes = Encoding.decodeBase64(given.data)
  return Picture.isPicture(given) && Either.isRight(bytes) && bytes.right.length > 0
    ? { image: { format: formats[given.mediaType], source: { bytes: bytes.right } } }
    : text(Picture.omitted(given))
}

/** The result of an error may hold text alone, and none may be empty. */
const toolResult = ({ result }: Exchange, id: string): ToolResultBlock => {
  const said: ReadonlyArray<ToolResultContentBlock> = BlockHistory.text({ text }, result.text)
  const content = result.isError ? said : [...said, ...result.images.map(image)]
  return {
    toolUseId: id,
    content: content.length === 0 ? [text(Filler.noOutput)] : [...content],
    ...(result.isError && { status: "error" })
  }
}

/** What a model hid from us is kept in hexadecimal digits, and goes back as the bytes that came. */
const hidden = (data: string): ReadonlyArray<ContentBlock> =>
  Either.match(Encoding.decodeHex(data), {
    onLeft: () => [],
    onRight: (bytes) => [{ reasoningContent: { redactedContent: bytes } }]
  })

/** `model` is who will read them, and gets its own thinking back just as it was. */
const blocks = (model: string): BlockHistory.Blocks<ContentBlock> => ({
  longestId: 64,
  longestName: 64,
  text,
  image,
  call: (toolUseId, name, input) => ({ toolUse: { toolUseId, name, input: Document.make(input) } }),
  results: (exchanges) => [
    ...exchanges.map(([exchange, id]) => ({ toolResult: toolResult(exchange, id) })),
    ...exchanges.flatMap(([{ result }]) => result.isError ? result.images.map(image) : [])
  ],
  replay: (step, call) =>
    Option.map(
      SignedReply.blocks(step, { codec, model }),
      (written) =>
        written.flatMap((block): ReadonlyArray<ContentBlock> => {
          switch (block.type) {
            case "text":
              return BlockHistory.text({ text }, block.text)
            case "tool_use":
              return call(block.id)
            case "thinking":
              return [{ reasoningContent: { reasoningText: { text: block.thinking, signature: block.signature } } }]
            case "redacted_thinking":
              return hidden(block.data)
          }
        })
    ),
  isSaid: ({ reasoningContent }) => reasoningContent === undefined
})

export const append = (self: History, entry: Entry, model: string): History =>
  BlockHistory.append(blocks(model), self, entry)

export const start = (prompt: Prompt, model: string): History => BlockHistory.start(blocks(model), prompt)

/** They end with the user. */
export const messages = (self: History): ReadonlyArray<Message> => BlockHistory.messages<ContentBlock>({ text }, self)
