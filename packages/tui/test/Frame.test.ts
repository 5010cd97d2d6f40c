import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import { Block } from "../src/Block.js"
import * as BlockLines from "../src/BlockLines.js"
import * as Columns from "../src/Columns.js"
import { frame } from "../src/Frame.js"
import { type Input, ScreenEvent } from "../src/Input.js"
import * as Reducer from "../src/Reducer.js"
import { initial, type State } from "../src/State.js"
import * as StatusLine from "../src/StatusLine.js"
import { colours, plain } from "../src/Theme.js"
import { visible } from "../src/Visible.js"
import { applied, asked, at, call, compacting, draft, key, play, result, started, step, submit, text } from "./Play.js"

const look = { highlight: (code: string) => code, theme: plain }

const editor = { cursor: { column: 0, row: 1 }, lines: ["--", "", "--"] }

const status = ScreenEvent.StatusChanged({
  status: { branch: "main", budget: 1_000, directory: "~/weir", model: "model-1", trigger: 900 }
})

const show = (state: State, columns = 60, rows = 24) => frame(state, editor, { columns, rows }, look).lines.join("\n")

const screen = (...inputs: ReadonlyArray<Input>) =>
  show(play(inputs, { ...initial, said: [Block.User({ text: "Go." })] }).state)

const golden = (lines: string) => lines.replace(/^\n/, "").replaceAll(/^ {6}/gm, "").replace(/\n\s*$/, "")

const working = [at(1_000), status, submit("Go."), started, step(450)]

describe("the live region", () => {
  it("idle: the editor and the status line", () => {
    assert.strictEqual(
      screen(status),
      golden(`

      --

      --
      model-1 · ~/weir · main                      ░░░░░░░░░░░╎ 0%
      `)
    )
  })

  it("a turn: open text, running tools with the end of their output, the spinner, the queue", () => {
    assert.strictEqual(
      screen(
        ...working,
        text("Some *open* text"),
        call("1"),
        { _tag: "ToolOutput", callId: "1", chunk: "one\ntwo\nthree\nfour\n" },
        submit("next one"),
        at(4_500)
      ),
      golden(`

      • bash make (running, 3.5s)
        two
        three
        four

      ⠴ Running bash 3s · Esc interrupts
        next: next one
        ↑ takes the last one back
      --

      --
      model-1 · ~/weir · main                     █████░░░░░░╎ 45%
      `)
    )
  })

  it("[C01] compacting, [C04] and the notice after it", () => {
    assert.include(screen(...working, compacting, at(13_000)), "Compacting... 12s · Esc cancels the compaction")
    assert.include(screen(...working, compacting, applied), "\nContext compacted automatically.\n")
  })

  it("a question stands under its call", () => {
    assert.include(
      screen(...working, call("1"), asked("1")),
      golden(`
      May bash run?
        command: make
      ❯ 1. Yes, this once
      `)
    )
  })

  const command = Array.from({ length: 30 }, (_, line) => `echo ${line}`).join("\n")
  const long: Input = { _tag: "PermissionAsked", arguments: JSON.stringify({ command }), callId: "1", name: "bash" }
  const asking = [...working, call("1", "bash", "{}"), long]

  it("a question about much shows where it begins, and all of it in the tool's output", () => {
    assert.include(
      screen(...asking),
      golden(`
      May bash run?
        command: echo 0
        echo 1
        echo 2
        echo 3
        echo 4
        echo 5
        echo 6
        echo 7
        … 22 more lines (Ctrl+O)
      ❯ 1. Yes, this once
        2. Yes, and calls like it for this session
        3. Yes, and calls like it always in this project
        4. No
        5. No, and say why

      `)
    )
    assert.include(
      screen(...asking, key("ctrl+o"), key("pageDown"), key("pageDown")),
      golden(`
          echo 28
          echo 29
      lines 20–31 of 31 · ↑↓ choose · Enter opens · PgUp PgDn · E…

      May bash run?

      ⠋ Waiting for your answer 0s
      --
      `)
    )
  })

  it("a question in a small window shows what it is about before all answers but the chosen one", () => {
    const { state } = play(asking)
    assert.strictEqual(
      show(state, 60, 12),
      golden(`
      May bash run?
        command: echo 0
        echo 1
        … 28 more lines (Ctrl+O)
      ❯ 1. Yes, this once
        2. Yes, and calls like it for this session
      ⠋ Waiting for your answer 0s · Esc says no
      --

      --
      model-1 · ~/weir · main                     █████░░░░░░╎ 45%
      `)
    )
    const down = play([at(2_000), key("down"), key("down"), key("down")], state).state
    assert.include(
      show(down, 60, 9),
      golden(`
      May bash run?
        command: echo 0 …
      ❯ 4. No
      ⠋ Waiting for your answer 1s · Esc says no
      `)
    )
  })

  it("a window of a few rows keeps the line that is written in", () => {
    const { state } = play(working)
    const lines = ["--", "one", "two", "three", "--"]
    const of = (rows: number, row: number) =>
      frame(state, { cursor: { column: 0, row }, lines }, { columns: 60, rows }, look)
    assert.deepStrictEqual(of(3, 1).lines, ["--", "one"])
    assert.deepStrictEqual(of(3, 2).lines, ["one", "two"])
    assert.deepStrictEqual(of(3, 3).cursor, { column: 0, row: 1 })
    assert.deepStrictEqual(of(2, 3).lines, ["three"])
    assert.deepStrictEqual(of(5, 1).lines, ["--", "one", "two", "three"])
  })

  it("a list: what is long leaves room for what is said of it", () => {
    const items = [
      { detail: "2 turns · 2026-11-30", id: "1", label: "Find out why the start takes so long, and mend it" },
      { detail: "", id: "2", label: "Another" }
    ]
    assert.strictEqual(
      screen(status, ScreenEvent.PickerOpened({ items, picker: "session", selected: "1", title: "Sessions" })),
      golden(`

      Sessions  type to narrow
      ❯ Find out why the start takes so lon…  2 turns · 2026-11-30
        Another
      ↑↓ choose · Enter take · Esc close · 2
      --

      --
      model-1 · ~/weir · main                      ░░░░░░░░░░░╎ 0%
      `)
    )
  })

  it("tools: the newest is open, the arrows open another, a long output is scrolled, Enter closes it", () => {
    const long = Array.from({ length: 40 }, (_, line) => `line ${line}`).join("\n")
    const ran = [...working, call("1"), result("1", long), step(450), call("2", "grep"), result("2", "found\n")]
    const open = [...ran, key("ctrl+o")]
    assert.strictEqual(
      screen(...open),
      golden(`

      Tools
        ✓ bash make (0.0s)
      ❯ ✓ grep make (0.0s)
          found
      lines 1–3 of 3 · ↑↓ choose · Enter opens · PgUp PgDn · Esc

      ⠋ Thinking 0s
      --

      --
      model-1 · ~/weir · main                     █████░░░░░░╎ 45%
      `)
    )
    assert.include(screen(...open, key("up")), "❯ ✓ bash make (0.0s)\n    line 0\n    line 1\n")
    const paged = screen(...open, key("up"), key("pageDown"))
    assert.include(paged, "Tools\n    line 9\n    line 10\n")
    assert.notInclude(paged, "bash make")
    assert.include(screen(...open, key("up"), key("enter")), "❯ ✓ bash make (0.0s)\n  ✓ grep make (0.0s)\n")
    assert.include(
      screen(...open, call("3"), { _tag: "ToolOutput", callId: "3", chunk: "more" }, key("down")),
      "  more\n"
    )
    assert.strictEqual(screen(...open, key("ctrl+o")), screen(...ran))
  })

  it("what was said is paged through from its end, and no further than it goes", () => {
    const blocks = Array.from({ length: 40 }, (_, at) => Block.Note({ text: `piece ${at}`, tone: "plain" }))
    /** As the screen does it. */
    const press = (from: State, ...names: ReadonlyArray<string>) =>
      names.reduce((state, name) => {
        const pressed = play([key(name)], state).state
        const { overlay } = frame(pressed, editor, { columns: 60, rows: 24 }, look)
        return Reducer.shown(pressed.overlay, overlay)(pressed)
      }, from)
    const end = { ...initial, said: blocks }
    const up = press(end, "pageUp")
    assert.include(show(up), "What was said\n\npiece 27\n")
    assert.include(show(up), "piece 34\nlines 54–69 of 79")
    const top = press(up, "home", "pageUp", "pageUp")
    assert.include(show(top), "What was said\npiece 0\n")
    assert.include(show(press(top, "down")), "What was said\n\npiece 1\n")
    assert.isUndefined(press(up, "pageDown", "pageDown").overlay)
    assert.include(show(press(top, "end")), "lines 64–79 of 79")
    assert.isUndefined(press(top, "end", "down").overlay)
    assert.isUndefined(press(up, "escape").overlay)
    assert.deepStrictEqual(play([draft("typed"), key("pageUp")], end).state.overlay, undefined)
    const text = Array.from({ length: 99 }, (_, at) => String(at)).join("\n")
    const help = press(play([ScreenEvent.TextOpened({ text, title: "Help" })]).state, "end", "pageDown", "up")
    assert.include(show(help), "\n97\nlines 83–98 of 99")
  })

  it("never is wider or higher than the terminal, whatever is in it", () => {
    const words = fc.stringOf(fc.constantFrom("a", " ", "世", "👩‍👩‍👧", "ש", "\u001b[31m", "\n", "`", "*", "\t"), {
      maxLength: 300
    })
    fc.assert(
      fc.property(
        words,
        words,
        fc.integer({ max: 130, min: 12 }),
        fc.integer({ max: 40, min: 2 }),
        (a, b, columns, rows) => {
          const { state } = play([...working, text(a), call("1", b, a), submit(b), {
            _tag: "ToolOutput",
            callId: "1",
            chunk: a
          }, asked("1")])
          const { cursor, lines } = frame(state, editor, { columns, rows }, { ...look, theme: colours })
          assert.isAtMost(lines.length, rows - 1)
          for (const line of lines) assert.isAtMost(Columns.width(line), columns, line)
          if (cursor) assert.isBelow(cursor.row, lines.length)
          if (cursor) assert.isAtLeast(cursor.row, 0)
          const printed = BlockLines.all(state.finished, undefined, columns, { ...look, theme: colours })
          for (const line of printed) assert.isAtMost(Columns.width(line), columns, line)
        }
      ),
      { numRuns: 60 }
    )
  })

  it("40 columns keep the context bar and the model", () => {
    assert.strictEqual(StatusLine.line(play(working).state, 40, plain), "model-1 · ~/weir        █████░░░░░░╎ 45%")
  })
})

describe("foreign text", () => {
  const hostile = [
    "\u001b]0;title\u0007",
    "\u001b]8;;https://evil.example\u001b\\click\u001b]8;;\u001b\\",
    "\u001b]52;c;ZXZpbA==\u0007",
    "\u001b[2J\u001b[H",
    "\u009b31m",
    "\u001bPq\u001b\\",
    "safe\u202egnp.exe\u2066\u2069",
    "a\rb\u0008c\u007f"
  ]

  it("is shown and never obeyed: only styles of our own reach the terminal", () => {
    for (const given of hostile) {
      const blocks = [
        Block.User({ text: given }),
        Block.Prose({ text: `${given} [x](${given})` }),
        Block.Code({ isContinued: false, language: given, text: given }),
        Block.Note({ text: given, tone: "error" }),
        Block.Tool({
          call: { argument: given, endedAt: 1, id: "1", name: given, output: given, startedAt: 0, state: "failed" }
        })
      ]
      const printed = BlockLines.all(blocks, undefined, 80, { ...look, theme: colours }).join("\n")
      const { state } = play([
        ScreenEvent.StatusChanged({ status: { branch: given, directory: given, model: given } }),
        submit("Go."),
        started,
        text(given),
        call("1", given, given),
        { _tag: "ToolOutput", callId: "1", chunk: given },
        asked("1"),
        submit(given),
        { _tag: "RetryScheduled", attempt: 1, delayMillis: 1, reason: given },
        ScreenEvent.Noticed({ text: given })
      ])
      const live = frame(state, editor, { columns: 80, rows: 40 }, { ...look, theme: colours }).lines.join("\n")

      for (const all of [printed, live]) {
        assert.notMatch(
          all.replaceAll(/\u001b\[[0-9;]*m/g, ""),
          /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/
        )
      }
    }
    assert.include(visible("\u001b[2J"), "␛[2J")
  })

  it("in scripts written from right to left stays as it is", () => {
    const hebrew = "שלום עולם, مرحبا"
    assert.strictEqual(visible(hebrew), hebrew)
    assert.include(BlockLines.lines(Block.Prose({ text: hebrew }), 80, look).join(""), hebrew)
  })

  it("without colours nothing but text is written", () => {
    const lines = BlockLines.all(
      [Block.Prose({ text: "# H\n\n**b** `c` [l](http://x)\n\n> q\n\n| a | b |\n|---|---|\n| 1 | 2 |" })],
      undefined,
      60,
      look
    )
    assert.notInclude(lines.join("\n"), "\u001b[3")
  })
})

describe("a change", () => {
  it("is shown as a diff in colours under the tool's line", () => {
    const output = "Edited a.ts.\n--- a.ts\n+++ a.ts\n@@ -1,2 +1,2 @@\n same\n-old\n+new\n"
    const edit = {
      argument: "a.ts",
      endedAt: 40,
      id: "1",
      name: "edit_file",
      output,
      startedAt: 0,
      state: "ok"
    } as const
    assert.deepStrictEqual(BlockLines.lines(Block.Tool({ call: edit }), 40, look), [
      "✓ edit_file a.ts (0.0s)",
      "  @@ -1,2 +1,2 @@",
      "   same",
      "  -old",
      "  +new"
    ])
    const coloured = BlockLines.lines(Block.Tool({ call: edit }), 40, { ...look, theme: colours }).join("\n")
    assert.include(coloured, "\u001b[31m-old")
    assert.include(coloured, "\u001b[32m+new")
  })

  it("stands in its tool's output with all that comes before it, unfolded where it is long", () => {
    const output = "built\n\ndiff --git a/a.ts b/a.ts\nindex 1..2 100644\n--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-old\n" +
      "+new and longer\nexit code 0\n"
    const ran = {
      argument: "git diff",
      endedAt: 40,
      id: "1",
      name: "bash",
      output,
      startedAt: 0,
      state: "ok"
    } as const
    const changes = [
      "  diff --git a/a.ts b/a.ts",
      "  index 1..2 100644",
      "  --- a/a.ts",
      "  +++ b/a.ts",
      "  @@ -1 +1 @@"
    ]
    assert.deepStrictEqual(BlockLines.output(ran, 40, look), [
      "  built",
      "  ",
      ...changes,
      "  -old",
      "  +new and longer",
      "  exit code 0"
    ])
    assert.include(BlockLines.output(ran, 12, look).join("\n"), "  -old\n  +new and\n  longer\n")
    assert.deepStrictEqual(BlockLines.lines(Block.Tool({ call: ran }), 40, look).slice(1, 6), changes)
  })
})
