/** One turn of a session, reported while it runs. An interruption still lets the turn settle and be reported. */
import { Session } from "@weir/agent/Session"
import type { SessionEvent } from "@weir/agent/SessionEvent"
import type { UserMessage } from "@weir/model/Conversation"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import type { Report } from "./Report.js"

/** Gives the turn's result once everything has been reported. */
export const converse = Effect.fn("converse")(function*(options: {
  readonly message: UserMessage
  readonly report: Report
  readonly observers: ReadonlyArray<(event: SessionEvent) => Effect.Effect<void>>
  /** When the command began, in milliseconds since the epoch. */
  readonly startedAt: number
}) {
  const { message, observers, report, startedAt } = options
  const session = yield* Session
  const observe = (event: SessionEvent) =>
    observers.reduce((before, onEvent) => Effect.zipRight(before, onEvent(event)), report.onEvent(event))
  return yield* Effect.uninterruptibleMask((restore) =>
    Effect.gen(function*() {
      const events = yield* session.subscribe
      const follow: Effect.Effect<void> = Effect.flatMap(
        Queue.take(events),
        (event) => event._tag === "TurnFinished" ? observe(event) : Effect.zipRight(observe(event), follow)
      )
      const reporting = yield* Effect.forkScoped(follow)
      // In the scope, not as a child: an interruption reaches children at once, before the session settles the turn.
      const turn = yield* Effect.forkScoped(Effect.interruptible(session.prompt(message)))
      const result = yield* restore(Fiber.join(turn)).pipe(
        Effect.onInterrupt(() => session.interrupt),
        Effect.catchAllCause(() => Fiber.join(turn))
      )
      yield* Fiber.join(reporting)
      yield* report.onResult(result, (yield* Clock.currentTimeMillis) - startedAt)
      return result
    })
  )
}, Effect.scoped)
