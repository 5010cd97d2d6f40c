/** The reading of one streamed response: from events to model events, and to the reason why it ended. */
import type { ToolCall } from "@weir/model/Conversation"
import type { StopReason } from "@weir/model/ModelEvent"
import { ModelEvent } from "@weir/model/ModelEvent"
import type { Reader } from "@weir/transport/ReplyStream"
import { Fault, garbled } from "@weir/transport/ReplyStream"
import * as Array from "effect/Array"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { Event, Item, Response } from "./ResponsesEvent.js"
import * as ResponsesEvent from "./ResponsesEvent.js"
import * as Native from "./ResponsesNative.js"

export interface Reading {
  readonly isEmpty: boolean
  /** Items that are complete, in their order. */
  readonly items: ReadonlyArray<Native.Arrived>
  /** Ids of the calls that have begun, by the places of their items. */
  readonly calls: ReadonlyMap<string, string>
  /** How many calls are complete. */
  readonly told: number
  /** Items whose text has come in pieces. */
  readonly heard: ReadonlySet<string>
  /** The kind and place of what was said last: what follows in another place is set apart from it. */
  readonly last: { readonly kind: string; readonly place: string } | undefined
  readonly hasRefused: boolean
  readonly finish: Response | undefined
}

type Read = readonly [Reading, ReadonlyArray<ModelEvent>]

const start: Reading = {
  isEmpty: true,
  items: [],
  calls: new Map(),
  told: 0,
  heard: new Set(),
  last: undefined,
  hasRefused: false,
  finish: undefined
}

const placeOf = ({ item, item_id, output_index }: Event) => String(output_index ?? item_id ?? item?.id ?? "")

const say = (self: Reading, kind: "text" | "reasoning", item: string, part: number, text: string): Read => {
  if (text === "") return [self, []]
  const place = `${item}/${part}`
  const isApart = self.last?.kind === kind && self.last.place !== place
  const said = { text: isApart ? `\n\n${text}` : text }
  return [
    { ...self, heard: new Set(self.heard).add(item), last: { kind, place } },
    [kind === "text" ? ModelEvent.TextDelta(said) : ModelEvent.ReasoningDelta(said)]
  ]
}

const begin = (self: Reading, place: string, item: Item, seed: string): Read => {
  if (item.type !== "function_call" || self.calls.has(place)) return [self, []]
  const given = item.call_id ?? ""
  const isUsable = given !== "" && ![...self.calls.values()].includes(given)
  const id = isUsable ? given : `call_${seed}_${self.calls.size}`
  return [
    { ...self, calls: new Map(self.calls).set(place, id), last: undefined },
    [ModelEvent.CallStarted({ id, name: item.name ?? "" })]
  ]
}

const isPhase = Schema.is(Native.Phase)

const named = (id: string | null | undefined) => id === null || id === undefined || id === "" ? {} : { id }

/** A call that is cut is given up. */
const finishCall = (self: Reading, place: string, item: Item, seed: string): Read => {
  const [begun, started] = begin(self, place, item, seed)
  const id = begun.calls.get(place)
  if (id === undefined || item.status === "incomplete") return [begun, started]
  const call: ToolCall = {
    _tag: "ToolCall",
    id,
    name: item.name ?? "",
    arguments: item.arguments?.trim() ? item.arguments : "{}"
  }
  const kept: Native.Arrived = { type: "function_call", ...named(item.id), call_id: id }
  return [
    { ...begun, items: [...begun.items, kept], told: begun.told + 1, last: undefined },
    [...started, ModelEvent.CallFinished({ call })]
  ]
}

const finishMessage = (self: Reading, place: string, item: Item): Read => {
  const content = (item.content ?? []).flatMap(({ refusal, text, type }): ReadonlyArray<Native.Said> => {
    if (type === "refusal") return [{ type, refusal: refusal ?? "" }]
    return type === "output_text" ? [{ type, text: text ?? "" }] : []
  })
  const kept = Array.isNonEmptyArray(content)
    ? [{ type: "message" as const, ...named(item.id), content, ...(isPhase(item.phase) && { phase: item.phase }) }]
    : []
  const whole = content.map((part) => part.type === "refusal" ? part.refusal : part.text).join("")
  const [reading, events] = self.heard.has(place) ? [self, []] : say(self, "text", place, 0, whole)
  const hasRefused = self.hasRefused || content.some(({ type }) => type === "refusal")
  return [{ ...reading, items: [...reading.items, ...kept], hasRefused }, events]
}

const finishReasoning = (self: Reading, place: string, item: Item): Read => {
  const summary = (item.summary ?? []).map(({ text }) => ({ type: "summary_text" as const, text: text ?? "" }))
  const kept: Native.Arrived = {
    type: "reasoning",
    id: item.id ?? "",
    summary,
    encrypted_content: item.encrypted_content ?? ""
  }
  const whole = summary.map(({ text }) => text).join("\n\n")
  const [reading, events] = self.heard.has(place) ? [self, []] : say(self, "reasoning", place, 0, whole)
  return [{ ...reading, items: [...reading.items, kept] }, events]
}

const finishItem = (self: Reading, place: string, item: Item, seed: string): Read => {
  switch (item.type) {
    case "function_call":
      return finishCall(self, place, item, seed)
    case "message":
      return finishMessage(self, place, item)
    case "reasoning":
      return finishReasoning(self, place, item)
    default:
      return [self, []]
  }
}

/** Gateways before models that do not stream send nothing but the whole response. */
const unsaid = (self: Reading, { output }: Response, seed: string): Read =>
  self.items.length > 0 || self.heard.size > 0 || self.calls.size > 0
    ? [self, []]
    : (output ?? []).reduce<Read>(([reading, events], item, index) => {
      const [next, more] = finishItem(reading, String(index), item, seed)
      return [next, [...events, ...more]]
    }, [self, []])

/** Some hosts send the encrypted reasoning only with the whole response. */
const completed = (self: Reading, finish: Response): Reading => {
  const contentOf = (id: string) => finish.output?.find((item) => item.id === id)?.encrypted_content ?? ""
  const items = self.items.map((item) =>
    item.type === "reasoning" && item.encrypted_content === ""
      ? { ...item, encrypted_content: contentOf(item.id) }
      : item
  )
  return { ...self, items, finish }
}

const ended = (self: Reading, finish: Response, seed: string): Read => {
  const [reading, events] = unsaid(self, finish, seed)
  return [completed(reading, finish), events]
}

const failed = ({ error }: Response): Fault =>
  error ? Fault.Reported({ body: { error } }) : Fault.Cut({ detail: "the response failed, and nobody said why" })

const read = (self: Reading, event: Event, seed: string): Either.Either<Read, Fault> => {
  const place = placeOf(event)
  const { content_index: part, delta } = event
  switch (event.type) {
    case "response.output_item.added":
      return Either.right(event.item ? begin(self, place, event.item, seed) : [self, []])
    case "response.output_text.delta":
      return Either.right(say(self, "text", place, part ?? 0, delta ?? ""))
    case "response.refusal.delta":
      return Either.right(say({ ...self, hasRefused: true }, "text", place, part ?? 0, delta ?? ""))
    case "response.reasoning_summary_text.delta":
      return Either.right(say(self, "reasoning", place, event.summary_index ?? 0, delta ?? ""))
    case "response.reasoning_text.delta":
      return Either.right(say(self, "reasoning", place, part ?? 0, delta ?? ""))
    case "response.output_item.done":
      return Either.right(event.item ? finishItem(self, place, event.item, seed) : [self, []])
    case "response.completed":
    case "response.incomplete":
      return Either.right(ended(self, event.response ?? {}, seed))
    case "response.failed":
      return Either.left(failed(event.response ?? {}))
  }
}

const stops: ReadonlyMap<string, StopReason> = new Map([
  ["max_output_tokens", "length"],
  ["content_filter", "refused"]
])

const finished = (
  self: Reading,
  finish: Response,
  stop: StopReason,
  author: Native.Author
): ReadonlyArray<ModelEvent> => {
  const usage = ResponsesEvent.usage(finish)
  const native = Native.make(author, self.items)
  return [
    ModelEvent.Finished({
      stop: self.told > 0 ? "calls" : stop,
      ...(usage && { usage }),
      ...(native && { native })
    })
  ]
}

/** The last events, or why there is no reply. A reply with calls ends as any other. */
const end = (self: Reading, author: Native.Author): Either.Either<ReadonlyArray<ModelEvent>, Fault> => {
  const { finish, hasRefused, isEmpty, told } = self
  if (isEmpty) return Either.left(Fault.Cut({ detail: "the stream ended without a single event" }))
  if (finish === undefined) {
    return Either.left(Fault.Cut({ detail: "the stream ended before the response was completed" }))
  }
  const reason = finish.incomplete_details?.reason
  const stop = reason ? stops.get(reason) : hasRefused ? "refused" : "end"
  if (stop === undefined) {
    return Either.left(Fault.Cut({ detail: `the reply ended for an unknown reason: ${reason}` }))
  }
  return stop === "refused" && told > 0
    ? Either.left(Fault.Refused({ detail: `${reason ?? "a refusal"} after a call` }))
    : Either.right(finished(self, finish, stop, author))
}

/** An error has two forms: this one, and one that the SDK throws. Kinds of events that nobody knows may look anyhow. */
const append = (self: Reading, value: unknown, seed: string): Either.Either<Read, Fault> => {
  if (!ResponsesEvent.isEvent(value) || value.type === "error") return Either.left(Fault.Reported({ body: value }))
  const begun = { ...self, isEmpty: false }
  return ResponsesEvent.isKnown(value.type)
    ? Either.flatMap(
      Either.mapLeft(
        ResponsesEvent.decode(value),
        () => value.type === "response.failed" ? Fault.Reported({ body: value }) : garbled
      ),
      (event) => read(begun, event, seed)
    )
    : Either.right([begun, []])
}

/** `seed` makes the ids of calls that come without one of their own. */
export const reader = (author: Native.Author, seed: string): Reader<Reading> => ({
  append: (self, value) => append(self, value, seed),
  end: (self) => end(self, author),
  start
})
