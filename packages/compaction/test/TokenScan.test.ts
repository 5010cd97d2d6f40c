import { assert, describe, it } from "@effect/vitest"
import * as TokenScan from "@weir/compaction/TokenScan"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import { anyText, many } from "./Samples.js"

/** Texts with the counts that a tokenizer of a current vocabulary of 200,000 gives. */
const known: ReadonlyArray<readonly [string, string, number]> = [
  ["prose", "The quick brown fox jumps over the lazy dog. It was not amused. ".repeat(50), 751],
  [
    "code",
    "export const make = <State>(options: { readonly limits: Limits }): Model => {\n  return start(options)\n}\n"
      .repeat(40),
    960
  ],
  ["Chinese", "这是一个测试文件，用于检查令牌计数的准确性。我们需要一个简单的估算方法。".repeat(100), 2_400],
  ["Russian", "Это проверка подсчёта токенов в русском тексте, который достаточно длинный. ".repeat(100), 2_001],
  ["emoji", "🎉🚀 done ✅ 👩‍💻 ".repeat(200), 2_201]
]

describe("TokenScan", () => {
  it.each(known)("%s: within 15 %% of a tokenizer", (_, text, tokens) => {
    const counted = TokenScan.count(text)
    assert.isAtLeast(counted, 0.85 * tokens)
    assert.isAtMost(counted, 1.15 * tokens)
  })

  it.prop("is a whole number, zero only for nearly nothing", [anyText], ([text]) => {
    const tokens = TokenScan.count(text)
    assert.isTrue(Number.isSafeInteger(tokens) && tokens >= 0)
    if (text.trim() !== "") assert.isAbove(tokens, 0)
  }, many)

  it.prop("what is added at the end never lowers the count", [anyText, anyText], ([text, more]) => {
    assert.isAtLeast(TokenScan.count(text + more), TokenScan.count(text))
  }, many)

  it.prop("what is added at the front never lowers the count", [anyText, anyText], ([text, more]) => {
    assert.isAtLeast(TokenScan.count(more + text), TokenScan.count(text))
  }, many)

  it.prop("two texts joined are at most the two apart", [anyText, anyText], ([text, more]) => {
    assert.isAtMost(TokenScan.count(text + more), TokenScan.count(text) + TokenScan.count(more))
  }, many)

  it("a space before line breaks does not lower the count", () => {
    assert.isAtLeast(TokenScan.count(" \n\nword"), TokenScan.count("\n\nword"))
  })

  it.each([["word ", " "], ["word ", " ".repeat(15)], [" ", " "], ["\n", " ".repeat(15)], ["word ", " next"]])(
    "a run of white space counts no more whole than in parts: %j, %j",
    (text, more) => {
      assert.isAtMost(TokenScan.count(text + more), TokenScan.count(text) + TokenScan.count(more))
    }
  )

  it.live("100 kB of spaces, line breaks or one letter take milliseconds", () =>
    Effect.gen(function*() {
      for (const character of [" ", "\n", "a", "A", "(", "字", "0"]) {
        const text = character.repeat(100_000)
        TokenScan.count(text)
        const started = yield* Clock.currentTimeNanos
        const tokens = TokenScan.count(text)
        const spent = Number((yield* Clock.currentTimeNanos) - started) / 1e6
        assert.isBelow(spent, 100)
        assert.isAbove(tokens, 1_000)
      }
    }))

  it.prop(
    "is linear: twice the text, twice the count",
    [FastCheck.string({ minLength: 1, maxLength: 50 })],
    ([text]) => {
      const once = TokenScan.count(text.repeat(200))
      const twice = TokenScan.count(text.repeat(400))
      assert.isAtMost(Math.abs(twice - 2 * once), 3 + once / 50)
    },
    many
  )
})
