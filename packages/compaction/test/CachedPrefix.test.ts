import { assert, describe, it } from "@effect/vitest"
import * as Checkpoint from "@weir/compaction/Checkpoint"
import * as Compaction from "@weir/compaction/Compaction"
import * as Estimate from "@weir/compaction/Estimate"
import type { Place } from "@weir/compaction/Plan"
import * as Projection from "@weir/compaction/Projection"
import type { Step, Turn } from "@weir/model/Conversation"
import { ContextWindowExceeded, InvalidRequest } from "@weir/model/ModelError"
import * as TestModel from "@weir/model/TestModel"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import {
  anyTurns,
  budgetOf,
  checkpoint,
  exchange,
  limits,
  many,
  said,
  step,
  summary,
  turn,
  weights,
  words
} from "./Samples.js"

const prompt = { system: "AGENT", tools: [{ name: "bash", description: "runs", parameters: {} }] }

const good = TestModel.reply({ text: `${summary}\n- ${words(200)}` })

const turns = [
  turn("t0", "Earlier wish", [said("Done.")]),
  turn("t1", "Task", Array.from({ length: 5 }, (_, index) => step(exchange("bash", `${index} ${words(2_500)}`))))
]

const run = (answers: ReadonlyArray<TestModel.Answer>, options: {
  readonly projection?: Projection.Projection
  readonly place?: Place
  readonly strategy?: Compaction.CompactionRequest["strategy"]
  readonly cachesPrompts?: boolean
  readonly window?: number
  readonly outputCap?: number
} = {}) =>
  Effect.gen(function*() {
    const { cachesPrompts = true, place = "in-turn", projection = { turns }, strategy = "auto", window = 32_768 } =
      options
    const { outputCap = 8_192 } = options
    const { asked, model } = TestModel.make(limits(window, outputCap), (_, index) => answers[index] ?? good, {
      cachesPrompts
    })
    const result = yield* Effect.either(Compaction.make.compact({
      model,
      prompt,
      projection,
      budget: budgetOf(window, outputCap),
      estimate: Estimate.start({ ...prompt, entries: Projection.entries(projection) }, weights),
      place,
      strategy,
      sessionId: "session",
      checkpointId: Checkpoint.CheckpointId.make("c1"),
      mayAskAgain: true,
      retry: (effect) => effect
    }))
    return { asked, result }
  })

/** Of which the last two stay. Few characters that weigh much. */
const newest = [
  turn("a", "«a»", [said("堰".repeat(12_000))]),
  turn("b", "«b»", [said("堰".repeat(12_000))]),
  turn("c", "«c»")
]

const isCached = ({ prompt }: TestModel.Asked) => prompt.tools.length > 0

const lastText = ({ prompt }: TestModel.Asked) => {
  const last = prompt.entries.at(-1)
  return last?._tag === "UserMessage" ? last.text : ""
}

const strategyOf = (self: Either.Either<Compaction.CompactionResult, unknown>) => Either.getOrThrow(self).strategy

describe("A summary asked for behind the cached conversation", () => {
  it.effect("is asked for apart from it where the provider rejects the conversation itself", () =>
    Effect.gen(function*() {
      const rejected = Stream.fail(new InvalidRequest({ detail: "", model: "m", provider: "test" }))
      const { asked, result } = yield* run([rejected])
      assert.strictEqual(strategyOf(result), "isolated")
      assert.deepStrictEqual(asked.map(isCached), [true, false])
      const twice = yield* run([rejected, rejected])
      assert.isTrue(Either.isLeft(twice.result))
      assert.lengthOf(twice.asked, 2)
    }))

  it.effect("is the conversation's own request with one message more", () =>
    Effect.gen(function*() {
      const { asked, result } = yield* run([])
      assert.strictEqual(strategyOf(result), "cached-prefix")
      const [only] = asked
      assert.deepStrictEqual(only?.prompt, {
        ...prompt,
        entries: [...Projection.entries({ turns }), ...only?.prompt.entries.slice(-1) ?? []]
      })
      assert.include(only ? lastText(only) : "", "call no tools")
    }))

  it.effect("lets a model that reasons write as much as in a turn, where there is room", () =>
    Effect.gen(function*() {
      const asked = (window: number, ...parts: Step["parts"]) => {
        const pondered = [...turns, turn("t2", "And then", [step(...parts, exchange("bash", "ok"))])]
        return Effect.map(
          run([], { projection: { turns: pondered }, outputCap: 64_000, window }),
          ({ asked }) => asked.filter(isCached)
        )
      }
      const outputsOf = (asked: ReadonlyArray<TestModel.Asked>) => asked.map(({ options }) => options.maxOutputTokens)
      const budget = budgetOf(200_000, 64_000)
      const thought = { _tag: "Reasoning", text: "Hm." } as const
      assert.isAbove(budget.outputReserve, 2 * budget.caps.summaryOutput)
      assert.deepStrictEqual(outputsOf(yield* asked(200_000)), [budget.caps.summaryOutput])
      assert.deepStrictEqual(outputsOf(yield* asked(200_000, thought)), [budget.outputReserve])
      for (const window of [20_000, 24_000, 32_768, 50_000, 100_000]) {
        for (const { options, prompt } of yield* asked(window, thought)) {
          assert.isAtMost(Estimate.current(Estimate.start(prompt, weights)) + options.maxOutputTokens, window)
        }
      }
    }))

  it.effect("says that a summary before it counts", () =>
    Effect.gen(function*() {
      const { asked } = yield* run([], { projection: { checkpoint: checkpoint(), turns } })
      assert.include(asked.map(lastText).join(""), "<compacted_context> stands for what came before the history")
    }))

  it.effect("is the default where the provider caches, and only there", () =>
    Effect.gen(function*() {
      assert.strictEqual(strategyOf((yield* run([], { cachesPrompts: false })).result), "isolated")
      assert.strictEqual(
        strategyOf((yield* run([], { cachesPrompts: false, strategy: "cached-prefix" })).result),
        "cached-prefix"
      )
      assert.strictEqual(strategyOf((yield* run([], { strategy: "isolated" })).result), "isolated")
    }))

  it.effect("is isolated where the conversation leaves no room", () =>
    Effect.gen(function*() {
      const { asked, result } = yield* run([], { window: 16_384 })
      assert.strictEqual(strategyOf(result), "isolated")
      assert.isFalse(asked.some(isCached))
    }))

  it.effect.each(
    [
      ["a tool call", TestModel.reply({ calls: [["bash", "{\"command\":\"rm -rf /\"}"]] })],
      ["nothing", TestModel.reply({ text: "" })]
    ] as const
  )("[A16] that yields %s is asked for once more, isolated", ([, faulty]) =>
    Effect.gen(function*() {
      const { asked, result } = yield* run([faulty])
      assert.strictEqual(strategyOf(result), "isolated")
      assert.deepStrictEqual(asked.map(isCached), [true, false])
    }))

  it.effect("that is refused as too large is isolated, and at most half as long", () =>
    Effect.gen(function*() {
      const refused = Stream.fail(
        new ContextWindowExceeded({ provider: "test", model: "m", detail: "", kind: "tokens" })
      )
      const { asked, result } = yield* run([refused])
      assert.strictEqual(strategyOf(result), "isolated")
      assert.deepStrictEqual(asked.map(isCached), [true, false])
      assert.isBelow(asked.map(lastText)[1]?.length ?? 0, 5 * 12_700 / 2)
    }))

  it.prop(
    "before a turn holds what is covered, and nothing of what stays",
    [anyTurns],
    ([some]) =>
      Effect.runSync(Effect.gen(function*() {
        const stamped = some.map((one, index): Turn => ({
          ...one,
          user: { ...one.user, text: `«${index}» ${one.user.text}` }
        }))
        const all = [...stamped, ...newest]
        const { asked } = yield* run([], { place: "turn-boundary", projection: { turns: all }, window: 200_000 })
        const [only] = asked
        const users = only?.prompt.entries.slice(0, -1).flatMap((entry) =>
          entry._tag === "UserMessage" ? [entry.text.split(" ")[0]] : []
        )
        assert.deepStrictEqual(users, [...stamped.map((_, index) => `«${index}»`), "«a»"])
      })),
    many
  )
})
