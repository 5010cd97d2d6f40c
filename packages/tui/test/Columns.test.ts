import { assert, describe, it } from "@effect/vitest"
import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@mariozechner/pi-tui/dist/utils.js"
import * as fc from "effect/FastCheck"
import * as Columns from "../src/Columns.js"
import { colours } from "../src/Theme.js"

const plain = fc.constantFrom(
  ..."abc XYZ 019 .,-_*`│─└█░╎⠋·•…❯✓✗",
  "✓\ufe0f",
  "⌚",
  "❤️",
  "👩‍👩‍👧",
  "🇩🇪",
  "漢",
  "ｗ",
  "한",
  "é",
  "e\u0301",
  "\u00ad",
  "\u200b",
  "ำ",
  "ש",
  "\u2800",
  "\u25fd",
  "▟",
  "■",
  "\t"
)

const text = fc.array(plain, { maxLength: 40 }).map((parts) => parts.join(""))

const styled = fc.array(
  fc.tuple(fc.constantFrom(colours.bold, colours.red, (part: string) => part), text),
  { maxLength: 4 }
).map((parts) => parts.map(([style, part]) => style(part)).join(" "))

const columns = fc.integer({ max: 90, min: 2 })

const without = (line: string) => line.replaceAll("\t", "   ")

describe("columns", () => {
  it.prop("a width is the widgets'", [styled], ([line]) => Columns.width(line) === visibleWidth(line), {
    fastCheck: { numRuns: 1_000 }
  })

  it.prop("so are a wrapped text and one that is cut", [styled, text, columns], ([line, next, room]) => {
    assert.deepStrictEqual(Columns.wrap(`${line}\n${next}`, room), wrapTextWithAnsi(without(`${line}\n${next}`), room))
    assert.deepStrictEqual(Columns.wrap(line, room), wrapTextWithAnsi(without(line), room))
    const cut = truncateToWidth(without(line), room, "…")
    assert.strictEqual(Columns.clip(line, room), line.includes("\u001b") ? cut : cut.replaceAll("\u001b[0m", ""))
  }, { fastCheck: { numRuns: 1_000 } })

  const times = fc.integer({ max: 60, min: 10 })

  it.prop(
    "so is a long text, of one column a character or not",
    [text, text, columns, times],
    ([a, b, room, times]) => {
      const words = `${a} ${b}`.repeat(times)
      const one = `${a}${b}`.replaceAll(/\s/g, "").repeat(times)
      for (
        const line of [words, one, `${words}\n${one}`, words.replaceAll(/[^ -~]/g, "~"), one.replaceAll(/[^ -~]/g, "~")]
      ) {
        assert.deepStrictEqual(Columns.wrap(line, room), wrapTextWithAnsi(without(line), room))
      }
    },
    { fastCheck: { numRuns: 60 } }
  )

  // One character may take three columns.
  const wide = fc.integer({ max: 90, min: 4 })

  it.prop("a long text with styles loses nothing, and no line is too wide", [styled, wide, times], (
    [line, room, times]
  ) => {
    const bare = (text: string) => text.replaceAll(/\u001b\[[\d;]*m|\s/g, "")
    const long = `${line} `.repeat(times)
    const lines = Columns.wrap(long, room)
    assert.strictEqual(bare(lines.join("")), bare(long))
    for (const one of lines) assert.isAtMost(Columns.width(one), room)
  }, { fastCheck: { numRuns: 60 } })
})
