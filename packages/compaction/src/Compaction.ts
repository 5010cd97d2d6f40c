/**
 * Makes one compaction: plans it, asks the model for a summary, judges the answer. It changes nothing; the caller
 * writes the checkpoint down and then applies it.
 */
import type { Entry } from "@weir/model/Conversation"
import type { Model } from "@weir/model/Model"
import type { ModelError } from "@weir/model/ModelError"
import { ContextWindowExceeded } from "@weir/model/ModelError"
import type { Prompt } from "@weir/model/Prompt"
import * as Reply from "@weir/model/Reply"
import * as Usage from "@weir/model/Usage"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as Acceptance from "./Acceptance.js"
import type { Budget } from "./Budget.js"
import type { Checkpoint, CheckpointId } from "./Checkpoint.js"
import type { CompactionError, NothingToCompact } from "./CompactionError.js"
import { EmptySummary, MalformedSummary, NoProgress, SummarizerFailed, TruncatedSummary } from "./CompactionError.js"
import * as Estimate from "./Estimate.js"
import * as Plan from "./Plan.js"
import * as Projection from "./Projection.js"
import * as Prune from "./Prune.js"
import * as SummaryRequest from "./SummaryRequest.js"

export interface CompactionRequest {
  readonly model: Model["Type"]
  /** System prompt and tools of the running conversation: they stay, and count. */
  readonly prompt: Pick<Prompt, "system" | "tools">
  readonly projection: Projection.Projection
  readonly budget: Budget
  /** The running estimate of the conversation; its calibration weighs what is covered and kept. */
  readonly estimate: Estimate.Estimate
  /** A forced compaction is `in-turn`, whenever it takes place. */
  readonly place: Plan.Place
  /** What the user asked to keep in mind; present, perhaps empty, makes the compaction manual. */
  readonly focus?: string
  readonly sessionId: string
  readonly checkpointId: CheckpointId
  /** Whether one more, stricter request may follow a faulty summary. */
  readonly mayAskAgain: boolean
  /** The retry policy for passing faults of the model. */
  readonly retry: <A, R>(self: Effect.Effect<A, ModelError, R>) => Effect.Effect<A, ModelError, R>
  /** Sees the summary's text as it arrives. A retried request starts over. */
  readonly onText?: (delta: string) => Effect.Effect<void>
}

export interface CompactionResult {
  readonly checkpoint: Checkpoint
  /** Estimated input, in tokens, of the next request without the compaction and with it. */
  readonly before: number
  readonly after: number
  /** Of all requests made. */
  readonly usage: Usage.Usage
  readonly strategy: "isolated"
  /** Faults of the accepted summary that were let pass. */
  readonly notes: ReadonlyArray<string>
  /** Whether the stricter request was used up. */
  readonly askedAgain: boolean
}

export class Compaction extends Context.Tag("@weir/compaction/Compaction")<Compaction, {
  /** Fails with the conversation untouched. No timeout: it takes as long as the model takes. */
  readonly compact: (request: CompactionRequest) => Effect.Effect<CompactionResult, CompactionError>
}>() {}

interface Answer extends Acceptance.Verdict {
  readonly usage: Usage.Usage
}

/** The effect of a checkpoint on the next request, in tokens. */
const effectOf = (request: CompactionRequest, checkpoint: Checkpoint) => {
  const { budget, estimate, projection, prompt } = request
  const weigh = Estimate.weigh(estimate)
  const weight = (entries: ReadonlyArray<Entry>) => entries.reduce((sum, entry) => sum + weigh(entry), 0)
  const entries = Projection.entries(Projection.apply(projection, checkpoint))
  const sized = (entries: ReadonlyArray<Entry>) =>
    Estimate.current(Estimate.start({ ...prompt, entries }, estimate.weights, estimate.multiplier))
  const after = sized(entries)
  const smallest = after <= budget.input ? after : sized(Prune.prune(entries, { weigh, target: 0 }).entries)
  return { after, smallest, freed: weight(Projection.entries(projection)) - weight(entries) }
}

/**
 * One request and its judgement. It is asked again for passing faults, and with at most half of its input each time
 * that it is refused as too large.
 */
const ask = Effect.fn("Compaction.ask")(function*(
  request: CompactionRequest,
  plan: Plan.Plan,
  checkpointOf: (summary: string) => Checkpoint,
  fault?: Acceptance.Fault,
  inputLimit?: number
): Effect.fn.Return<Answer, ModelError> {
  const { budget, estimate, model } = request
  const made = SummaryRequest.make({
    plan,
    budget,
    calibrated: (scanned) => Estimate.calibrated(estimate, scanned),
    ...(request.focus !== undefined && { focus: request.focus }),
    ...(fault && { fault: Acceptance.describe(fault) }),
    ...(inputLimit !== undefined && { inputLimit })
  })
  // A history too large for one request will be summarized in parts here.
  if (Either.isLeft(made)) {
    return yield* new ContextWindowExceeded({
      provider: model.provider,
      model: model.id,
      detail: "",
      kind: "tokens",
      ...made.left
    })
  }
  const { history, instructions, maxOutputTokens, prompt, tokens } = made.right
  const onText = request.onText ?? (() => Effect.void)
  const collect = model.start(prompt).stream({ maxOutputTokens, sessionId: request.sessionId }).pipe(
    Stream.tap((event) => event._tag === "TextDelta" ? onText(event.text) : Effect.void),
    Stream.runFold(Reply.empty, Reply.append)
  )
  const answer = yield* Effect.either(request.retry(collect))
  if (Either.isLeft(answer)) {
    return yield* answer.left._tag === "ContextWindowExceeded"
      ? ask(request, plan, checkpointOf, fault, Math.floor(tokens / 2))
      : answer.left
  }
  const reply = answer.right
  const verdict = Acceptance.judge(reply, {
    cap: maxOutputTokens,
    covered: plan.coveredTokens,
    request: [history, instructions],
    effect: (summary) => {
      const { freed, smallest } = effectOf(request, checkpointOf(summary))
      return { freed, after: smallest }
    },
    input: budget.input
  })
  return { ...verdict, usage: reply.usage ?? Usage.zero }
})

/** The error that a hard fault is. */
const errorOf = (fault: Acceptance.Fault, usage: Usage.Usage): CompactionError => {
  const failed = { reason: Acceptance.describe(fault), usage }
  switch (fault._tag) {
    case "Blank":
    case "ReasoningOnly":
      return new EmptySummary(failed)
    case "CutOff":
    case "OverCap":
      return new TruncatedSummary(failed)
    case "FreesTooLittle":
    case "DoesNotFit":
      return new NoProgress(failed)
    default:
      return new MalformedSummary(failed)
  }
}

const hardFault = ({ faults }: Acceptance.Verdict) => faults.find(Acceptance.isHard)

/** What a compaction would cover; without a request to the model. */
export const planOf = (request: CompactionRequest): Either.Either<Plan.Plan, NothingToCompact> =>
  Plan.make({
    projection: request.projection,
    place: request.place,
    manual: request.focus !== undefined,
    budget: request.budget,
    fixed: Estimate.fixed(request.estimate),
    weigh: Estimate.weigh(request.estimate)
  })

const compact = Effect.fn("Compaction.compact")(function*(
  request: CompactionRequest
): Effect.fn.Return<CompactionResult, CompactionError> {
  const { checkpointId: id, estimate, mayAskAgain } = request
  const plan = yield* planOf(request)
  const checkpointOf = (summary: string): Checkpoint => ({ ...plan.checkpoint, id, summary })

  const first = yield* ask(request, plan, checkpointOf).pipe(
    Effect.mapError((error) => new SummarizerFailed({ error, usage: Usage.zero }))
  )
  const [fault] = first.faults
  const askedAgain = fault !== undefined && mayAskAgain
  const second = askedAgain ? yield* Effect.either(ask(request, plan, checkpointOf, fault)) : Either.right(first)
  const spent = askedAgain && Either.isRight(second) ? Usage.add(first.usage, second.right.usage) : first.usage

  // A first answer that could have been noted and accepted is better than a second one that cannot.
  const best = Either.isRight(second) && (hardFault(first) || !hardFault(second.right)) ? second.right : first
  const hard = hardFault(best)
  if (hard !== undefined) {
    return yield* Either.isLeft(second)
      ? new SummarizerFailed({ error: second.left, usage: spent })
      : errorOf(hard, spent)
  }
  const checkpoint = checkpointOf(best.summary)
  return {
    checkpoint,
    before: Estimate.current(estimate),
    after: effectOf(request, checkpoint).after,
    usage: spent,
    strategy: "isolated",
    notes: best.faults.map(Acceptance.describe),
    askedAgain
  }
})

export const make: Compaction["Type"] = { compact }

export const layer: Layer.Layer<Compaction> = Layer.succeed(Compaction, make)
