import { assert, describe, it } from "@effect/vitest"
import { userMessage } from "@weir/model/Conversation"
import { ModelUnavailable } from "@weir/model/ModelError"
import { ModelEvent } from "@weir/model/ModelEvent"
import * as TestModel from "@weir/model/TestModel"
import * as Usage from "@weir/model/Usage"
import type { Record } from "@weir/session/Record"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import { type Fixture, isSummaryRequest, limits, start, summary, tool, usage } from "./fixture.js"

const words = "The quick brown fox jumps over the lazy dog. "

const answerSummary = TestModel.reply({ text: summary, usage: usage(900, 100) })

/** Calls `look` as often as the user message says, then answers. */
const agent =
  (summarize: () => TestModel.Answer = () => answerSummary) => (asked: TestModel.Asked): TestModel.Answer => {
    if (isSummaryRequest(asked)) return summarize()
    const steps = asked.prompt.entries.toReversed().findIndex((entry) => entry._tag === "UserMessage")
    const user = asked.prompt.entries.at(-1 - steps)
    const wanted = user?._tag === "UserMessage" ? Number(/look (\d+) times/.exec(user.text)?.[1] ?? 0) : 0
    return steps < wanted
      ? TestModel.reply({ calls: [["look", "{}"]], id: `call-${asked.prompt.entries.length}` })
      : TestModel.reply({ text: "Done." })
  }

/** A tool whose outputs take a while and about 1,000 tokens. */
const look = (seconds = 0) =>
  tool("look", (_, call) => Effect.as(Effect.sleep(`${seconds} seconds`), `output-${call}\n${words.repeat(100)}`))

const roomy = limits({ window: 200_000 })

const told = (fixture: Fixture) => fixture.story().filter((tag) => tag.startsWith("ManualCompaction"))

const applied = (fixture: Fixture) =>
  fixture.records.filter((record): record is Extract<Record, { _tag: "CompactionApplied" }> =>
    record._tag === "CompactionApplied"
  )

describe("manual compaction", () => {
  it.scoped("[B08] folds a history of one giant turn, far below any trigger, and says what it did", () =>
    Effect.gen(function*() {
      const fixture = yield* start({ limits: roomy, tools: [look()], answer: agent() })
      yield* fixture.session.prompt(userMessage("look 8 times"))
      const end = yield* fixture.session.compact("the parser")
      yield* Effect.yieldNow()
      assert.strictEqual(end._tag, "Compacted")
      if (end._tag !== "Compacted") return
      assert.isBelow(end.after, end.before / 4)
      assert.deepInclude(end, { reason: "asked", phase: "between-turns", strategy: "isolated", usage: usage(900, 100) })
      assert.deepStrictEqual(told(fixture), ["ManualCompactionStarted", "ManualCompactionFinished"])
      const asked = fixture.asked.find(isSummaryRequest)
      const [message] = asked?.prompt.entries ?? []
      assert.include(message?._tag === "UserMessage" ? message.text : "", "The user asks to focus on: the parser")

      yield* fixture.session.prompt(userMessage("And now?"))
      const next = fixture.turns().at(-1)?.prompt.entries ?? []
      const [wrapper] = next
      assert.include(wrapper?._tag === "UserMessage" ? wrapper.text : "", "was compacted to fit")
      assert.isBelow(next.length, 5)
    }))

  it.scoped("its record carries the account and the line that was shown", () =>
    Effect.gen(function*() {
      const fixture = yield* start({
        limits: roomy,
        tools: [look()],
        answer: agent(() => TestModel.after("90 seconds", answerSummary))
      })
      yield* fixture.session.prompt(userMessage("look 8 times"))
      const compaction = yield* Effect.fork(fixture.session.compact())
      yield* TestClock.adjust("2 minutes")
      const end = yield* Fiber.join(compaction)
      const [record] = applied(fixture)
      assert.strictEqual(record?.millis, 90_000)
      assert.strictEqual(record?.checkpoint.kind, "manual")
      assert.match(record?.status ?? "", /^Compacted [\d,]+ to [\d,]+ tokens\.$/)
      assert.strictEqual(end._tag === "Compacted" ? end.millis : 0, 90_000)
    }))

  it.scoped("the summary is shown as it arrives; a second one says that it replaces the first", () =>
    Effect.gen(function*() {
      let asked = 0
      const cut = Stream.concat(
        Stream.make(ModelEvent.TextDelta({ text: "half " })),
        Stream.fail(new ModelUnavailable({ provider: "p", model: "m", detail: "", reason: "interrupted" }))
      )
      const pieces = Stream.concat(
        Stream.fromIterable([summary.slice(0, 40), summary.slice(40)].map((text) => ModelEvent.TextDelta({ text }))),
        Stream.make(ModelEvent.Finished({ stop: "end" }))
      )
      const fixture = yield* start({
        limits: roomy,
        tools: [look()],
        answer: agent(() => asked++ === 0 ? cut : pieces)
      })
      yield* fixture.session.prompt(userMessage("look 8 times"))
      const compaction = yield* Effect.fork(fixture.session.compact())
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual((yield* Fiber.join(compaction))._tag, "Compacted")
      let shown = ""
      for (const event of fixture.events) {
        if (event._tag === "ManualSummaryDelta") shown = event.isFirst ? event.text : shown + event.text
      }
      assert.strictEqual(shown, summary)
    }))

  it.scoped("without a history nothing is asked and nothing begins: unchanged", () =>
    Effect.gen(function*() {
      const fixture = yield* start({ answer: agent() })
      assert.deepStrictEqual(yield* fixture.session.compact(), {
        _tag: "Unchanged",
        because: "nothing-to-compact",
        usage: Usage.zero
      })
      yield* Effect.yieldNow()
      assert.deepStrictEqual(told(fixture), ["ManualCompactionFinished"])
      assert.strictEqual(fixture.asked.length, 0)
    }))

  it.scoped("a bad summary: failed, with its cost; the conversation is as it was", () =>
    Effect.gen(function*() {
      const fixture = yield* start({
        limits: roomy,
        tools: [look()],
        answer: agent(() => TestModel.reply({ text: "", usage: usage(7) }))
      })
      yield* fixture.session.prompt(userMessage("look 3 times"))
      const end = yield* fixture.session.compact()
      assert.strictEqual(end._tag === "Failed" ? end.error._tag : end._tag, "EmptySummary")
      assert.strictEqual(end._tag === "Failed" ? end.usage.fresh : 0, 14)
      const failed = fixture.records.find((record) => record._tag === "CompactionFailed")
      assert.strictEqual(failed?.usage.fresh, 14)
      yield* fixture.session.prompt(userMessage("And now?"))
      assert.strictEqual(fixture.turns().at(-1)?.prompt.entries.length, 6)
    }))

  it.scoped("while a turn runs it waits for the turn's next boundary, and the turn goes on with the summary", () =>
    Effect.gen(function*() {
      const fixture = yield* start({ limits: roomy, tools: [look(60)], answer: agent() })
      const turn = yield* Effect.fork(fixture.session.prompt(userMessage("look 4 times")))
      yield* TestClock.adjust("90 seconds")
      const compaction = yield* Effect.fork(fixture.session.compact())
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(told(fixture), [])
      yield* TestClock.adjust("30 seconds")
      const end = yield* Fiber.join(compaction)
      assert.strictEqual(end._tag === "Compacted" ? end.phase : end._tag, "in-turn")
      assert.notInclude(fixture.story(), "TurnFinished")
      const story = fixture.story()
      assert.strictEqual(story[story.indexOf("ManualCompactionStarted") - 1], "ToolCallFinished")
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual((yield* Fiber.join(turn)).text, "Done.")
      const [first] = fixture.turns().at(-1)?.prompt.entries ?? []
      assert.match(
        first?._tag === "UserMessage" ? first.text : "",
        /was compacted to fit[^]*look 4 times\n<\/last_user_message>$/
      )
    }))

  it.scoped("one at a time: a second one waits for the first", () =>
    Effect.gen(function*() {
      const fixture = yield* start({
        limits: roomy,
        tools: [look()],
        answer: agent(() => TestModel.after("1 minute", answerSummary))
      })
      yield* fixture.session.prompt(userMessage("look 5 times"))
      const both = yield* Effect.fork(Effect.all([fixture.session.compact(), fixture.session.compact()], {
        concurrency: "unbounded"
      }))
      yield* TestClock.adjust("30 seconds")
      assert.deepStrictEqual(told(fixture), ["ManualCompactionStarted"])
      yield* TestClock.adjust("10 minutes")
      const [first] = yield* Fiber.join(both)
      assert.strictEqual(first._tag, "Compacted")
      const story = told(fixture)
      assert.deepStrictEqual(story.slice(0, 2), ["ManualCompactionStarted", "ManualCompactionFinished"])
    }))

  it.scoped("Esc cancels it alone; what failed to count stays uncounted", () =>
    Effect.gen(function*() {
      const fixture = yield* start({
        limits: roomy,
        tools: [look(60)],
        answer: agent(() => TestModel.after("1 hour", answerSummary))
      })
      const turn = yield* Effect.fork(fixture.session.prompt(userMessage("look 2 times")))
      yield* TestClock.adjust("30 seconds")
      const compaction = yield* Effect.fork(fixture.session.compact())
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(told(fixture), ["ManualCompactionStarted"])
      yield* fixture.session.escape
      assert.deepStrictEqual(yield* Fiber.join(compaction), {
        _tag: "Unchanged",
        because: "cancelled",
        usage: Usage.zero
      })
      yield* TestClock.adjust("5 minutes")
      assert.strictEqual((yield* Fiber.join(turn)).text, "Done.")
      assert.deepStrictEqual(told(fixture), ["ManualCompactionStarted", "ManualCompactionFinished"])
      assert.isFalse(fixture.records.some((record) => record._tag === "CompactionFailed"))
    }))

  it.scoped("[A20] cancelled where an automatic one is due, none follows it at that boundary", () =>
    Effect.gen(function*() {
      const fixture = yield* start({
        limits: limits({ window: 14_336 }),
        tools: [look(60)],
        answer: agent(() => TestModel.after("1 hour", answerSummary))
      })
      const turn = yield* Effect.fork(fixture.session.prompt(userMessage("look 6 times")))
      yield* TestClock.adjust("330 seconds")
      const compaction = yield* Effect.fork(fixture.session.compact())
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(fixture.asked.filter(isSummaryRequest).length, 1)
      yield* fixture.session.escape
      yield* Fiber.join(compaction)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* Fiber.join(turn)).text, "Done.")
      assert.isFalse(fixture.story().includes("AutoCompactionStarted"))
    }))

  it.scoped("between turns Ctrl+C cancels it as well", () =>
    Effect.gen(function*() {
      const fixture = yield* start({
        limits: roomy,
        tools: [look()],
        answer: agent(() => TestModel.after("1 hour", answerSummary))
      })
      yield* fixture.session.prompt(userMessage("look 5 times"))
      const compaction = yield* Effect.fork(fixture.session.compact())
      yield* TestClock.adjust("1 minute")
      yield* fixture.session.interrupt
      assert.deepStrictEqual(yield* Fiber.join(compaction), {
        _tag: "Unchanged",
        because: "cancelled",
        usage: Usage.zero
      })
      assert.strictEqual((yield* fixture.session.prompt(userMessage("And now?"))).text, "Done.")
    }))

  it.scoped("interrupting the caller cancels it, whether it runs or waits", () =>
    Effect.gen(function*() {
      const released: Array<string> = []
      const slow = Stream.unwrapScoped(Effect.as(
        Effect.addFinalizer(() => Effect.sync(() => void released.push("summary"))),
        TestModel.after("1 hour", answerSummary)
      ))
      const fixture = yield* start({ limits: roomy, tools: [look(60)], answer: agent(() => slow) })
      const turn = yield* Effect.fork(fixture.session.prompt(userMessage("look 2 times")))
      yield* TestClock.adjust("30 seconds")
      const waits = yield* Effect.fork(fixture.session.compact())
      yield* TestClock.adjust("1 second")
      yield* Fiber.interrupt(waits)
      yield* TestClock.adjust("5 minutes")
      assert.strictEqual((yield* Fiber.join(turn)).text, "Done.")
      assert.deepStrictEqual(told(fixture), [])
      const runs = yield* Effect.fork(fixture.session.compact())
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(told(fixture), ["ManualCompactionStarted"])
      yield* Fiber.interrupt(runs)
      assert.deepStrictEqual(released, ["summary"])
      yield* Effect.yieldNow()
      assert.deepStrictEqual(told(fixture), ["ManualCompactionStarted", "ManualCompactionFinished"])
    }))

  it.scoped("interrupting the turn ends the one inside it; its caller is told, and what it has cost", () =>
    Effect.gen(function*() {
      let asks = 0
      const faulty = TestModel.reply({ text: "", usage: usage(900, 100) })
      const fixture = yield* start({
        limits: roomy,
        tools: [look(60)],
        answer: agent(() => asks++ === 0 ? faulty : TestModel.after("1 hour", answerSummary))
      })
      const turn = yield* Effect.fork(fixture.session.prompt(userMessage("look 2 times")))
      yield* TestClock.adjust("30 seconds")
      const compaction = yield* Effect.fork(fixture.session.compact())
      yield* TestClock.adjust("1 minute")
      yield* fixture.session.interrupt
      const end = { _tag: "Unchanged", because: "cancelled", usage: usage(900, 100) } as const
      assert.deepStrictEqual(yield* Fiber.join(compaction), end)
      assert.strictEqual((yield* Fiber.join(turn)).reason, "interrupted")
      const ends = fixture.events.flatMap((event) => event._tag === "ManualCompactionFinished" ? [event.end] : [])
      assert.deepStrictEqual(ends, [end])
    }))

  it.effect("closing the session leaves nobody waiting", () =>
    Effect.gen(function*() {
      const compaction = yield* Effect.scoped(Effect.gen(function*() {
        const fixture = yield* start({
          limits: roomy,
          tools: [look()],
          answer: agent(() => TestModel.after("1 hour", answerSummary))
        })
        yield* fixture.session.prompt(userMessage("look 5 times"))
        const both = yield* Effect.forkDaemon(
          Effect.all([fixture.session.compact(), fixture.session.compact()], { concurrency: "unbounded" })
        )
        yield* TestClock.adjust("1 minute")
        return both
      }))
      const cancelled = { _tag: "Unchanged", because: "cancelled", usage: Usage.zero } as const
      assert.deepStrictEqual(yield* Fiber.join(compaction), [cancelled, cancelled])
    }))

  it.scoped("works with automatic compaction off, and closes an open breaker", () =>
    Effect.gen(function*() {
      const fixture = yield* start({
        limits: roomy,
        tools: [look()],
        answer: agent(),
        settings: { autoCompact: false }
      })
      yield* fixture.session.prompt(userMessage("look 5 times"))
      assert.strictEqual((yield* fixture.session.compact())._tag, "Compacted")
    }))

  it.scoped("after several, one wrapper and the earlier summary given as such", () =>
    Effect.gen(function*() {
      const fixture = yield* start({ limits: roomy, tools: [look()], answer: agent() })
      for (let count = 0; count < 3; count++) {
        yield* fixture.session.prompt(userMessage("look 3 times"))
        assert.strictEqual((yield* fixture.session.compact())._tag, "Compacted")
      }
      yield* fixture.session.prompt(userMessage("And now?"))
      const next = fixture.turns().at(-1)?.prompt.entries ?? []
      const text = next.flatMap((entry) => entry._tag === "UserMessage" ? [entry.text] : []).join("\n")
      assert.strictEqual(text.split("<compacted_context>").length, 2)
      const last = fixture.asked.filter(isSummaryRequest).at(-1)?.prompt.entries[0]
      assert.include(last?._tag === "UserMessage" ? last.text : "", "<previous_summary>")
    }))
})
