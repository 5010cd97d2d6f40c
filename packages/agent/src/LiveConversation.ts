/**
 * The conversation as it stands: projection, the model's request state, the size estimate, the budget and the gate,
 * kept in step with the transcript. Memory changes only after the record is appended, by the same fold that resumes a
 * session.
 */
import * as Budget from "@weir/compaction/Budget"
import * as Counts from "@weir/compaction/Counts"
import * as Estimate from "@weir/compaction/Estimate"
import * as Gate from "@weir/compaction/Gate"
import * as LearnedLimit from "@weir/compaction/LearnedLimit"
import * as Projection from "@weir/compaction/Projection"
import type { Entry, Step } from "@weir/model/Conversation"
import type { Model, NativeRequest } from "@weir/model/Model"
import type { Prompt } from "@weir/model/Prompt"
import * as Fold from "@weir/session/Fold"
import type { Batch, Context, Record } from "@weir/session/Record"
import type { Transcript } from "@weir/session/Transcript"
import type { TranscriptError } from "@weir/session/TranscriptError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"

export interface Live extends Fold.Folded {
  /** The projection with its tool outputs cut to what the window now allows: what the model sees. */
  readonly seen: Projection.Projection
  /** Of the unreduced next request. */
  readonly request: NativeRequest
  readonly estimate: Estimate.Estimate
  /** For the window as it is known now. */
  readonly budget: Budget.Budget
  readonly learned: Option.Option<LearnedLimit.LearnedLimit>
}

/** What surrounds the history. */
export const context = ({ budget, estimate }: Live): Context => ({
  system: Estimate.calibrated(estimate, estimate.system),
  tools: Estimate.calibrated(estimate, estimate.tools),
  budget: budget.input,
  trigger: budget.trigger
})

export interface LiveConversation {
  readonly get: Effect.Effect<Live>
  /** Appends to the transcript, then to memory; after a failed append memory is as it was. */
  readonly record: (batch: Batch, options?: { readonly sync?: boolean }) => Effect.Effect<void, TranscriptError>
  /** The user cancelled a compaction, or there was nothing to compact. */
  readonly suppress: Effect.Effect<void>
  /** Waits until all that was recorded is on disk. */
  readonly sync: Effect.Effect<void, TranscriptError>
}

export const make = Effect.fnUntraced(function*(options: {
  readonly model: Model["Type"]
  readonly transcript: Transcript["Type"]
  readonly fixed: Pick<Prompt, "system" | "tools">
  /** What earlier sessions learned of the model's window. */
  readonly learned: Option.Option<LearnedLimit.LearnedLimit>
}): Effect.fn.Return<LiveConversation> {
  const { fixed, model, transcript } = options

  /** What is known of the model's window after these records. */
  const known = ({ limits }: Fold.Folded): Pick<Live, "budget" | "learned"> => {
    const here = Option.fromNullable(limits.get(Fold.limitKey({ endpoint: model.endpoint, model: model.id })))
    const learned = Option.orElse(here, () => options.learned)
    return { learned, budget: Budget.of(LearnedLimit.apply(model.limits, learned)) }
  }

  const promptOf = (seen: Projection.Projection): Prompt => ({ ...fixed, entries: Projection.entries(seen) })

  const open = (folded: Fold.Folded): Live => {
    const limits = known(folded)
    const seen = Projection.capped(folded.projection, limits.budget.caps.toolOutput)
    const isLed = Fold.isLedBy(folded, model)
    const counts = isLed && seen === folded.projection ? folded.counts : Counts.none
    const prompt = promptOf(seen)
    return {
      ...folded,
      ...limits,
      seen,
      request: model.start(prompt),
      estimate: Estimate.resumed(prompt, model.weights, counts, isLed ? folded.multiplier : undefined)
    }
  }

  /** With another history, which nobody has counted yet. */
  const replaced = (live: Live, seen: Projection.Projection): Live => {
    const prompt = promptOf(seen)
    const estimate = Estimate.start(prompt, model.weights, live.estimate.multiplier)
    return { ...live, seen, request: model.start(prompt), estimate }
  }

  /** Another window may cut outputs further, or less: to what a session has that is opened now. */
  const relimited = (before: Live): Live => {
    const live = { ...before, ...known(before) }
    const { toolOutput } = live.budget.caps
    const isCutAnew = toolOutput !== before.budget.caps.toolOutput &&
      Projection.capped(live.projection, toolOutput) !== live.seen
    return isCutAnew ? open(live) : live
  }

  const extend = (live: Live, entry: Entry, estimate: Estimate.Estimate): Live => ({
    ...live,
    request: live.request.append(entry),
    estimate
  })

  const withStep = (live: Live, step: Step, pruned = false): Live =>
    extend(live, step, pruned ? Estimate.added(live.estimate, step) : Estimate.answered(live.estimate, step))

  const advance = (before: Live, record: Record): Live => {
    const { budget, estimate, learned, request } = before
    const folded = Fold.append(before, record)
    const seen = before.seen === before.projection
      ? folded.projection
      : Fold.append({ ...before, projection: before.seen }, record).projection
    const live: Live = { ...folded, budget, estimate, learned, request, seen }
    switch (record._tag) {
      case "TurnStarted":
        return extend(live, record.user, Estimate.added(estimate, record.user))
      case "StepCompleted":
        return withStep(live, record.step, record.pruned)
      case "StepInterrupted":
        return record.step ? withStep(live, record.step) : live
      case "CompactionApplied":
        return replaced(live, seen)
      case "InputCounted":
        return { ...live, estimate: Estimate.counted(estimate, record.tokens) }
      case "LimitLearned":
        return relimited(live)
      default:
        return live
    }
  }

  const ref = yield* Ref.make(open(transcript.opened))

  return {
    get: Ref.get(ref),
    record: (batch, options) =>
      transcript.append(batch, options).pipe(
        Effect.flatMap((recorded) => Ref.update(ref, (live) => recorded.reduce(advance, live))),
        Effect.uninterruptible
      ),
    suppress: Ref.update(ref, (live) => ({ ...live, gate: Gate.cancelled(live.gate) })),
    sync: transcript.sync
  }
})
