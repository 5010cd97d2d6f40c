/**
 * One compaction at a time, from plan to transcript: a child fiber that can be cancelled apart from the turn, and that
 * never outlives it. Exactly one end is told for each beginning, none when the turn itself is interrupted.
 */
import type * as Account from "@weir/compaction/Account"
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
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as FiberHandle from "effect/FiberHandle"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import type * as Scope from "effect/Scope"
import type { LiveConversation } from "./LiveConversation.js"
import type { SessionEvent } from "./SessionEvent.js"
import type { StepRequest } from "./StepRequest.js"
import type { TurnError } from "./TurnError.js"

/** What was applied: the account, and what the checkpoint stands for. */
export interface Applied extends Account.Account {
  readonly checkpointId: string
  readonly coverage: { readonly turns: number; readonly steps: number }
}

export type End = Data.TaggedEnum<{
  Applied: { readonly applied: Applied; readonly askedAgain: boolean }
  Cancelled: { readonly attempt: Account.Attempt }
  Failed: { readonly attempt: Account.Attempt; readonly error: TurnError; readonly askedAgain: boolean }
}>

export const End = Data.taggedEnum<End>()

export interface Wanted extends Pick<CompactionRequest, "focus" | "mayAskAgain" | "onText" | "place"> {
  readonly reason: Account.Reason
  /** The beginning. Sizes in tokens. */
  readonly started: (sizes: { readonly estimate: number; readonly budget: number }) => SessionEvent
  /** The end. */
  readonly ended: (end: End) => SessionEvent
  /** Counts it where nothing can interrupt: what was applied or spent counts, also when the turn ends at once. */
  readonly count?: (end: End) => Effect.Effect<void>
  /** Whether the end is told also when the turn itself is interrupted. */
  readonly isAlwaysTold?: boolean
  /** What the transcript shows for it; nothing when left out. */
  readonly status?: (applied: Applied) => string
}

export interface CompactionRun {
  /** Never fails; history is as before unless it was applied. None: there was nothing to compact, and nothing is told. */
  readonly run: (wanted: Wanted) => Effect.Effect<Option.Option<End>>
  /**
   * Cancels the compaction that runs; ignored while its result is being written. False when Esc is not meant for a
   * compaction, since none is under way.
   */
  readonly cancel: Effect.Effect<boolean>
}

type State = "idle" | "running" | "committing"

const counts = (coverage: Coverage) => ({
  turns: coverage.turns.length,
  steps: coverage.partial?.steps ?? 0
})

export const make = Effect.fnUntraced(function*(options: {
  readonly model: Model["Type"]
  readonly compaction: Compaction["Type"]
  readonly conversation: LiveConversation
  readonly fixed: Pick<Prompt, "system" | "tools">
  readonly strategy: CompactionRequest["strategy"]
  readonly sessionId: string
  /** In US dollars. */
  readonly costOf: ((usage: Usage.Usage) => number) | undefined
  readonly retry: StepRequest["retry"]
  readonly newId: Effect.Effect<string>
  readonly publish: (event: SessionEvent) => Effect.Effect<void>
}): Effect.fn.Return<CompactionRun, never, Scope.Scope> {
  const { compaction, conversation, model, publish } = options
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

  /** Keeps the same input from being tried again unchanged; where that cannot be written down, suppression must do. */
  const failed = Effect.fnUntraced(function*(attempt: Account.Attempt, error: TurnError, askedAgain: boolean) {
    const { projection } = yield* conversation.get
    const fingerprint = Projection.fingerprint(projection)
    yield* conversation.record([{ _tag: "CompactionFailed", ...attempt, fingerprint, error: error.message }]).pipe(
      Effect.catchAll(() => conversation.suppress)
    )
    return End.Failed({ attempt, error, askedAgain })
  })

  /** Nothing has changed; only what was paid for is written down, if it can be. */
  const cancelled = (attempt: Account.Attempt) =>
    (Usage.isZero(attempt.usage)
      ? Effect.void
      : Effect.ignore(conversation.record([{ _tag: "CompactionCancelled", ...attempt }]))).pipe(
        Effect.as(End.Cancelled({ attempt }))
      )

  const commit = Effect.fnUntraced(function*(attempt: Account.Attempt, wanted: Wanted, result: CompactionResult) {
    const { after, askedAgain, before, checkpoint, notes, strategy } = result
    const account: Account.Account = { ...attempt, strategy, before, after, notes }
    const applied: Applied = { ...account, checkpointId: checkpoint.id, coverage: counts(checkpoint.coverage) }
    const status = wanted.status?.(applied)
    const { estimate: { multiplier } } = yield* conversation.get
    const written = yield* Effect.either(conversation.record(
      [{ _tag: "CompactionApplied", ...account, checkpoint, multiplier, ...(status !== undefined && { status }) }],
      { sync: true }
    ))
    return Either.isLeft(written)
      ? yield* failed(attempt, written.left, askedAgain)
      : End.Applied({ applied, askedAgain })
  })

  const run: CompactionRun["run"] = Effect.fn("CompactionRun.run")(function*(wanted) {
    const { mayAskAgain, place, reason } = wanted
    const { budget, estimate, seen: projection } = yield* conversation.get
    const used = yield* Ref.make(Usage.zero)
    const request: CompactionRequest = {
      ...options,
      ...wanted,
      onUsage: (usage) => Ref.update(used, (sum) => Usage.add(sum, usage)),
      budget,
      checkpointId: CheckpointId.make(yield* options.newId),
      estimate,
      projection,
      prompt: options.fixed
    }
    // Nothing begins where nothing could be done: the screen stays calm.
    if (Either.isLeft(planOf(request))) {
      yield* conversation.suppress
      return Option.none()
    }
    const child = compaction.compact(request).pipe(Effect.catchAllDefect(unexpected))
    const started = wanted.started({ estimate: Estimate.current(estimate), budget: budget.input })
    const startedAt = yield* Clock.currentTimeMillis

    return yield* Effect.uninterruptibleMask((restore) =>
      Effect.gen(function*() {
        const begin = Ref.set(state, "running").pipe(Effect.zipRight(publish(started)))
        const exit = yield* Effect.exit(restore(interruptible(handle, begin)(child)))
        yield* Ref.set(state, "committing")
        const millis = (yield* Clock.currentTimeMillis) - startedAt
        const usage = yield* Ref.get(used)
        const cost = options.costOf?.(usage)
        const attempt: Account.Attempt = { phase: place, reason, usage, ...(cost !== undefined && { cost }), millis }
        const count = wanted.count ?? (() => Effect.void)
        const finish = Effect.fnUntraced(function*(end: End) {
          yield* count(end)
          yield* publish(wanted.ended(end))
          yield* Ref.set(state, "idle")
          return Option.some(end)
        })
        if (Exit.isSuccess(exit)) {
          if (Option.isSome(exit.value)) {
            return yield* finish(yield* commit(attempt, wanted, exit.value.value))
          }
          yield* conversation.suppress
          return yield* finish(yield* cancelled(attempt))
        }
        const error = Cause.failureOption(exit.cause)
        if (Option.isSome(error)) {
          return yield* finish(yield* failed(attempt, error.value, mayAskAgain))
        }
        const end = yield* cancelled(attempt)
        yield* count(end)
        if (wanted.isAlwaysTold) yield* publish(wanted.ended(end))
        yield* Ref.set(state, "idle")
        return yield* Effect.failCause(Cause.stripFailures(exit.cause))
      })
    )
  })

  const cancel = Effect.gen(function*() {
    const current = yield* Ref.get(state)
    if (current === "running") yield* FiberHandle.clear(handle)
    return current !== "idle"
  })

  return { run, cancel }
})
