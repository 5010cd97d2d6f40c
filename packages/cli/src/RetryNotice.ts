/** Says once that a request is being tried again: without it a run in trouble would be silent for seconds. */
import type { SessionEvent } from "@weir/agent/SessionEvent"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"

export const make = Effect.fnUntraced(function*(say: (line: string) => Effect.Effect<void>) {
  const said = yield* Ref.make(false)
  return (event: SessionEvent): Effect.Effect<void> =>
    event._tag === "RetryScheduled"
      ? Effect.unlessEffect(say(`${event.reason} (Trying again, up to 3 times.)`), Ref.getAndSet(said, true))
      : Effect.void
})
