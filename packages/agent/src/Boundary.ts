/**
 * What happens before a model request: the pure table decides, this acts, and asks again until the request may go out
 * or the turn must end. The only place where a compaction starts while a turn runs.
 */
import * as Budget from "@weir/compaction/Budget"
import * as ByteSize from "@weir/compaction/ByteSize"
import { decide, type Situation } from "@weir/compaction/Decide"
import * as Estimate from "@weir/compaction/Estimate"
import * as Projection from "@weir/compaction/Projection"
import { prune } from "@weir/compaction/Prune"
import type { Model, NativeRequest } from "@weir/model/Model"
import { ContextWindowExceeded } from "@weir/model/ModelError"
import type { Prompt } from "@weir/model/Prompt"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import type { AutoCompaction, Reason } from "./AutoCompaction.js"
import type { Live, LiveConversation } from "./LiveConversation.js"
import type { ManualCompaction } from "./ManualCompaction.js"
import * as TurnResult from "./TurnResult.js"

/** How often, and how, the provider has refused this very request as too large. */
export interface Refusals {
  readonly count: number
  readonly lowered: boolean
  /** Whether the output limit was once over what the model gives. */
  readonly clamped: boolean
  /** Whether the model was once asked again, since it had said nothing. */
  readonly nudged: boolean
  /** Outputs and images that were replaced in the request last refused. */
  readonly pruned: number
  readonly last?: ContextWindowExceeded
}

export const noRefusals: Refusals = { count: 0, clamped: false, lowered: false, nudged: false, pruned: 0 }

export interface Sending {
  readonly request: NativeRequest
  readonly maxOutputTokens: number
  /** The input budget, in tokens. */
  readonly budget: number
  /** The estimated input of the unreduced request, in tokens. */
  readonly estimate: number
  /** The likely size of the request's body, in bytes. */
  readonly bytes: number
  /** How many tool outputs and images are replaced in it: any makes it a pruned copy of the conversation. */
  readonly pruned: number
  readonly lowered: boolean
}

export const refuse = (self: Refusals, sending: Sending, error: ContextWindowExceeded): Refusals => ({
  ...self,
  count: self.count + 1,
  lowered: sending.lowered,
  pruned: sending.pruned,
  last: error
})

export interface Boundary {
  /** Fails when no request can be made to fit, or the last refusal cannot be cured. */
  readonly prepare: (
    phase: Budget.Phase,
    refusals: Refusals,
    progress: Ref.Ref<TurnResult.Progress>
  ) => Effect.Effect<Sending, ContextWindowExceeded>
}

export const make = (options: {
  readonly model: Model["Type"]
  readonly automatic: boolean
  readonly fixed: Pick<Prompt, "system" | "tools">
  readonly conversation: LiveConversation
  readonly compaction: AutoCompaction
  readonly manual: ManualCompaction
}): Boundary => {
  const { compaction, conversation, fixed, manual, model } = options

  /** What no compaction can shrink. */
  const floorOf = ({ estimate, seen }: Live) => {
    const user = seen.turns.at(-1)?.user
    return {
      parts: {
        system: Estimate.calibrated(estimate, estimate.system),
        tools: Estimate.calibrated(estimate, estimate.tools),
        user: user ? Estimate.weigh(estimate)(user) : 0
      },
      bytes: estimate.fixedBytes + (user ? ByteSize.entry(user) : 0)
    }
  }

  const fits = ({ budget }: Live, { bytes, parts }: ReturnType<typeof floorOf>) =>
    (!budget.certain || parts.system + parts.tools + parts.user <= budget.input) &&
    (budget.bytes.guessed || bytes <= budget.bytes.limit)

  /** Says why nothing helps: in the provider's words where it has refused, with the sizes of what cannot shrink. */
  const exceeded = (live: Live, refusal: ContextWindowExceeded | undefined): ContextWindowExceeded => {
    const { budget, estimate } = live
    const isHeavy = estimate.bytes > budget.bytes.limit
    const own = isHeavy
      ? { kind: "bytes", limit: budget.bytes.limit, actual: estimate.bytes } as const
      : { kind: "tokens", limit: budget.input, actual: Estimate.current(estimate) } as const
    const { actual, input, kind, limit } = refusal ?? { ...own, input: undefined }
    return new ContextWindowExceeded({
      provider: model.provider,
      model: model.id,
      detail: refusal?.detail ?? "",
      kind,
      ...(limit !== undefined && { limit }),
      ...(actual !== undefined && { actual }),
      ...(input !== undefined && { input }),
      ...(kind === "tokens" && { parts: floorOf(live).parts })
    })
  }

  /**
   * The request with as little of it replaced as fits the budget; none when nothing is enough, or no more is replaced
   * than in the request that was refused.
   */
  const prunedCopy = (live: Live, refusals: Refusals): Option.Option<Pick<Sending, "bytes" | "pruned" | "request">> => {
    const { budget, estimate, seen } = live
    const entries = Projection.entries(seen)
    const target = Estimate.room(estimate, budget.input)
    const bytes = budget.bytes.limit - estimate.fixedBytes
    const pruned = prune(entries, { weigh: Estimate.weigh(estimate), target, bytes })
    const replaced = pruned.outputs + pruned.images
    return replaced > refusals.pruned && pruned.tokens <= target && pruned.bytes <= bytes
      ? Option.some({
        bytes: estimate.fixedBytes + pruned.bytes,
        pruned: replaced,
        request: model.start({ ...fixed, entries: pruned.entries })
      })
      : Option.none()
  }

  const proactiveReason = (budget: Budget.Budget, phase: Budget.Phase, estimate: number): Reason =>
    Budget.dueBy(budget, phase, estimate) === "in-turn" ? "in-turn-trigger" : "turn-boundary-trigger"

  const prepare: Boundary["prepare"] = Effect.fnUntraced(function*(phase, refusals, progress) {
    let outcome: Situation["outcome"] = "none"
    if (refusals.count === 0) yield* manual.atBoundary(phase)
    while (true) {
      const live = yield* conversation.get
      const { budget } = live
      const estimate = Estimate.current(live.estimate)
      const sending: Sending = {
        request: live.request,
        maxOutputTokens: budget.outputReserve,
        budget: budget.input,
        estimate,
        bytes: live.estimate.bytes,
        pruned: 0,
        lowered: false
      }
      const isOver = estimate > budget.input || live.estimate.bytes > budget.bytes.limit
      const copy = isOver || refusals.count > 0 ? prunedCopy(live, refusals) : Option.none()
      const row = decide({
        phase,
        estimate,
        bytes: live.estimate.bytes,
        floorFits: fits(live, floorOf(live)),
        budget,
        automatic: options.automatic,
        gate: live.gate,
        fingerprint: Projection.fingerprint(live.projection),
        outcome,
        refusals: refusals.count,
        lowered: refusals.lowered,
        prunedFits: Option.isSome(copy)
      })
      switch (row.action) {
        case "Send":
          return sending
        case "LowerOutput":
          return {
            ...sending,
            maxOutputTokens: Budget.loweredOutput(budget, estimate) ?? budget.outputReserve,
            lowered: true
          }
        case "Prune":
          if (Option.isSome(copy)) return { ...sending, ...copy.value }
          return yield* exceeded(live, refusals.last)
        case "End":
          return yield* exceeded(live, refusals.last)
        case "CompactProactive":
        case "CompactForced": {
          const forced: Reason = refusals.count > 0 ? "context-error" : "local-exhaustion"
          const reason = row.action === "CompactForced" ? forced : proactiveReason(budget, phase, estimate)
          // No tail is kept where the provider or our own count has refused: one message replaces all.
          const place = row.action === "CompactForced" ? "in-turn" : phase
          const { askedAgain } = yield* Ref.get(progress)
          outcome = yield* compaction.run(
            place,
            reason,
            !askedAgain,
            (result) => Ref.update(progress, TurnResult.addCompaction(result))
          )
        }
      }
    }
  })

  return { prepare }
}
