/** The screen's one reducer: events of the session, keys and ticks in, the next state and what is to be done out. */
import { Action } from "./Action.js"
import { Block } from "./Block.js"
import type { Input } from "./Input.js"
import { type Change, change } from "./KeyReducer.js"
import * as KeyReducer from "./KeyReducer.js"
import type { Overlay } from "./Overlay.js"
import * as SessionReducer from "./SessionReducer.js"
import { lookInto, notice, show } from "./Showing.js"
import { begun, busySince, type State } from "./State.js"

const keptHistory = 500

/** Blocks of the scrollback that can be paged through. */
const keptSaid = 300

/** The message is said, and its turn begins. */
const send = (state: State, text: string): Change =>
  change({
    ...show(Block.User({ text }))(state),
    turn: begun(state.now)
  }, Action.Prompt({ text }))

const remember = (history: ReadonlyArray<string>, text: string) =>
  history.at(-1) === text ? history : [...history, text].slice(-keptHistory)

const submit = (before: State, given: string): Change => {
  const text = given.trim()
  if (text === "") return change(before)
  const { turn } = before
  if (turn?.question?.isExplaining === true) {
    const answered = { ...before, draft: "", turn: { ...turn, question: undefined } }
    return change(answered, Action.Answer({ because: text, choice: "explain" }))
  }
  const state = { ...before, draft: "", history: remember(before.history, text) }
  const command = /^\/([a-z][a-z-]*)(?:\s+([^]*))?$/.exec(text)
  if (command !== null) {
    const [, name = "", argument = ""] = command
    return change(state, Action.Command({ argument: argument.trim(), name }))
  }
  return busySince(state) === undefined ? send(state, text) : change({ ...state, queue: [...state.queue, text] })
}

/** After a good end the queue goes on; after any other it goes back to the user, who decides. */
const goOn = (state: State, isGood: boolean): Change => {
  const [next, ...queue] = state.queue
  if (next === undefined || busySince(state) !== undefined) return change(state)
  if (isGood) return send({ ...state, queue }, next)
  const text = [...state.queue, ...(state.draft === "" ? [] : [state.draft])].join("\n\n")
  return change({ ...state, draft: text, queue: [] }, Action.SetDraft({ text }))
}

const calls = (blocks: ReadonlyArray<Block>) => blocks.flatMap((block) => block._tag === "Tool" ? [block.call] : [])

const tick = (state: State, now: number): State => ({
  ...state,
  notice: state.notice !== undefined && now >= state.notice.until ? undefined : state.notice,
  now
})

export const reduce = (state: State, input: Input): Change => {
  switch (input._tag) {
    case "Tick":
      return change(tick(state, input.now))
    case "Key":
      return KeyReducer.reduce(state, input)
    case "Edited":
      return change({ ...state, draft: input.draft })
    case "Submitted":
      return submit(state, input.text)
    case "Shown":
      return change(lookInto(...calls(input.blocks))(show(...input.blocks)(state)))
    case "Noticed":
      return change(notice(input.text)(state))
    case "PickerOpened": {
      const { items, picker, selected, title } = input
      const at = Math.max(0, items.findIndex(({ id }) => id === selected))
      return change({ ...state, overlay: { _tag: "Picker", filter: "", items, picker, selected: at, title } })
    }
    case "TextOpened":
      return change({ ...state, overlay: { _tag: "Text", scroll: 0, text: input.text, title: input.title } })
    case "StatusChanged":
      return change({ ...state, status: { ...state.status, ...input.status } })
    case "TurnFinished":
      return goOn(SessionReducer.reduce(state, input), input.reason === "finished")
    case "ManualCompactionFinished":
      return goOn(SessionReducer.reduce(state, input), input.end._tag === "Compacted")
    default:
      return change(SessionReducer.reduce(state, input))
  }
}

/** Pieces of text that follow one another as one: a fast model sends dozens of them for a frame. */
const joined = (inputs: Iterable<Input>): ReadonlyArray<Input> => {
  const all: Array<Input> = []
  for (const input of inputs) {
    const last = all.at(-1)
    if (input._tag === "TextDelta" && last?._tag === "TextDelta") {
      all[all.length - 1] = { ...input, text: last.text + input.text }
    } else all.push(input)
  }
  return all
}

/** All of them in order. */
export const reduceAll = (state: State, inputs: Iterable<Input>): Change => {
  const actions: Array<Action> = []
  let current = state
  for (const input of joined(inputs)) {
    const next = reduce(current, input)
    current = next.state
    actions.push(...next.actions)
  }
  return change(current, ...actions)
}

/** The user leaves: what has been said of a turn that still runs is not lost with the frame. */
export const abandon = (state: State): State =>
  state.turn === undefined ? state : reduce(state, { _tag: "TurnFinished", reason: "interrupted" }).state

/** Takes what is ready for the scrollback. */
export const release = (state: State): readonly [finished: ReadonlyArray<Block>, state: State] => {
  const { finished, said } = state
  return [
    finished,
    finished.length === 0 ? state : { ...state, finished: [], said: [...said, ...finished].slice(-keptSaid) }
  ]
}

/** What an overlay has become by being shown, unless it has changed since. */
export const shown = (before: Overlay | undefined, overlay: Overlay | undefined) => (state: State): State =>
  state.overlay === before && before !== overlay ? { ...state, overlay } : state
