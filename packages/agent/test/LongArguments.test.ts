import { assert, describe, it } from "@effect/vitest"
import { userMessage } from "@weir/model/Conversation"
import * as TestModel from "@weir/model/TestModel"
import * as Effect from "effect/Effect"
import { isSummaryRequest, limits, start, summary, tool, usage } from "./fixture.js"

/** Calls whose arguments take room, where no pruning of outputs helps; then the answer. `tokens` of each, about. */
const noting = (calls: number, tokens: number) => {
  let made = 0
  return (asked: TestModel.Asked): TestModel.Answer => {
    if (isSummaryRequest(asked)) return TestModel.reply({ text: summary, usage: usage(900, 100) })
    return made < calls
      ? TestModel.reply({ calls: [["note", `«${made}» ${"because ".repeat(tokens)}`]], id: `call-${made++}` })
      : TestModel.reply({ text: "Done." })
  }
}

/** A budget of 7,404 tokens of input. */
const narrow = limits({ maxInput: 11_500, outputCap: 6_000, window: 32_768 })

describe("calls with long arguments", () => {
  it.scoped("[A05] fill the budget: history is compacted, and the turn goes on", () =>
    Effect.gen(function*() {
      const fixture = yield* start({
        answer: noting(3, 2_500),
        limits: narrow,
        tools: [tool("note", () => Effect.succeed("Noted."))]
      })
      const result = yield* fixture.session.prompt(userMessage("Note it."))
      assert.deepStrictEqual([result.reason, result.text], ["finished", "Done."])
      assert.isAtLeast(result.compaction.count, 1)
    }))

  it.scoped("[A05] [A17] too many for one summary request are summarized in parts, in one compaction", () =>
    Effect.gen(function*() {
      const parts = (asked: TestModel.Asked) => JSON.stringify(asked.prompt.entries).includes("one part of a longer")
      const fixture = yield* start({
        answer: noting(1, 40_000),
        limits: narrow,
        tools: [tool("note", () => Effect.succeed("Noted."))]
      })
      const result = yield* fixture.session.prompt(userMessage(`Note it. ${"Please. ".repeat(1_500)}`))
      assert.strictEqual(result.reason, "finished")
      assert.deepStrictEqual(
        fixture.story().filter((tag) => tag.startsWith("AutoCompaction")),
        ["AutoCompactionStarted", "AutoCompactionApplied"]
      )
      const summaries = fixture.asked.filter(isSummaryRequest)
      assert.isAbove(summaries.filter(parts).length, 0)
      assert.strictEqual(result.compaction.usage.output, 100 * summaries.length)
    }))
})
