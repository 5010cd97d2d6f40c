/** The reading of one streamed reply: from events to model events, and to the reason why it ended. */
import type { ToolCall } from "@weir/model/Conversation"
import type { StopReason } from "@weir/model/ModelEvent"
import { ModelEvent } from "@weir/model/ModelEvent"
import type { Reader } from "@weir/transport/ReplyStream"
import { Fault } from "@weir/transport/ReplyStream"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Native from "./Native.js"
import * as StreamEvent from "./StreamEvent.js"

/** A block that is arriving. */
interface Open {
  readonly index: number
  readonly type: string
  /** Text, thinking, hidden thinking, or the JSON text of arguments. */
  readonly text: string
  readonly signature: string
  readonly id: string
  readonly name: string
}

export interface Reading {
  readonly isEmpty: boolean
  readonly open: ReadonlyArray<Open>
  /** The blocks that are complete, in their order. */
  readonly blocks: ReadonlyArray<Native.Block>
  /** Calls that were told, by id. */
  readonly told: ReadonlySet<string>
  /** Calls whose arguments are no JSON object: the stop reason tells whether they were cut or written so. */
  readonly doubtful: ReadonlyArray<ToolCall>
  readonly counts: StreamEvent.Counts
  readonly stopReason: string | undefined
  readonly isOver: boolean
}

type Read = readonly [Reading, ReadonlyArray<ModelEvent>]

const start: Reading = {
  isEmpty: true,
  open: [],
  blocks: [],
  told: new Set(),
  doubtful: [],
  counts: {},
  stopReason: undefined,
  isOver: false
}

const delta = (type: string, text: string): ReadonlyArray<ModelEvent> => {
  if (text === "") return []
  if (type === "text") return [ModelEvent.TextDelta({ text })]
  return type === "thinking" ? [ModelEvent.ReasoningDelta({ text })] : []
}

const encodeInput = Schema.encodeUnknownOption(Schema.parseJson(Schema.Unknown))

/** Some hosts send the arguments whole instead of in pieces. */
const wholeInput = (input: unknown) => {
  const text = Option.getOrElse(encodeInput(input ?? {}), () => "")
  return text === "{}" ? "" : text
}

const callsOf = (open: ReadonlyArray<Open>) => open.flatMap(({ id, type }) => type === "tool_use" ? [id] : [])

const begin = (self: Reading, index: number, block: StreamEvent.Block, seed: string): Read => {
  const isCall = block.type === "tool_use"
  const used = [...self.told, ...self.doubtful.map(({ id }) => id), ...callsOf(self.open)]
  const own = block.id ?? ""
  const began: Open = {
    index,
    type: block.type,
    text: isCall ? wholeInput(block.input) : block.text ?? block.thinking ?? block.data ?? "",
    signature: block.signature ?? "",
    id: isCall && (own === "" || used.includes(own)) ? `toolu_${seed}_${used.length}` : own,
    name: block.name ?? ""
  }
  return [
    { ...self, open: [...self.open, began] },
    isCall ? [ModelEvent.CallStarted({ id: began.id, name: began.name })] : delta(began.type, began.text)
  ]
}

const extend = (self: Reading, index: number, given: StreamEvent.Delta): Read => {
  const at = self.open.findIndex((block) => block.index === index)
  const block = self.open[at]
  if (block === undefined) return [self, []]
  const text = given.text ?? given.thinking ?? given.partial_json ?? ""
  const extended = { ...block, signature: block.signature + (given.signature ?? ""), text: block.text + text }
  return [{ ...self, open: self.open.with(at, extended) }, delta(block.type, text)]
}

const isObject = Schema.is(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
const parse = Schema.decodeUnknownOption(Schema.parseJson(Schema.Unknown))
const isWhole = (json: string) => Option.exists(parse(json), (value) => isObject(value) && !Array.isArray(value))

const finishCall = (self: Reading, { id, name, text }: Open): Read => {
  const call: ToolCall = { _tag: "ToolCall", id, name, arguments: text.trim() === "" ? "{}" : text }
  const finished: Reading = { ...self, blocks: [...self.blocks, { type: "tool_use", id }] }
  return isWhole(call.arguments)
    ? [{ ...finished, told: new Set(self.told).add(id) }, [ModelEvent.CallFinished({ call })]]
    : [{ ...finished, doubtful: [...self.doubtful, call] }, []]
}

/** Thinking that is not signed cannot be sent back, and other kinds of blocks are none of ours. */
const toNative = ({ signature, text, type }: Open): ReadonlyArray<Native.Block> => {
  switch (type) {
    case "text":
      return [{ type, text }]
    case "thinking":
      return signature === "" ? [] : [{ type, thinking: text, signature }]
    case "redacted_thinking":
      return [{ type, data: text }]
    default:
      return []
  }
}

const finish = (self: Reading, index: number): Read => {
  const block = self.open.find((one) => one.index === index)
  if (block === undefined) return [self, []]
  const closed = { ...self, open: self.open.filter((one) => one !== block) }
  return block.type === "tool_use"
    ? finishCall(closed, block)
    : [{ ...closed, blocks: [...closed.blocks, ...toNative(block)] }, []]
}

const read = (self: Reading, event: StreamEvent.StreamEvent, seed: string): Read => {
  switch (event.type) {
    case "message_start":
      return [{ ...self, counts: event.message?.usage ?? {} }, []]
    case "content_block_start":
      return begin(self, event.index, event.content_block, seed)
    case "content_block_delta":
      return extend(self, event.index, event.delta)
    case "content_block_stop":
      return finish(self, event.index)
    case "message_delta":
      return [
        {
          ...self,
          counts: StreamEvent.mergeCounts(self.counts, event.usage ?? {}),
          stopReason: event.delta?.stop_reason ?? self.stopReason
        },
        []
      ]
    case "message_stop":
      return [{ ...self, isOver: true }, []]
  }
}

const stops: ReadonlyMap<string, StopReason | "full" | "paused"> = new Map([
  ["end_turn", "end"],
  ["stop_sequence", "end"],
  ["tool_use", "calls"],
  ["max_tokens", "length"],
  ["refusal", "refused"],
  ["sensitive", "refused"],
  ["model_context_window_exceeded", "full"],
  ["pause_turn", "paused"]
])

/** A call that the limit cut is given up; one that the model wrote so is told, and answered with an error. */
const finished = (self: Reading, stop: StopReason, model: string): ReadonlyArray<ModelEvent> => {
  const doubtful = stop === "length" || stop === "refused" ? [] : self.doubtful
  const dropped = new Set(self.doubtful.filter((call) => !doubtful.includes(call)).map(({ id }) => id))
  const hasCalls = self.told.size + doubtful.length > 0
  const usage = StreamEvent.toUsage(self.counts)
  const native = Native.make(model, self.blocks.filter((block) => block.type !== "tool_use" || !dropped.has(block.id)))
  return [
    ...doubtful.map((call) => ModelEvent.CallFinished({ call })),
    ModelEvent.Finished({
      stop: hasCalls ? "calls" : stop === "calls" ? "end" : stop,
      ...(usage && { usage }),
      ...(native && { native })
    })
  ]
}

/** The last events, or why there is no reply. */
const end = (self: Reading, model: string): Either.Either<ReadonlyArray<ModelEvent>, Fault> => {
  const cut = (detail: string) => Either.left(Fault.Cut({ detail }))
  if (self.isEmpty) return cut("the stream ended without a single event")
  if (!self.isOver) return cut("the stream ended before message_stop")
  const reason = self.stopReason ?? "none"
  const stop = stops.get(reason)
  switch (stop) {
    case undefined:
      return cut(`the reply ended for an unknown reason: ${reason}`)
    case "full":
      return Either.left(Fault.Full({ detail: `stop_reason ${reason}`, usage: StreamEvent.toUsage(self.counts) }))
    case "refused":
      return self.told.size === 0
        ? Either.right(finished(self, stop, model))
        : Either.left(Fault.Refused({ detail: `stop_reason ${reason} after a call` }))
    case "paused":
      // The server's own tools pause a turn. We use none, so only the calls that are ours can carry it on.
      return self.told.size + self.doubtful.length > 0
        ? Either.right(finished(self, "calls", model))
        : cut("the model paused its turn")
    default:
      return Either.right(finished(self, stop, model))
  }
}

const append = (self: Reading, value: unknown, seed: string): Either.Either<Read, Fault> =>
  Either.mapBoth(StreamEvent.decode(value), {
    onLeft: (body) => Fault.Reported({ body }),
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
