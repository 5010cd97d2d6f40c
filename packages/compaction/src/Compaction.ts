/**
 * Makes one compaction: plans it, asks the model for a summary, judges the answer. It changes nothing; the caller
 * writes the checkpoint down and then applies it.
 */
import type { Model } from "@weir/model/Model"
import type { ModelError } from "@weir/model/ModelError"
import type { Prompt } from "@weir/model/Prompt"
import type { Usage } from "@weir/model/Usage"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Budget, Phase } from "./Budget.js"
import type { Checkpoint, CheckpointId } from "./Checkpoint.js"
import type { CompactionError } from "./CompactionError.js"
import { NothingToCompact } from "./CompactionError.js"
import type { Estimate } from "./Estimate.js"
import type { Projection } from "./Projection.js"

export interface CompactionRequest {
  readonly model: Model["Type"]
  /** System prompt and tools of the running conversation: they stay, and count. */
  readonly prompt: Pick<Prompt, "system" | "tools">
  readonly projection: Projection
  readonly budget: Budget
  /** The running estimate of the conversation; its calibration weighs what is covered and kept. */
  readonly estimate: Estimate
  /**
   * `in-turn`: the newest turn is running and is the task (also when the compaction is forced).
   * `turn-boundary`: the newest turn has just been typed and stays as it is.
   * `between-turns`: no turn is running.
   */
  readonly place: Phase | "between-turns"
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
  readonly usage: Usage
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

export const make: Compaction["Type"] = {
  compact: () => new NothingToCompact()
}

export const layer: Layer.Layer<Compaction> = Layer.succeed(Compaction, make)
