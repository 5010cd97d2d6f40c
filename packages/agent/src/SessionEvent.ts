/**
 * What a session tells its observers: screens, headless output, other processes, tests.
 * No event carries the text of an automatic summary.
 */
import { Account, Attempt, Reason } from "@weir/compaction/Account"
import { Usage } from "@weir/model/Usage"
import { TurnEnd } from "@weir/session/Record"
import * as Schema from "effect/Schema"
import { TurnError } from "./TurnError.js"

const Tokens = Schema.NonNegativeInt

const Applied = {
  ...Account.fields,
  checkpointId: Schema.String,
  /** What the checkpoint stands for. */
  coverage: Schema.Struct({ turns: Schema.Int, steps: Schema.Int })
}

export const ManualCompactionEnd = Schema.Union(
  Schema.TaggedStruct("Compacted", Applied),
  Schema.TaggedStruct("Unchanged", {
    because: Schema.Literal("nothing-to-compact", "cancelled"),
    /** Of the requests that were answered before the user cancelled. */
    usage: Usage
  }),
  Schema.TaggedStruct("Failed", { error: TurnError, ...Attempt.fields })
)
export type ManualCompactionEnd = typeof ManualCompactionEnd.Type

export const SessionEvent = Schema.Union(
  Schema.TaggedStruct("TurnStarted", { turnId: Schema.String, text: Schema.String }),
  /** A model request is about to be made. */
  Schema.TaggedStruct("StepStarted", {
    /** 1 for the first step of the turn. */
    step: Schema.Int,
    /** Estimated input of the request. */
    estimate: Tokens,
    /** The input budget. */
    budget: Tokens
  }),
  Schema.TaggedStruct("TextDelta", { text: Schema.String }),
  Schema.TaggedStruct("ReasoningDelta", { text: Schema.String }),
  /** A call is complete and its tool is about to run. */
  Schema.TaggedStruct("ToolCallStarted", { callId: Schema.String, name: Schema.String, arguments: Schema.String }),
  /** The user is asked whether the call may run; it waits for the answer. */
  Schema.TaggedStruct("PermissionAsked", { callId: Schema.String, name: Schema.String, arguments: Schema.String }),
  /** Output shown while the tool runs. */
  Schema.TaggedStruct("ToolOutput", { callId: Schema.String, chunk: Schema.String }),
  Schema.TaggedStruct("ToolCallFinished", {
    callId: Schema.String,
    name: Schema.String,
    isError: Schema.Boolean,
    /** The result as the model will read it. */
    text: Schema.String
  }),
  /** Usage of one step; never of a compaction request. */
  Schema.TaggedStruct("UsageReported", { usage: Usage }),
  Schema.TaggedStruct("RetryScheduled", {
    /** 1 for the first retry of a request. */
    attempt: Schema.Int,
    delayMillis: Schema.NonNegative,
    reason: Schema.String
  }),
  /** What was shown of the current step is void: the request is sent again. */
  Schema.TaggedStruct("Rewound", {}),
  Schema.TaggedStruct("AutoCompactionStarted", {
    /** Before a turn's first request, or between two of its steps. */
    phase: Schema.Literal("turn-boundary", "in-turn"),
    /** Which rule asked for it. */
    reason: Reason.pipe(
      Schema.pickLiteral("in-turn-trigger", "turn-boundary-trigger", "local-exhaustion", "context-error")
    ),
    estimate: Tokens,
    budget: Tokens
  }),
  Schema.TaggedStruct("AutoCompactionApplied", Applied),
  Schema.TaggedStruct("AutoCompactionCancelled", Attempt.fields),
  Schema.TaggedStruct("AutoCompactionFailed", { error: TurnError, ...Attempt.fields }),
  /** The user asked for a compaction, and it begins. Sizes in tokens. */
  Schema.TaggedStruct("ManualCompactionStarted", {
    /** What the user asked to keep in mind; may be empty. */
    focus: Schema.String,
    estimate: Tokens,
    budget: Tokens
  }),
  Schema.TaggedStruct("ManualSummaryDelta", {
    text: Schema.String,
    /** The summary begins, perhaps anew: what was shown of it before is void. */
    isFirst: Schema.Boolean
  }),
  /** Follows each ManualCompactionStarted; alone where there was nothing to compact. */
  Schema.TaggedStruct("ManualCompactionFinished", { end: ManualCompactionEnd }),
  /** Something happened to the transcript, and was mended. A sentence for the user. */
  Schema.TaggedStruct("TranscriptMended", { text: Schema.String }),
  Schema.TaggedStruct("TurnFinished", {
    reason: TurnEnd,
    /** Of the turn's steps; compaction requests apart. */
    usage: Usage,
    error: Schema.optionalWith(TurnError, { exact: true })
  })
)
export type SessionEvent = typeof SessionEvent.Type

/** The events of a tag, or of some. */
export type EventOf<Tag extends SessionEvent["_tag"]> = Extract<SessionEvent, { readonly _tag: Tag }>
