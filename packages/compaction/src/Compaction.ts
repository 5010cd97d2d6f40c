/**
 * Makes one compaction: plans it, asks the model for a summary, judges the answer. It changes nothing; the caller
 * writes the checkpoint down and then applies it.
 */
import type { Entry } from "@weir/model/Conversation"
import type { Model } from "@weir/model/Model"
import type { ModelError } from "@weir/model/ModelError"
import type { Prompt } from "@weir/model/Prompt"
import * as Reply from "@weir/model/Reply"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Acceptance from "./Acceptance.js"
import type * as Account from "./Account.js"
import type { Budget } from "./Budget.js"
import * as ByteSize from "./ByteSize.js"
import { type Checkpoint, CheckpointId, type Coverage } from "./Checkpoint.js"
import type { CompactionError, NothingToCompact } from "./CompactionError.js"
import * as Estimate from "./Estimate.js"
import * as Plan from "./Plan.js"
import * as Projection from "./Projection.js"
import * as Prune from "./Prune.js"
import * as Summarizer from "./Summarizer.js"

export interface CompactionRequest {
  readonly model: Model["Type"]
  /** System prompt and tools of the running conversation: they stay, and count. */
  readonly prompt: Pick<Prompt, "system" | "tools">
  readonly projection: Projection.Projection
  readonly budget: Budget
  /** The running estimate of the conversation; its calibration weighs what is covered and kept. */
  readonly estimate: Estimate.Estimate
  /** A forced compaction is `in-turn`, whenever it takes place. */
  readonly place: Account.Place
  /** What the user asked to keep in mind; present, perhaps empty, makes the compaction manual. */
  readonly focus?: string
  /** How to ask; `auto` goes on with the conversation where the provider has it cached. */
  readonly strategy: Account.Strategy | "auto"
  readonly sessionId: string
  readonly checkpointId: CheckpointId
  /** Whether one more, stricter request may follow a faulty summary. */
  readonly mayAskAgain: boolean
  /** The retry policy for passing faults of the model. */
  readonly retry: <A, R>(self: Effect.Effect<A, ModelError, R>) => Effect.Effect<A, ModelError, R>
  readonly onText?: Summarizer.OnText
  readonly onUsage?: Summarizer.OnUsage
}

export interface CompactionResult extends Pick<Account.Account, "after" | "before" | "notes" | "strategy" | "usage"> {
  readonly checkpoint: Checkpoint
  /** Whether the stricter request was used up. */
  readonly askedAgain: boolean
}

export class Compaction extends Context.Tag("@weir/compaction/Compaction")<Compaction, {
  /** Fails with the conversation untouched. No timeout: it takes as long as the model takes. */
  readonly compact: (request: CompactionRequest) => Effect.Effect<CompactionResult, CompactionError>
}>() {}

/** What settles, without a request to the model, what is covered and what that removes. */
export type Planned = Pick<CompactionRequest, "budget" | "estimate" | "focus" | "place" | "projection" | "prompt">

/** The least that a copy of a request with these entries takes, in bytes. */
const leastBytes = (request: Planned, entries: ReadonlyArray<Entry>): number => {
  const { budget, estimate, prompt } = request
  const bytes = ByteSize.prompt({ ...prompt, entries })
  if (bytes <= budget.bytes.limit) return bytes
  const pruned = Prune.prune(entries, { weigh: Estimate.weigh(estimate), target: Infinity, bytes: 0 })
  return estimate.fixedBytes + pruned.bytes
}

/** The effect of a checkpoint on the next request, in tokens. */
const effectOf = (request: Planned, checkpoint: Checkpoint) => {
  const { budget, estimate, projection, prompt } = request
  const weigh = Estimate.weigh(estimate)
  const weight = (entries: ReadonlyArray<Entry>) => entries.reduce((sum, entry) => sum + weigh(entry), 0)
  const entries = Projection.entries(Projection.apply(projection, checkpoint))
  const sized = (entries: ReadonlyArray<Entry>) =>
    Estimate.current(Estimate.start({ ...prompt, entries }, estimate.weights, estimate.multiplier))
  const after = sized(entries)
  const smallest = after <= budget.input ? after : sized(Prune.prune(entries, { weigh, target: 0 }).entries)
  return { after, entries, smallest, freed: weight(Projection.entries(projection)) - weight(entries) }
}

const hardFault = ({ faults }: Acceptance.Verdict) => faults.find(Acceptance.isHard)

/**
 * What a compaction would cover; without a request to the model. Before a turn the tail is covered too where the largest
 * summary would not fit beside it.
 */
export const planOf = (request: Planned): Either.Either<Plan.Plan, NothingToCompact> => {
  const { budget, place } = request
  const fixed = Estimate.fixed(request.estimate)
  const summaryBytes = Plan.bytesPerToken * budget.caps.summaryOutput
  const at = (place: Account.Place) =>
    Plan.make({
      projection: request.projection,
      place,
      manual: request.focus !== undefined,
      budget,
      fixed,
      fixedBytes: request.estimate.fixedBytes,
      weigh: Estimate.weigh(request.estimate)
    })
  const planned = at(place)
  const leavesRoom = Either.match(planned, {
    onLeft: () =>
      Estimate.current(request.estimate) <= budget.input &&
      leastBytes(request, Projection.entries(request.projection)) <= budget.bytes.limit,
    onRight: ({ beyond, later }) =>
      fixed + budget.caps.summaryOutput + beyond <= budget.input &&
      leastBytes(request, later) + summaryBytes <= budget.bytes.limit
  })
  return place === "turn-boundary" && !leavesRoom ? at("in-turn") : planned
}

/** A compaction as it is known before it is made. Sizes in tokens. */
export interface Preview {
  readonly coverage: Coverage
  /** What would be replaced. */
  readonly covered: number
  /** Of the next request without the compaction, and with it but for the text of the summary. */
  readonly before: number
  readonly after: number
  /** The most that the summary may take. */
  readonly summary: number
}

export const preview = (request: Planned): Either.Either<Preview, NothingToCompact> =>
  Either.map(planOf(request), ({ checkpoint, coveredTokens }) => ({
    coverage: checkpoint.coverage,
    covered: coveredTokens,
    before: Estimate.current(request.estimate),
    after: effectOf(request, { ...checkpoint, id: CheckpointId.make(""), summary: "" }).after,
    summary: request.budget.caps.summaryOutput
  }))

const compact = Effect.fn("Compaction.compact")(function*(
  request: CompactionRequest
): Effect.fn.Return<CompactionResult, CompactionError> {
  const { budget, checkpointId: id, estimate, mayAskAgain, model } = request
  const plan = yield* planOf(request)
  const checkpointOf = (summary: string): Checkpoint => ({ ...plan.checkpoint, id, summary })
  const { spent, summarize } = yield* Summarizer.make({
    ...request,
    plan,
    judge: (reply, { echoes }) =>
      Acceptance.judge(reply, {
        cap: budget.caps.summaryOutput,
        covered: plan.coveredTokens,
        request: echoes,
        effect: (summary) => {
          const { entries, freed, smallest } = effectOf(request, checkpointOf(summary))
          return { freed, after: smallest, bytes: leastBytes(request, entries) }
        },
        input: budget.input,
        maxBytes: budget.bytes.limit
      })
  })

  const strategy = request.strategy !== "auto" ? request.strategy : model.cachesPrompts ? "cached-prefix" : "isolated"
  const reasons = request.projection.turns.some((turn) => turn.steps.some(Reply.hasReasoned))
  const first = yield* summarize({ limit: budget.summaryInput, mayAskAgain, reasons, strategy })
  const [fault] = first.faults
  const askAgain = fault !== undefined && first.progress.mayAskAgain
  const second = askAgain
    ? yield* Effect.either(summarize({ ...first.progress, mayAskAgain: false, strategy: "isolated" }, fault))
    : Either.right(first)

  // A first answer that could have been noted and accepted is better than a second one that cannot.
  const best = Either.isRight(second) && (hardFault(first) || !hardFault(second.right)) ? second.right : first
  const hard = hardFault(best)
  const usage = yield* spent
  if (hard !== undefined) return yield* Either.isLeft(second) ? second.left : Acceptance.fromFault(hard, usage)
  const checkpoint = checkpointOf(best.summary)
  return {
    checkpoint,
    before: Estimate.current(estimate),
    after: effectOf(request, checkpoint).after,
    usage,
    strategy: best.progress.strategy,
    notes: best.faults.map(Acceptance.describe),
    askedAgain: askAgain || first.progress.mayAskAgain !== mayAskAgain
  }
})

export const make: Compaction["Type"] = { compact }

export const layer: Layer.Layer<Compaction> = Layer.succeed(Compaction, make)
