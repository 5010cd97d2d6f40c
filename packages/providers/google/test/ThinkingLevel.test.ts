import { assert, describe, it } from "@effect/vitest"
import type { Thinking } from "@weir/model/Thinking"
import * as ThinkingLevel from "../src/ThinkingLevel.js"

describe("ThinkingLevel", () => {
  const budget = (thinking: Thinking, maxOutput: number, model = "gemini-2.5-flash") =>
    ThinkingLevel.make(model, thinking, maxOutput)?.thinkingBudget

  it("gives older models a budget of at most half the output", () => {
    assert.deepStrictEqual((["off", "low", "medium", "high"] as const).map((level) => budget(level, 65_536)), [
      0,
      1_024,
      8_192,
      24_576
    ])
    assert.strictEqual(budget("high", 8_193), 4_096)
    assert.strictEqual(budget("medium", 100), 512)
    assert.strictEqual(budget("off", 65_536, "gemini-2.5-pro"), 512)
  })

  it("takes models of unknown names for new ones, and asks none that cannot think", () => {
    assert.deepStrictEqual(ThinkingLevel.make("tuned", "off", 1_000), { includeThoughts: false, level: "LOW" })
    assert.isUndefined(ThinkingLevel.make("gemini-2.0-flash", "high", 1_000))
    assert.isUndefined(ThinkingLevel.make("gemini-1.5-pro", "off", 1_000))
  })
})
