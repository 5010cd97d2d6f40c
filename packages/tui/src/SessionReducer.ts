/** What a session's events do to the screen. */
import { Block, type Call } from "./Block.js"
import type { SessionEvent } from "./Input.js"
import { allArguments, mainArgument } from "./MainArgument.js"
import * as ManualReducer from "./ManualReducer.js"
import type { Question } from "./Question.js"
import * as Reply from "./Reply.js"
import { lookInto, note, notice, show, use } from "./Showing.js"
import { begun, type State, type Turn } from "./State.js"

/** Characters of a call's output that are kept while it runs, and of its result afterwards. */
const liveOutput = 4_000
const keptOutput = 64_000

const keptThought = 600

const inTurn = (change: (turn: Turn) => Partial<Turn>) => (state: State): State =>
  state.turn === undefined ? state : { ...state, turn: { ...state.turn, ...change(state.turn) } }

const changeCall = (id: string, change: (call: Call) => Partial<Call>) =>
  inTurn(({ calls }) => ({ calls: calls.map((call) => call.id === id ? { ...call, ...change(call) } : call) }))

/** Finished calls leave in the order in which they were made. */
const releaseCalls = (state: State): State => {
  const calls = state.turn?.calls ?? []
  const running = calls.findIndex((call) => call.state === "running")
  const done = running === -1 ? calls : calls.slice(0, running)
  if (done.length === 0) return state
  return show(...done.map((call) => Block.Tool({ call })))(
    inTurn(() => ({ calls: calls.slice(done.length) }))(lookInto(...done)(state))
  )
}

/** The text so far is the agent's work, whatever comes next. */
const releaseReply = (state: State): State => {
  if (state.turn === undefined) return state
  const { blocks, reply } = Reply.finish(state.turn.reply)
  return show(...blocks)(inTurn(() => ({ reply, thought: "" }))(state))
}

const releaseAll = (state: State): State => releaseCalls(releaseReply(state))

const say = (text: string) => (state: State): State => {
  const { blocks, reply } = Reply.append(state.turn?.reply ?? Reply.empty, text)
  return show(...blocks)(inTurn(() => ({ reply, retry: undefined }))(state))
}

/** What was shown of the reply is void. What is in the scrollback stays, and is said to be. */
const rewind = (state: State): State =>
  (state.turn?.reply.isBegun === true ? note("warning", "The reply was cut off here and is asked for again.") : same)(
    inTurn(() => ({ reply: Reply.empty, thought: "" }))(state)
  )

const same = (state: State): State => state

const compacted = (after: number) => (state: State): State =>
  inTurn(() => ({ isCompacting: false }))({ ...state, status: { ...state.status, estimate: after } })

type Finished = Extract<SessionEvent, { readonly _tag: "TurnFinished" }>

const ending = ({ error, reason }: Finished) => (state: State): State => {
  switch (reason) {
    case "finished":
      return state
    case "interrupted":
      return note("warning", "Interrupted.")(state)
    case "max_steps":
      return note("warning", "Stopped: the turn has reached its limit of steps. Say \"go on\" to continue.")(state)
    default:
      return note("error", error?.message ?? "The turn failed.")(state)
  }
}

const finish = (event: Finished) => (state: State): State => {
  const { now } = state
  const stopped = inTurn(({ calls }) => ({
    calls: calls.map((call) => call.state === "running" ? { ...call, endedAt: now, state: "interrupted" } : call)
  }))(state)
  return { ...ending(event)(releaseAll(stopped)), turn: undefined }
}

export const reduce = (state: State, event: SessionEvent): State => {
  switch (event._tag) {
    case "TurnStarted":
      return { ...state, turn: state.turn ?? begun(state.now) }
    case "StepStarted":
      return inTurn(() => ({ retry: undefined }))({
        ...releaseAll(state),
        status: { ...state.status, budget: event.budget, estimate: event.estimate }
      })
    case "TextDelta":
      return say(event.text)(state)
    case "ReasoningDelta":
      return inTurn(({ thought }) => ({ retry: undefined, thought: (thought + event.text).slice(-keptThought) }))(state)
    case "ToolCallStarted": {
      const call: Call = {
        argument: mainArgument(event.arguments),
        endedAt: state.now,
        id: event.callId,
        name: event.name,
        output: "",
        startedAt: state.now,
        state: "running"
      }
      return inTurn(({ calls }) => ({ calls: [...calls, call] }))(releaseReply(state))
    }
    case "PermissionAsked": {
      const question: Question = {
        argument: mainArgument(event.arguments),
        callId: event.callId,
        detail: allArguments(event.arguments),
        isExplaining: false,
        name: event.name,
        openedAt: state.now,
        selected: 0
      }
      return inTurn(() => ({ question }))(state)
    }
    case "ToolOutput":
      return changeCall(event.callId, ({ output }) => ({ output: (output + event.chunk).slice(-liveOutput) }))(state)
    case "ToolCallFinished":
      return releaseCalls(
        changeCall(event.callId, () => ({
          endedAt: state.now,
          output: event.text.slice(0, keptOutput),
          state: event.isError ? "failed" : "ok"
        }))(state)
      )
    case "UsageReported": {
      const { cacheRead, cacheWrite, fresh, output } = event.usage
      const estimate = fresh + cacheRead + cacheWrite + output
      return use(event.usage)({ ...state, status: { ...state.status, estimate } })
    }
    case "RetryScheduled":
      return inTurn(() => ({
        retry: { at: state.now + event.delayMillis, attempt: event.attempt, reason: event.reason }
      }))(state)
    case "TranscriptMended":
      return note("warning", event.text)(state)
    case "Rewound":
      return rewind(state)
    case "AutoCompactionStarted":
      return inTurn(() => ({ isCompacting: true, retry: undefined }))({
        ...state,
        status: { ...state.status, budget: event.budget, estimate: event.estimate }
      })
    case "AutoCompactionApplied":
      return notice("Context compacted automatically.")(use(event.usage)(compacted(event.after)(releaseAll(state))))
    case "AutoCompactionCancelled":
    case "AutoCompactionFailed":
      return use(event.usage)(inTurn(() => ({ isCompacting: false }))(state))
    case "ManualCompactionStarted":
    case "ManualSummaryDelta":
    case "ManualCompactionFinished":
      return ManualReducer.reduce(state, event)
    case "TurnFinished":
      return finish(event)(state)
  }
}
