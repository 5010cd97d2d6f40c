/** The conversation that the model sees: a fold of the transcript. */
import type { Entry, Step, Turn } from "@weir/model/Conversation"
import { userMessage } from "@weir/model/Conversation"
import * as Option from "effect/Option"
import type { Checkpoint } from "./Checkpoint.js"
import { capOutput } from "./OutputCap.js"
import * as Replacement from "./Replacement.js"
import * as Weight from "./Weight.js"

export interface Projection {
  readonly checkpoint?: Checkpoint
  /** The newest covered step, while its results follow the summary verbatim. */
  readonly unread?: Step
  /** What no summary stands for, oldest first. A partly covered turn comes first and has its uncovered steps only. */
  readonly turns: ReadonlyArray<Turn>
}

export const empty: Projection = { turns: [] }

/** A turn begins: its user message is the newest of the conversation. */
export const addTurn = (self: Projection, turn: Turn): Projection => ({ ...self, turns: [...self.turns, turn] })

/** Completed steps of the newest turn. Without a turn there is nothing they could belong to. */
export const addSteps = (self: Projection, steps: ReadonlyArray<Step>): Projection => {
  const newest = self.turns.at(-1)
  return newest === undefined
    ? self
    : { ...self, turns: [...self.turns.slice(0, -1), { ...newest, steps: [...newest.steps, ...steps] }] }
}

export const addStep = (self: Projection, step: Step): Projection => addSteps(self, [step])

/** How many steps of the oldest turn are already covered. */
export const coveredSteps = (self: Projection, turn: Turn): number => {
  const partial = self.checkpoint?.coverage.partial
  return partial?.turn === turn.id ? partial.steps : 0
}

/** The projection in which a summary stands for what the checkpoint covers. */
export const apply = (self: Projection, checkpoint: Checkpoint): Projection => {
  const { partial, turns: whole } = checkpoint.coverage
  const covered = new Set(whole)
  let newest = self.unread
  const turns = self.turns.filter((turn) => !covered.has(turn.id)).map((turn) => {
    if (turn.id !== partial?.turn) return turn
    const steps = Math.max(0, partial.steps - coveredSteps(self, turn))
    newest = turn.steps.slice(0, steps).at(-1) ?? newest
    return { ...turn, steps: turn.steps.slice(steps) }
  })
  return { checkpoint, turns, ...(checkpoint.unread && newest && { unread: newest }) }
}

/**
 * The projection with every tool output cut to `cap` tokens: outputs are recorded for the window of their time, and
 * the window may have become smaller. The same projection when nothing is to be cut.
 */
export const capped = (self: Projection, cap: number): Projection => {
  let cuts = 0
  const cut = (step: Step): Step => ({
    ...step,
    parts: step.parts.map((part) => {
      if (part._tag !== "Exchange" || Weight.output(part.result) <= cap) return part
      cuts++
      const text = capOutput(part.result.text, cap, Option.fromNullable(part.result.savedTo))
      return { ...part, result: { ...part.result, text } }
    })
  })
  const turns = self.turns.map((turn) => ({ ...turn, steps: turn.steps.map(cut) }))
  const unread = self.unread && cut(self.unread)
  return cuts === 0 ? self : { ...self, turns, ...(unread && { unread }) }
}

const turnEntries = (turn: Turn): ReadonlyArray<Entry> => [turn.user, ...turn.steps]

/** The entries of the next request, oldest first. Whatever was compacted before, they hold one wrapper at most. */
export const entries = (self: Projection): ReadonlyArray<Entry> => {
  if (self.checkpoint === undefined) return self.turns.flatMap(turnEntries)
  const [first, ...rest] = self.turns
  if (first === undefined || first.id !== self.checkpoint.task) {
    return [userMessage(Replacement.beforeTurns(self.checkpoint)), ...self.turns.flatMap(turnEntries)]
  }
  const text = Replacement.withTask(self.checkpoint, first.user.text, self.unread)
  return [userMessage(text, first.user.images), ...first.steps, ...rest.flatMap(turnEntries)]
}

/** Names the conversation without reading it: history only grows, so the same name is the same history. */
export const fingerprint = (self: Projection): string =>
  [self.checkpoint?.id ?? "", ...self.turns.map((turn) => `${turn.id}:${turn.steps.length}`)].join("|")
