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

export class TurnStarted extends Schema.TaggedClass<TurnStarted>(
  "@weir/agent/SessionEvent/TurnStarted"
)("TurnStarted", { turnId: Schema.String, text: Schema.String }) {}

/** A model request is about to be made. */
export class StepStarted extends Schema.TaggedClass<StepStarted>(
  "@weir/agent/SessionEvent/StepStarted"
)("StepStarted", {
  /** 1 for the first step of the turn. */
  step: Schema.Int,
  /** Estimated input of the request. */
  estimate: Tokens,
  /** The input budget. */
  budget: Tokens
}) {}

export class TextDelta extends Schema.TaggedClass<TextDelta>(
  "@weir/agent/SessionEvent/TextDelta"
)("TextDelta", { text: Schema.String }) {}

export class ReasoningDelta extends Schema.TaggedClass<ReasoningDelta>(
  "@weir/agent/SessionEvent/ReasoningDelta"
)("ReasoningDelta", { text: Schema.String }) {}

/** A call is complete and its tool is about to run. */
export class ToolCallStarted extends Schema.TaggedClass<ToolCallStarted>(
  "@weir/agent/SessionEvent/ToolCallStarted"
)("ToolCallStarted", { callId: Schema.String, name: Schema.String, arguments: Schema.String }) {}

/** The user is asked whether the call may run; it waits for the answer. */
export class PermissionAsked extends Schema.TaggedClass<PermissionAsked>(
  "@weir/agent/SessionEvent/PermissionAsked"
)("PermissionAsked", { callId: Schema.String, name: Schema.String, arguments: Schema.String }) {}

/** Output shown while the tool runs. */
export class ToolOutput extends Schema.TaggedClass<ToolOutput>(
  "@weir/agent/SessionEvent/ToolOutput"
)("ToolOutput", { callId: Schema.String, chunk: Schema.String }) {}

export class ToolCallFinished extends Schema.TaggedClass<ToolCallFinished>(
  "@weir/agent/SessionEvent/ToolCallFinished"
)("ToolCallFinished", {
  callId: Schema.String,
  name: Schema.String,
  isError: Schema.Boolean,
  /** The result as the model will read it. */
  text: Schema.String
}) {}

/** Usage of one step; never of a compaction request. */
export class UsageReported extends Schema.TaggedClass<UsageReported>(
  "@weir/agent/SessionEvent/UsageReported"
)("UsageReported", { usage: Usage }) {}

export class RetryScheduled extends Schema.TaggedClass<RetryScheduled>(
  "@weir/agent/SessionEvent/RetryScheduled"
)("RetryScheduled", {
  /** 1 for the first retry of a request. */
  attempt: Schema.Int,
  delayMillis: Schema.NonNegative,
  reason: Schema.String
}) {}

/** What was shown of the current step is void: the request is sent again. */
export class Rewound extends Schema.TaggedClass<Rewound>("@weir/agent/SessionEvent/Rewound")("Rewound", {}) {}

const Applied = {
  ...Account.fields,
  checkpointId: Schema.String,
  /** What the checkpoint stands for. */
  coverage: Schema.Struct({ turns: Schema.Int, steps: Schema.Int })
}

export class AutoCompactionStarted extends Schema.TaggedClass<AutoCompactionStarted>(
  "@weir/agent/SessionEvent/AutoCompactionStarted"
)("AutoCompactionStarted", {
  /** Before a turn's first request, or between two of its steps. */
  phase: Schema.Literal("turn-boundary", "in-turn"),
  /** Which rule asked for it. */
  reason: Reason.pipe(
    Schema.pickLiteral("in-turn-trigger", "turn-boundary-trigger", "local-exhaustion", "context-error")
  ),
  estimate: Tokens,
  budget: Tokens
}) {}

export class AutoCompactionApplied extends Schema.TaggedClass<AutoCompactionApplied>(
  "@weir/agent/SessionEvent/AutoCompactionApplied"
)("AutoCompactionApplied", Applied) {}

export class AutoCompactionCancelled extends Schema.TaggedClass<AutoCompactionCancelled>(
  "@weir/agent/SessionEvent/AutoCompactionCancelled"
)("AutoCompactionCancelled", Attempt.fields) {}

export class AutoCompactionFailed extends Schema.TaggedClass<AutoCompactionFailed>(
  "@weir/agent/SessionEvent/AutoCompactionFailed"
)("AutoCompactionFailed", { error: TurnError, ...Attempt.fields }) {}

/** The user asked for a compaction, and it begins. Sizes in tokens. */
export class ManualCompactionStarted extends Schema.TaggedClass<ManualCompactionStarted>(
  "@weir/agent/SessionEvent/ManualCompactionStarted"
)("ManualCompactionStarted", {
  /** What the user asked to keep in mind; may be empty. */
  focus: Schema.String,
  estimate: Tokens,
  budget: Tokens
}) {}

export class ManualSummaryDelta extends Schema.TaggedClass<ManualSummaryDelta>(
  "@weir/agent/SessionEvent/ManualSummaryDelta"
)("ManualSummaryDelta", {
  text: Schema.String,
  /** The summary begins, perhaps anew: what was shown of it before is void. */
  isFirst: Schema.Boolean
}) {}

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

/** Follows each ManualCompactionStarted; alone where there was nothing to compact. */
export class ManualCompactionFinished extends Schema.TaggedClass<ManualCompactionFinished>(
  "@weir/agent/SessionEvent/ManualCompactionFinished"
)("ManualCompactionFinished", { end: ManualCompactionEnd }) {}

export class TurnFinished extends Schema.TaggedClass<TurnFinished>(
  "@weir/agent/SessionEvent/TurnFinished"
)("TurnFinished", {
  reason: TurnEnd,
  /** Of the turn's steps; compaction requests apart. */
  usage: Usage,
  error: Schema.optionalWith(TurnError, { exact: true })
}) {}

export const SessionEvent = Schema.Union(
  TurnStarted,
  StepStarted,
  TextDelta,
  ReasoningDelta,
  ToolCallStarted,
  PermissionAsked,
  ToolOutput,
  ToolCallFinished,
  UsageReported,
  RetryScheduled,
  Rewound,
  AutoCompactionStarted,
  AutoCompactionApplied,
  AutoCompactionCancelled,
  AutoCompactionFailed,
  ManualCompactionStarted,
  ManualSummaryDelta,
  ManualCompactionFinished,
  TurnFinished
)
export type SessionEvent = typeof SessionEvent.Type
