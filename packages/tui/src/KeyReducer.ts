/** Whose a key is, and what it does: an overlay's, the screen's, or the editor's. */
import { Action } from "./Action.js"
import { keyOf } from "./Block.js"
import type { ScreenEvent } from "./Input.js"
import * as OverlayKeys from "./OverlayKeys.js"
import { type Choice, press, type Question } from "./Question.js"
import { notice, noticeMillis } from "./Showing.js"
import { isCompacting, lookable, type State, type Turn } from "./State.js"

export interface Change {
  readonly state: State
  readonly actions: ReadonlyArray<Action>
}

export const change = (state: State, ...actions: ReadonlyArray<Action>): Change => ({ actions, state })

/** Clears the input; else interrupts; else, asked twice, quits. */
const ctrlC = (state: State): Change => {
  if (state.draft !== "") return change({ ...state, draft: "" }, Action.SetDraft({ text: "" }))
  if (state.turn !== undefined) {
    return state.turn.isInterrupted
      ? change(state, Action.Quit())
      : change({ ...state, turn: { ...state.turn, isInterrupted: true } }, Action.Interrupt())
  }
  if (state.manual !== undefined) return change(state, Action.Interrupt())
  return state.now < state.quitUntil
    ? change(state, Action.Quit())
    : change({ ...notice("Press Ctrl+C again to quit.")(state), quitUntil: state.now + noticeMillis })
}

const ask = (state: State, turn: Turn, question: Question | undefined): State => ({
  ...state,
  turn: { ...turn, question }
})

/** The question is answered, unless the answer has yet to be written. */
const answer = (state: State, turn: Turn, question: Question, choice: Choice): Change =>
  choice === "explain"
    ? change(ask(state, turn, { ...question, isExplaining: true }))
    : change(ask(state, turn, undefined), Action.Answer({ because: "", choice }))

/** Keys go to an open question as long as nothing has been typed. */
const inQuestion = (state: State, key: string): Change | undefined => {
  const { draft, turn } = state
  if (turn?.question === undefined || turn.question.isExplaining || draft !== "") return undefined
  const pressed = press(turn.question, key, state.now)
  if (pressed === undefined) return undefined
  return typeof pressed === "string"
    ? answer(state, turn, turn.question, pressed)
    : change(ask(state, turn, pressed))
}

/** Belongs to the innermost thing that runs, as the screen shows it. */
const escape = (state: State): Change => {
  const { turn } = state
  if (turn?.question !== undefined) {
    return turn.question.isExplaining
      ? change(ask(state, turn, { ...turn.question, isExplaining: false }))
      : answer(state, turn, turn.question, "no")
  }
  if (isCompacting(state)) return change(state, Action.CancelCompaction())
  return state.turn === undefined ? change(state) : change(state, Action.Escape())
}

/** Takes the newest message out of the queue, to be changed or dropped. */
const retract = (state: State): Change => {
  const text = state.queue.at(-1) ?? ""
  return change({ ...state, draft: text, queue: state.queue.slice(0, -1) }, Action.SetDraft({ text }))
}

/** A message of the history goes into the editor; what else was picked is for others. */
const pick = (state: State, picker: string, id: string): Change =>
  picker === history
    ? change({ ...state, draft: id }, Action.SetDraft({ text: id }))
    : change(state, Action.Picked({ id, picker }))

const history = "history"

const searchHistory = (state: State): Change =>
  change({
    ...state,
    overlay: {
      _tag: "Picker",
      filter: "",
      items: [...new Set(state.history.toReversed())].map((text) => ({ detail: "", id: text, label: text })),
      picker: history,
      selected: 0,
      title: "History"
    }
  })

/** The newest call is open. */
const openCalls = (state: State): Change => {
  const newest = lookable(state).at(-1)
  return newest === undefined
    ? change(notice("No tool has run yet.")(state))
    : change({ ...state, overlay: { _tag: "Calls", chosen: keyOf(newest), isOpen: true, scroll: 0 } })
}

const openConversation = (state: State): Change =>
  change({ ...state, overlay: { _tag: "Conversation", blocks: state.said, scroll: OverlayKeys.page } })

export const reduce = (
  state: State,
  { completing, key }: Extract<ScreenEvent, { readonly _tag: "Key" }>
): Change => {
  if (key === "ctrl+z") return change(state, Action.Suspend())
  if (key === "ctrl+l") return change(state, Action.Redraw())
  if (state.overlay !== undefined) {
    const { overlay, picked } = OverlayKeys.press(state.overlay, key, lookable(state))
    return picked === undefined ? change({ ...state, overlay }) : pick({ ...state, overlay }, picked.picker, picked.id)
  }
  if (completing && ["down", "enter", "escape", "tab", "up"].includes(key)) return change(state, Action.Edit())
  const answered = inQuestion(state, key)
  if (answered !== undefined) return answered
  switch (key) {
    case "escape":
      return escape(state)
    case "ctrl+c":
      return ctrlC(state)
    case "ctrl+d":
      return state.draft === "" ? change(state, Action.Quit()) : change(state, Action.Edit())
    case "ctrl+o":
      return openCalls(state)
    case "ctrl+r":
      return searchHistory(state)
    case "pageUp":
      return state.draft === "" && state.said.length > 0 ? openConversation(state) : change(state, Action.Edit())
    case "up":
      return state.draft === "" && state.queue.length > 0 ? retract(state) : change(state, Action.Edit())
    default:
      return change(state, Action.Edit())
  }
}
