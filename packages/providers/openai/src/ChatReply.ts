/** The reading of one streamed reply: from chunks to model events, and to the reason why it ended. */
import type { NativeReply, ToolCall } from "@weir/model/Conversation"
import type { StopReason } from "@weir/model/ModelEvent"
import { ModelEvent } from "@weir/model/ModelEvent"
import type { Usage } from "@weir/model/Usage"
import type { Reader } from "@weir/transport/ReplyStream"
import { Fault, unreadable } from "@weir/transport/ReplyStream"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Calls from "./ChatCalls.js"
import * as ChatChunk from "./ChatChunk.js"

export interface Reading {
  readonly isEmpty: boolean
  readonly calls: Calls.Calls
  readonly hasRefused: boolean
  /** Kept with a reply that holds reasoning. */
  readonly author?: NativeReply
  readonly hasReasoned: boolean
  readonly usage?: Usage
  readonly finish?: { readonly reason: string; readonly text: string }
}

/** `seed` makes the ids of calls that come without one. */
export const start = (seed: string, author?: NativeReply): Reading => ({
  calls: Calls.none(seed),
  hasReasoned: false,
  hasRefused: false,
  isEmpty: true,
  ...(author && { author })
})

const finishes: ReadonlyMap<string, StopReason | "full" | "failed"> = new Map([
  ["stop", "end"],
  ["end", "end"],
  ["eos", "end"],
  ["tool_calls", "calls"],
  ["function_call", "calls"],
  ["length", "length"],
  ["max_tokens", "length"],
  ["content_filter", "refused"],
  ["sensitive", "refused"],
  ["model_length", "full"],
  ["model_context_window_exceeded", "full"],
  ["error", "failed"],
  ["error_finish", "failed"],
  ["network_error", "failed"],
  ["insufficient_system_resource", "failed"]
])

const appendDelta = (
  self: Reading,
  delta: ChatChunk.Delta
): readonly [Reading, ReadonlyArray<ModelEvent>] => {
  const reasoning = ChatChunk.reasoning(delta)
  const text = ChatChunk.text(delta) + (delta.refusal ?? "")
  const events: Array<ModelEvent> = []
  if (reasoning !== "") events.push(ModelEvent.ReasoningDelta({ text: reasoning }))
  if (text !== "") events.push(ModelEvent.TextDelta({ text }))
  let calls = self.calls
  for (const fragment of delta.tool_calls ?? []) {
    const [appended, started] = Calls.append(calls, fragment)
    calls = appended
    events.push(...started)
  }
  return [
    {
      ...self,
      calls,
      hasReasoned: self.hasReasoned || reasoning !== "",
      hasRefused: self.hasRefused || Boolean(delta.refusal)
    },
    events
  ]
}

/** The reading after one more chunk, and what the chunk says. */
export const append = (
  self: Reading,
  value: unknown
): Either.Either<readonly [Reading, ReadonlyArray<ModelEvent>], Fault> => {
  const decoded = ChatChunk.decode(value)
  if (Either.isLeft(decoded)) return Either.left(unreadable(value, "choices"))
  if (ChatChunk.isError(decoded.right)) return Either.left(Fault.Reported({ body: value }))
  const chunk = decoded.right
  const choice = chunk.choices?.[0]
  const usage = ChatChunk.usage(chunk)
  const whole = self.isEmpty ? ChatChunk.decodeMessage(choice?.message) : Option.none()
  const [reading, events] = appendDelta(self, choice?.delta ?? Option.getOrElse(whole, () => ({})))
  return Either.right([
    {
      ...reading,
      isEmpty: false,
      ...(usage && { usage }),
      ...(choice?.finish_reason && {
        finish: { reason: choice.finish_reason, text: ChatChunk.text(choice.delta ?? {}) }
      })
    },
    events
  ])
}

/** A reply that is cut or refused gives up the calls that are not whole, or all. */
const callsOf = (self: Reading, stop: StopReason): ReadonlyArray<ToolCall> =>
  stop === "refused" ? [] : stop === "length" ? Calls.whole(self.calls) : Calls.all(self.calls)

const finished = (self: Reading, stop: StopReason): ReadonlyArray<ModelEvent> => {
  const calls = callsOf(self, stop)
  const actual = calls.length > 0 ? "calls" : stop === "calls" ? "end" : stop
  return [
    ...calls.map((call) => ModelEvent.CallFinished({ call })),
    ModelEvent.Finished({
      stop: actual,
      ...(self.usage && { usage: self.usage }),
      ...(self.author && self.hasReasoned && { native: self.author })
    })
  ]
}

/** The last events, or why there is no reply. */
export const end = (self: Reading): Either.Either<ReadonlyArray<ModelEvent>, Fault> => {
  if (self.isEmpty) return Either.left(Fault.Cut({ detail: "the stream ended without a single event" }))
  if (!self.finish) return Either.left(Fault.Cut({ detail: "the stream ended before a finish_reason" }))
  const { reason, text } = self.finish
  const outcome = finishes.get(reason.toLowerCase())
  switch (outcome) {
    case undefined:
      return Either.left(Fault.Cut({ detail: `the reply ended for an unknown reason: ${reason}` }))
    case "full":
      return Either.left(Fault.Full({ detail: `finish_reason ${reason}`, usage: self.usage }))
    case "failed":
      return Either.left(Fault.Reported({ body: { finish_reason: reason, message: text || reason } }))
    default:
      return Either.right(finished(self, self.hasRefused && outcome === "end" ? "refused" : outcome))
  }
}

/** The parameters are those of `start`. */
export const reader = (seed: string, author?: NativeReply): Reader<Reading> => ({
  append,
  end,
  start: start(seed, author)
})
