import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import * as LineWindow from "../src/LineWindow.js"

const line = FastCheck.oneof(
  FastCheck.constantFrom("", "\r", "x\r", "😀", "😀".repeat(6), "0123456789", "a\tb"),
  FastCheck.string({ maxLength: 12 }).map((text) => text.replaceAll("\n", ""))
)
const text = FastCheck.array(line, { maxLength: 12 }).map((lines) => lines.join("\n"))
const cuts = FastCheck.array(FastCheck.integer({ min: 0, max: 80 }), { maxLength: 6 })
const positive = FastCheck.integer({ min: 1, max: 14 })

const pieces = (value: string, at: ReadonlyArray<number>) => {
  const places = [0, ...at.map((place) => Math.min(place, value.length)), value.length].sort((a, b) => a - b)
  return places.slice(1).map((place, index) => value.slice(places[index], place))
}

const run = (value: string, limits: Partial<LineWindow.Limits>, at: ReadonlyArray<number> = []) => {
  const window = LineWindow.make({ from: 1, lines: 1000, bytes: 10_000, lineLength: 1000, ...limits })
  pieces(value, at).forEach(window.push)
  return window.finish()
}

const linesOf = (value: string) => {
  const lines = value.split("\n")
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines
}

describe("LineWindow", () => {
  it.prop(
    "gives exactly the lines of the range, whatever the pieces",
    [text, cuts, positive, positive],
    ([value, at, from, lines]) => {
      const all = linesOf(value)
      const shown = all.slice(from - 1, from - 1 + lines)
        .map((content, index) => `${from + index}\t${content.endsWith("\r") ? content.slice(0, -1) : content}`)
      assert.deepStrictEqual(run(value, { from, lines }, at), { lines: shown, total: all.length })
    }
  )

  it.prop("cuts long lines alike, whatever the pieces, never inside a pair", [text, cuts], ([value, at]) => {
    const { lines } = run(value, { lineLength: 5 }, at)
    assert.deepStrictEqual(lines, run(value, { lineLength: 5 }).lines)
    // A lone half that was in the text may stay; none may come of a cut.
    for (const [index, shown] of lines.entries()) {
      const kept = shown.replace(/^\d+\t/, "").replace(/… \[\d+ more characters\]$/, "")
      const next = linesOf(value)[index]?.charCodeAt(kept.length) ?? 0
      assert.isFalse(/[\ud800-\udbff]$/.test(kept) && next >= 0xdc00 && next <= 0xdfff)
    }
  })

  it("stops at the byte budget but shows at least one line", () => {
    assert.deepStrictEqual(run("aaaa\nbbbb\ncccc", { bytes: 14 }), { lines: ["1\taaaa", "2\tbbbb"], total: 3 })
    assert.deepStrictEqual(run("aaaa\nbbbb", { bytes: 1 }), { lines: ["1\taaaa"], total: 2 })
  })

  it("says how much of a line it cut", () => {
    assert.deepStrictEqual(run("x".repeat(1_000_000), { lineLength: 3 }, [10, 500_000]).lines, [
      "1\txxx… [999997 more characters]"
    ])
  })
})
