/** A conversation as the messages of this API. */
import type {
  ContentBlockParam,
  ImageBlockParam,
  TextBlockParam,
  ToolResultBlockParam
} from "@anthropic-ai/sdk/resources/messages"
import type { Entry, Exchange, Image } from "@weir/model/Conversation"
import type { Prompt } from "@weir/model/Prompt"
import * as BlockHistory from "@weir/transport/BlockHistory"
import * as Filler from "@weir/transport/Filler"
import * as Picture from "@weir/transport/Picture"
import * as SignedReply from "@weir/transport/SignedReply"
import { wellFormed } from "@weir/transport/WellFormed"
import * as Option from "effect/Option"

export const codec = "anthropic-messages"

export type Message = BlockHistory.Message<ContentBlockParam>

export type History = BlockHistory.History<ContentBlockParam>

const text = (text: string): TextBlockParam => ({ type: "text", text })

const image = (given: Image): ImageBlockParam | TextBlockParam =>
  Picture.isPicture(given)
    ? { type: "image", source: { type: "base64", media_type: given.mediaType, data: given.data } }
    : text(Picture.omitted(given))

/** The result of an error may hold text alone, and must hold some. */
const toolResult = ({ result }: Exchange, id: string): ToolResultBlockParam => {
  const said = result.text.trim() === "" ? Filler.noOutput : wellFormed(result.text)
  if (result.isError) return { type: "tool_result", tool_use_id: id, content: said, is_error: true }
  return {
    type: "tool_result",
    tool_use_id: id,
    content: result.images.length === 0
      ? said
      : [...BlockHistory.text({ text }, result.text), ...result.images.map(image)]
  }
}

/** `model` is who will read them, and gets its own thinking back just as it was. */
const blocks = (model: string): BlockHistory.Blocks<ContentBlockParam> => ({
  longestId: 64,
  longestName: 64,
  text,
  image,
  call: (id, name, input) => ({ type: "tool_use", id, name, input }),
  results: (exchanges) => [
    ...exchanges.map(([exchange, id]) => toolResult(exchange, id)),
    ...exchanges.flatMap(([{ result }]) => result.isError ? result.images.map(image) : [])
  ],
  replay: (step, call) =>
    Option.map(
      SignedReply.blocks(step, { codec, model }),
      (written) =>
        written.flatMap((block): ReadonlyArray<ContentBlockParam> => {
          switch (block.type) {
            case "text":
              return BlockHistory.text({ text }, block.text)
            case "tool_use":
              return call(block.id)
            default:
              return [block]
          }
        })
    ),
  isSaid: ({ type }) => type !== "thinking" && type !== "redacted_thinking"
})

export const append = (self: History, entry: Entry, model: string): History =>
  BlockHistory.append(blocks(model), self, entry)

export const start = (prompt: Prompt, model: string): History => BlockHistory.start(blocks(model), prompt)

/** They end with the user. */
export const messages = (self: History): ReadonlyArray<Message> => BlockHistory.messages({ text }, self)
