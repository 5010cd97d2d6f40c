/**
 * The records of a transcript: everything the user saw, in order, never rewritten.
 * One JSON line holds one batch, an array of records that became true together.
 */
import { Account, Attempt } from "@weir/compaction/Account"
import { Checkpoint, CheckpointId } from "@weir/compaction/Checkpoint"
import { LearnedLimit } from "@weir/compaction/LearnedLimit"
import { Step, TurnId, UserMessage } from "@weir/model/Conversation"
import { Usage } from "@weir/model/Usage"
import * as Schema from "effect/Schema"

/** The format version that this build writes and reads. */
export const version = 1

export const TurnEnd = Schema.Literal("finished", "interrupted", "context_limit", "max_steps", "refused", "failed")
export type TurnEnd = typeof TurnEnd.Type

/** First record of a file, written when the session is created. Projection: nothing. Replay: nothing. */
export const SessionStarted = Schema.TaggedStruct("SessionStarted", {
  version: Schema.Literal(version),
  id: Schema.String,
  cwd: Schema.String,
  provider: Schema.String,
  model: Schema.String,
  at: Schema.DateTimeUtc,
  /** Where the first records come from: another session up to a number of its records, or another program's file. */
  origin: Schema.optionalWith(
    Schema.Union(
      Schema.TaggedStruct("Fork", { session: Schema.String, records: Schema.Positive.pipe(Schema.int()) }),
      Schema.TaggedStruct("Import", { program: Schema.String, file: Schema.String })
    ),
    { exact: true }
  )
})
export type SessionStarted = typeof SessionStarted.Type

/** What surrounds the history when a turn begins, in tokens. */
export const Context = Schema.Struct({
  system: Schema.NonNegativeInt,
  /** Their schemas. */
  tools: Schema.NonNegativeInt,
  /** What the input of a request may hold. */
  budget: Schema.NonNegativeInt,
  trigger: Schema.NonNegativeInt
})
export type Context = typeof Context.Type

/** Written by the session before a turn's first request. Projection: a turn begins. Replay: the user's message. */
export const TurnStarted = Schema.TaggedStruct("TurnStarted", {
  turnId: TurnId,
  user: UserMessage,
  at: Schema.DateTimeUtc,
  context: Schema.optionalWith(Context, { exact: true })
})

/** Written by the loop, once, when a step has all its results. Projection: the step. Replay: text and tool calls. */
export const StepCompleted = Schema.TaggedStruct("StepCompleted", {
  step: Step,
  /** Set when the request was a pruned copy, so that its usage says nothing of the whole conversation. */
  pruned: Schema.optionalWith(Schema.Literal(true), { exact: true })
})

/**
 * Written when a turn is interrupted, or fails, within a step. Projection: the step, when its reply was complete
 * (calls without a result are answered as interrupted), else nothing. Replay: the partial text.
 */
export const StepInterrupted = Schema.TaggedStruct("StepInterrupted", {
  step: Schema.optionalWith(Step, { exact: true }),
  partialText: Schema.String
})

/**
 * Written and synced before anything in memory changes. Projection: the checkpoint replaces what it covers. Replay:
 * the status.
 */
export const CompactionApplied = Schema.TaggedStruct("CompactionApplied", {
  ...Account.fields,
  checkpoint: Checkpoint,
  /** The model's tokens per 1,000 scanned ones, as learned so far: what was replaced can teach it no more. */
  multiplier: Schema.optionalWith(Schema.Positive.pipe(Schema.int()), { exact: true }),
  /** The line that the user saw; absent when nobody asked for the compaction. */
  status: Schema.optionalWith(Schema.String, { exact: true })
})

/**
 * Written when the user takes a compaction back. Projection: as if that one had never been applied, from the next time
 * the session is opened. Replay: a line.
 */
export const CompactionUndone = Schema.TaggedStruct("CompactionUndone", { checkpoint: CheckpointId })

/** Written when the user names the session. Projection and replay: nothing. */
export const SessionRenamed = Schema.TaggedStruct("SessionRenamed", { title: Schema.String })

/** Written when a compaction failed. Projection and replay: nothing; its input is not tried again unchanged. */
export const CompactionFailed = Schema.TaggedStruct("CompactionFailed", {
  ...Attempt.fields,
  /** Of the conversation that could not be compacted. */
  fingerprint: Schema.String,
  error: Schema.String
})

/** Written when a compaction was cancelled that had cost something by then. Projection and replay: nothing. */
export const CompactionCancelled = Schema.TaggedStruct("CompactionCancelled", Attempt.fields)

/**
 * Written with the first turn that another model leads. Projection and replay: nothing; what was learned of how the
 * model before it counts and fails does not hold any more.
 */
export const ModelChanged = Schema.TaggedStruct("ModelChanged", { provider: Schema.String, model: Schema.String })

/**
 * Written when a refusal names the input of the next request, in tokens, in a batch of its own. Projection and replay:
 * nothing; the estimate is drawn from it.
 */
export const InputCounted = Schema.TaggedStruct("InputCounted", { tokens: Schema.NonNegativeInt })

/** Written when a refusal or an acceptance shows the model's window. Projection and replay: nothing. */
export const LimitLearned = Schema.TaggedStruct("LimitLearned", {
  endpoint: Schema.String,
  model: Schema.String,
  limit: LearnedLimit
})

/** Written and synced when a turn ends, however it ends. Projection: nothing. Replay: the reason unless finished. */
export const TurnFinished = Schema.TaggedStruct("TurnFinished", { reason: TurnEnd, usage: Usage })

export const Record = Schema.Union(
  SessionStarted,
  TurnStarted,
  StepCompleted,
  StepInterrupted,
  CompactionApplied,
  CompactionUndone,
  CompactionFailed,
  CompactionCancelled,
  InputCounted,
  LimitLearned,
  ModelChanged,
  SessionRenamed,
  TurnFinished
)
export type Record = typeof Record.Type

/** Records that become true together: one line, one write. */
export const Batch = Schema.NonEmptyArray(Record)
export type Batch = typeof Batch.Type

/** One line of the file, without its newline. */
export const Line = Schema.parseJson(Batch)
