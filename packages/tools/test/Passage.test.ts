import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import * as Passage from "../src/Passage.js"

const text = FastCheck.array(FastCheck.constantFrom("a", "b", "\n", "\r\n", "\r", "😀"), { maxLength: 20 })
  .map((parts) => parts.join(""))
const wanted = FastCheck.array(FastCheck.constantFrom("a", "b", "\n", "\r\n", "😀"), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join(""))

/** What `find` is, said by a regular expression. */
const byPattern = (value: string, target: string) =>
  [...value.matchAll(new RegExp(target.replace(/\r?\n/g, "\\r?\\n"), "g"))].map((match) => ({
    from: match.index,
    line: value.slice(0, match.index).split("\n").length,
    to: match.index + match[0].length
  }))

describe("Passage", () => {
  it.prop("finds what a pattern finds, on the right line", [text, wanted], ([value, target]) => {
    // A lone carriage return before a wanted line feed cannot be told from half of a line break.
    FastCheck.pre(!value.includes("\r\r\n"))
    assert.deepStrictEqual(Passage.find(value, target), byPattern(value, target))
  })

  it.prop("changes nothing outside the places", [text, wanted], ([value, target]) => {
    const places = Passage.find(value, target)
    const changed = Passage.replace(value, places, "<>")
    const rest = places.reduceRight((kept, { from, to }) => kept.slice(0, from) + "<>" + kept.slice(to), value)
    assert.strictEqual(changed, rest)
  })

  it("takes a passage of any size", () => {
    const long = "some (line)\r\n".repeat(100_000)
    const places = Passage.find(`x\n${long}y`, long.replaceAll("\r", ""))
    assert.deepStrictEqual(places, [{ from: 2, line: 2, to: 2 + long.length }])
    assert.strictEqual(Passage.replace(`x\n${long}y`, places, "1\n2\n"), "x\n1\r\n2\r\ny")
  })
})
