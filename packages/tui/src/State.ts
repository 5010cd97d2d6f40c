/** Everything the screen shows. It changes by the reducer alone. Times are milliseconds since the epoch. */
import type { Block, Call } from "./Block.js"
import type { Status, Usage } from "./Input.js"
import type { Overlay } from "./Overlay.js"
import type { Question } from "./Question.js"
import * as Reply from "./Reply.js"

export interface Turn {
  readonly startedAt: number
  /** The user has interrupted it, and it has not ended yet. */
  readonly isInterrupted: boolean
  readonly reply: Reply.Reply
  /** The end of what the model thinks, while it has said nothing. */
  readonly thought: string
  /** Calls of the current step that are not yet in the scrollback, in the model's order. */
  readonly calls: ReadonlyArray<Call>
  readonly isCompacting: boolean
  readonly question: Question | undefined
  /** When a request is sent again, and why. */
  readonly retry: { readonly at: number; readonly attempt: number; readonly reason: string } | undefined
}

/** A compaction that the user asked for. */
export interface Manual {
  readonly startedAt: number
  readonly summary: Reply.Reply
}

export interface Used extends Usage {
  /** What it has cost, in US dollars: each use at the prices of the model that it was for. */
  readonly dollars: number
  /** No prices are known for some of it. */
  readonly isUnpriced: boolean
}

export interface State {
  readonly now: number
  readonly turn: Turn | undefined
  readonly manual: Manual | undefined
  readonly draft: string
  /** Messages that wait for the turn to end, the next one first. */
  readonly queue: ReadonlyArray<string>
  /** Sent messages, oldest first. */
  readonly history: ReadonlyArray<string>
  /** Finished calls, the newest last: those that can still be looked into. */
  readonly calls: ReadonlyArray<Call>
  readonly overlay: Overlay | undefined
  readonly notice: { readonly text: string; readonly until: number } | undefined
  /** Until then a further Ctrl+C ends the program. */
  readonly quitUntil: number
  readonly status: Status
  /** Of all steps and compactions so far, in tokens. */
  readonly used: Used
  /** For the scrollback, not yet there. */
  readonly finished: ReadonlyArray<Block>
  /** The end of what is in the scrollback. */
  readonly said: ReadonlyArray<Block>
}

export const initial: State = {
  calls: [],
  draft: "",
  finished: [],
  history: [],
  manual: undefined,
  notice: undefined,
  now: 0,
  overlay: undefined,
  queue: [],
  quitUntil: 0,
  said: [],
  status: { branch: "", budget: 0, directory: "", estimate: 0, model: "", prices: undefined, trigger: 0 },
  turn: undefined,
  used: { cacheRead: 0, cacheWrite: 0, dollars: 0, fresh: 0, isUnpriced: false, output: 0 }
}

export const begun = (now: number): Turn => ({
  calls: [],
  isCompacting: false,
  isInterrupted: false,
  question: undefined,
  reply: Reply.empty,
  retry: undefined,
  startedAt: now,
  thought: ""
})

/** Calls that can be looked into, the newest last; of the one that is asked about what it would do. */
export const lookable = ({ calls, turn }: State): ReadonlyArray<Call> => {
  const question = turn?.question
  const current = (turn?.calls ?? []).map((call) =>
    call.id === question?.callId && call.output === "" ? { ...call, output: question.detail } : call
  )
  return [...calls, ...current]
}

export const isCompacting = ({ manual, turn }: State): boolean => manual !== undefined || turn?.isCompacting === true

/** When what the user waits for began. */
export const busySince = ({ manual, turn }: State): number | undefined => turn?.startedAt ?? manual?.startedAt

/** What the spinner says. */
export const loader = (state: State): string => {
  const { now, turn } = state
  if (isCompacting(state)) return "Compacting..."
  if (turn === undefined) return ""
  if (turn.isInterrupted) return "Interrupting..."
  if (turn.retry !== undefined) {
    const seconds = Math.max(0, Math.ceil((turn.retry.at - now) / 1000))
    return `Trying again in ${seconds} s (attempt ${turn.retry.attempt}): ${turn.retry.reason}`
  }
  if (turn.question !== undefined) return turn.question.isExplaining ? "Say why not" : "Waiting for your answer"
  const running = turn.calls.filter(({ state }) => state === "running")
  if (running.length > 0) return `Running ${[...new Set(running.map(({ name }) => name))].join(", ")}`
  return turn.reply.pending !== "" || turn.reply.isBegun ? "Writing" : "Thinking"
}

/** Whether time alone changes what is shown. */
export const isAnimated = (state: State): boolean => busySince(state) !== undefined || state.notice !== undefined

/** What has been used has cost, in US dollars, as far as prices are known; undefined where none are. */
export const cost = ({ status: { prices }, used: { dollars, isUnpriced } }: State): number | undefined =>
  dollars === 0 && (isUnpriced || prices === undefined) ? undefined : dollars
