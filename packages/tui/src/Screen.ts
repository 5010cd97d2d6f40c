/**
 * The screen at work. One fiber takes all that has happened, reduces it and paints what that changes: a key's echo at
 * once, all else at most fifteen times a second. One fiber ticks while something moves.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"
import * as FiberHandle from "effect/FiberHandle"
import * as Queue from "effect/Queue"
import * as Ref from "effect/Ref"
import type * as Scope from "effect/Scope"
import type { Action } from "./Action.js"
import type { Block } from "./Block.js"
import * as BlockLines from "./BlockLines.js"
import * as Editor from "./Editor.js"
import * as Frame from "./Frame.js"
import * as Highlight from "./Highlight.js"
import { type Input, ScreenEvent } from "./Input.js"
import * as Keys from "./Keys.js"
import * as Painter from "./Painter.js"
import * as Reducer from "./Reducer.js"
import * as Rehearsal from "./Rehearsal.js"
import { initial, isAnimated, type State } from "./State.js"
import * as Terminal from "./Terminal.js"
import type { Theme } from "./Theme.js"

export interface Screen {
  readonly dispatch: (...inputs: ReadonlyArray<Input>) => Effect.Effect<void>
  /** What is to be done outside of the screen, in order. */
  readonly actions: Queue.Dequeue<Action>
  readonly state: Effect.Effect<State>
  /** Puts a text onto the user's clipboard; false where that cannot be. */
  readonly copy: (text: string) => Effect.Effect<boolean>
}

export interface ScreenOptions {
  readonly terminal: Terminal.Terminal
  readonly theme: Theme
  readonly complete: Editor.EditorOptions["complete"]
  /** Messages of earlier sessions, oldest first. */
  readonly history: ReadonlyArray<string>
}

/** Milliseconds. Text that streams is calm at this pace. */
const frameGap = 66
const spinnerGap = 100
/** For so long the window has to stay as it is before it is drawn in again. */
const settleGap = 50

type Happening =
  | { readonly _tag: "Inputs"; readonly inputs: Array<Input> }
  | { readonly _tag: "Key"; readonly key: Keys.Key }
  | { readonly _tag: "Paste"; readonly text: string }
  | { readonly _tag: "Redraw" }
  | { readonly _tag: "Resized" }
  | { readonly _tag: "Continued" }

const showsCode = ({ manual, overlay, turn }: State, finished: ReadonlyArray<Block>): boolean =>
  turn?.reply.fence !== undefined || manual?.summary.fence !== undefined || overlay?._tag === "Conversation" ||
  finished.some(({ _tag }) => _tag === "Code")

export const make = Effect.fnUntraced(function*(
  options: ScreenOptions
): Effect.fn.Return<Screen, never, Scope.Scope> {
  const { terminal, theme } = options
  const state = yield* Ref.make<State>({ ...initial, history: options.history })
  const actions = yield* Queue.unbounded<Action>()
  const happenings: Array<Happening> = []
  /** Open while there are some, and while there are some that cannot wait. */
  const some = yield* Effect.makeLatch()
  const urgent = yield* Effect.makeLatch()
  const moving = yield* Effect.makeLatch()
  const highlight = yield* Effect.cached(Highlight.load(theme))
  const rehearsal = yield* Effect.cached(
    Effect.flatMap(highlight, (highlight) => Rehearsal.rehearse({ highlight, theme }))
  )
  const scope = yield* Effect.scope
  const painted = yield* Ref.make(Painter.blank((yield* terminal.size).columns))
  const drawnIn = yield* Ref.make(yield* terminal.size)
  const settling = yield* FiberHandle.make<void>()

  const happen = (happening: Happening) => {
    happenings.push(happening)
    some.unsafeOpen()
    if (happening._tag !== "Inputs") urgent.unsafeOpen()
  }

  const dispatch: Screen["dispatch"] = (...inputs) =>
    Effect.sync(() => {
      const last = happenings.at(-1)
      if (last?._tag === "Inputs") last.inputs.push(...inputs)
      else happen({ _tag: "Inputs", inputs: [...inputs] })
    })

  /** What the editor has told since it was last asked. */
  const told: Array<Input> = []
  const editor = Editor.make({
    complete: options.complete,
    onChange: (draft) => told.push(ScreenEvent.Edited({ draft })),
    onCompletions: () => happen({ _tag: "Redraw" }),
    onSubmit: (text) => {
      told.push(ScreenEvent.Submitted({ text }))
      if (text.trim() !== "") editor.remember(text)
    },
    theme
  })
  options.history.forEach(editor.remember)

  /** The window as it is now is drawn in from now on; what stands there may have been folded anew, or cut. */
  const adopt = Effect.gen(function*() {
    yield* Ref.set(drawnIn, yield* terminal.size)
    yield* Ref.update(painted, Painter.disturbed)
  })

  const paint = Effect.gen(function*() {
    const size = yield* Ref.get(drawnIn)
    const before = (yield* Ref.get(state)).said.at(-1)
    const finished = yield* Ref.modify(state, Reducer.release)
    const current = yield* Ref.get(state)
    const look = { highlight: showsCode(current, finished) ? yield* highlight : Highlight.none, theme }
    const frame = Frame.frame(current, editor.view(size), size, look)
    yield* Ref.update(state, Reducer.shown(current.overlay, frame.overlay))
    const scrollback = BlockLines.all(finished, before, size.columns, look)
    const next = Painter.paint(yield* Ref.get(painted), frame, scrollback, size.columns)
    yield* Ref.set(painted, next.painted)
    if (next.text !== "") yield* terminal.write(next.text)
  })

  /** Leaves the scrollback alone on the terminal. */
  const erase = Effect.gen(function*() {
    const { columns } = yield* terminal.size
    yield* terminal.write(Painter.clear(yield* Ref.get(painted), columns))
    yield* Ref.set(painted, Painter.blank(columns))
  })

  const suspend = Effect.gen(function*() {
    yield* erase
    yield* terminal.suspend
    yield* terminal.write(Terminal.enter)
  })

  /** Does what is the screen's own; the rest is for others. */
  const act = (action: Action, key: Keys.Key | undefined): Effect.Effect<void> => {
    switch (action._tag) {
      case "Edit":
        return Effect.sync(() => key && editor.handle(key.data))
      case "SetDraft":
        return Effect.sync(() => {
          editor.setText(action.text)
          told.length = 0
        })
      case "Redraw":
        return Effect.zipRight(terminal.write("\u001b[2J\u001b[H"), erase)
      case "Suspend":
        return suspend
      case "Prompt":
        // The grammars are loaded while the model thinks, not when its code is there.
        return Effect.zipRight(Queue.offer(actions, action), Effect.forkIn(rehearsal, scope))
      default:
        return Queue.offer(actions, action)
    }
  }

  const reduce = (inputs: ReadonlyArray<Input>, key?: Keys.Key): Effect.Effect<void> =>
    Effect.gen(function*() {
      const done = yield* Ref.modify(state, (current) => {
        const next = Reducer.reduceAll(current, inputs)
        return [next.actions, next.state]
      })
      yield* Effect.forEach(done, (action) => act(action, key), { discard: true })
      const answer = told.splice(0)
      if (answer.length > 0) yield* reduce(answer)
    })

  const handle = Effect.fnUntraced(function*(happening: Happening) {
    switch (happening._tag) {
      case "Inputs":
        return yield* reduce(happening.inputs)
      case "Key": {
        const { key } = happening
        return yield* reduce([ScreenEvent.Key({ completing: editor.isCompleting(), key: key.key })], key)
      }
      case "Paste":
        editor.paste(happening.text)
        return yield* reduce(told.splice(0))
      case "Redraw":
        return yield* reduce([])
      case "Resized":
        return yield* adopt
      case "Continued":
        yield* terminal.write(Terminal.leave + Terminal.enter)
        return yield* Ref.set(painted, Painter.blank((yield* terminal.size).columns))
    }
  })

  const received = yield* terminal.open
  const keys = yield* Effect.acquireRelease(
    Effect.sync(() =>
      Keys.make({
        key: (key) => happen({ _tag: "Key", key }),
        paste: (text) => happen({ _tag: "Paste", text })
      })
    ),
    ({ close }) => Effect.sync(close)
  )
  const resized = Effect.sync(() => happen({ _tag: "Resized" }))
  const receive = Effect.flatMap(Queue.take(received), (event) => {
    switch (event._tag) {
      case "Sent":
        return Effect.sync(() => keys.feed(event.data))
      case "Resized":
        return FiberHandle.run(settling, Effect.delay(resized, settleGap))
      case "Continued":
        return Effect.sync(() => happen(event))
      case "Closed":
        return Queue.offer(actions, { _tag: "Quit" })
    }
  })

  /** What is drawn while the window changes is folded at both widths, and leaves lines behind. */
  const isSettled = Effect.zipWith(
    terminal.size,
    Ref.get(drawnIn),
    (now, then) => now.columns === then.columns && now.rows === then.rows
  )

  const ticks = moving.await.pipe(
    Effect.zipRight(Effect.sleep(spinnerGap)),
    Effect.zipRight(dispatch())
  )
  const frames = Effect.gen(function*() {
    yield* some.await
    // First, so that what happens from now on opens them again.
    yield* some.close
    yield* urgent.close
    yield* reduce([ScreenEvent.Tick({ now: yield* Clock.currentTimeMillis })])
    yield* Effect.forEach(happenings.splice(0), handle, { discard: true })
    yield* isAnimated(yield* Ref.get(state)) ? moving.open : moving.close
    yield* Effect.whenEffect(paint, isSettled)
    yield* Effect.timeoutOption(urgent.await, frameGap)
  })

  yield* terminal.write(Terminal.enter)
  yield* Effect.addFinalizer(() =>
    Ref.update(state, Reducer.abandon).pipe(
      Effect.zipRight(adopt),
      Effect.zipRight(paint),
      Effect.zipRight(erase),
      Effect.zipRight(terminal.write(Terminal.leave))
    )
  )
  yield* Effect.forkScoped(Effect.forever(receive))
  yield* Effect.forkScoped(Effect.forever(ticks))
  yield* Effect.forkScoped(Effect.forever(frames))
  yield* dispatch()

  return {
    actions,
    // The terminal itself is asked to: that reaches the user's clipboard over ssh as well.
    copy: (text) => Effect.as(terminal.write(`\u001b]52;c;${Encoding.encodeBase64(text)}\u0007`), true),
    dispatch,
    state: Ref.get(state)
  }
})
