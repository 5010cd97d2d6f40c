/**
 * The stored result of a compaction, in parts. The text that the model sees is rendered from the parts and never
 * parsed. The user message of the running task is not among them: the turn carries it, and `task` names the turn.
 * Tool outputs are not among them either: `unread` refers to the newest covered step.
 */
import { TurnId } from "@weir/model/Conversation"
import * as Schema from "effect/Schema"
import { Ledger } from "./Ledger.js"

export const CheckpointId = Schema.String.pipe(Schema.brand("CheckpointId"))
export type CheckpointId = typeof CheckpointId.Type

export const Kind = Schema.Literal("in-turn", "turn-boundary", "manual")
export type Kind = typeof Kind.Type

/** What the summary stands for. Everything is named by identity, nothing by position or role. */
export const Coverage = Schema.Struct({
  /** Turns newly covered whole, oldest first. */
  turns: Schema.Array(TurnId),
  /** The turn whose first `steps` steps are covered, counted from the turn's start; its user message is not. */
  partial: Schema.optionalWith(Schema.Struct({ turn: TurnId, steps: Schema.NonNegativeInt }), { exact: true })
})
export type Coverage = typeof Coverage.Type

export const Checkpoint = Schema.Struct({
  id: CheckpointId,
  kind: Kind,
  /** The model's own text, trimmed. */
  summary: Schema.String,
  ledger: Ledger,
  coverage: Coverage,
  /** The running turn, when the compaction took place inside one: its user message is the current task. */
  task: Schema.optionalWith(TurnId, { exact: true }),
  /** Whether the results of the newest covered step, which the model has not read, follow the summary verbatim. */
  unread: Schema.Boolean
})
export type Checkpoint = typeof Checkpoint.Type
