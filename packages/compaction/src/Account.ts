/** What a compaction was for, took and brought: told in events and kept in the transcript, never in a context meter. */
import { Usage } from "@weir/model/Usage"
import * as Schema from "effect/Schema"

/** Between two steps of a turn, before a turn's first request, or while no turn runs. */
export const Place = Schema.Literal("in-turn", "turn-boundary", "between-turns")
export type Place = typeof Place.Type

/** A trigger was reached, the request cannot be made to fit, the provider refused it, or the user asked. */
export const Reason = Schema.Literal(
  "in-turn-trigger",
  "turn-boundary-trigger",
  "local-exhaustion",
  "context-error",
  "asked"
)
export type Reason = typeof Reason.Type

/** Summarized apart from the conversation, or behind what the provider has cached of it. */
export const Strategy = Schema.Literal("isolated", "cached-prefix")
export type Strategy = typeof Strategy.Type

/** Of an attempt, however it ended. */
export const Attempt = Schema.Struct({
  phase: Place,
  reason: Reason,
  /** Of all its requests. */
  usage: Usage,
  /** What that costs, in US dollars; absent where no prices are known. */
  cost: Schema.optionalWith(Schema.NonNegative, { exact: true }),
  /** From its beginning to its end. */
  millis: Schema.NonNegativeInt
})
export type Attempt = typeof Attempt.Type

/** Of a compaction that was applied. */
export const Account = Schema.Struct({
  ...Attempt.fields,
  strategy: Strategy,
  /** Estimated input, in tokens, of the next request without the compaction and with it. */
  before: Schema.NonNegativeInt,
  after: Schema.NonNegativeInt,
  /** Faults of the summary that were let pass. */
  notes: Schema.Array(Schema.String)
})
export type Account = typeof Account.Type
