/**
 * The reading of a streamed reply that is made of blocks, each of which begins, grows and ends: what they say, what is
 * kept of them for replay, and what the reason of the end makes of them.
 */
import type { ToolCall } from "@weir/model/Conversation"
import type { StopReason } from "@weir/model/ModelEvent"
import { ModelEvent } from "@weir/model/ModelEvent"
import type { Usage } from "@weir/model/Usage"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Fault } from "./ReplyStream.js"
import * as SignedReply from "./SignedReply.js"

/** A block that is arriving. */
export interface Open {
  readonly index: number
  /** `text`, `thinking`, `redacted_thinking`, `tool_use`; others are passed over. */
  readonly type: string
  /** Text, thinking, hidden thinking, or the JSON text of arguments. */
  readonly text: string
  readonly signature: string
  readonly id: string
  readonly name: string
}

export interface Blocks {
  readonly open: ReadonlyArray<Open>
  /** The blocks that are complete, in their order. */
  readonly complete: ReadonlyArray<SignedReply.Block>
  /** Calls that were told, by id. */
  readonly told: ReadonlySet<string>
  /** Calls whose arguments are no JSON object: the stop reason tells whether they were cut or written so. */
  readonly doubtful: ReadonlyArray<ToolCall>
}

export type Read = readonly [Blocks, ReadonlyArray<ModelEvent>]

export const none: Blocks = { open: [], complete: [], told: new Set(), doubtful: [] }

const delta = (type: string, text: string): ReadonlyArray<ModelEvent> => {
  if (text === "") return []
  if (type === "text") return [ModelEvent.TextDelta({ text })]
  return type === "thinking" ? [ModelEvent.ReasoningDelta({ text })] : []
}

const callsOf = (open: ReadonlyArray<Open>) => open.flatMap(({ id, type }) => type === "tool_use" ? [id] : [])

export const hasCalls = (self: Blocks): boolean => self.told.size + self.doubtful.length > 0

/** A block begins. A call without an id of its own gets one that begins with `idPrefix`, which no other reply has. */
export const begin = (self: Blocks, block: Open, idPrefix: string): Read => {
  const isCall = block.type === "tool_use"
  const used = [...self.told, ...self.doubtful.map(({ id }) => id), ...callsOf(self.open)]
  const isUsable = block.id !== "" && !used.includes(block.id)
  const began = isCall && !isUsable ? { ...block, id: `${idPrefix}_${used.length}` } : block
  return [
    { ...self, open: [...self.open, began] },
    isCall ? [ModelEvent.CallStarted({ id: began.id, name: began.name })] : delta(began.type, began.text)
  ]
}

/** More of the block with this index; of one that is not open it is passed over. */
export const extend = (
  self: Blocks,
  index: number,
  more: { readonly text?: string; readonly signature?: string }
): Read => {
  const at = self.open.findIndex((block) => block.index === index)
  const block = self.open[at]
  if (block === undefined) return [self, []]
  const { signature = "", text = "" } = more
  const extended = { ...block, signature: block.signature + signature, text: block.text + text }
  return [{ ...self, open: self.open.with(at, extended) }, delta(block.type, text)]
}

const isObject = Schema.is(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
const parse = Schema.decodeUnknownOption(Schema.parseJson(Schema.Unknown))
const isWhole = (json: string) => Option.exists(parse(json), (value) => isObject(value) && !Array.isArray(value))

const finishCall = (self: Blocks, { id, name, text }: Open): Read => {
  const call: ToolCall = { _tag: "ToolCall", id, name, arguments: text.trim() === "" ? "{}" : text }
  const finished: Blocks = { ...self, complete: [...self.complete, { type: "tool_use", id }] }
  return isWhole(call.arguments)
    ? [{ ...finished, told: new Set(self.told).add(id) }, [ModelEvent.CallFinished({ call })]]
    : [{ ...finished, doubtful: [...self.doubtful, call] }, []]
}

/** Thinking that is not signed cannot be sent back, and other kinds of blocks are none of ours. */
const toNative = ({ signature, text, type }: Open): ReadonlyArray<SignedReply.Block> => {
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

/** The block with this index is complete. */
export const finish = (self: Blocks, index: number): Read => {
  const block = self.open.find((one) => one.index === index)
  if (block === undefined) return [self, []]
  const closed = { ...self, open: self.open.filter((one) => one !== block) }
  return block.type === "tool_use"
    ? finishCall(closed, block)
    : [{ ...closed, complete: [...closed.complete, ...toNative(block)] }, []]
}

/** A reply that ended by itself is whole, also where a host does not say that its last blocks are. */
const closed = (self: Blocks): Read =>
  self.open.reduce<Read>(([blocks, events], { index }) => {
    const [next, more] = finish(blocks, index)
    return [next, [...events, ...more]]
  }, [self, []])

/** A call that the limit cut is given up; one that the model wrote so is told, and answered with an error. */
const finished = (
  self: Blocks,
  stop: StopReason,
  usage: Usage | undefined,
  author: SignedReply.Author
): ReadonlyArray<ModelEvent> => {
  const doubtful = stop === "length" || stop === "refused" ? [] : self.doubtful
  const dropped = new Set(self.doubtful.filter((call) => !doubtful.includes(call)).map(({ id }) => id))
  const native = SignedReply.make(
    author,
    self.complete.filter((block) => block.type !== "tool_use" || !dropped.has(block.id))
  )
  return [
    ...doubtful.map((call) => ModelEvent.CallFinished({ call })),
    ModelEvent.Finished({
      stop: self.told.size + doubtful.length > 0 ? "calls" : stop === "calls" ? "end" : stop,
      ...(usage && { usage }),
      ...(native && { native })
    })
  ]
}

/** What a reason that an API names means for a reply; `full`: the window could not hold more. */
export type Stop = StopReason | "full" | "unknown"

/** The last events of a reply that came to its end, or why it is none. `reason` is the API's own word. */
export const end = (
  self: Blocks,
  stop: Stop,
  reason: string,
  usage: Usage | undefined,
  author: SignedReply.Author
): Either.Either<ReadonlyArray<ModelEvent>, Fault> => {
  switch (stop) {
    case "unknown":
      return Either.left(Fault.Cut({ detail: `the reply ended for an unknown reason: ${reason}` }))
    case "full":
      return Either.left(Fault.Full({ detail: `stop reason ${reason}`, usage }))
    case "refused":
      return self.told.size === 0
        ? Either.right(finished(self, stop, usage, author))
        : Either.left(Fault.Refused({ detail: `stop reason ${reason} after a call` }))
    case "length":
      return Either.right(finished(self, stop, usage, author))
    default: {
      const [whole, events] = closed(self)
      return Either.right([...events, ...finished(whole, stop, usage, author)])
    }
  }
}
