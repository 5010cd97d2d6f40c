/** The reading of one streamed reply: from events to model events, and to the reason why it ended. */
import type { ModelEvent } from "@weir/model/ModelEvent"
import * as BlockReading from "@weir/transport/BlockReading"
import type { Reader } from "@weir/transport/ReplyStream"
import { Fault, unreadable } from "@weir/transport/ReplyStream"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import { codec } from "./History.js"
import * as StreamEvent from "./StreamEvent.js"

export interface Reading {
  readonly isEmpty: boolean
  readonly blocks: BlockReading.Blocks
  /** As they were told. */
  readonly counts: unknown
  /** Undefined until the message is over. */
  readonly stopReason: string | undefined
}

type Read = readonly [Reading, ReadonlyArray<ModelEvent>]

const start: Reading = { isEmpty: true, blocks: BlockReading.none, counts: undefined, stopReason: undefined }

/** A piece of a block that begins without a word, and what it is a piece of. */
const piece = ({ reasoningContent, text, toolUse }: StreamEvent.Delta) => {
  const redacted = reasoningContent?.redactedContent
  if (redacted) return { type: "redacted_thinking", text: Encoding.encodeHex(redacted), signature: "" }
  if (reasoningContent) {
    return { type: "thinking", text: reasoningContent.text ?? "", signature: reasoningContent.signature ?? "" }
  }
  return toolUse
    ? { type: "tool_use", text: toolUse.input ?? "", signature: "" }
    : { type: "text", text: text ?? "", signature: "" }
}

const extend = (blocks: BlockReading.Blocks, index: number, delta: StreamEvent.Delta): BlockReading.Read => {
  const given = piece(delta)
  const open = blocks.open.find((block) => block.index === index)
  if (open?.type === given.type) return BlockReading.extend(blocks, index, given)
  // A call begins with its name.
  if (given.type === "tool_use") return [blocks, []]
  const [closed, last] = BlockReading.finish(blocks, index)
  const [begun, first] = BlockReading.begin(closed, { ...given, id: "", index, name: "" }, "")
  return [begun, [...last, ...first]]
}

const read = (self: Reading, event: StreamEvent.StreamEvent, seed: string): Read => {
  const withBlocks = ([blocks, events]: BlockReading.Read): Read => [{ ...self, blocks }, events]
  const { contentBlockDelta, contentBlockStart, contentBlockStop, messageStop, metadata } = event
  const toolUse = contentBlockStart?.start?.toolUse
  if (contentBlockStart && toolUse) {
    const { name, toolUseId } = toolUse
    return withBlocks(BlockReading.begin(self.blocks, {
      id: toolUseId ?? "",
      index: contentBlockStart.contentBlockIndex,
      name: name ?? "",
      signature: "",
      text: "",
      type: "tool_use"
    }, `tooluse_${seed}`))
  }
  if (contentBlockDelta?.delta) {
    return withBlocks(extend(self.blocks, contentBlockDelta.contentBlockIndex, contentBlockDelta.delta))
  }
  if (contentBlockStop) return withBlocks(BlockReading.finish(self.blocks, contentBlockStop.contentBlockIndex))
  if (messageStop) return [{ ...self, stopReason: messageStop.stopReason ?? "none" }, []]
  return [metadata?.usage ? { ...self, counts: metadata.usage } : self, []]
}

const stops: ReadonlyMap<string, BlockReading.Stop> = new Map([
  ["end_turn", "end"],
  ["stop_sequence", "end"],
  ["tool_use", "calls"],
  ["max_tokens", "length"],
  ["guardrail_intervened", "refused"],
  ["content_filtered", "refused"],
  ["model_context_window_exceeded", "full"]
])

/** The last events, or why there is no reply. */
const end = ({ blocks, counts, isEmpty, stopReason }: Reading, model: string) => {
  const cut = (detail: string) => Either.left(Fault.Cut({ detail }))
  if (isEmpty) return cut("the stream ended without a single event")
  if (stopReason === undefined) return cut("the stream ended before messageStop")
  if (stopReason.startsWith("malformed_")) return cut(`the model wrote what cannot be read: ${stopReason}`)
  const stop = stops.get(stopReason) ?? "unknown"
  return BlockReading.end(blocks, stop, stopReason, StreamEvent.toUsage(counts), { codec, model })
}

/** `model` is who replies, and `seed` makes the ids of calls that come without one of their own. */
export const reader = (model: string, seed: string): Reader<Reading> => ({
  append: (self, value) =>
    Either.mapBoth(StreamEvent.decode(value), {
      onLeft: (event) => unreadable(event, "contentBlockStart", "contentBlockDelta"),
      onRight: (event) => read({ ...self, isEmpty: false }, event, seed)
    }),
  end: (self) => end(self, model),
  start
})
