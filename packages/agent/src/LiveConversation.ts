/**
 * The conversation as it stands: projection, the model's request state, the size estimate and the gate, kept in step
 * with the transcript. Memory changes only after the record is appended, by the same fold that resumes a session.
 */
import type { Budget } from "@weir/compaction/Budget"
import * as Estimate from "@weir/compaction/Estimate"
import * as Gate from "@weir/compaction/Gate"
import * as Projection from "@weir/compaction/Projection"
import type { Entry, Step } from "@weir/model/Conversation"
import type { Model, NativeRequest } from "@weir/model/Model"
import type { Prompt } from "@weir/model/Prompt"
import * as Fold from "@weir/session/Fold"
import type { Batch, Record } from "@weir/session/Record"
import type { Transcript } from "@weir/session/Transcript"
import type { TranscriptError } from "@weir/session/TranscriptError"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"

export interface Live {
  readonly projection: Projection.Projection
  /** Of the unreduced next request. */
  readonly request: NativeRequest
  readonly estimate: Estimate.Estimate
  readonly gate: Gate.Gate
}

export interface LiveConversation {
  readonly get: Effect.Effect<Live>
  /** Appends to the transcript, then to memory; after a failed append memory is as it was. */
  readonly record: (batch: Batch, options?: { readonly sync?: boolean }) => Effect.Effect<void, TranscriptError>
  /** The user cancelled a compaction, or there was nothing to compact. */
  readonly suppress: Effect.Effect<void>
}

export const make = Effect.fnUntraced(function*(options: {
  readonly model: Model["Type"]
  readonly transcript: Transcript["Type"]
  readonly budget: Budget
  readonly fixed: Pick<Prompt, "system" | "tools">
}): Effect.fn.Return<LiveConversation> {
  const { budget, fixed, model, transcript } = options

  const build = (projection: Projection.Projection, gate: Gate.Gate, multiplier?: number): Live => {
    const prompt = { ...fixed, entries: Projection.entries(projection) }
    return {
      projection,
      request: model.start(prompt),
      estimate: Estimate.start(prompt, model.weights, multiplier),
      gate
    }
  }

  const gateAfter = (gate: Gate.Gate, record: Record): Gate.Gate => {
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

  const extend = (live: Live, entry: Entry, estimate: Estimate.Estimate): Live => ({
    ...live,
    request: live.request.append(entry),
    estimate
  })

  const withStep = (live: Live, step: Step, pruned = false): Live =>
    extend(live, step, pruned ? Estimate.added(live.estimate, step) : Estimate.answered(live.estimate, step))

  const advance = (self: Live, record: Record): Live => {
    const live = { ...self, projection: Fold.append(self.projection, record), gate: gateAfter(self.gate, record) }
    switch (record._tag) {
      case "TurnStarted":
        return extend(live, record.user, Estimate.added(live.estimate, record.user))
      case "StepCompleted":
        return withStep(live, record.step, record.pruned)
      case "StepInterrupted":
        return record.step ? withStep(live, record.step) : live
      case "CompactionApplied":
        return build(live.projection, live.gate, live.estimate.multiplier)
      default:
        return live
    }
  }

  const ref = yield* Ref.make(
    build(Fold.fold(transcript.opened), transcript.opened.reduce(gateAfter, Gate.initial))
  )

  return {
    get: Ref.get(ref),
    record: (batch, options) =>
      transcript.append(batch, options).pipe(
        Effect.zipRight(Ref.update(ref, (live) => batch.reduce(advance, live))),
        Effect.uninterruptible
      ),
    suppress: Ref.update(ref, (live) => ({ ...live, gate: Gate.cancelled(live.gate) }))
  }
})
