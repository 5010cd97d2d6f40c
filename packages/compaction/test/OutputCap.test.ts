import { assert, describe, it } from "@effect/vitest"
import { capOutput } from "@weir/compaction/OutputCap"
import * as TokenScan from "@weir/compaction/TokenScan"
import * as fc from "effect/FastCheck"
import * as Option from "effect/Option"

const text = fc.oneof(
  fc.string({ maxLength: 4_000, unit: "grapheme" }),
  fc.array(fc.string({ maxLength: 200 }), { maxLength: 60 }).map((lines) => lines.join("\n")),
  fc.integer({ min: 0, max: 30_000 }).map((length) => " ".repeat(length)),
  fc.integer({ min: 0, max: 3_000 }).map((length) => "😀".repeat(length))
)

describe("capOutput", () => {
  it("leaves alone what fits, exactly up to the cap", () => {
    const line = "one two three\n".repeat(50)
    const tokens = TokenScan.count(line)
    assert.strictEqual(capOutput(line, tokens, Option.none()), line)
    assert.notStrictEqual(capOutput(line, tokens - 1, Option.none()), line)
  })

  it("any text: within the cap, whole characters, its head and its tail, and the file named", () => {
    fc.assert(fc.property(text, fc.integer({ min: 120, max: 2_000 }), (text, cap) => {
      const capped = capOutput(text, cap, Option.some("/outputs/a.txt"))
      if (TokenScan.count(text) <= cap) return capped === text
      const [head = "", tail = ""] = capped.split(/\n\[\.\.\. \d+ characters left out\. [^\n]* \.\.\.\]\n/)
      assert.isAtMost(TokenScan.count(capped), cap)
      assert.isTrue(text.startsWith(head) && text.endsWith(tail))
      assert.include(capped, "/outputs/a.txt")
      assert.strictEqual(
        encodeURIComponent(head + tail).includes("%EF%BF%BD"),
        encodeURIComponent(text).includes("%EF%BF%BD")
      )
      return true
    }))
  })

  it("takes time in proportion to the text", () => {
    assert.isAtMost(TokenScan.count(capOutput("x ".repeat(500_000), 1_000, Option.none())), 1_000)
  })
})
