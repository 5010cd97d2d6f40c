/**
 * The screen for terminals that cannot move a cursor, and for screen readers: nothing is drawn twice, what is final is
 * added as lines, what is typed comes as lines that the terminal has edited, and lists and questions are numbered.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Ref from "effect/Ref"
import type * as Scope from "effect/Scope"
import { Action } from "./Action.js"
import * as BlockLines from "./BlockLines.js"
import * as Highlight from "./Highlight.js"
import { type Input, ScreenEvent } from "./Input.js"
import * as PlainLines from "./PlainLines.js"
import * as Reducer from "./Reducer.js"
import type { Screen } from "./Screen.js"
import { busySince, initial, type State } from "./State.js"
import type { LineEvent } from "./Terminal.js"
import { type Terminal } from "./Terminal.js"
import type { Theme } from "./Theme.js"
import { visible } from "./Visible.js"

export interface PlainOptions {
  readonly terminal: Terminal
  readonly theme: Theme
}

type Picker = Extract<Input, { readonly _tag: "PickerOpened" }>

type Happening = LineEvent | { readonly _tag: "Inputs"; readonly inputs: ReadonlyArray<Input> }

const welcome = "Type a message. Ctrl+C interrupts, Ctrl+D leaves, /help lists the commands."

const prompt = "> "

/** As a line of its own it is the Escape key. */
const escape = "\u001b"

const key = (name: string) => ScreenEvent.Key({ completing: false, key: name })

/** Something is expected of the user. */
const isAsking = (state: State) => busySince(state) === undefined || state.turn?.question !== undefined

export const make = Effect.fnUntraced(function*(
  { terminal, theme }: PlainOptions
): Effect.fn.Return<Screen, never, Scope.Scope> {
  const state = yield* Ref.make(initial)
  const happenings = yield* Queue.unbounded<Happening>()
  const actions = yield* Queue.unbounded<Action>()
  const highlight = yield* Effect.cached(Highlight.load(theme))
  const prompted = yield* Ref.make(false)
  const closed = yield* Ref.make(false)
  /** A command is at work, and will tell. */
  const handedOver = yield* Ref.make(false)
  const picker = yield* Ref.make<Picker | undefined>(undefined)

  const print = (lines: ReadonlyArray<string>) =>
    lines.length === 0 ?
      Effect.void :
      Effect.flatMap(Ref.getAndSet(prompted, false), (isPrompted) =>
        terminal.write(`${isPrompted ? "\n" : ""}${lines.join("\n")}\n`))

  const act = (action: Action): Effect.Effect<void> => {
    switch (action._tag) {
      case "Edit":
      case "Redraw":
      case "Suspend":
        return Effect.void
      case "SetDraft":
        return action.text === "" ? Effect.void : print(["Not sent:", ...visible(action.text).split("\n")])
      case "Command":
      case "Picked":
        return Effect.zipRight(Ref.set(handedOver, true), Queue.offer(actions, action))
      default:
        return Queue.offer(actions, action)
    }
  }

  /** `isTyped`: the message that begins a turn stands on the terminal already. */
  const reduce = Effect.fnUntraced(function*(inputs: ReadonlyArray<Input>, isTyped: boolean) {
    const before = yield* Ref.get(state)
    const next = Reducer.reduceAll(before, inputs)
    const [finished, after] = Reducer.release(next.state)
    yield* Ref.set(state, after)
    // What was asked last is answered first.
    if (PlainLines.isAsked(before, after)) yield* Ref.set(picker, undefined)
    const { columns } = yield* terminal.size
    const shown = isTyped ? finished.filter(({ _tag }) => _tag !== "User") : finished
    const isCode = shown.some(({ _tag }) => _tag === "Code")
    const look = { highlight: isCode ? yield* highlight : Highlight.none, opener: "/output", theme }
    yield* print([
      ...BlockLines.all(shown, before.said.at(-1), columns, look),
      ...PlainLines.lines(before, after, columns)
    ])
    yield* Effect.forEach(next.actions, act, { discard: true })
  })

  const show = (input: Input): Effect.Effect<void> => {
    switch (input._tag) {
      case "PickerOpened":
        return Effect.zipRight(
          Ref.set(picker, input.items.length === 0 ? undefined : input),
          print(PlainLines.list(input.title, input.items))
        )
      case "TextOpened":
        return print([input.title, ...visible(input.text).split("\n")])
      default:
        return reduce([input], false)
    }
  }

  const typed = Effect.fnUntraced(function*(line: string) {
    yield* Ref.set(prompted, false)
    const text = line.trim()
    const open = yield* Ref.getAndSet(picker, undefined)
    const picked = open?.items[Number(text) - 1]
    if (open !== undefined && picked !== undefined) {
      return yield* act(Action.Picked({ id: picked.id, picker: open.picker }))
    }
    if (open !== undefined && /^\d+$/.test(text)) {
      yield* Ref.set(picker, open)
      return yield* print([PlainLines.choosing(open.items)])
    }
    if (line === escape) return yield* reduce([key("escape")], true)
    const question = (yield* Ref.get(state)).turn?.question
    if (question === undefined || question.isExplaining) return yield* reduce([ScreenEvent.Submitted({ text })], true)
    yield* reduce([key(text)], true)
    if ((yield* Ref.get(state)).turn?.question === question) yield* print([PlainLines.answering])
  })

  /** Nobody is there to answer any more: what was asked for is finished, and nothing is allowed. */
  const leave = Effect.gen(function*() {
    const current = yield* Ref.get(state)
    if (current.turn?.question !== undefined) yield* reduce([key("escape")], false)
    else if (busySince(current) === undefined) yield* Queue.offer(actions, Action.Quit())
  })

  const handle = (happening: Happening): Effect.Effect<void> => {
    switch (happening._tag) {
      case "Inputs":
        return Effect.zipRight(Ref.set(handedOver, false), Effect.forEach(happening.inputs, show, { discard: true }))
      case "Typed":
        return typed(happening.line)
      case "Interrupted":
        return reduce([key("ctrl+c")], false)
      case "Closed":
        return Ref.set(closed, true)
    }
  }

  const ask = Effect.gen(function*() {
    if ((yield* Ref.get(handedOver)) || !isAsking(yield* Ref.get(state))) return
    if (yield* Ref.getAndSet(prompted, true)) return
    yield* terminal.write(prompt)
  })

  const work = Effect.gen(function*() {
    const happening = yield* Queue.take(happenings)
    yield* reduce([ScreenEvent.Tick({ now: yield* Clock.currentTimeMillis })], false)
    yield* handle(happening)
    yield* (yield* Ref.get(closed)) ? leave : ask
  })

  const lines = yield* terminal.lines
  yield* print([welcome])
  yield* Effect.forkScoped(Effect.forever(Effect.flatMap(Queue.take(lines), (line) => Queue.offer(happenings, line))))
  yield* Effect.forkScoped(Effect.forever(work))
  yield* Effect.addFinalizer(() => Effect.whenEffect(terminal.write("\n"), Ref.get(prompted)))

  return {
    actions,
    copy: () => Effect.succeed(false),
    dispatch: (...inputs) => Effect.asVoid(Queue.offer(happenings, { _tag: "Inputs", inputs })),
    state: Ref.get(state)
  }
})
