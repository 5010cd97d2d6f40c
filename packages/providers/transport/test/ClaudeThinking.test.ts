import { assert, describe, it } from "@effect/vitest"
import { Thinking } from "@weir/model/Thinking"
import * as fc from "fast-check"
import * as ClaudeThinking from "../src/ClaudeThinking.js"

const typeOf = (model: string, thinking: Thinking) => {
  const fields = ClaudeThinking.make(thinking, model, 64_000, false)
  return "output_config" in fields ? `${fields.thinking.type} ${fields.output_config.effort}` : fields.thinking.type
}

/** When it is asked to think, and when it is asked not to. */
const models: ReadonlyArray<readonly [model: string, asked: string, unasked: string]> = [
  ["claude-3-7-sonnet-20250219", "enabled", "disabled"],
  ["claude-sonnet-4-20250514", "enabled", "disabled"],
  ["claude-opus-4-1", "enabled", "disabled"],
  ["eu.anthropic.claude-haiku-4-5-20251001-v1:0", "enabled", "disabled"],
  ["claude-opus-4-6", "adaptive high", "disabled"],
  ["anthropic/claude-sonnet-4.6", "adaptive high", "disabled"],
  ["claude-opus-4-8", "adaptive high", "disabled"],
  ["claude-opus-5", "adaptive high", "disabled"],
  ["claude-haiku-5-5", "adaptive high", "disabled"],
  ["claude-sonnet-5-5", "adaptive high", "between_tools"],
  ["anthropic.claude-sonnet-5-5", "adaptive high", "between_tools"],
  ["claude-opus-5-5", "adaptive high", "adaptive low"],
  ["claude-opus-5.5", "adaptive high", "adaptive low"],
  ["claude-fable-5", "adaptive high", "adaptive low"],
  ["claude-fable-5-1", "adaptive high", "adaptive low"],
  ["claude-opus-6", "adaptive high", "adaptive low"],
  ["claude-opus-latest", "adaptive high", "adaptive low"],
  ["MiniMax-M3", "enabled", "disabled"],
  ["glm-5", "enabled", "disabled"]
]

describe("ClaudeThinking", () => {
  for (const [model, asked, unasked] of models) {
    it(`asks ${model} in the way it knows`, () => {
      assert.strictEqual(typeOf(model, "high"), asked)
      assert.strictEqual(typeOf(model, "off"), unasked)
    })
  }

  it("leaves half of the output limit for the answer, and no thought where that leaves too little", () => {
    const anyWish = fc.constantFrom(...Thinking.literals)
    fc.assert(fc.property(anyWish, fc.nat(100_000), fc.boolean(), (thinking, maxTokens, goesOn) => {
      const fields = ClaudeThinking.make(thinking, "claude-sonnet-4-5", maxTokens, goesOn)
      if (fields.thinking.type !== "enabled") {
        assert.isTrue(thinking === "off" || goesOn || maxTokens < 2_048)
        return
      }
      assert.isAtLeast(fields.thinking.budget_tokens, 1_024)
      assert.isAtMost(2 * fields.thinking.budget_tokens, maxTokens)
      assert.isFalse(goesOn)
    }))
  })
})
