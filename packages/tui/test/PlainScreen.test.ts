import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Ref from "effect/Ref"
import * as TestClock from "effect/TestClock"
import type { Action } from "../src/Action.js"
import { type Input, ScreenEvent } from "../src/Input.js"
import * as PlainScreen from "../src/PlainScreen.js"
import { LineEvent, type TerminalEvent } from "../src/Terminal.js"
import { plain } from "../src/Theme.js"
import { applied, asked, call, compacting, finished, result, started, step, text } from "./Play.js"

const golden = (lines: string) => lines.replace(/^\n/, "").replaceAll(/^ {6}/gm, "").replace(/\n\s*$/, "")

/** A screen of 40 columns, and all that it has written. */
const make = Effect.gen(function*() {
  const written = yield* Ref.make("")
  const lines = yield* Queue.unbounded<LineEvent>()
  const screen = yield* PlainScreen.make({
    terminal: {
      lines: Effect.succeed(lines),
      open: Queue.unbounded<TerminalEvent>(),
      size: Effect.succeed({ columns: 40, rows: 24 }),
      suspend: Effect.void,
      write: (more) => Ref.update(written, (before) => before + more)
    },
    theme: plain
  })
  const settled = Effect.repeatN(Effect.yieldNow(), 50)
  const tell = (...events: ReadonlyArray<LineEvent>) => Effect.zipRight(Queue.offerAll(lines, events), settled)
  return {
    actions: Effect.map(Queue.takeAll(screen.actions), (taken): ReadonlyArray<Action> => [...taken]),
    happen: (...inputs: ReadonlyArray<Input>) => Effect.zipRight(screen.dispatch(...inputs), settled),
    screen,
    tell,
    /** The terminal echoes. */
    type: (line: string) =>
      Effect.zipRight(Ref.update(written, (before) => `${before}${line}\n`), tell(LineEvent.Typed({ line }))),
    written: Ref.get(written)
  }
})

const status = ScreenEvent.StatusChanged({ status: { branch: "main", directory: "~/weir", model: "model-1" } })

describe("the plain screen", () => {
  it.scoped("adds lines as they become final, asks by number, and never moves the cursor", () =>
    Effect.gen(function*() {
      const { actions, happen, type, written } = yield* make
      yield* happen(status)
      yield* type("Build it.")
      yield* happen(started, step(), text("Building.\n\nIt takes a"), text(" while."), call("1"), asked("1"))
      yield* TestClock.adjust("1 second")
      yield* type("sure")
      yield* type("5")
      yield* type("Use make all.")
      yield* type("And test it.")
      yield* happen(
        result("1", "not run", true),
        compacting,
        applied,
        step(),
        text("שלום 世界 👩‍👩‍👧\u001b[2J"),
        finished
      )
      assert.strictEqual(
        (yield* written).trimEnd(),
        golden(`
      Type a message. Ctrl+C interrupts, Ctrl+D leaves, /help lists the commands.
      model-1 · ~/weir · main
      > Build it.

      Building.

      It takes a while.
      May bash run?
        command: make
      1. Yes, this once
      2. Yes, and calls like it for this
      session
      3. Yes, and calls like it always in this
      project
      4. No
      5. No, and say why
      Type a number from 1 to 5.
      > sure
      Type a number from 1 to 5.
      > 5
      Say why not, in one line.
      > Use make all.
      And test it.
      It is sent when the turn is over.

      ✗ bash make (failed, 1.0s)
        not run
      Compacting...
      Context compacted automatically.

      שלום 世界 👩‍👩‍👧␛[2J

      ❯ And test it.
      `)
      )
      assert.deepStrictEqual(yield* actions, [
        { _tag: "Prompt", text: "Build it." },
        { _tag: "Answer", because: "Use make all.", choice: "explain" },
        { _tag: "Prompt", text: "And test it." }
      ])
    }))

  it.scoped("numbers lists, shows texts whole, and takes a line of its own for Escape", () =>
    Effect.gen(function*() {
      const { actions, happen, screen, type, written } = yield* make
      const items = ["off", "high"].map((id) => ({ detail: "", id, label: id }))
      const open = ScreenEvent.PickerOpened({ items, picker: "thinking", selected: "off", title: "Thinking" })
      yield* happen(status)
      yield* type("/thinking")
      yield* happen(open)
      yield* type("2")
      yield* happen(open)
      yield* type("")
      yield* happen(ScreenEvent.TextOpened({ text: "one\ntwo", title: "Help" }))
      yield* type("Go.")
      yield* happen(started, compacting)
      yield* type("\u001b")
      assert.deepStrictEqual(yield* actions, [
        { _tag: "Command", argument: "", name: "thinking" },
        { _tag: "Picked", id: "high", picker: "thinking" },
        { _tag: "Prompt", text: "Go." },
        { _tag: "CancelCompaction" }
      ])
      assert.include(yield* written, "> /thinking\nThinking\n1. off\n2. high\nType a number, or nothing")
      assert.include(yield* written, "\nHelp\none\ntwo\n> Go.\n")
      assert.isFalse(yield* screen.copy("x"))
    }))

  it.scoped("takes the number of nothing for no message, and a question before a list", () =>
    Effect.gen(function*() {
      const { actions, happen, type, written } = yield* make
      const items = ["off", "high"].map((id) => ({ detail: "", id, label: id }))
      const open = ScreenEvent.PickerOpened({ items, picker: "thinking", selected: "off", title: "Thinking" })
      yield* type("/thinking")
      yield* happen(open)
      yield* type("3")
      yield* type("2")
      yield* type("Go.")
      yield* happen(started, call("1"), open, asked("1"))
      yield* TestClock.adjust("1 second")
      yield* type("1")
      assert.deepStrictEqual(yield* actions, [
        { _tag: "Command", argument: "", name: "thinking" },
        { _tag: "Picked", id: "high", picker: "thinking" },
        { _tag: "Prompt", text: "Go." },
        { _tag: "Answer", because: "", choice: "once" }
      ])
      assert.include(yield* written, "3\nType a number from 1 to 2, or nothing to leave it as it is.\n")
    }))

  it.scoped("says how all of a long output is read", () =>
    Effect.gen(function*() {
      const { happen, type, written } = yield* make
      yield* type("Go.")
      yield* happen(started, step(), call("1"), result("1", "1\n2\n3\n4\n5\n6\n7\n8", true))
      assert.include(yield* written, "  6\n  … 2 more lines (/output)\n")
    }))

  it.scoped("Ctrl+C interrupts, then quits; the end of input waits for the turn, and allows nothing", () =>
    Effect.gen(function*() {
      const { actions, happen, tell, type } = yield* make
      yield* type("Go.")
      yield* happen(started)
      yield* tell(LineEvent.Interrupted())
      yield* tell(LineEvent.Closed())
      yield* happen(call("1"), asked("1"))
      yield* happen(finished)
      assert.deepStrictEqual((yield* actions).map(({ _tag }) => _tag), ["Prompt", "Interrupt", "Answer", "Quit"])
    }))
})
