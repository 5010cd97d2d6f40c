/** What a compaction covers and what it keeps: pure, and settled before the model is asked for anything. */
import type { Entry, Step, Turn } from "@weir/model/Conversation"
import { exchanges } from "@weir/model/Conversation"
import * as Either from "effect/Either"
import type { Place } from "./Account.js"
import type { Budget } from "./Budget.js"
import * as ByteSize from "./ByteSize.js"
import type { Checkpoint } from "./Checkpoint.js"
import { NothingToCompact } from "./CompactionError.js"
import * as Ledger from "./Ledger.js"
import * as Projection from "./Projection.js"

export type { Place }

export interface Plan {
  /** The entries that the summary will stand for, oldest first, whatever an earlier summary stands for left out. */
  readonly covered: ReadonlyArray<Entry>
  readonly previousSummary?: string
  /** The running conversation as it is sent, up to the last entry that is covered. */
  readonly prefix: ReadonlyArray<Entry>
  /** The entries after it, and what they weigh, in tokens. */
  readonly later: ReadonlyArray<Entry>
  readonly beyond: number
  /** Weight of all that is replaced, an earlier replacement included, in tokens. */
  readonly coveredTokens: number
  /** The newest covered step with results that the model has not read. */
  readonly unread?: Step
  /** The checkpoint but for its summary. */
  readonly checkpoint: Omit<Checkpoint, "id" | "summary">
}

export interface PlanOptions {
  readonly projection: Projection.Projection
  /**
   * `in-turn`: the newest turn is running and is the task. `turn-boundary`: the newest turn has just been typed, and
   * stays. `between-turns`: no turn is running.
   */
  readonly place: Place
  /** Asked for by the user: then even a history that fits the tail is folded. */
  readonly manual: boolean
  readonly budget: Budget
  /** System prompt and tool schemas, in tokens, and in bytes. */
  readonly fixed: number
  readonly fixedBytes: number
  readonly weigh: (entry: Entry) => number
}

export const make = (options: PlanOptions): Either.Either<Plan, NothingToCompact> =>
  options.place === "in-turn" ? inTurn(options) : atBoundary(options)

/** Folds everything but the running turn's user message. */
const inTurn = (options: PlanOptions): Either.Either<Plan, NothingToCompact> => {
  const { manual, projection } = options
  const running = projection.turns.at(-1)
  if (running === undefined) return Either.left(new NothingToCompact())
  const earlier = projection.turns.slice(0, -1)
  const newest = running.steps.at(-1)
  const unread = newest !== undefined && exchanges(newest).length > 0 ? newest : undefined
  return plan(options, {
    whole: earlier,
    part: { turn: running, steps: running.steps },
    kept: [running.user],
    checkpoint: {
      kind: manual ? "manual" : "in-turn",
      task: running.id,
      unread: unread !== undefined && fitsBesideSummary(options, running, unread)
    },
    ...(unread && { unread })
  })
}

/** Bytes of a token of text, generously. */
export const bytesPerToken = 8

/** Unread results stay verbatim when they take at most a quarter of the budget and leave the trigger out of reach. */
const fitsBesideSummary = (options: PlanOptions, running: Turn, unread: Step): boolean => {
  const { budget, fixed, fixedBytes, weigh } = options
  const { instructions, ledger, summaryOutput } = budget.caps
  const added = summaryOutput + instructions + ledger
  const room = budget.trigger - fixed - weigh(running.user) - added
  const bytes = budget.bytes.limit - fixedBytes - ByteSize.entry(running.user) - bytesPerToken * added
  return weigh(unread) <= Math.min(Math.floor(budget.input / 4), room) && ByteSize.textOf(unread) <= bytes
}

/** Folds everything but a tail of the newest completed turns, and the turn just typed. */
const atBoundary = (options: PlanOptions): Either.Either<Plan, NothingToCompact> => {
  const { manual, place, projection } = options
  const completed = place === "turn-boundary" ? projection.turns.slice(0, -1) : projection.turns
  const typed = place === "turn-boundary" ? projection.turns.slice(-1) : []
  const attempt = (tail: Tail) =>
    plan(options, {
      whole: completed.slice(0, completed.length - tail.turns.length),
      ...(tail.turns[0] && { part: { turn: tail.turns[0], steps: tail.turns[0].steps.slice(0, tail.cut) } }),
      kept: Projection.entries({ turns: [...keptTurns(tail), ...typed] }),
      checkpoint: { kind: manual ? "manual" : "turn-boundary", unread: false }
    })
  const automatic = attempt(tailOf(completed, options))
  return manual
    ? automatic.pipe(
      Either.orElse(() => attempt(newestStep(completed))),
      Either.orElse(() => attempt({ turns: [], cut: 0 }))
    )
    : automatic
}

/** The newest completed turns that stay verbatim; the first of them without its first `cut` steps. */
interface Tail {
  readonly turns: ReadonlyArray<Turn>
  readonly cut: number
}

const keptTurns = ({ cut, turns }: Tail): ReadonlyArray<Turn> =>
  turns.map((turn, index) => index === 0 ? { ...turn, steps: turn.steps.slice(cut) } : turn)

/** At most 3 turns within the cap; else one; else that one's newest step, whatever its size. */
const tailOf = (completed: ReadonlyArray<Turn>, { budget, weigh }: PlanOptions): Tail => {
  const fits = (count: number) =>
    Projection.entries({ turns: completed.slice(-count) }).reduce((sum, entry) => sum + weigh(entry), 0) <=
      budget.tailCap
  const count = [3, 2, 1].find(fits)
  return count === undefined ? newestStep(completed) : { turns: completed.slice(-count), cut: 0 }
}

const newestStep = (completed: ReadonlyArray<Turn>): Tail => ({
  turns: completed.slice(-1),
  cut: Math.max(0, (completed.at(-1)?.steps.length ?? 0) - 1)
})

interface Selection {
  /** Turns covered whole. */
  readonly whole: ReadonlyArray<Turn>
  /** The turn that stays with its user message, and those of its steps that are covered. */
  readonly part?: { readonly turn: Turn; readonly steps: ReadonlyArray<Step> }
  /** The entries that stay verbatim. */
  readonly kept: ReadonlyArray<Entry>
  readonly unread?: Step
  readonly checkpoint: Pick<Checkpoint, "kind" | "task" | "unread">
}

const plan = (options: PlanOptions, selection: Selection): Either.Either<Plan, NothingToCompact> => {
  const { budget, projection, weigh } = options
  const { part, whole } = selection
  const previous = projection.checkpoint
  const carried = projection.unread === undefined ? [] : [projection.unread]
  const steps = [...whole.flatMap((turn) => turn.steps), ...(part?.steps ?? [])]
  if (whole.length === 0 && steps.length === 0 && carried.length === 0) return Either.left(new NothingToCompact())
  const reads = part && (selection.checkpoint.task || part.steps.length > 0 || whole.length === 0)
  const turns = [...whole, ...(reads ? [{ ...part.turn, steps: part.steps }] : [])]
  const partSteps = part ? Projection.coveredSteps(projection, part.turn) + part.steps.length : 0
  const weight = (entries: ReadonlyArray<Entry>) => entries.reduce((sum, entry) => sum + weigh(entry), 0)
  const entries = Projection.entries(projection)
  // The user message of a turn that is covered in part stands before what is covered of it.
  const later = selection.kept.length - (part && part.steps.length > 0 ? 1 : 0)
  const end = selection.checkpoint.task ? entries.length : Math.max(0, entries.length - later)
  const after = entries.slice(end)
  return Either.right({
    covered: turns.flatMap((turn, index) => [turn.user, ...(index === 0 ? carried : []), ...turn.steps]),
    coveredTokens: weight(entries) - weight(selection.kept),
    prefix: entries.slice(0, end),
    later: after,
    beyond: weight(after),
    ...(previous && { previousSummary: previous.summary }),
    ...(selection.unread && { unread: selection.unread }),
    checkpoint: {
      ...selection.checkpoint,
      ledger: Ledger.add(previous?.ledger ?? Ledger.empty, {
        facts: steps.flatMap((step) => exchanges(step).flatMap((exchange) => exchange.result.facts)),
        instructions: whole.map((turn) => turn.user.text)
      }, budget.caps),
      coverage: {
        turns: whole.map((turn) => turn.id),
        ...(part && (partSteps > 0 || selection.checkpoint.task) && {
          partial: { turn: part.turn.id, steps: partSteps }
        })
      }
    }
  })
}
