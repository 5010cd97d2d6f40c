import { assert, describe, it } from "@effect/vitest"
import * as Budget from "@weir/compaction/Budget"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { anyOutputCap, anyWindow, budgetOf, limits, many } from "./Samples.js"

describe("Budget", () => {
  it.each([
    [8_192, 8_192, 2_730, 3_995, 4_096, 1_997],
    [16_384, 8_192, 5_461, 7_988, 8_192, 3_994],
    [32_768, 8_192, 8_192, 18_432, 16_384, 8_192],
    [65_536, 64_000, 21_845, 35_636, 49_152, 16_384],
    [65_536, 8_192, 8_192, 47_924, 49_152, 16_384],
    [131_072, 8_192, 8_192, 104_695, 114_688, 16_384],
    [200_000, 8_192, 8_192, 163_628, 183_616, 16_384],
    [200_000, 64_000, 64_000, 113_400, 183_616, 16_384],
    [1_000_000, 64_000, 64_000, 797_400, 983_616, 16_384]
  ])("[A02][B02] window %i, output cap %i", (window, cap, outputReserve, inTurnTrigger, boundaryTrigger, tailCap) => {
    const budget = budgetOf(window, cap)
    assert.deepInclude(budget, { outputReserve, inTurnTrigger, boundaryTrigger, tailCap })
    assert.strictEqual(budget.trigger, Math.min(inTurnTrigger, boundaryTrigger))
  })

  it("[A02] the input budget leaves room for the output that is asked for, and for safety", () => {
    const budget = budgetOf(64_000)
    assert.deepInclude(budget, { outputReserve: 8_192, safety: 4_096, input: 64_000 - 8_192 - 4_096 })
    const limited = Either.getOrThrow(Budget.make({ ...limits(400_000), maxInput: 272_000, maxOutput: 4_000 }))
    assert.deepInclude(limited, { outputReserve: 4_000, safety: 20_000, input: 252_000, summaryInput: 252_000 })
  })

  it("the caps scale with the window", () => {
    assert.deepEqual(budgetOf(200_000, 64_000).caps, {
      summaryOutput: 8_192,
      summaryReasoning: 8_192,
      instructions: 4_000,
      ledger: 1_000,
      toolOutput: 10_000
    })
    assert.deepEqual(budgetOf(8_192).caps, {
      summaryOutput: 998,
      summaryReasoning: 998,
      instructions: 499,
      ledger: 249,
      toolOutput: 665
    })
  })

  it.prop(
    "[A01] due at 90 % of the input budget, and not one token below",
    [anyWindow, anyOutputCap],
    ([window, cap]) => {
      const budget = budgetOf(window, cap)
      const atTrigger = budget.inTurnTrigger
      assert.isTrue(Budget.isDue(budget, "in-turn", atTrigger))
      assert.isFalse(Budget.isDue(budget, "in-turn", atTrigger - 1))
      assert.isAtLeast(10 * atTrigger, 9 * budget.input)
      assert.isBelow(10 * (atTrigger - 1), 9 * budget.input)
    },
    many
  )

  it.prop(
    "[B02] before a turn either trigger counts, exact at the boundary",
    [anyWindow, anyOutputCap],
    ([window, cap]) => {
      const budget = budgetOf(window, cap)
      assert.isTrue(Budget.isDue(budget, "turn-boundary", budget.trigger))
      assert.isFalse(Budget.isDue(budget, "turn-boundary", budget.trigger - 1))
      assert.strictEqual(Budget.dueBy(budget, "turn-boundary", budget.inTurnTrigger), "in-turn")
      if (budget.boundaryTrigger < budget.inTurnTrigger) {
        assert.strictEqual(Budget.dueBy(budget, "turn-boundary", budget.boundaryTrigger), "turn-boundary")
        assert.isFalse(Budget.isDue(budget, "in-turn", budget.boundaryTrigger))
      }
    },
    many
  )

  it.prop(
    "once due, a larger estimate is due too, and a smaller window never triggers later",
    [anyWindow, anyOutputCap, FastCheck.nat(2_000_000), FastCheck.nat(10_000)],
    ([window, cap, estimate, more]) => {
      const budget = budgetOf(window, cap)
      const larger = budgetOf(window + more, cap)
      for (const phase of ["in-turn", "turn-boundary"] as const) {
        if (Budget.isDue(budget, phase, estimate)) assert.isTrue(Budget.isDue(budget, phase, estimate + more))
      }
      assert.isAtMost(budget.inTurnTrigger, larger.inTurnTrigger + 1)
      assert.isAtMost(budget.boundaryTrigger, larger.boundaryTrigger + 1)
    },
    many
  )

  it.prop("all sizes are whole, positive and within the window", [anyWindow, anyOutputCap], ([window, cap]) => {
    const { bytes: _bytes, caps, certain: _certain, ...sizes } = budgetOf(window, cap)
    for (const size of [...Object.values(sizes), ...Object.values(caps)]) {
      assert.isTrue(Number.isInteger(size) && size > 0 && size <= window, `${size} of ${window}`)
    }
    assert.isAtMost(sizes.input + sizes.outputReserve + sizes.safety, window)
    assert.isAtMost(sizes.summaryInput + caps.summaryOutput + sizes.safety, window)
  }, many)

  it("an explicit reserve replaces the default; one that leaves no window is refused", () => {
    assert.strictEqual(Either.getOrThrow(Budget.make(limits(100_000), 30_000)).boundaryTrigger, 70_000)
    assert.strictEqual(Either.getOrThrow(Budget.make(limits(100_000), 99_999)).boundaryTrigger, 1)
    for (const reserve of [100_000, 200_000, -1, 0.5, NaN]) {
      const refused = Either.getOrThrow(Either.flip(Budget.make(limits(100_000), reserve)))
      assert.strictEqual(refused._tag, "InvalidReserve")
      assert.include(refused.message, "from 0 to 99999")
    }
  })

  it("output is lowered only where that makes room, and never to nothing", () => {
    const budget = budgetOf(64_000)
    assert.isUndefined(Budget.loweredOutput(budget, budget.input))
    assert.strictEqual(Budget.loweredOutput(budget, budget.input + 1), 8_191)
    assert.strictEqual(Budget.loweredOutput(budget, 64_000 - 4_096 - 1_024), 1_024)
    assert.isUndefined(Budget.loweredOutput(budget, 64_000 - 4_096 - 1_023))
  })

  it("only a window that somebody declared may end a turn", () => {
    assert.isTrue(budgetOf(64_000).certain)
    assert.isFalse(Either.getOrThrow(Budget.make({ ...limits(128_000), source: "assumed" })).certain)
  })
})
