import { assert, describe, it } from "@effect/vitest"
import xterm from "@xterm/headless"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import * as Painter from "../src/Painter.js"

const columns = 20
const rows = 12

const emulator = () => {
  const terminal = new xterm.Terminal({ allowProposedApi: true, cols: columns, rows, scrollback: 1_000 })
  const write = (text: string) => Effect.async<void>((resume) => terminal.write(text, () => resume(Effect.void)))
  const lines = () =>
    Array.from(
      { length: terminal.buffer.active.length },
      (_, at) => terminal.buffer.active.getLine(at)?.translateToString(true) ?? ""
    ).join("\n").trimEnd()
  return { lines, terminal, write }
}

const line = fc.stringOf(fc.constantFrom("a", "b", " ", "世", "é"), { maxLength: 10 }).map((text) => `${text}|`)

const picture = fc.record({
  cursor: fc.nat(5),
  frame: fc.array(line, { maxLength: rows - 1, minLength: 1 }),
  scrollback: fc.array(line, { maxLength: 30 })
})

describe("the painter", () => {
  it.effect("leaves on the terminal what was finished, once and in order, and under it the newest frame", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(fc.array(picture, { maxLength: 8, minLength: 1 }), (pictures) =>
          Effect.runPromise(Effect.gen(function*() {
            const { lines, terminal, write } = emulator()
            let painted = Painter.blank(columns)
            const kept: Array<string> = []
            for (const { cursor, frame, scrollback } of pictures) {
              const row = Math.min(cursor, frame.length - 1)
              const next = Painter.paint(painted, { cursor: { column: 1, row }, lines: frame }, scrollback, columns)
              painted = next.painted
              kept.push(...scrollback)
              yield* write(next.text)
              assert.strictEqual(lines(), [...kept, ...frame].join("\n").trimEnd())
              const { baseY, cursorX, cursorY } = terminal.buffer.active
              assert.deepStrictEqual([baseY + cursorY, cursorX], [kept.length + row, 1])
            }
            yield* write(Painter.clear(painted, columns))
            assert.strictEqual(lines(), kept.join("\n").trimEnd())
          }))),
        { numRuns: 60 }
      )
    ))

  it("writes nothing where nothing has changed, and only the line that has", () => {
    const frame = { cursor: { column: 0, row: 2 }, lines: ["one", "two", "three"] }
    const first = Painter.paint(Painter.blank(80), frame, [], 80)
    assert.strictEqual(Painter.paint(first.painted, frame, [], 80).text, "")
    const second = Painter.paint(first.painted, { ...frame, lines: ["one", "2", "three"] }, [], 80)
    assert.notInclude(second.text, "one")
    assert.notInclude(second.text, "three")
    assert.match(second.text, /^\u001b\[\?2026h.*\u001b\[\?2026l$/s)
  })

  it.effect("finds its place again when the terminal has folded the lines anew", () =>
    Effect.gen(function*() {
      const { lines, terminal, write } = emulator()
      const wide = { cursor: { column: 0, row: 2 }, lines: ["x".repeat(20), "y".repeat(20), "z"] }
      const first = Painter.paint(Painter.blank(columns), wide, ["kept"], columns)
      yield* write(first.text)
      terminal.resize(10, rows)
      const narrow = { cursor: { column: 0, row: 2 }, lines: ["x".repeat(10), "y".repeat(10), "z"] }
      yield* write(Painter.paint(first.painted, narrow, [], 10).text)
      assert.strictEqual(lines(), ["kept", ...narrow.lines].join("\n"))
    }))
})
