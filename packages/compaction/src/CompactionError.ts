/** Why a compaction left the conversation as it was. Every message says what to do. */
import { ModelError } from "@weir/model/ModelError"
import { Usage } from "@weir/model/Usage"
import * as Schema from "effect/Schema"

/** What was wrong, and what the failed requests have cost. */
const failed = { reason: Schema.String, usage: Usage }

const advice = "The conversation is unchanged. Try /compact, or choose another model."

/** The model wrote no summary: nothing, or reasoning only. */
export class EmptySummary extends Schema.TaggedError<EmptySummary>("@weir/compaction/CompactionError/EmptySummary")(
  "EmptySummary",
  failed
) {
  override get message() {
    return `The model wrote no summary: ${this.reason}. ${advice}`
  }
}

/** The summary was cut off, or ran over its cap. */
export class TruncatedSummary extends Schema.TaggedError<TruncatedSummary>(
  "@weir/compaction/CompactionError/TruncatedSummary"
)("TruncatedSummary", failed) {
  override get message() {
    return `The summary is not whole: ${this.reason}. ${advice}`
  }
}

/** The model did something other than summarize. */
export class MalformedSummary extends Schema.TaggedError<MalformedSummary>(
  "@weir/compaction/CompactionError/MalformedSummary"
)("MalformedSummary", failed) {
  override get message() {
    return `The model's answer is not a summary: ${this.reason}. ${advice}`
  }
}

/** A sound summary that does not help. */
export class NoProgress extends Schema.TaggedError<NoProgress>("@weir/compaction/CompactionError/NoProgress")(
  "NoProgress",
  failed
) {
  override get message() {
    return `Compaction would not help: ${this.reason}. The conversation is unchanged. ` +
      "When it no longer fits, start a new session, or choose a model with a larger window."
  }
}

/** There is nothing a summary could stand for; no request was made. */
export class NothingToCompact extends Schema.TaggedError<NothingToCompact>(
  "@weir/compaction/CompactionError/NothingToCompact"
)("NothingToCompact", {}) {
  override get message() {
    return "There is nothing to compact yet. Continue the conversation."
  }
}

/** The summary request itself failed. */
export class SummarizerFailed extends Schema.TaggedError<SummarizerFailed>(
  "@weir/compaction/CompactionError/SummarizerFailed"
)("SummarizerFailed", { error: ModelError, usage: Usage }) {
  override get message() {
    return `The request for a summary failed. ${this.error.message}`
  }
}

export const CompactionError = Schema.Union(
  EmptySummary,
  TruncatedSummary,
  MalformedSummary,
  NoProgress,
  NothingToCompact,
  SummarizerFailed
)
export type CompactionError = typeof CompactionError.Type
