/** What events leave untold of the status line, and may have changed with them. */
import type { Session } from "@weir/agent/Session"
import type { SessionEvent } from "@weir/agent/SessionEvent"
import { ScreenEvent } from "@weir/tui/Input"
import type { Screen } from "@weir/tui/Screen"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import * as Repository from "./Repository.js"

export const make = Effect.fnUntraced(function*(options: {
  readonly cwd: string
  readonly screen: Screen
  readonly session: Session["Type"]
}) {
  const { cwd, screen, session } = options
  const known = yield* Ref.make(0)

  /** A limit that was learned moves where compaction begins, too. */
  const context = Effect.gen(function*() {
    const { budget, estimate, trigger } = yield* session.context
    yield* Ref.set(known, budget)
    return { budget, estimate, trigger }
  })

  return {
    context,
    /** Told of all that has happened, after the screen. */
    follow: Effect.fnUntraced(function*(events: ReadonlyArray<SessionEvent>) {
      const budget = events.findLast((event) => event._tag === "StepStarted")?.budget
      if (budget !== undefined && budget !== (yield* Ref.get(known))) {
        const { budget, trigger } = yield* context
        yield* screen.dispatch(ScreenEvent.StatusChanged({ status: { budget, trigger } }))
      }
      // The agent, or somebody else meanwhile, may have changed it.
      if (events.some(({ _tag }) => _tag === "TurnFinished")) {
        yield* screen.dispatch(ScreenEvent.StatusChanged({ status: { branch: yield* Repository.branch(cwd) } }))
      }
    })
  }
})
