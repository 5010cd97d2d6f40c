import { assert, describe, it } from "@effect/vitest"
import { capOutput } from "@weir/compaction/OutputCap"
import * as TokenScan from "@weir/compaction/TokenScan"
import * as fc from "effect/FastCheck"
import * as Option from "effect/Option"
import { anyText, many } from "./Samples.js"

/** Long enough to be cut: a line, over and over, or many lines. */
const text = fc.oneof(
  fc.tuple(anyText, fc.nat(200)).map(([line, times]) => line.repeat(times)),
  fc.array(anyText, { maxLength: 60, size: "max" }).map((lines) => lines.join("\n")),
  fc.integer({ min: 0, max: 20_000 }).map((length) => " ".repeat(length)),
  fc.tuple(fc.boolean(), fc.nat(3_000)).map(([odd, length]) => `${odd ? "x" : ""}${"😀".repeat(length)}`)
)

describe("capOutput", () => {
  it("leaves alone what fits, exactly up to the cap", () => {
    const line = "one two three\n".repeat(50)
    const tokens = TokenScan.count(line)
    assert.strictEqual(capOutput(line, tokens, Option.none()), line)
    assert.notStrictEqual(capOutput(line, tokens - 1, Option.none()), line)
  })

  it.prop(
    "any text: within the cap, whole characters, its head and its tail, and the file named",
    [text, fc.integer({ min: 120, max: 600 })],
    ([text, cap]) => {
      const capped = capOutput(text, cap, Option.some("/outputs/a.txt"))
      if (TokenScan.count(text) <= cap) return assert.strictEqual(capped, text)
      const [head = "", tail = ""] = capped.split(/\n\[\.\.\. \d+ characters left out\. [^\n]* \.\.\.\]\n/)
      assert.isAtMost(TokenScan.count(capped), cap)
      assert.isTrue(text.startsWith(head) && text.endsWith(tail))
      assert.include(capped, "/outputs/a.txt")
      assert.strictEqual(
        encodeURIComponent(head + tail).includes("%EF%BF%BD"),
        encodeURIComponent(text).includes("%EF%BF%BD")
      )
    },
    many
  )

  it("takes time in proportion to the text", () => {
    assert.isAtMost(TokenScan.count(capOutput("x ".repeat(500_000), 1_000, Option.none())), 1_000)
  })
})
