/**
 * One automatic compaction: a child fiber that Esc can cancel apart from the turn, and that never outlives it.
 * Exactly one terminal event follows its Started, none when the turn itself is interrupted.
 */
import type { Phase } from "@weir/compaction/Budget"
import { CheckpointId, type Coverage } from "@weir/compaction/Checkpoint"
import { type Compaction, type CompactionRequest, type CompactionResult, planOf } from "@weir/compaction/Compaction"
import { type CompactionError, SummarizerFailed } from "@weir/compaction/CompactionError"
import * as Estimate from "@weir/compaction/Estimate"
import { interruptible } from "@weir/compaction/Interruptible"
import * as Projection from "@weir/compaction/Projection"
import type { Model } from "@weir/model/Model"
import { InvalidRequest } from "@weir/model/ModelError"
import type { Prompt } from "@weir/model/Prompt"
import * as Usage from "@weir/model/Usage"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as FiberHandle from "effect/FiberHandle"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import type * as Scope from "effect/Scope"
import type { LiveConversation } from "./LiveConversation.js"
import {
  AutoCompactionApplied,
  AutoCompactionCancelled,
  AutoCompactionFailed,
  AutoCompactionStarted,
  type SessionEvent
} from "./SessionEvent.js"
import type { StepRequest } from "./StepRequest.js"
import type { TurnError } from "./TurnError.js"

export interface Outcome {
  readonly outcome: "applied" | "cancelled" | "failed"
  /** Of all requests made for it. */
  readonly usage: Usage.Usage
  /** Whether a faulty summary was asked for a second time, which a turn does once. */
  readonly askedAgain: boolean
}

export interface AutoCompaction {
  /** Never fails; history is as before unless the outcome is `applied`. */
  readonly run: (phase: Phase, reason: Reason, mayAskAgain: boolean) => Effect.Effect<Outcome>
  /**
   * Cancels the compaction that runs; ignored while its result is being written. False when Esc is not meant for a
   * compaction, since none is under way.
   */
  readonly cancel: Effect.Effect<boolean>
}

export type Reason = AutoCompactionStarted["reason"]

type State = "idle" | "running" | "committing"

const counts = (coverage: Coverage) => ({
  turns: coverage.turns.length,
  steps: coverage.partial?.steps ?? 0
})

const spent = (error: TurnError): Usage.Usage => "usage" in error ? error.usage : Usage.zero

export const make = Effect.fnUntraced(function*(options: {
  readonly model: Model["Type"]
  readonly compaction: Compaction["Type"]
  readonly conversation: LiveConversation
  readonly fixed: Pick<Prompt, "system" | "tools">
  readonly strategy: CompactionRequest["strategy"]
  readonly sessionId: string
  readonly retry: StepRequest["retry"]
  readonly newId: Effect.Effect<string>
  readonly publish: (event: SessionEvent) => Effect.Effect<void>
}): Effect.fn.Return<AutoCompaction, never, Scope.Scope> {
  const { compaction, conversation, fixed, model, publish } = options
  const handle = yield* FiberHandle.make<CompactionResult, CompactionError>()
  const state = yield* Ref.make<State>("idle")

  /** A bug in the summarizer ends the compaction, not the turn. */
  const unexpected = (defect: unknown) =>
    new SummarizerFailed({
      error: new InvalidRequest({
        provider: model.provider,
        model: model.id,
        detail: `unexpected failure: ${Cause.pretty(Cause.die(defect))}`
      }),
      usage: Usage.zero
    })

  const ended = (event: SessionEvent, outcome: Outcome) =>
    publish(event).pipe(Effect.zipRight(Ref.set(state, "idle")), Effect.as(outcome))

  /** Keeps the same input from being tried again unchanged; where that cannot be written down, suppression must do. */
  const remember = Effect.fnUntraced(function*(error: TurnError) {
    const { projection } = yield* conversation.get
    const fingerprint = Projection.fingerprint(projection)
    yield* conversation.record([{ _tag: "CompactionFailed", fingerprint, error: error.message }]).pipe(
      Effect.catchAll(() => conversation.suppress)
    )
  })

  const failed = Effect.fnUntraced(function*(error: TurnError, usage: Usage.Usage, askedAgain: boolean) {
    yield* remember(error)
    return yield* ended(new AutoCompactionFailed({ error }), { outcome: "failed", usage, askedAgain })
  })

  const commit = Effect.fnUntraced(function*(result: CompactionResult) {
    const { after, askedAgain, before, checkpoint, strategy, usage } = result
    const written = yield* Effect.either(
      conversation.record([{ _tag: "CompactionApplied", checkpoint, before, after, usage }], { sync: true })
    )
    if (Either.isLeft(written)) return yield* failed(written.left, usage, askedAgain)
    const { coverage, id: checkpointId } = checkpoint
    return yield* ended(
      new AutoCompactionApplied({ checkpointId, coverage: counts(coverage), before, after, strategy, usage }),
      { outcome: "applied", usage, askedAgain }
    )
  })

  const run = Effect.fn("AutoCompaction.run")(
    function*(phase: Phase, reason: Reason, mayAskAgain: boolean): Effect.fn.Return<Outcome> {
      const { budget, estimate, projection } = yield* conversation.get
      const checkpointId = CheckpointId.make(yield* options.newId)
      const started = new AutoCompactionStarted({
        phase,
        reason,
        estimate: Estimate.current(estimate),
        budget: budget.input
      })
      const request: CompactionRequest = {
        model,
        prompt: fixed,
        projection,
        budget,
        estimate,
        place: phase,
        strategy: options.strategy,
        sessionId: options.sessionId,
        checkpointId,
        mayAskAgain,
        retry: options.retry
      }
      // Nothing begins where nothing could be done: the screen stays calm.
      if (Either.isLeft(planOf(request))) {
        yield* conversation.suppress
        return { outcome: "failed", usage: Usage.zero, askedAgain: false }
      }
      const child = compaction.compact(request).pipe(Effect.catchAllDefect(unexpected))

      return yield* Effect.uninterruptibleMask((restore) =>
        Effect.gen(function*() {
          const begin = Ref.set(state, "running").pipe(Effect.zipRight(publish(started)))
          const exit = yield* Effect.exit(restore(interruptible(handle, begin)(child)))
          yield* Ref.set(state, "committing")
          if (Exit.isSuccess(exit)) {
            if (Option.isSome(exit.value)) return yield* commit(exit.value.value)
            yield* conversation.suppress
            return yield* ended(new AutoCompactionCancelled(), {
              outcome: "cancelled",
              usage: Usage.zero,
              askedAgain: false
            })
          }
          const error = Cause.failureOption(exit.cause)
          if (Option.isSome(error)) return yield* failed(error.value, spent(error.value), mayAskAgain)
          yield* Ref.set(state, "idle")
          return yield* Effect.failCause(Cause.stripFailures(exit.cause))
        })
      )
    }
  )

  const cancel = Effect.gen(function*() {
    const current = yield* Ref.get(state)
    if (current === "running") yield* FiberHandle.clear(handle)
    return current !== "idle"
  })

  return { run, cancel }
})
