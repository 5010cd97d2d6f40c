/**
 * What a transcript comes to: the projection, and what was learned on the way. A live session applies the same
 * function as it goes, so a resumed one is equal to it.
 */
import type { Account } from "@weir/compaction/Account"
import * as Counts from "@weir/compaction/Counts"
import * as Gate from "@weir/compaction/Gate"
import type { LearnedLimit } from "@weir/compaction/LearnedLimit"
import * as Projection from "@weir/compaction/Projection"
import type { Step, TurnId } from "@weir/model/Conversation"
import * as Usage from "@weir/model/Usage"
import type { Record } from "./Record.js"

export interface Folded {
  readonly projection: Projection.Projection
  readonly gate: Gate.Gate
  /** Windows learned in this session, by `limitKey`. */
  readonly limits: ReadonlyMap<string, LearnedLimit>
  /** Those that stand, oldest first. */
  readonly compactions: ReadonlyArray<Pick<Account, "before" | "after" | "reason">>
  /** The model that led the newest turn. */
  readonly model?: { readonly provider: string; readonly model: string }
  /** The model's tokens per 1,000 scanned ones, as known at the newest compaction. */
  readonly multiplier?: number
  /** How the model that leads it has counted the conversation as it is now. */
  readonly counts: Counts.Counts
  /** The turn that has begun and not ended, and the usage of its steps so far. */
  readonly running?: { readonly turn: TurnId; readonly usage: Usage.Usage }
}

export const empty: Folded = {
  projection: Projection.empty,
  gate: Gate.initial,
  limits: new Map(),
  compactions: [],
  counts: Counts.none
}

export const limitKey = (of: { readonly endpoint: string; readonly model: string }) => `${of.endpoint} ${of.model}`

export const isLedBy = ({ model }: Folded, by: { readonly provider: string; readonly id: string }): boolean =>
  model?.provider === by.provider && model.model === by.id

const withProjection = (self: Folded, projection: Projection.Projection): Folded => ({
  ...self,
  projection,
  gate: Gate.advanced(self.gate)
})

interface Completed {
  readonly step: Step
  readonly pruned?: true
}

/** With steps that were completed one after the other. */
export const withSteps = (self: Folded, completed: ReadonlyArray<Completed>): Folded => {
  const { counts, gate, projection, running } = self
  const usage = completed.reduce(
    (sum, { step }) => step.usage ? Usage.add(sum, step.usage) : sum,
    running?.usage ?? Usage.zero
  )
  return {
    ...self,
    projection: Projection.addSteps(projection, completed.map(({ step }) => step)),
    gate: Gate.advanced(gate),
    counts: Counts.withSteps(counts, completed.map(({ pruned }) => pruned === true)),
    ...(running && { running: { turn: running.turn, usage } })
  }
}

export const append = (self: Folded, record: Record): Folded => {
  switch (record._tag) {
    case "TurnStarted":
      return {
        ...withProjection(
          self,
          Projection.addTurn(self.projection, { id: record.turnId, user: record.user, steps: [] })
        ),
        counts: Counts.withMessage(self.counts),
        running: { turn: record.turnId, usage: Usage.zero }
      }
    case "StepCompleted":
      return withSteps(self, [record])
    case "StepInterrupted":
      return record.step ? withSteps(self, [{ step: record.step }]) : withProjection(self, self.projection)
    case "CompactionApplied": {
      const { after, before, checkpoint, multiplier, reason } = record
      return {
        ...self,
        projection: Projection.apply(self.projection, checkpoint),
        gate: Gate.applied(after),
        compactions: [...self.compactions, { before, after, reason }],
        ...(multiplier !== undefined && { multiplier }),
        counts: Counts.none
      }
    }
    case "CompactionFailed":
      return { ...self, gate: Gate.failed(self.gate, record.fingerprint) }
    case "InputCounted":
      return { ...self, counts: Counts.withRefused(self.counts, record.tokens) }
    case "LimitLearned":
      return { ...self, limits: new Map(self.limits).set(limitKey(record), record.limit) }
    case "TurnFinished": {
      const { running: _, ...ended } = self
      return ended
    }
    case "SessionStarted":
      return { ...self, model: { provider: record.provider, model: record.model } }
    case "ModelChanged": {
      const { multiplier: _, ...known } = self
      const { model, provider } = record
      return { ...known, model: { provider, model }, gate: Gate.initial, counts: Counts.none }
    }
    case "CompactionUndone":
      return { ...self, counts: Counts.none }
    case "CompactionCancelled":
    case "SessionRenamed":
      return self
  }
}

/** The fold of records, oldest first, in which compactions that were taken back never happened. */
export const fold = (records: ReadonlyArray<Record>): Folded => standing(records).reduce(append, empty)

/** The records without the compactions that were taken back. */
export const standing = (records: ReadonlyArray<Record>): ReadonlyArray<Record> => {
  const undone = new Set(records.flatMap((record) => record._tag === "CompactionUndone" ? [record.checkpoint] : []))
  return undone.size === 0
    ? records
    : records.filter((record) => record._tag !== "CompactionApplied" || !undone.has(record.checkpoint.id))
}
