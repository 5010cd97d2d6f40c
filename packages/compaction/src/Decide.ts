/**
 * What to do at a boundary: one table, whose first row that holds is the answer. The loop acts and, after a
 * compaction or a refusal, asks again.
 */
import * as Budget from "./Budget.js"
import * as Gate from "./Gate.js"

/** All that a decision depends on. Sizes in tokens unless said otherwise. */
export interface Situation {
  readonly phase: Budget.Phase
  /** The unreduced next request. */
  readonly estimate: number
  /** Size of its body, in bytes. */
  readonly bytes: number
  /** Whether system prompt, tools and user message, which nothing can shrink, fit the budget. */
  readonly floorFits: boolean
  readonly budget: Budget.Budget
  /** False where the user has switched automatic compaction off. */
  readonly automatic: boolean
  readonly gate: Gate.Gate
  /** `Projection.fingerprint` of the conversation as it is now. */
  readonly fingerprint: string
  /** What became of the compaction at this boundary, since the last refusal if there was one. */
  readonly outcome: "none" | "applied" | "cancelled" | "failed"
  /** How often the provider has refused this boundary's request as too large. */
  readonly refusals: number
  /** Whether the request last refused was sent with a lowered output limit. */
  readonly lowered: boolean
  /** Whether the request fits the limit now known once its oldest tool outputs are pruned. */
  readonly prunedFits: boolean
}

/**
 * `Send`, `Prune` (send a pruned copy) and `LowerOutput` (send with `Budget.loweredOutput`) send a request;
 * after the two `Compact` actions the loop asks again; `End` ends the turn with the context error.
 */
export type Action = "Send" | "CompactProactive" | "CompactForced" | "Prune" | "LowerOutput" | "End"

export interface Row {
  readonly when: string
  readonly holds: (situation: Situation) => boolean
  readonly action: Action
  readonly because: string
}

const refused = (s: Situation) => s.refusals > 0 && s.outcome !== "applied"
const heavy = (s: Situation) => s.bytes > s.budget.bytes.limit
const over = (s: Situation) => s.estimate > s.budget.input || heavy(s)
const due = (s: Situation) => Budget.isDue(s.budget, s.phase, s.estimate)
const lowerable = (s: Situation) => !heavy(s) && Budget.loweredOutput(s.budget, s.estimate) !== undefined
const mayTry = (s: Situation) => s.automatic && s.outcome === "none" && s.floorFits
const mayForce = (s: Situation) => mayTry(s) && Gate.allows(s.gate, s.fingerprint)
const mayAct = (s: Situation) => mayTry(s) && Gate.allowsProactive(s.gate, s.budget, s.fingerprint, s.estimate)

export const rows: ReadonlyArray<Row> = [
  {
    when: "refused again, and not for its output limit",
    holds: (s) => refused(s) && (s.refusals > 2 || (s.refusals === 2 && !s.lowered)),
    action: "End",
    because: "a second overflow after recovery is final"
  },
  {
    when: "refused, automatic compaction off",
    holds: (s) => refused(s) && !s.automatic,
    action: "End",
    because: "the switch is off for recovery as well"
  },
  {
    when: "refused, forced compaction cancelled",
    holds: (s) => refused(s) && s.outcome === "cancelled",
    action: "End",
    because: "the refused request is never sent again"
  },
  {
    when: "refused once, a lower output limit makes room",
    holds: (s) => refused(s) && s.refusals === 1 && !s.lowered && s.outcome === "none" && lowerable(s),
    action: "LowerOutput",
    because: "the prompt alone fits the window"
  },
  {
    when: "refused once, too many bytes, a pruned copy fits",
    holds: (s) => refused(s) && s.refusals === 1 && heavy(s) && s.outcome === "none" && s.prunedFits,
    action: "Prune",
    because: "old images are the least loss"
  },
  {
    when: "refused, compaction may be forced",
    holds: (s) => refused(s) && mayForce(s),
    action: "CompactForced",
    because: "the provider's word counts more than the estimate"
  },
  {
    when: "refused, compaction failed or cannot be tried, a pruned copy fits",
    holds: (s) => refused(s) && s.prunedFits,
    action: "Prune",
    because: "the pruned copy is not the refused request"
  },
  {
    when: "refused otherwise",
    holds: refused,
    action: "End",
    because: "the refused request is never sent again"
  },
  {
    when: "at the trigger, compaction may be tried",
    holds: (s) => due(s) && s.refusals === 0 && mayAct(s),
    action: "CompactProactive",
    because: "the next request comes close to the window"
  },
  {
    when: "within the input budget",
    holds: (s) => !over(s),
    action: "Send",
    because: "the request fits"
  },
  {
    when: "over the budget, a lower output limit makes room",
    holds: lowerable,
    action: "LowerOutput",
    because: "the prompt alone fits the window"
  },
  {
    when: "over the budget, a pruned copy fits",
    holds: (s) => s.prunedFits,
    action: "Prune",
    because: "old tool outputs are the least loss"
  },
  {
    when: "over the budget, compaction may be forced",
    holds: mayForce,
    action: "CompactForced",
    because: "pruning cannot make the request fit"
  },
  {
    when: "over a limit that is only assumed",
    holds: (s) => (s.estimate <= s.budget.input || !s.budget.certain) && (!heavy(s) || s.budget.bytes.guessed),
    action: "Send",
    because: "a guess never ends a turn"
  },
  {
    when: "anything else",
    holds: () => true,
    action: "End",
    because: "nothing can make the request fit"
  }
]

const last: Row = { when: "no row holds", holds: () => true, action: "End", because: "the table has no answer" }

/** The first row that holds. */
export const decide = (situation: Situation): Row => rows.find((row) => row.holds(situation)) ?? last
