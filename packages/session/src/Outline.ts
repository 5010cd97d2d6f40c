/**
 * The records of a line as far as a fold looks into them. Most of a long transcript stands before its last compaction:
 * its steps are counted, their usage is added up, and they are let go again. So what a step holds is decoded only when
 * the fold has kept it.
 */
import type { Projection } from "@weir/compaction/Projection"
import { Step } from "@weir/model/Conversation"
import { Usage } from "@weir/model/Usage"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { Record } from "./Record.js"

const written = Symbol("written")

/** A step without its parts, and what stands in the file for it. */
interface Outlined extends Step {
  readonly [written]: object
}

const decodeRecord = Schema.decodeUnknownSync(Record)
const decodeStep = Schema.decodeUnknown(Step)

const counts = Object.keys(Usage.fields)

const isCount = (value: unknown) => typeof value === "number" && Number.isSafeInteger(value) && value >= 0

/** As its schema says, in a tenth of the time. */
const isUsage = (value: unknown): value is Usage => {
  if (!Predicate.isRecord(value)) return false
  return counts.every((name) => isCount(value[name]))
}

/** Of a completed step; none for what has to be decoded whole. */
const outlined = (value: unknown): Record | undefined => {
  if (typeof value !== "object" || value === null || !("_tag" in value) || !("step" in value)) return undefined
  const { _tag, step } = value
  if (_tag !== "StepCompleted" || typeof step !== "object" || step === null || !("parts" in step)) return undefined
  const usage = "usage" in step ? step.usage : undefined
  if (usage !== undefined && !isUsage(usage)) return undefined
  const outline: Outlined = { _tag: "Step", parts: [], ...(usage && { usage }), [written]: step }
  return { _tag, step: outline, ...("pruned" in value && { pruned: true }) }
}

/** The records of one line, completed steps in outline; none when it is damaged. */
export const decode = (line: string): ReadonlyArray<Record> | undefined => {
  try {
    const values: unknown = JSON.parse(line)
    if (!Array.isArray(values) || values.length === 0) return undefined
    return values.map((value) => outlined(value) ?? decodeRecord(value))
  } catch {
    return undefined
  }
}

const whole = (step: Step) => Predicate.hasProperty(step, written) ? decodeStep(step[written]) : Effect.succeed(step)

/** The projection with the whole of every step that was kept. */
export const complete = Effect.fnUntraced(function*(self: Projection) {
  const turns = yield* Effect.forEach(
    self.turns,
    (turn) => Effect.map(Effect.forEach(turn.steps, whole), (steps) => ({ ...turn, steps }))
  )
  return { ...self, turns, ...(self.unread && { unread: yield* whole(self.unread) }) }
})
