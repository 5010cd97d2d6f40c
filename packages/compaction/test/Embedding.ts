/** A program with a loop of its own that takes the compaction alone. */
import * as Budget from "@weir/compaction/Budget"
import * as Checkpoint from "@weir/compaction/Checkpoint"
import { Compaction } from "@weir/compaction/Compaction"
import * as Estimate from "@weir/compaction/Estimate"
import * as Projection from "@weir/compaction/Projection"
import { Model } from "@weir/model/Model"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"

/** The history to go on with between two steps of a turn: the same while there is room, else a summary of it. */
export const withRoom = Effect.fn("withRoom")(function*(history: Projection.Projection, system: string) {
  const model = yield* Model
  const compaction = yield* Compaction
  const prompt = { system, tools: [] }
  const budget = Budget.of(model.limits)
  const estimate = Estimate.start({ ...prompt, entries: Projection.entries(history) }, model.weights)
  if (!Budget.isDue(budget, "in-turn", Estimate.current(estimate))) return history

  const { checkpoint } = yield* compaction.compact({
    model,
    prompt,
    projection: history,
    budget,
    estimate,
    place: "in-turn",
    strategy: "auto",
    sessionId: "my-session",
    checkpointId: Checkpoint.CheckpointId.make("1"),
    mayAskAgain: true,
    retry: Effect.retry({
      times: 3,
      schedule: Schedule.exponential("1 second"),
      while: (error) => error._tag === "ModelUnavailable"
    })
  })
  // Keep the checkpoint with the history before going on: it is all that is needed to get here again.
  return Projection.apply(history, checkpoint)
})
