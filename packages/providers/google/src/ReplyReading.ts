/** The reading of one streamed reply: from chunks to model events, and to the reason why it ended. */
import type { ToolCall } from "@weir/model/Conversation"
import type { StopReason } from "@weir/model/ModelEvent"
import { ModelEvent } from "@weir/model/ModelEvent"
import type { Reader } from "@weir/transport/ReplyStream"
import { Fault, unreadable } from "@weir/transport/ReplyStream"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Native from "./Native.js"
import * as Parts from "./Part.js"
import * as ReplyChunk from "./ReplyChunk.js"

export interface Reading {
  readonly isEmpty: boolean
  readonly parts: ReadonlyArray<Parts.Part>
  /** Ids of the calls so far. */
  readonly ids: ReadonlySet<string>
  readonly counts: ReplyChunk.Counts
  readonly finishReason: string | undefined
  /** Why the prompt was not answered at all. */
  readonly blockReason: string | undefined
}

type Read = readonly [Reading, ReadonlyArray<ModelEvent>]

const start: Reading = {
  isEmpty: true,
  parts: [],
  ids: new Set(),
  counts: {},
  finishReason: undefined,
  blockReason: undefined
}

const encodeArguments = Schema.encodeOption(Schema.parseJson(Schema.Unknown))

/** Ids are optional here; a call without one of its own gets one, which is never sent. */
const readCall = (self: Reading, call: NonNullable<Parts.Part["functionCall"]>, seed: string): Read => {
  const isFresh = call.id !== undefined && call.id !== "" && !self.ids.has(call.id)
  const id = isFresh && call.id !== undefined ? call.id : `call_${seed}_${self.ids.size}`
  const name = call.name ?? ""
  const args = Option.getOrElse(encodeArguments(call.args ?? {}), () => "{}")
  const told: ToolCall = { _tag: "ToolCall", id, name, arguments: args }
  return [
    { ...self, ids: new Set(self.ids).add(id) },
    [ModelEvent.CallStarted({ id, name }), ModelEvent.CallFinished({ call: told })]
  ]
}

const readPart = (self: Reading, part: Parts.Part, seed: string): Read => {
  const kept = { ...self, parts: Parts.append(self.parts, part) }
  const { functionCall, text = "", thought } = part
  if (functionCall !== undefined) return readCall(kept, functionCall, seed)
  if (text === "") return [kept, []]
  return [kept, [thought ? ModelEvent.ReasoningDelta({ text }) : ModelEvent.TextDelta({ text })]]
}

const read = (self: Reading, chunk: ReplyChunk.ReplyChunk, seed: string): Read => {
  const candidate = chunk.candidates?.[0]
  const begun: Reading = {
    ...self,
    isEmpty: false,
    counts: ReplyChunk.withCounts(self.counts, chunk.usageMetadata),
    finishReason: candidate?.finishReason ?? self.finishReason,
    blockReason: chunk.promptFeedback?.blockReason ?? self.blockReason
  }
  return (candidate?.content?.parts ?? []).reduce<Read>(
    ([reading, events], part) => {
      const [next, more] = readPart(reading, part, seed)
      return [next, [...events, ...more]]
    },
    [begun, []]
  )
}

const stops: ReadonlyMap<string, StopReason> = new Map([
  ["STOP", "end"],
  ["MAX_TOKENS", "length"],
  ["SAFETY", "refused"],
  ["RECITATION", "refused"],
  ["BLOCKLIST", "refused"],
  ["PROHIBITED_CONTENT", "refused"],
  ["SPII", "refused"],
  ["IMAGE_SAFETY", "refused"]
])

/** A reply with calls stops as any other. */
const finished = (self: Reading, stop: StopReason, model: string): ReadonlyArray<ModelEvent> => {
  const usage = ReplyChunk.toUsage(self.counts)
  const native = Native.make(model, self.parts)
  return [
    ModelEvent.Finished({
      stop: self.ids.size > 0 ? "calls" : stop,
      ...(usage && { usage }),
      ...(native && { native })
    })
  ]
}

/** The last events, or why there is no reply. What other reasons stand for, such as a malformed call, may pass. */
const end = (self: Reading, model: string): Either.Either<ReadonlyArray<ModelEvent>, Fault> => {
  const { blockReason, finishReason, ids, isEmpty } = self
  const cut = (detail: string, more: { readonly retries?: number } = {}) => Either.left(Fault.Cut({ detail, ...more }))
  const refused = (detail: string) => Either.left(Fault.Refused({ detail }))
  if (isEmpty) return cut("the stream ended without a single chunk")
  if (blockReason !== undefined) return refused(`the prompt was blocked: ${blockReason}`)
  if (finishReason === undefined) return cut("the stream ended before a finishReason")
  const stop = stops.get(finishReason)
  if (stop === undefined) {
    return cut(
      `the reply ended without success: finishReason ${finishReason}`,
      // What it misspells twice it misspells again.
      finishReason === "MALFORMED_FUNCTION_CALL" ? { retries: 1 } : {}
    )
  }
  return stop === "refused" && ids.size > 0
    ? refused(`finishReason ${finishReason} after a call`)
    : Either.right(finished(self, stop, model))
}

/** `model` is who replies, and `seed` makes the ids of calls that come without one of their own. */
export const reader = (model: string, seed: string): Reader<Reading> => ({
  append: (self, value) =>
    Either.mapBoth(ReplyChunk.decode(value), {
      onLeft: () => unreadable(value, "candidates"),
      onRight: (chunk) => read(self, chunk, seed)
    }),
  end: (self) => end(self, model),
  start
})
