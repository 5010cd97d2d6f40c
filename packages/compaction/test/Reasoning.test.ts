/** A model that reasons needs room for it beside the summary. */
import { assert, describe, it } from "@effect/vitest"
import * as Checkpoint from "@weir/compaction/Checkpoint"
import * as Compaction from "@weir/compaction/Compaction"
import * as Estimate from "@weir/compaction/Estimate"
import * as Projection from "@weir/compaction/Projection"
import type { Step } from "@weir/model/Conversation"
import { ModelEvent } from "@weir/model/ModelEvent"
import * as TestModel from "@weir/model/TestModel"
import type { Usage } from "@weir/model/Usage"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import { budgetOf, exchange, limits, step, summary, turn, weights, words } from "./Samples.js"

const prompt = { system: "You are an agent.", tools: [] }

const looked = step(exchange("look", words(1_000)))
const pondered: Step = step({ _tag: "Reasoning", text: "Hm." }, exchange("look", words(1_000)))

const usage = (output: number, reasoning: number): Usage => ({
  fresh: 9,
  cacheRead: 0,
  cacheWrite: 0,
  output,
  reasoning
})

const answer = (options: {
  readonly text: string
  readonly thought?: string
  readonly stop?: "end" | "length"
  readonly usage?: Usage
}): TestModel.Answer =>
  Stream.fromIterable([
    ...(options.thought === undefined ? [] : [ModelEvent.ReasoningDelta({ text: options.thought })]),
    ModelEvent.TextDelta({ text: options.text }),
    ModelEvent.Finished({ stop: options.stop ?? "end", ...(options.usage && { usage: options.usage }) })
  ])

const compact = (window: number, step: Step, answers: ReadonlyArray<TestModel.Answer>) =>
  Effect.gen(function*() {
    const { asked, model } = TestModel.make(limits(window), (_, index) => answers[index] ?? answer({ text: summary }))
    const projection: Projection.Projection = { turns: [turn("t1", "Task", Array.from({ length: 6 }, () => step))] }
    const result = yield* Effect.either(Compaction.make.compact({
      model,
      prompt,
      projection,
      budget: budgetOf(window),
      estimate: Estimate.start({ ...prompt, entries: Projection.entries(projection) }, weights),
      place: "in-turn",
      strategy: "isolated",
      sessionId: "session",
      checkpointId: Checkpoint.CheckpointId.make("c1"),
      mayAskAgain: true,
      retry: (effect) => effect
    }))
    return { asked, result, outputs: asked.map(({ options }) => options.maxOutputTokens) }
  })

describe("a model that reasons", () => {
  it.effect("is given room for it where the conversation shows that it does", () =>
    Effect.gen(function*() {
      const { caps } = budgetOf(16_384)
      assert.deepStrictEqual((yield* compact(16_384, looked, [])).outputs, [caps.summaryOutput])
      assert.deepStrictEqual((yield* compact(16_384, pondered, [])).outputs, [2 * caps.summaryOutput])
      const hidden: Step = { ...looked, usage: usage(500, 400) }
      assert.deepStrictEqual((yield* compact(16_384, hidden, [])).outputs, [2 * caps.summaryOutput])
    }))

  it.effect("is given it in the second request, where the first one shows that it does", () =>
    Effect.gen(function*() {
      const { caps } = budgetOf(16_384)
      const cut = answer({ text: "## Goal", thought: words(3_000), stop: "length" })
      const { outputs, result } = yield* compact(16_384, looked, [cut])
      assert.deepStrictEqual(outputs, [caps.summaryOutput, 2 * caps.summaryOutput])
      assert.isTrue(Either.isRight(result))
    }))

  it.effect("never makes input and output together larger than the window", () =>
    Effect.gen(function*() {
      for (const window of [8_192, 16_384, 32_768]) {
        const { asked } = yield* compact(window, pondered, [])
        for (const { options, prompt } of asked) {
          const input = Estimate.current(Estimate.start(prompt, weights))
          assert.isAtMost(input + options.maxOutputTokens, window)
        }
      }
    }))

  it.effect("is not blamed for a long summary when its thoughts were long", () =>
    Effect.gen(function*() {
      for (const counted of [usage(5_000, 4_700), usage(5_000, 0)]) {
        const thoughtful = answer({ text: summary, thought: words(4_000), usage: counted })
        const { outputs, result } = yield* compact(16_384, pondered, [thoughtful])
        assert.isTrue(Either.isRight(result))
        assert.strictEqual(outputs.length, 1)
      }
      const long = answer({ text: `${summary} ${words(5_000)}`, usage: usage(5_300, 0) })
      assert.strictEqual((yield* compact(16_384, pondered, [long])).outputs.length, 2)
    }))
})
