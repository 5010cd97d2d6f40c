import { assert, describe, it } from "@effect/vitest"
import * as Folded from "../src/Folded.js"

describe("a folded text", () => {
  it("is wrapped line by line, and steers no terminal", () => {
    assert.deepStrictEqual(Folded.lines("one two three\n\n\u001b[2J", 8), ["one two", "three", "", "␛[2J"])
  })

  it("is folded once for a width when it is long", () => {
    const text = "a line of some words\n".repeat(1_000)
    const lines = Folded.lines(text, 12)
    assert.strictEqual(Folded.lines(text, 12), lines)
    assert.strictEqual(lines.length, 2_001)
    assert.strictEqual(Folded.lines(text, 40).length, 1_001)
    assert.strictEqual(Folded.lines(`${text}more`, 12).length, 2_001)
  })
})
