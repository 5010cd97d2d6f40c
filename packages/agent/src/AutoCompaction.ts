/** A compaction that nobody asked for: what of it is told, and what the boundary learns of it. */
import type { Phase } from "@weir/compaction/Budget"
import type * as Usage from "@weir/model/Usage"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as CompactionRun from "./CompactionRun.js"
import type { EventOf, SessionEvent } from "./SessionEvent.js"

export interface Outcome {
  readonly outcome: "applied" | "cancelled" | "failed"
  /** Of all requests made for it. */
  readonly usage: Usage.Usage
  /** Whether a faulty summary was asked for a second time, which a turn does once. */
  readonly askedAgain: boolean
}

export interface AutoCompaction {
  /** Never fails; history is as before unless the outcome is `applied`. `count` sees it also when the turn ends at once. */
  readonly run: (
    phase: Phase,
    reason: Reason,
    mayAskAgain: boolean,
    count: (outcome: Outcome) => Effect.Effect<void>
  ) => Effect.Effect<Outcome["outcome"]>
}

export type Reason = EventOf<"AutoCompactionStarted">["reason"]

const event = CompactionRun.End.$match({
  Applied: ({ applied }): SessionEvent => ({ _tag: "AutoCompactionApplied", ...applied }),
  Cancelled: ({ attempt }): SessionEvent => ({ _tag: "AutoCompactionCancelled", ...attempt }),
  Failed: ({ attempt, error }): SessionEvent => ({ _tag: "AutoCompactionFailed", error, ...attempt })
})

const outcome = CompactionRun.End.$match({
  Applied: ({ applied: { usage }, askedAgain }): Outcome => ({ outcome: "applied", usage, askedAgain }),
  Cancelled: ({ attempt: { usage } }): Outcome => ({ outcome: "cancelled", usage, askedAgain: false }),
  Failed: ({ askedAgain, attempt: { usage } }): Outcome => ({ outcome: "failed", usage, askedAgain })
})

export const make = ({ run }: CompactionRun.CompactionRun): AutoCompaction => ({
  run: (phase, reason, mayAskAgain, count) =>
    run({
      place: phase,
      reason,
      mayAskAgain,
      started: (sizes) => ({ _tag: "AutoCompactionStarted", phase, reason, ...sizes }),
      ended: event,
      count: (end) => count(outcome(end))
    }).pipe(Effect.map(Option.match({ onNone: () => "failed", onSome: (end) => outcome(end).outcome })))
})
