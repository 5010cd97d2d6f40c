/**
 * The conversation as it stands: projection, the model's request state, the size estimate, the budget and the gate,
 * kept in step with the transcript. Memory changes only after the record is appended, by the same fold that resumes a
 * session.
 */
import * as Budget from "@weir/compaction/Budget"
import * as Estimate from "@weir/compaction/Estimate"
import * as Gate from "@weir/compaction/Gate"
import * as LearnedLimit from "@weir/compaction/LearnedLimit"
import * as Projection from "@weir/compaction/Projection"
import type { Entry, Step } from "@weir/model/Conversation"
import type { Model, NativeRequest } from "@weir/model/Model"
import type { Prompt } from "@weir/model/Prompt"
import * as Fold from "@weir/session/Fold"
import type { Batch, Record } from "@weir/session/Record"
import type { Transcript } from "@weir/session/Transcript"
import type { TranscriptError } from "@weir/session/TranscriptError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"

export interface Live {
  readonly projection: Projection.Projection
  /** Of the unreduced next request. */
  readonly request: NativeRequest
  readonly estimate: Estimate.Estimate
  /** For the window as it is known now. */
  readonly budget: Budget.Budget
  readonly learned: Option.Option<LearnedLimit.LearnedLimit>
  readonly gate: Gate.Gate
}

export interface LiveConversation {
  readonly get: Effect.Effect<Live>
  /** Appends to the transcript, then to memory; after a failed append memory is as it was. */
  readonly record: (batch: Batch, options?: { readonly sync?: boolean }) => Effect.Effect<void, TranscriptError>
  /** The provider's own count of the next request's input, in tokens. */
  readonly counted: (tokens: number) => Effect.Effect<void>
  /** The user cancelled a compaction, or there was nothing to compact. */
  readonly suppress: Effect.Effect<void>
}

export const make = Effect.fnUntraced(function*(options: {
  readonly model: Model["Type"]
  readonly transcript: Transcript["Type"]
  readonly fixed: Pick<Prompt, "system" | "tools">
  /** What earlier sessions learned of the model's window. */
  readonly learned: Option.Option<LearnedLimit.LearnedLimit>
}): Effect.fn.Return<LiveConversation> {
  const { fixed, model, transcript } = options

  /** The part of the state that is small, and folded first when a session is resumed. */
  type Kept = Pick<Live, "projection" | "budget" | "learned" | "gate">

  const start: Kept = {
    projection: Projection.empty,
    learned: options.learned,
    budget: Budget.of(LearnedLimit.apply(model.limits, options.learned)),
    gate: Gate.initial
  }

  const build = (kept: Kept, multiplier?: number): Live => {
    const prompt = { ...fixed, entries: Projection.entries(kept.projection) }
    return {
      ...kept,
      request: model.start(prompt),
      estimate: Estimate.start(prompt, model.weights, multiplier)
    }
  }

  const gateAfter = ({ budget, gate }: Kept, record: Record): Gate.Gate => {
    switch (record._tag) {
      case "CompactionApplied":
        return Gate.applied(budget, record.after)
      case "CompactionFailed":
        return Gate.failed(gate, record.fingerprint)
      case "TurnStarted":
      case "StepCompleted":
      case "StepInterrupted":
        return Gate.advanced(gate)
      default:
        return gate
    }
  }

  const keep = <A extends Kept>(self: A, record: Record): A => {
    const isOurs = record._tag === "LimitLearned" && record.endpoint === model.endpoint && record.model === model.id
    const learned = isOurs ? Option.some(record.limit) : self.learned
    return {
      ...self,
      projection: Fold.append(self.projection, record),
      learned,
      budget: learned === self.learned ? self.budget : Budget.of(LearnedLimit.apply(model.limits, learned)),
      gate: gateAfter(self, record)
    }
  }

  const extend = (live: Live, entry: Entry, estimate: Estimate.Estimate): Live => ({
    ...live,
    request: live.request.append(entry),
    estimate
  })

  const withStep = (live: Live, step: Step, pruned = false): Live =>
    extend(live, step, pruned ? Estimate.added(live.estimate, step) : Estimate.answered(live.estimate, step))

  const advance = (self: Live, record: Record): Live => {
    const live = keep(self, record)
    switch (record._tag) {
      case "TurnStarted":
        return extend(live, record.user, Estimate.added(live.estimate, record.user))
      case "StepCompleted":
        return withStep(live, record.step, record.pruned)
      case "StepInterrupted":
        return record.step ? withStep(live, record.step) : live
      case "CompactionApplied":
        return build(live, live.estimate.multiplier)
      default:
        return live
    }
  }

  const ref = yield* Ref.make(build(transcript.opened.reduce(keep, start)))

  return {
    get: Ref.get(ref),
    record: (batch, options) =>
      transcript.append(batch, options).pipe(
        Effect.zipRight(Ref.update(ref, (live) => batch.reduce(advance, live))),
        Effect.uninterruptible
      ),
    counted: (tokens) => Ref.update(ref, (live) => ({ ...live, estimate: Estimate.counted(live.estimate, tokens) })),
    suppress: Ref.update(ref, (live) => ({ ...live, gate: Gate.cancelled(live.gate) }))
  }
})
