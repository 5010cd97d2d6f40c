/** The projection of a transcript: the fold of its records. A live session applies the same function as it goes. */
import * as Projection from "@weir/compaction/Projection"
import type { Record } from "./Record.js"

export const append = (self: Projection.Projection, record: Record): Projection.Projection => {
  switch (record._tag) {
    case "TurnStarted":
      return Projection.addTurn(self, { id: record.turnId, user: record.user, steps: [] })
    case "StepCompleted":
      return Projection.addStep(self, record.step)
    case "StepInterrupted":
      return record.step ? Projection.addStep(self, record.step) : self
    case "CompactionApplied":
      return Projection.apply(self, record.checkpoint)
    case "SessionStarted":
    case "CompactionFailed":
    case "LimitLearned":
    case "TurnFinished":
      return self
  }
}

export const fold = (records: Iterable<Record>): Projection.Projection => {
  let projection = Projection.empty
  for (const record of records) projection = append(projection, record)
  return projection
}
