import { assert, describe, it } from "@effect/vitest"
import * as Budget from "@weir/compaction/Budget"
import * as Checkpoint from "@weir/compaction/Checkpoint"
import * as Compaction from "@weir/compaction/Compaction"
import * as Estimate from "@weir/compaction/Estimate"
import * as HistoryText from "@weir/compaction/HistoryText"
import type { Plan } from "@weir/compaction/Plan"
import * as Projection from "@weir/compaction/Projection"
import * as SummaryRequest from "@weir/compaction/SummaryRequest"
import * as TokenScan from "@weir/compaction/TokenScan"
import type { Step } from "@weir/model/Conversation"
import { ContextWindowExceeded, InvalidRequest } from "@weir/model/ModelError"
import * as TestModel from "@weir/model/TestModel"
import * as Usage from "@weir/model/Usage"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as Stream from "effect/Stream"
import { budgetOf, checkpoint, exchange, limits, many, said, step, summary, turn, weights, words } from "./Samples.js"

const prompt = { system: "AGENT", tools: [] }
const usage = { ...Usage.zero, fresh: 1_000, output: 10 }

const messageOf = (asked: TestModel.Asked | undefined) => {
  const entry = asked?.prompt.entries[0]
  return entry?._tag === "UserMessage" ? entry.text : ""
}

const isPart = (asked: TestModel.Asked) => messageOf(asked).includes("It is one part of a longer history")

const size = (asked: TestModel.Asked) => TokenScan.count(asked.prompt.system) + TokenScan.count(messageOf(asked))

/** A model that refuses more than `accepts` tokens, and says of each part what `part` says. */
const modelOf = (options: {
  readonly window: number
  readonly accepts?: number
  readonly part?: (index: number) => TestModel.Answer
  readonly whole?: (index: number) => TestModel.Answer
}) => {
  const finish = (text: string) => TestModel.reply({ text, usage })
  return TestModel.make(limits(options.window), (asked, index) => {
    if (size(asked) > (options.accepts ?? Infinity)) {
      return Stream.fail(
        new ContextWindowExceeded({ provider: "test", model: "m", detail: "too long", kind: "tokens" })
      )
    }
    return isPart(asked)
      ? options.part?.(index) ?? finish(`Part ${index}: ${words(100)}`)
      : options.whole?.(index) ?? finish(`${summary}\n${words(150)}`)
  })
}

const run = (
  { asked, model }: TestModel.TestModel,
  projection: Projection.Projection,
  options: Partial<Compaction.CompactionRequest> & { readonly multiplier?: number } = {}
) =>
  Effect.gen(function*() {
    const request: Compaction.CompactionRequest = {
      model,
      prompt,
      projection,
      budget: budgetOf(model.limits.window),
      estimate: Estimate.start({ ...prompt, entries: Projection.entries(projection) }, weights, options.multiplier),
      place: "in-turn",
      strategy: "auto",
      sessionId: "session",
      checkpointId: Checkpoint.CheckpointId.make("c1"),
      mayAskAgain: true,
      retry: (effect) => effect,
      ...options
    }
    const result = yield* Effect.either(Compaction.make.compact(request))
    return { asked, plan: Either.getOrThrow(Compaction.planOf(request)), request, result }
  })

/** Steps whose calls take room, where leaving out outputs does not help. */
const verbose = (steps: number, tokens: number): ReadonlyArray<Step> =>
  Array.from({ length: steps }, (_, index) => step(exchange("note", "Noted.", { args: `«${index}» ${words(tokens)}` })))

/** What a part may hold at the least, and the calls that follow from it. Sizes in tokens. */
const mostCalls = (covered: number, limit: number) => 4 * Math.ceil(covered / Math.floor(3 * (limit - 1_100) / 4)) + 4

const coveredOf = (plan: Plan, budget: Budget.Budget) =>
  HistoryText.weight(SummaryRequest.reduction({ plan, budget, estimate: { multiplier: 1_000 } }).rest)

describe("A history too long for one request", () => {
  it.effect("is summarized part by part, oldest first, and merged; the cost is that of all requests", () =>
    Effect.gen(function*() {
      const seen: Array<string> = []
      const projection = { turns: [turn("t", "Task", verbose(12, 3_000))] }
      const { asked, result } = yield* run(modelOf({ window: 16_384 }), projection, {
        focus: "",
        onText: (text) => Effect.sync(() => void seen.push(text))
      })
      const made = yield* result
      assert.deepStrictEqual(asked.map(isPart), [true, true, true, false])
      const merged = messageOf(asked.slice(-1)[0])
      const parts = [0, 1, 2].map((part) => merged.indexOf(`<part_summary>\nPart ${part}: `))
      assert.isAbove(parts[0] ?? -1, 0)
      assert.deepStrictEqual([...parts].sort((one, other) => one - other), parts)
      assert.isAbove(merged.indexOf("note «11» word"), parts[2] ?? 0)
      assert.strictEqual(made.checkpoint.summary, `${summary}\n${words(150)}`.trim())
      assert.strictEqual(seen.join("").trim(), made.checkpoint.summary)
      assert.deepStrictEqual(made.usage, asked.map(() => usage).reduce(Usage.add, Usage.zero))
    }))

  it.effect("asks of every part no more than a quarter of what a request may hold", () =>
    Effect.gen(function*() {
      const window = 16_384
      const model = modelOf({ part: () => TestModel.reply({ text: words(60_000), usage }), window })
      const { asked, request, result } = yield* run(model, { turns: [turn("t", "Task", verbose(12, 3_000))] })
      assert.isTrue(Either.isRight(result))
      for (const one of asked.filter(isPart)) {
        assert.isAtMost(4 * one.options.maxOutputTokens, request.budget.summaryInput)
      }
      // Much longer answers keep head and tail: the last request holds what remains of them.
      assert.isAtMost(asked.length, mostCalls(36_500, request.budget.summaryInput))
      assert.match(messageOf(asked.slice(-1)[0]), /<part_summary>\nword word .*\n\[\d+ characters left out\]\n/)
    }))

  it.effect("gives the last request the summary before, and only that one", () =>
    Effect.gen(function*() {
      const running = turn("t", "Task", verbose(12, 3_000))
      const before = checkpoint({ summary: `${summary}\n- The first half.`, task: running.id })
      const { asked } = yield* run(modelOf({ window: 16_384 }), { checkpoint: before, turns: [running] })
      const whether = asked.map((one) => messageOf(one).includes(`<previous_summary>\n${before.summary}\n</prev`))
      assert.deepStrictEqual(whether, [false, false, false, true])
    }))

  it.effect("keeps results that nobody will see again, while older ones are left out", () =>
    Effect.gen(function*() {
      const newest = step(exchange("look", `UNREAD ${words(5_000)}`))
      const older = step(exchange("look", `OLD ${words(2_000)}`))
      const projection = { turns: [turn("t", "Task", [older, ...verbose(6, 3_000), newest])] }
      const { asked, plan, result } = yield* run(modelOf({ window: 16_384 }), projection)
      assert.isTrue(Either.isRight(result))
      assert.isFalse(plan.checkpoint.unread)
      const all = asked.map(messageOf).join("")
      assert.include(all, "UNREAD word word")
      assert.notInclude(all, "OLD word")
      assert.include(all, "tokens left out to fit the context window")
    }))

  it.effect.each(
    [["a call's argument", verbose(1, 60_000)], ["a text", [said(`«0» ${words(60_000)} THE END`)]]] as const
  )(
    "%s longer than any request keeps head and tail",
    ([, steps]) =>
      Effect.gen(function*() {
        const { asked, request, result } = yield* run(modelOf({ window: 32_768 }), {
          turns: [turn("t", "Task", steps)]
        })
        assert.isTrue(Either.isRight(result))
        const all = asked.map(messageOf).join("")
        assert.match(all, /«0» word [^]*\n\[\d+ characters left out\]\n[^]*word/)
        for (const one of asked) assert.isAtMost(size(one), request.budget.summaryInput)
      })
  )

  it.effect("[A16] a part's summary that is none is asked for once more; then the compaction fails", () =>
    Effect.gen(function*() {
      const projection = { turns: [turn("t", "Task", verbose(12, 3_000))] }
      const blank = (...at: ReadonlyArray<number>) =>
        modelOf({
          part: (index) => TestModel.reply({ text: at.includes(index) ? " " : `Part ${index}: ${words(50)}`, usage }),
          window: 16_384
        })
      const good = yield* run(blank(1), projection)
      assert.isTrue((yield* good.result).askedAgain)
      assert.include(messageOf(good.asked[2]), "could not be used: it was empty")
      assert.notInclude(messageOf(good.asked[3]), "could not be used")
      const bad = yield* run(blank(1, 2), projection)
      const error = Either.getOrThrow(Either.flip(bad.result))
      assert.strictEqual(error._tag, "EmptySummary")
      assert.deepStrictEqual("usage" in error && error.usage.fresh, 3_000)
      const again = yield* run(blank(1), projection, { mayAskAgain: false })
      assert.strictEqual(Either.getOrThrow(Either.flip(again.result))._tag, "EmptySummary")
      assert.strictEqual(again.asked.length, 2)
    }))

  it.effect("[A16] a faulty merged summary is asked for once more, without its parts", () =>
    Effect.gen(function*() {
      const whole = (index: number) => TestModel.reply({ text: index < 4 ? "" : `${summary}\n${words(150)}`, usage })
      const { asked, result } = yield* run(modelOf({ whole, window: 16_384 }), {
        turns: [turn("t", "Task", verbose(12, 3_000))]
      })
      assert.isTrue(Either.isRight(result))
      assert.deepStrictEqual(asked.map(isPart), [true, true, true, false, false])
      assert.include(messageOf(asked[4]), "could not be used: it was empty")
    }))

  it.effect("a failure tells what the parts before it have cost", () =>
    Effect.gen(function*() {
      const error = new InvalidRequest({ detail: "", model: "m", provider: "test" })
      const { result } = yield* run(modelOf({ whole: () => Stream.fail(error), window: 16_384 }), {
        turns: [turn("t", "Task", verbose(12, 3_000))]
      })
      const failed = Either.getOrThrow(Either.flip(result))
      assert.isTrue(failed._tag === "SummarizerFailed" && failed.error._tag === "InvalidRequest")
      assert.strictEqual("usage" in failed && failed.usage.fresh, 3_000)
    }))

  it.effect("a request that leaves no room for history is not made", () =>
    Effect.gen(function*() {
      const budget = Budget.of({ ...limits(32_768), maxInput: 4_600 })
      const projection = { turns: [turn("t", "Task", verbose(2, 3_000))] }
      const { asked, result } = yield* run(modelOf({ window: 32_768 }), projection, { budget })
      const error = Either.getOrThrow(Either.flip(result))
      assert.isTrue(error._tag === "SummarizerFailed" && error.error._tag === "ContextWindowExceeded")
      assert.deepStrictEqual(asked, [])
    }))
})

/** Of what a character weighs much, so that short texts are long ones; and of the rest. */
const fillers = ["漢字かな", "🎉", "堰是横跨河流的低坝。", "word ", "{\"a\": 1}, ", "</history>", " ".repeat(4)]

/** Up to five steps, sizes in characters, each part marked where it begins. */
const anyHistory = FastCheck.array(
  FastCheck.record({
    args: FastCheck.integer({ min: 0, max: 900 }),
    giant: FastCheck.integer({ min: 0, max: 20 }).map((dice) => dice === 0 ? 7_000 : 0),
    filler: FastCheck.constantFrom(...fillers),
    output: FastCheck.integer({ min: 0, max: 900 }),
    text: FastCheck.integer({ min: 0, max: 150 })
  }),
  { maxLength: 5, minLength: 1 }
).map((steps) =>
  steps.map(({ args, filler, giant, output, text }, index) => {
    const fill = (size: number) => filler.repeat(Math.ceil(size / filler.length))
    return step(
      { _tag: "Text", text: `«t${index}» ${fill(text)}` },
      exchange("note", `«o${index}» ${fill(output)}`, { args: `«a${index}» ${fill(args + giant)}` })
    )
  })
)

const marks = (steps: ReadonlyArray<Step>) => steps.flatMap((_, index) => [`«t${index}»`, `«a${index}»`])

const isUnread = ({ checkpoint, unread }: Plan) => unread !== undefined && !checkpoint.unread

describe("Whatever the history", () => {
  const anyAnswer = FastCheck.integer({ min: 1, max: 600 })
  const some = { ...many, fastCheck: { numRuns: 300 } }

  it.prop(
    "at any window a compaction ends within the stated number of requests, each within its limit, and nothing is left out unsaid",
    [
      anyHistory,
      FastCheck.integer({ min: 8_192, max: 24_000 }),
      anyAnswer,
      FastCheck.integer({ min: 700, max: 2_000 })
    ],
    ([steps, window, answer, multiplier]) =>
      Effect.runSync(Effect.gen(function*() {
        const model = modelOf({ part: () => TestModel.reply({ text: "fact ".repeat(answer), usage }), window })
        const { asked, plan, request, result } = yield* run(model, { turns: [turn("t", "Task", steps)] }, {
          multiplier
        })
        if (Either.isLeft(result)) assert.strictEqual(result.left._tag, "NoProgress")
        const { budget, estimate } = request
        const limit = Estimate.scannable(estimate, budget.summaryInput)
        assert.isAtMost(asked.length, mostCalls(coveredOf(plan, budget), limit))
        for (const one of asked) {
          assert.isAtMost(size(one), limit)
          assert.isAtMost(one.options.maxOutputTokens, budget.caps.summaryOutput)
        }
        const all = asked.map(messageOf).join("\n")
        for (const mark of marks(steps)) assert.include(all, mark)
        if (isUnread(plan) && asked.length > 1) assert.include(all, `«o${steps.length - 1}»`)
      })),
    some
  )

  it.prop(
    "after refusals the next requests hold at most half of the refused, and it ends all the same",
    [anyHistory, FastCheck.integer({ min: 12_000, max: 40_000 }), FastCheck.integer({ min: 5_000, max: 12_000 })],
    ([steps, window, accepts]) =>
      Effect.runSync(Effect.gen(function*() {
        const { asked, plan, request, result } = yield* run(modelOf({ accepts, window }), {
          turns: [turn("t", "Task", steps)]
        })
        if (Either.isLeft(result)) assert.strictEqual(result.left._tag, "NoProgress")
        assert.isAtMost(
          asked.length,
          mostCalls(coveredOf(plan, request.budget), Math.min(request.budget.summaryInput, Math.floor(accepts / 2)))
        )
        const sizes = asked.map(size)
        for (const [index, refused] of sizes.entries()) {
          if (refused <= accepts) continue
          for (const later of sizes.slice(index + 1)) assert.isAtMost(2 * later, refused + 100)
        }
        const accepted = asked.filter((one) => size(one) <= accepts).map(messageOf).join("\n")
        for (const mark of marks(steps)) assert.include(accepted, mark)
      })),
    some
  )

  it.prop(
    "a model that refuses everything is asked a few times, less each time",
    [anyHistory, FastCheck.integer({ min: 8_192, max: 200_000 })],
    ([steps, window]) =>
      Effect.runSync(Effect.gen(function*() {
        const { asked, result } = yield* run(modelOf({ accepts: 0, window }), { turns: [turn("t", "Task", steps)] })
        assert.isTrue(Either.isLeft(result))
        assert.isAtMost(asked.length, Math.ceil(Math.log2(window)) - 8)
      })),
    some
  )
})
