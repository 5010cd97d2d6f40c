/** How much a request may hold, and when the conversation must be compacted. All integers, tokens unless said. */
import type { Limits } from "@weir/model/Model"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"

export interface Budget {
  /** The model's total context window. */
  readonly window: number
  /** False when the window is only assumed: such a window may trigger a compaction, never end a turn. */
  readonly certain: boolean
  /** The output limit sent with a request. */
  readonly outputReserve: number
  /** What is kept free for the error of an estimate. */
  readonly safety: number
  /** What the next request's input may hold. */
  readonly input: number
  /** The largest request body, in bytes, beside the tokens. */
  readonly bytes: NonNullable<Limits["maxBytes"]>
  /** What the input of a request for a summary may hold. */
  readonly summaryInput: number
  /** The least estimate at which compaction is due between two steps: 90 % of `input`. */
  readonly inTurnTrigger: number
  /** The least estimate at which compaction is due before a turn: the window less a reserve. */
  readonly boundaryTrigger: number
  /** The lower of the two triggers. */
  readonly trigger: number
  /** The most that the newest turns may weigh that stay verbatim beside a summary. */
  readonly tailCap: number
  readonly caps: {
    /** One summary; the output limit of its request. */
    readonly summaryOutput: number
    /** Added to that output limit where the model reasons before it writes; may be 0. */
    readonly summaryReasoning: number
    /** All earlier user instructions kept verbatim in a checkpoint. */
    readonly instructions: number
    /** The ledger of a checkpoint. */
    readonly ledger: number
    /** One recorded tool output. */
    readonly toolOutput: number
  }
}

/** Where a compaction may run: between two steps of a turn, or before a turn's first request. */
export type Phase = "in-turn" | "turn-boundary"

export class InvalidReserve extends Schema.TaggedError<InvalidReserve>("@weir/compaction/Budget/InvalidReserve")(
  "InvalidReserve",
  { reserve: Schema.Number, window: Schema.Number }
) {
  override get message() {
    return `The compaction reserve of ${this.reserve} tokens does not leave room in a window of ${this.window}. ` +
      `Set it to a whole number of tokens from 0 to ${this.window - 1}.`
  }
}

/** The budget of a model; `reserve` replaces the default distance, in tokens, of the turn-boundary trigger. */
export const make = (limits: Limits, reserve?: number): Either.Either<Budget, InvalidReserve> => {
  const { window } = limits
  return reserve === undefined || (Number.isInteger(reserve) && reserve >= 0 && reserve < window)
    ? Either.right(of(limits, reserve))
    : Either.left(new InvalidReserve({ reserve, window }))
}

/** The budget for limits as they are now known; a reserve that no longer leaves room gives way to the default. */
export const of = (limits: Limits, reserve?: number): Budget => {
  const { window } = limits
  const maxOutput = limits.maxOutput ?? Infinity
  const outputReserve = Math.min(limits.outputCap, maxOutput, Math.floor(window / 3))
  const safety = Math.min(Math.max(4_096, Math.floor(window * 5 / 100)), Math.floor(window / 8))
  const inputBeside = (output: number) => Math.max(1, Math.min(window - output, limits.maxInput ?? Infinity) - safety)
  const input = inputBeside(outputReserve)
  const inTurnTrigger = Math.ceil(9 * input / 10)
  const distance = reserve === undefined || reserve >= window ? Math.min(16_384, Math.floor(window / 2)) : reserve
  const boundaryTrigger = window - distance
  const trigger = Math.min(inTurnTrigger, boundaryTrigger)
  const summaryOutput = Math.min(8_192, maxOutput, Math.floor(trigger / 4))
  return {
    window,
    certain: limits.source !== "assumed",
    outputReserve,
    safety,
    input,
    bytes: limits.maxBytes ?? { limit: Infinity, guessed: false },
    summaryInput: inputBeside(summaryOutput),
    inTurnTrigger,
    boundaryTrigger,
    trigger,
    tailCap: Math.min(16_384, Math.floor(trigger / 2)),
    caps: {
      summaryOutput,
      summaryReasoning: Math.min(summaryOutput, Math.max(0, maxOutput - summaryOutput)),
      instructions: Math.min(4_000, Math.floor(trigger / 8)),
      ledger: Math.min(1_000, Math.floor(trigger / 16)),
      toolOutput: Math.min(10_000, Math.floor(trigger / 6))
    }
  }
}

/** Which trigger, if any, an estimate has reached. Before a turn's first request either one counts. */
export const dueBy = (budget: Budget, phase: Phase, estimate: number): Phase | undefined => {
  if (estimate >= budget.inTurnTrigger) return "in-turn"
  return phase === "turn-boundary" && estimate >= budget.boundaryTrigger ? "turn-boundary" : undefined
}

export const isDue = (budget: Budget, phase: Phase, estimate: number): boolean =>
  dueBy(budget, phase, estimate) !== undefined

/** An output limit below the reserve, but not below 1,024, with which an input over the budget fits the window. */
export const loweredOutput = (budget: Budget, estimate: number): number | undefined => {
  const room = budget.window - budget.safety - estimate
  return room >= 1_024 && room < budget.outputReserve ? room : undefined
}
