/** What a compaction that the user asked for does to the screen: its summary is shown, and its end is. */
import * as Figures from "./Figures.js"
import type { SessionEvent } from "./Input.js"
import * as Reply from "./Reply.js"
import { note, show, use } from "./Showing.js"
import type { State } from "./State.js"

type ManualEvent = Extract<SessionEvent, { readonly _tag: `Manual${string}` }>

type Finished = Extract<ManualEvent, { readonly _tag: "ManualCompactionFinished" }>

/** The summary asked for anew: what is in the scrollback stays, and is said to be void. */
const again = (state: State): State => {
  if (state.manual === undefined) return state
  const cleared = { ...state, manual: { ...state.manual, summary: Reply.empty } }
  return state.manual.summary.isBegun
    ? note("warning", "This summary was not good; another follows.")(cleared)
    : cleared
}

const say = (state: State, text: string): State => {
  if (state.manual === undefined) return state
  const { blocks, reply } = Reply.append(state.manual.summary, text)
  return show(...blocks)({ ...state, manual: { ...state.manual, summary: reply } })
}

const finish = (state: State, end: Finished["end"]): State => {
  const over = use(end.usage)({ ...state, manual: undefined })
  switch (end._tag) {
    case "Compacted": {
      const { blocks } = Reply.finish(state.manual?.summary ?? Reply.empty)
      const status = { ...state.status, estimate: end.after }
      const line = `Compacted ${Figures.grouped(end.before)} to ${Figures.grouped(end.after)} tokens.`
      return note("good", line)(show(...blocks)({ ...over, status }))
    }
    case "Unchanged":
      return note("plain", end.because === "cancelled" ? "Compaction cancelled." : "There is nothing to compact.")(over)
    case "Failed":
      return note("error", `The compaction failed: ${end.error.message}`)(over)
  }
}

export const reduce = (state: State, event: ManualEvent): State => {
  switch (event._tag) {
    case "ManualCompactionStarted":
      return {
        ...state,
        manual: { startedAt: state.now, summary: Reply.empty },
        status: { ...state.status, budget: event.budget, estimate: event.estimate }
      }
    case "ManualSummaryDelta":
      return say(event.isFirst ? again(state) : state, event.text)
    case "ManualCompactionFinished":
      return finish(state, event.end)
  }
}
