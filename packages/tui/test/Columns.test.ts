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
})
