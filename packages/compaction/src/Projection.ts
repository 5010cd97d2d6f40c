/** The conversation that the model sees: a fold of the transcript. */
import type { Entry, Step, Turn } from "@weir/model/Conversation"
import { userMessage } from "@weir/model/Conversation"
import type { Checkpoint } from "./Checkpoint.js"
import * as Replacement from "./Replacement.js"

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

/** A completed step of the newest turn. Without a turn there is nothing it could belong to. */
export const addStep = (self: Projection, step: Step): Projection => {
  const newest = self.turns.at(-1)
  return newest === undefined
    ? self
    : { ...self, turns: [...self.turns.slice(0, -1), { ...newest, steps: [...newest.steps, step] }] }
}

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
