/** The reading of one streamed reply: from events to model events, and to the reason why it ended. */
import type { ModelEvent } from "@weir/model/ModelEvent"
import * as BlockReading from "@weir/transport/BlockReading"
import type { Reader } from "@weir/transport/ReplyStream"
import { Fault, unreadable } from "@weir/transport/ReplyStream"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { codec } from "./History.js"
import * as StreamEvent from "./StreamEvent.js"

export interface Reading {
  readonly isEmpty: boolean
  readonly blocks: BlockReading.Blocks
  readonly counts: StreamEvent.Counts
  readonly stopReason: string | undefined
  readonly isOver: boolean
}

type Read = readonly [Reading, ReadonlyArray<ModelEvent>]

const start: Reading = { isEmpty: true, blocks: BlockReading.none, counts: {}, stopReason: undefined, isOver: false }

const encodeInput = Schema.encodeUnknownOption(Schema.parseJson(Schema.Unknown))

/** Some hosts send the arguments whole instead of in pieces. */
const wholeInput = (input: unknown) => {
  const text = Option.getOrElse(encodeInput(input ?? {}), () => "")
  return text === "{}" ? "" : text
}

const toOpen = (index: number, block: StreamEvent.Block): BlockReading.Open => ({
  index,
  type: block.type,
  text: block.type === "tool_use" ? wholeInput(block.input) : block.text ?? block.thinking ?? block.data ?? "",
  signature: block.signature ?? "",
  id: block.id ?? "",
  name: block.name ?? ""
})

const read = (self: Reading, event: StreamEvent.StreamEvent, seed: string): Read => {
  const withBlocks = ([blocks, events]: BlockReading.Read): Read => [{ ...self, blocks }, events]
  switch (event.type) {
    case "message_start":
      return [{ ...self, counts: StreamEvent.counts(event.message?.usage) }, []]
    case "content_block_start":
      return withBlocks(
        BlockReading.begin(self.blocks, toOpen(event.index, event.content_block), `toolu_${seed}`)
      )
    case "content_block_delta": {
      const { partial_json, signature, text, thinking } = event.delta
      return withBlocks(BlockReading.extend(self.blocks, event.index, {
        signature: signature ?? "",
        text: text ?? thinking ?? partial_json ?? ""
      }))
    }
    case "content_block_stop":
      return withBlocks(BlockReading.finish(self.blocks, event.index))
    case "message_delta":
      return [
        {
          ...self,
          counts: StreamEvent.mergeCounts(self.counts, StreamEvent.counts(event.usage)),
          stopReason: event.delta?.stop_reason ?? self.stopReason
        },
        []
      ]
    case "message_stop":
      return [{ ...self, isOver: true }, []]
  }
}

const stops: ReadonlyMap<string, BlockReading.Stop> = new Map([
  ["end_turn", "end"],
  ["stop_sequence", "end"],
  ["tool_use", "calls"],
  ["max_tokens", "length"],
  ["refusal", "refused"],
  ["sensitive", "refused"],
  ["model_context_window_exceeded", "full"]
])

/** The last events, or why there is no reply. */
const end = ({ blocks, counts, isEmpty, isOver, stopReason }: Reading, model: string) => {
  const cut = (detail: string) => Either.left(Fault.Cut({ detail }))
  if (isEmpty) return cut("the stream ended without a single event")
  if (!isOver) return cut("the stream ended before message_stop")
  const reason = stopReason ?? "none"
  // The server's own tools pause a turn. We use none, so only the calls that are ours can carry it on.
  const isPaused = reason === "pause_turn"
  if (isPaused && !BlockReading.hasCalls(blocks)) return cut("the model paused its turn")
  const stop = isPaused ? "calls" : stops.get(reason) ?? "unknown"
  return BlockReading.end(blocks, stop, reason, StreamEvent.toUsage(counts), { codec, model })
}

const append = (self: Reading, value: unknown, seed: string): Either.Either<Read, Fault> =>
  Either.mapBoth(StreamEvent.decode(value), {
    onLeft: (event) => unreadable(event, "content_block", "delta"),
    onRight: Option.match({
      onNone: (): Read => [self, []],
      onSome: (event) => read({ ...self, isEmpty: false }, event, seed)
    })
  })

/** `model` is who replies, and `seed` makes the ids of calls that come without one of their own. */
export const reader = (model: string, seed: string): Reader<Reading> => ({
  append: (self, value) => append(self, value, seed),
  end: (self) => end(self, model),
  start
})
