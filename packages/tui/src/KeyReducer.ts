/** Whose a key is, and what it does: an overlay's, the screen's, or the editor's. */
import { Action } from "./Action.js"
import type { ScreenEvent } from "./Input.js"
import { narrow, narrowed, type Overlay, scroll } from "./Overlay.js"
import { type Choice, press, type Question } from "./Question.js"
import { notice, noticeMillis } from "./Showing.js"
import { isCompacting, type State, type Turn } from "./State.js"

export interface Change {
  readonly state: State
  readonly actions: ReadonlyArray<Action>
}

export const change = (state: State, ...actions: ReadonlyArray<Action>): Change => ({ actions, state })

const page = 10

const moves: { readonly [key: string]: number | undefined } = {
  down: 1,
  end: Infinity,
  home: -Infinity,
  pageDown: page,
  pageUp: -page,
  up: -1
}

const close = (state: State): State => ({ ...state, overlay: undefined })

const inOverlay = (state: State, overlay: Overlay, key: string): Change => {
  const by = moves[key]
  if (by !== undefined) return change({ ...state, overlay: scroll(overlay, by) })
  if (key === "escape" || key === "ctrl+c" || key === "ctrl+o") return change(close(state))
  if (overlay._tag === "Text") return key === "q" || key === "enter" ? change(close(state)) : change(state)
  if (key === "enter") {
    const item = narrowed(overlay)[overlay.selected]
    return item === undefined
      ? change(state)
      : change(close(state), Action.Picked({ id: item.id, picker: overlay.picker }))
  }
  if (key === "backspace") return change({ ...state, overlay: narrow(overlay, overlay.filter.slice(0, -1)) })
  if (key === "space") return change({ ...state, overlay: narrow(overlay, `${overlay.filter} `) })
  return [...key].length === 1 ? change({ ...state, overlay: narrow(overlay, overlay.filter + key) }) : change(state)
}

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

const searchHistory = (state: State): Change =>
  change({
    ...state,
    overlay: {
      _tag: "Picker",
      filter: "",
      items: [...new Set(state.history.toReversed())].map((text) => ({ detail: "", id: text, label: text })),
      picker: "history",
      selected: 0,
      title: "History"
    }
  })

/** The newest call first. */
const openCalls = (state: State): Change => {
  const calls = [...state.calls, ...(state.turn?.calls ?? [])].toReversed()
  const text = calls.map(({ argument, name, output }) => `${name} ${argument}\n${output.trimEnd()}\n`).join("\n")
  return calls.length === 0
    ? change(notice("No tool has run yet.")(state))
    : change({ ...state, overlay: { _tag: "Text", scroll: 0, text, title: "Tool output, the newest first" } })
}

export const reduce = (
  state: State,
  { completing, key }: Extract<ScreenEvent, { readonly _tag: "Key" }>
): Change => {
  if (state.overlay !== undefined) return inOverlay(state, state.overlay, key)
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
    case "ctrl+l":
      return change(state, Action.Redraw())
    case "ctrl+o":
      return openCalls(state)
    case "ctrl+r":
      return searchHistory(state)
    case "ctrl+z":
      return change(state, Action.Suspend())
    case "up":
      return state.draft === "" && state.queue.length > 0 ? retract(state) : change(state, Action.Edit())
    default:
      return change(state, Action.Edit())
  }
}
