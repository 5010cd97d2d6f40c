import { assert, describe, it } from "@effect/vitest"
import { userMessage } from "@weir/model/Conversation"
import type { Limits } from "@weir/model/Model"
import { ContextWindowExceeded, type ModelError, ModelUnavailable, OutputLimitExceeded } from "@weir/model/ModelError"
import { ModelEvent } from "@weir/model/ModelEvent"
import * as TestModel from "@weir/model/TestModel"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Random from "effect/Random"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import { type Fixture, isSummaryRequest, limits, start, summary, tool, usage } from "./fixture.js"

const task = userMessage("Fix all of it.")

const exceeded = (fields: { readonly limit?: number; readonly input?: number } = {}) =>
  new ContextWindowExceeded({ provider: "test", model: "test-model", detail: "too long", kind: "tokens", ...fields })

/** About 1,000 tokens. */
const look = () =>
  tool("look", (_, call) => Effect.succeed(`output-${call} ${"The quick brown fox jumps. ".repeat(160)}`))

const said = (text: string) => Stream.make(ModelEvent.TextDelta({ text }))

const answerSummary = TestModel.reply({ text: summary, usage: usage(900, 100) })

const inJson = (value: unknown) => JSON.stringify(value)

/** Calls `look` until `calls` calls are made, then answers; `refuse` sees each turn request before that. */
const refusing = (
  calls: number,
  refuse: (asked: TestModel.Asked, turnRequest: number) => TestModel.Answer | undefined,
  summarize: (asked: TestModel.Asked) => TestModel.Answer = () => answerSummary
) => {
  let made = 0
  let turnRequests = 0
  return (asked: TestModel.Asked): TestModel.Answer => {
    if (isSummaryRequest(asked)) return summarize(asked)
    const refused = refuse(asked, turnRequests++)
    if (refused) return refused
    return made < calls
      ? TestModel.reply({ calls: [["look", "{}"]], id: `call-${made++}` })
      : TestModel.reply({ text: "Done." })
  }
}

/** Far larger than anything asked here, but for what the provider says. */
const large = limits({ window: 200_000 })

const tags = (fixture: Fixture) =>
  fixture.story().filter((tag) => tag.startsWith("AutoCompaction") || tag === "Rewound")

const summaries = (fixture: Fixture) => fixture.asked.filter(isSummaryRequest)

const refusedAt = (request: number, answer: TestModel.Answer) => (_: TestModel.Asked, turnRequest: number) =>
  turnRequest === request ? answer : undefined

describe("the provider refuses a request as too large", () => {
  it.scoped("[A06] what was shown is rewound, history is compacted, and the request goes out once more", () =>
    Effect.gen(function*() {
      const fixture = yield* start({
        limits: large,
        tools: [look()],
        answer: refusing(6, refusedAt(5, Stream.concat(said("Half"), Stream.fail(exceeded()))))
      })
      const result = yield* fixture.session.prompt(task)
      yield* Effect.yieldNow()
      assert.strictEqual(result.text, "Done.")
      assert.deepStrictEqual(tags(fixture), ["Rewound", "AutoCompactionStarted", "AutoCompactionApplied"])
      const started = fixture.events.find((event) => event._tag === "AutoCompactionStarted")
      assert.strictEqual(started?.reason, "context-error")
      assert.strictEqual(result.compaction.count, 1)
    }))

  it.scoped("[A06] before a turn's first step too, all is replaced by one message, although a tail would fit", () =>
    Effect.gen(function*() {
      const fixture = yield* start({
        limits: large,
        tools: [look()],
        answer: refusing(0, refusedAt(3, Stream.fail(exceeded())))
      })
      for (const number of [1, 2, 3, 4]) {
        const result = yield* fixture.session.prompt(userMessage(`Question ${number}. ${"Well, ".repeat(400)}`))
        assert.strictEqual(result.reason, "finished")
      }
      const last = fixture.turns().at(-1)?.prompt.entries ?? []
      assert.strictEqual(last.length, 1)
      assert.include(inJson(last), "Question 4.")
    }))

  it.scoped("[A07] a second refusal after recovery ends the turn; nothing is sent unchanged, nothing is lost", () =>
    Effect.gen(function*() {
      const fixture = yield* start({
        limits: large,
        tools: [look()],
        answer: refusing(6, (_, request) => request >= 5 ? Stream.fail(exceeded()) : undefined)
      })
      const result = yield* fixture.session.prompt(task)
      assert.strictEqual(result.reason, "context_limit")
      assert.strictEqual(result.error?._tag, "ContextWindowExceeded")
      assert.isAtMost(fixture.turns().length, 8)
      const sent = fixture.turns().slice(5).map(({ options, prompt }) => inJson([prompt, options]))
      assert.strictEqual(new Set(sent).size, sent.length)
      assert.strictEqual(result.steps, 5)
    }))

  it.scoped("[A07] then for its output limit, twice: what one refusal has used up no other gives back", () =>
    Effect.gen(function*() {
      const outputRefused = (limit: number) =>
        Stream.fail(new OutputLimitExceeded({ provider: "test", model: "test-model", detail: "", limit }))
      const refusals = new Map<number, Stream.Stream<never, ModelError>>([
        [5, Stream.fail(exceeded({ limit: 100_000 }))],
        [6, outputRefused(4_000)],
        [7, outputRefused(2_000)]
      ])
      const fixture = yield* start({
        limits: large,
        tools: [look()],
        answer: refusing(6, (_, request) => refusals.get(request))
      })
      const result = yield* fixture.session.prompt(task)
      assert.strictEqual(result.error?._tag, "OutputLimitExceeded")
      assert.deepStrictEqual(fixture.turns().slice(5).map(({ options }) => options.maxOutputTokens), [
        8_192,
        8_192,
        4_000
      ])
    }))

  it.scoped("[A08] uses none of the retries and none of their time", () =>
    Effect.gen(function*() {
      const times: Array<number> = []
      const clocked = (answer: TestModel.Answer): TestModel.Answer =>
        Stream.unwrap(Effect.map(Clock.currentTimeMillis, (now) => {
          times.push(now)
          return answer
        }))
      const overloaded = new ModelUnavailable({ provider: "test", model: "m", detail: "", reason: "overloaded" })
      const answers = [exceeded(), overloaded, overloaded, overloaded]
      const fixture = yield* start({
        limits: large,
        tools: [look()],
        answer: refusing(3, (_, request) => {
          const error = answers[request - 3]
          return request >= 3 ? clocked(error ? Stream.fail(error) : TestModel.reply({ text: "Done." })) : undefined
        })
      })
      const turn = yield* Effect.fork(fixture.session.prompt(task))
      yield* TestClock.adjust("1 hour")
      assert.strictEqual((yield* Fiber.join(turn)).text, "Done.")
      assert.deepStrictEqual(times, [0, 0, 1_000, 3_000, 7_000])
    }).pipe(Effect.withRandom(Random.fixed([1]))))

  it.scoped("the limit it names is learned, told to the transcript, and used by the next session", () =>
    Effect.gen(function*() {
      const fixture = yield* start({
        limits: large,
        tools: [look()],
        answer: refusing(20, refusedAt(9, Stream.fail(exceeded({ limit: 12_000, input: 12_500 }))))
      })
      const result = yield* fixture.session.prompt(task)
      assert.strictEqual(result.text, "Done.")
      assert.isAtLeast(result.compaction.count, 2)
      const learned = fixture.records.filter((record) => record._tag === "LimitLearned")
      assert.deepStrictEqual(learned.map(({ limit }) => limit), [{ window: 12_000, guessed: false }])
      const counted = fixture.records.filter((record) => record._tag === "InputCounted")
      assert.deepStrictEqual(counted.map(({ tokens }) => tokens), [12_500])
      const after = fixture.turns().slice(10)
      assert.isTrue(after.every(({ options }) => options.maxOutputTokens === 4_000))
      const again = yield* start({ limits: large, answer: refusing(0, () => undefined), opened: fixture.records })
      yield* again.session.prompt(userMessage("And now?"))
      assert.strictEqual(again.asked.at(-1)?.options.maxOutputTokens, 4_000)
    }))

  it.scoped("a limit it does not name is guessed below what was refused, and raised by what is accepted", () =>
    Effect.gen(function*() {
      const fixture = yield* start({
        limits: large,
        tools: [look()],
        answer: refusing(20, refusedAt(9, Stream.fail(exceeded())))
      })
      yield* fixture.session.prompt(task)
      const [learned] = fixture.records.filter((record) => record._tag === "LimitLearned")
      assert.isTrue(learned?.limit.guessed)
      const again = yield* start({
        limits: large,
        opened: fixture.records,
        answer: () => TestModel.reply({ text: "Yes.", usage: usage(50_000) })
      })
      yield* again.session.prompt(userMessage("And now?"))
      const raised = again.records.findLast((record) => record._tag === "LimitLearned")
      assert.deepStrictEqual(raised?.limit, { window: 50_010, guessed: true })
    }))

  it.scoped("[A21] its forced compaction cancelled: the turn ends and says what to do; nothing is sent again", () =>
    Effect.gen(function*() {
      const fixture = yield* start({
        limits: large,
        tools: [look()],
        answer: refusing(6, refusedAt(5, Stream.fail(exceeded())), () => TestModel.after("1 hour", answerSummary))
      })
      const turn = yield* Effect.fork(fixture.session.prompt(task))
      yield* TestClock.adjust("1 minute")
      yield* fixture.session.escape
      const result = yield* Fiber.join(turn)
      yield* Effect.yieldNow()
      assert.strictEqual(result.reason, "context_limit")
      assert.include(result.error?.message, "start a new session")
      assert.strictEqual(fixture.turns().length, 6)
      assert.deepStrictEqual(tags(fixture), ["AutoCompactionStarted", "AutoCompactionCancelled"])
    }))

  it.scoped("[A21] its forced compaction failed: a pruned copy goes out once, or the turn ends", () =>
    Effect.gen(function*() {
      const empty = () => TestModel.reply({ text: "" })
      const refuse = refusedAt(9, Stream.fail(exceeded({ limit: 12_000 })))
      const fixture = yield* start({ limits: large, tools: [look()], answer: refusing(9, refuse, empty) })
      const result = yield* fixture.session.prompt(task)
      assert.strictEqual(result.text, "Done.")
      const [refused, sent] = fixture.turns().slice(9)
      assert.isBelow(inJson(sent?.prompt).length, inJson(refused?.prompt).length)
      assert.deepStrictEqual(sent?.prompt.entries[0], task)
    }))

  it.scoped("[A24] switched off: no summary is asked for, on either path; the error ends the turn", () =>
    Effect.gen(function*() {
      const off = { autoCompact: false }
      const refused = yield* start({
        limits: large,
        settings: off,
        tools: [look()],
        answer: refusing(6, refusedAt(5, Stream.fail(exceeded())))
      })
      assert.strictEqual((yield* refused.session.prompt(task)).reason, "context_limit")
      const full = yield* start({
        limits: limits({ window: 9_000 }),
        settings: { ...off, tools: [look()] },
        answer: refusing(12, () => undefined)
      })
      yield* full.session.prompt(task)
      assert.deepStrictEqual([...summaries(refused), ...summaries(full)], [])
    }))
})

describe("the window is full without a word", () => {
  it.scoped("a stop for length with nothing said is a refusal", () =>
    Effect.gen(function*() {
      const full = Stream.make(ModelEvent.Finished({ stop: "length", usage: usage(199_500, 1) }))
      const fixture = yield* start({ limits: large, tools: [look()], answer: refusing(6, refusedAt(5, full)) })
      const result = yield* fixture.session.prompt(task)
      assert.strictEqual(result.text, "Done.")
      assert.strictEqual(result.compaction.count, 1)
    }))

  it.scoped("a complete reply is kept, and the next boundary compacts", () =>
    Effect.gen(function*() {
      const full = TestModel.reply({ text: "Still here.", calls: [["look", "{}"]], id: "full", usage: usage(210_000) })
      const fixture = yield* start({ limits: large, tools: [look()], answer: refusing(6, refusedAt(5, full)) })
      const result = yield* fixture.session.prompt(task)
      assert.strictEqual(result.text, "Still here.\n\nDone.")
      const story = fixture.story()
      assert.notInclude(story, "Rewound")
      assert.strictEqual(result.compaction.count, 1)
    }))
})

describe("no room by our own count", () => {
  /** One step brings more than the budget holds. */
  const flooding = (window: number, parts: number, summarize?: () => TestModel.Answer) => {
    const tight: Limits = limits({ window })
    let made = 0
    return {
      limits: tight,
      tools: [look()],
      answer: (asked: TestModel.Asked) =>
        isSummaryRequest(asked)
          ? summarize?.() ?? answerSummary
          : made++ === 0
          ? TestModel.reply({ calls: Array.from({ length: parts }, () => ["look", "{}"] as const) })
          : TestModel.reply({ text: "Done." })
    }
  }

  it.scoped("[A05] a message that fills the window ends the turn with the size of each part", () =>
    Effect.gen(function*() {
      const fixture = yield* start({ limits: limits({ window: 8_192 }), answer: () => TestModel.reply({ text: "?" }) })
      const result = yield* fixture.session.prompt(userMessage("word ".repeat(9_000)))
      assert.strictEqual(result.reason, "context_limit")
      assert.match(
        result.error?.message ?? "",
        /system prompt takes \d+ tokens, the tool definitions \d+, your message \d+\. Shorten the message/
      )
      assert.strictEqual(fixture.asked.length, 0)
      assert.deepStrictEqual(tags(fixture), [])
    }))

  it.scoped("[A05] no summary is asked for that could not help: the error names what is too large, and what to do", () =>
    Effect.gen(function*() {
      const described = tool("look", () => Effect.succeed("Seen."))
      const fixture = yield* start({
        limits: limits({ window: 8_192 }),
        answer: () => TestModel.reply({ text: "?" }),
        tools: [{ ...described, spec: { ...described.spec, description: "word ".repeat(5_000) } }],
        settings: { systemPrompt: "rule ".repeat(2_000) }
      })
      const result = yield* fixture.session.prompt(userMessage("Short."))
      assert.strictEqual(result.reason, "context_limit")
      assert.strictEqual(fixture.asked.length, 0)
      const { error } = result
      const parts = error?._tag === "ContextWindowExceeded" ? error.parts : undefined
      assert.isTrue(parts && parts.system > 2_000 && parts.system < 3_000)
      assert.isTrue(parts && parts.tools > 5_000 && parts.tools < 6_000)
      assert.isTrue(parts && parts.user < 20)
      assert.include(error?.message ?? "", "Choose a model with a larger window")
    }))

  it.scoped("an assumed window never ends a turn", () =>
    Effect.gen(function*() {
      const fixture = yield* start({
        limits: limits({ window: 8_192, source: "assumed" }),
        answer: () => TestModel.reply({ text: "Fine." })
      })
      assert.strictEqual((yield* fixture.session.prompt(userMessage("word ".repeat(9_000)))).text, "Fine.")
    }))

  it.scoped("[A05] one step over the budget is compacted, and where that fails a pruned copy goes out", () =>
    Effect.gen(function*() {
      const compacted = yield* start(flooding(9_000, 8))
      assert.strictEqual((yield* compacted.session.prompt(task)).compaction.count, 1)
      const pruned = yield* start(flooding(9_000, 8, () => TestModel.reply({ text: "" })))
      const result = yield* pruned.session.prompt(task)
      assert.strictEqual(result.text, "Done.")
      assert.strictEqual(result.compaction.count, 0)
    }))
})

describe("a summarizer that does not help", () => {
  it.scoped("refused as too large: its input is at most halved each time, until it fits", () =>
    Effect.gen(function*() {
      const size = (asked: TestModel.Asked) => inJson(asked.prompt).length
      const fixture = yield* start({
        limits: limits({ window: 16_384 }),
        tools: [look()],
        answer: refusing(
          8,
          () => undefined,
          (asked) => size(asked) > 12_000 ? Stream.fail(exceeded()) : answerSummary
        )
      })
      const result = yield* fixture.session.prompt(task)
      assert.strictEqual(result.text, "Done.")
      assert.strictEqual(result.compaction.count, 1)
      const sizes = summaries(fixture).map(size)
      assert.isAtLeast(sizes.length, 2)
      for (const [index, next] of sizes.slice(1).entries()) assert.isAtMost(next, 0.6 * (sizes[index] ?? 0))
    }))

  it.scoped(
    "always empty or always far too long: at most 4 requests, then the turn goes on without",
    () =>
      Effect.gen(function*() {
        for (const useless of ["", "word ".repeat(32_000)]) {
          const fixture = yield* start({
            limits: limits({ window: 16_384 }),
            tools: [look()],
            answer: refusing(30, () => undefined, () => TestModel.reply({ text: useless }))
          })
          const result = yield* fixture.session.prompt(task)
          assert.strictEqual(result.text, "Done.")
          assert.isAtMost(summaries(fixture).length, 4)
          assert.deepStrictEqual(fixture.turns().at(-1)?.prompt.entries[0], task)
        }
      }),
    30_000
  )

  it.scoped("dead: at most 30 seconds of waiting in all", () =>
    Effect.gen(function*() {
      const down = new ModelUnavailable({ provider: "test", model: "m", detail: "", reason: "overloaded" })
      const fixture = yield* start({
        limits: limits({ window: 16_384 }),
        tools: [look()],
        answer: refusing(30, () => undefined, () => Stream.fail(down))
      })
      const turn = yield* Effect.fork(fixture.session.prompt(task))
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual((yield* Fiber.join(turn)).text, "Done.")
      const waited = fixture.events.reduce(
        (sum, event) => event._tag === "RetryScheduled" ? sum + event.delayMillis : sum,
        0
      )
      assert.isAbove(waited, 0)
      assert.isAtMost(waited, 30_000)
    }))
})
