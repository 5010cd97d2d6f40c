/** One step's model request: sent, retried, shown as it arrives, and known at every moment for an interruption. */
import type { ToolCall, ToolResult } from "@weir/model/Conversation"
import type { NativeRequest, SendOptions } from "@weir/model/Model"
import * as Model from "@weir/model/Model"
import type { ModelError } from "@weir/model/ModelError"
import type { ModelEvent } from "@weir/model/ModelEvent"
import * as Reply from "@weir/model/Reply"
import type * as Chunk from "effect/Chunk"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import { retrying } from "./Retry.js"
import type { SessionEvent } from "./SessionEvent.js"
import type { Guard, Watchdog } from "./Watchdog.js"

/** The step in progress: what has arrived of the reply, and the results its calls have so far. */
export interface Unfinished {
  readonly reply: Reply.Reply
  readonly results: ReadonlyMap<ToolCall, ToolResult>
}

export const nothing: Unfinished = { reply: Reply.empty, results: new Map() }

export interface StepRequest {
  readonly unfinished: Ref.Ref<Unfinished>
  /** Forgets what has arrived, and says so if anything of it was shown. */
  readonly rewind: Effect.Effect<void>
  readonly send: (request: NativeRequest, options: SendOptions) => Effect.Effect<Reply.Reply, ModelError>
  /** The retry policy, for requests outside the turn; what they do is reported, but nothing they say. */
  readonly retry: <A, R>(self: Effect.Effect<A, ModelError, R>) => Effect.Effect<A, ModelError, R>
}

type Delta = Extract<ModelEvent, { readonly _tag: "TextDelta" | "ReasoningDelta" }>

const isDelta = (event: ModelEvent): event is Delta => event._tag === "TextDelta" || event._tag === "ReasoningDelta"

/** Of each run of deltas of a kind one. */
const joined = (events: Iterable<ModelEvent>): ReadonlyArray<ModelEvent> => {
  const all: Array<ModelEvent> = []
  for (const event of events) {
    const last = all.at(-1)
    if (last !== undefined && isDelta(last) && isDelta(event) && last._tag === event._tag) {
      all[all.length - 1] = { ...last, text: last.text + event.text }
    } else all.push(event)
  }
  return all
}

export const make = Effect.fnUntraced(function*(options: {
  /** Ends a request that has fallen silent. */
  readonly guard: Guard
  readonly notice: Watchdog["notice"]
  readonly publish: (event: SessionEvent) => Effect.Effect<void>
}): Effect.fn.Return<StepRequest> {
  const { guard, notice, publish } = options
  const unfinished = yield* Ref.make(nothing)
  const connected = yield* Ref.make(false)

  /** What arrived together: known and shown at once. */
  const receive = Effect.fnUntraced(function*(events: Chunk.Chunk<ModelEvent>) {
    yield* notice
    yield* Ref.set(connected, true)
    const told = joined(events)
    yield* Ref.update(unfinished, (self) => ({ ...self, reply: told.reduce(Reply.append, self.reply) }))
    for (const { _tag, text } of told.filter(isDelta)) yield* publish({ _tag, text })
  }, Effect.uninterruptible)

  const rewind = Effect.gen(function*() {
    const { reply } = yield* Ref.getAndSet(unfinished, nothing)
    if (reply.parts.length > 0) yield* publish({ _tag: "Rewound" })
  })

  const retry: StepRequest["retry"] = retrying({
    connected: Ref.get(connected),
    onRetry: ({ attempt, delay, error }) =>
      rewind.pipe(
        Effect.zipRight(
          publish({ _tag: "RetryScheduled", attempt, delayMillis: Duration.toMillis(delay), reason: error.message })
        )
      )
  })

  return {
    unfinished,
    rewind,
    retry,
    send: (request, options) =>
      Model.read(request.open(options), receive).pipe(
        guard,
        Effect.zipRight(Effect.map(Ref.get(unfinished), ({ reply }) => reply)),
        retry
      )
  }
})
