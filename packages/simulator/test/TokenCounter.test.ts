import { assert, describe, it } from "@effect/vitest"
import * as TokenCounter from "@weir/simulator/TokenCounter"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"

const counter = TokenCounter.make()

/** Text with the count of a real tokenizer's vocabulary (o200k), taken once. */
const measured: ReadonlyArray<readonly [name: string, text: string, tokens: number]> = [
  [
    "prose",
    "The weir keeps the level of the river steady. When the water rises above the crest it flows over into the lower reach, and nothing that the fish depend on is lost. Engineers measured the flow every morning for three years before they trusted the numbers that the gauge reported.",
    55
  ],
  [
    "code",
    "export const inputBudget = (window: number, reserve: number): number => {\n  const safety = Math.min(Math.max(4096, Math.floor(window / 20)), Math.floor(window / 8))\n  return Math.max(1, window - reserve - safety)\n}\n\nfor (const entry of entries) {\n  if (entry.isDirectory()) await walk(join(root, entry.name))\n}\n",
    81
  ],
  [
    "JSON",
    "{\"name\":\"read_file\",\"description\":\"Reads a file.\",\"parameters\":{\"type\":\"object\",\"properties\":{\"path\":{\"type\":\"string\",\"description\":\"Path of the file\"},\"limit\":{\"type\":\"integer\",\"minimum\":1}},\"required\":[\"path\"],\"additionalProperties\":false}}",
    55
  ],
  [
    "a log",
    "2026-11-30T01:12:09.113Z INFO [worker-3] request id=9f1c22ab04de path=/api/v1/items/4711 status=200 took 113ms bytes=80231\n2026-11-30T01:12:10.877Z WARN [worker-1] request id=77b0c1ffae21 path=/api/v1/items/93 status=500 took 877ms bytes=112\n",
    104
  ],
  [
    "hexadecimal",
    "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    78
  ],
  ["Chinese", "天气预报说明天会下雨，请记得带伞。这个函数接受一个字符串并返回它的长度。", 26]
]

const seconds = (text: string) =>
  Effect.gen(function*() {
    const start = yield* Clock.currentTimeNanos
    counter.text(text)
    return Number((yield* Clock.currentTimeNanos) - start) / 1e9
  })

describe("TokenCounter", () => {
  for (const [name, text, tokens] of measured) {
    it(`is near a real tokenizer on ${name}`, () => {
      assert.closeTo(counter.text(text) / tokens, 1, 0.25)
    })
  }

  for (
    const [name, text] of [["spaces", " "], ["line breaks", "\n"], ["letters", "a"], ["marks", "!"], [
      "mixed",
      "aB 1\n"
    ]]
  ) {
    it.live(`is linear on 1 MB of ${name}`, () =>
      Effect.gen(function*() {
        const large = (text ?? "").repeat(Math.ceil(1_000_000 / (text ?? "x").length))
        yield* seconds(large)
        const time = yield* seconds(large)
        // A quadratic scan of this text takes minutes.
        assert.isBelow(time, 2)
      }))
  }

  it("counts nothing for nothing", () => assert.strictEqual(counter.text(""), 0))

  it("scales text by its factor and adds what the wire adds", () => {
    const text = "export const budget = (window: number) => window - 4096\n".repeat(100)
    const base = counter.text(text)
    for (const scale of [0.8, 1.3]) {
      const scaled = TokenCounter.make({ perCall: 7, perImage: 100, perMessage: 5, perTool: 9, scale })
      assert.strictEqual(scaled.text(text), Math.ceil(base * scale))
      assert.strictEqual(
        scaled.piece({ calls: 2, images: 3, kind: "message", text }),
        Math.ceil(base * scale) + 5 + 14 + 300
      )
      assert.strictEqual(scaled.piece({ calls: 0, images: 0, kind: "tool", text }), Math.ceil(base * scale) + 9)
    }
  })

  it.prop("never loses text: more of it never counts less", [
    FastCheck.string({ unit: "grapheme" }),
    FastCheck.string()
  ], ([a, b]) => {
    assert.isAtLeast(counter.text(`${a}\n\n${b}`), counter.text(b))
    if (/\S/.test(a)) assert.isAbove(counter.text(a), 0)
  })
})
