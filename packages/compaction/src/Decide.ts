/**
 * What to do at a boundary: one table, first row that holds. The loop acts on the answer and asks again after each
 * compaction, with its outcome.
 */
import type * as Budget from "./Budget.js"
import type * as Gate from "./Gate.js"

/** All that a decision depends on. Sizes in tokens. */
export interface Situation {
  readonly phase: Budget.Phase
  /** The unreduced next request. */
  readonly estimate: number
  readonly budget: Budget.Budget
  /** False where the user has switched automatic compaction off. */
  readonly automatic: boolean
  readonly gate: Gate.Gate
  /** Of the projection as it is now. */
  readonly fingerprint: string
  /** What became of the last compaction at this boundary. */
  readonly outcome: "none" | "applied" | "cancelled" | "failed"
  /** Refusals of this boundary's request by the provider, as too large for the window. */
  readonly refusals: number
  /** Whether the request with its oldest tool outputs pruned fits the limit now known. */
  readonly prunedFits: boolean
  /** Whether this request has been sent with a lowered output limit. */
  readonly lowered: boolean
}

export type Action = "Send" | "CompactProactive" | "CompactForced" | "Prune" | "LowerOutput" | "End"

export interface Row {
  readonly when: string
  readonly holds: (situation: Situation) => boolean
  readonly action: Action
}

export const rows: ReadonlyArray<Row> = [
  { when: "anything else", holds: () => true, action: "Send" }
]

/** The first row that holds. */
export const decide = (situation: Situation): Row => {
  const row = rows.find((row) => row.holds(situation))
  return row ?? { when: "no row holds", holds: () => true, action: "End" }
}
