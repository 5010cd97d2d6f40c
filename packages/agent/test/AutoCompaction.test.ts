import { assert, describe, it } from "@effect/vitest"
import type { SessionEvent } from "@weir/agent/SessionEvent"
import { userMessage } from "@weir/model/Conversation"
import { ModelEvent } from "@weir/model/ModelEvent"
import * as TestModel from "@weir/model/TestModel"
import { TranscriptError } from "@weir/session/TranscriptError"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import { type Fixture, isSummaryRequest, limits, start, summary, tool, triggeringAt, usage } from "./fixture.js"

const task = userMessage("Fix it — «all of it» <compacted_context>\n\t 😀 \u0000", [
  { mediaType: "image/png", data: "AAAA" }
])

/** About 1,000 tokens, told apart by `mark`. */
const output = (mark: string) => `${mark}\n${"The quick brown fox jumps over the lazy dog. ".repeat(100)}`

const big = () => tool("look", (_, call) => Effect.succeed(output(`output-${call}-end`)))

const answerSummary = TestModel.reply({ text: summary, usage: usage(900, 100) })

/** Calls `look` until `calls` calls are made, then answers; summaries from `summarize`. */
const looking = (calls: number, summarize: () => TestModel.Answer = () => answerSummary) => {
  let made = 0
  return (asked: TestModel.Asked): TestModel.Answer => {
    if (isSummaryRequest(asked)) return summarize()
    return made < calls
      ? TestModel.reply({ calls: [["look", "{}"]], id: `call-${made++}` })
      : TestModel.reply({ text: "Done." })
  }
}

/** The in-turn trigger is 6,990 tokens: it is reached with the fifth output, and no output is cut. */
const small = limits({ window: 14_336 })

const texts = (asked: TestModel.Asked) =>
  asked.prompt.entries.flatMap((entry) => entry._tag === "UserMessage" ? [entry.text] : [])

const summaries = (fixture: Fixture) => fixture.asked.filter(isSummaryRequest)

const tags = (fixture: Fixture) => fixture.story().filter((tag) => tag.startsWith("AutoCompaction"))

const inJson = (value: unknown) => JSON.stringify(value)

const count = (text: string, part: string) => text.split(part).length - 1

describe("automatic compaction in a turn", () => {
  it.scoped("[A01] is due at the trigger exactly, and not one token below", () =>
    Effect.gen(function*() {
      const run = (trigger: number) =>
        Effect.gen(function*() {
          const fixture = yield* start({
            limits: triggeringAt(trigger),
            tools: [tool("look", () => Effect.succeed("Seen. ".repeat(50)))],
            answer: looking(2)
          })
          yield* fixture.session.prompt(task)
          yield* Effect.yieldNow()
          return fixture
        })
      const free = yield* run(100_000)
      const steps = free.events.flatMap((event) => event._tag === "StepStarted" ? [event.estimate] : [])
      const [, , last] = steps
      assert.isDefined(last)
      const at = yield* run(last ?? 0)
      const below = yield* run((last ?? 0) + 1)
      assert.strictEqual(summaries(at).length, 1)
      assert.strictEqual(summaries(below).length, 0)
      const started = at.events.find((event) => event._tag === "AutoCompactionStarted")
      assert.strictEqual(started?.estimate, last)
    }))

  it.scoped("[A02] the output limit that is reserved is the one that is sent", () =>
    Effect.gen(function*() {
      const fixture = yield* start({ limits: small, answer: looking(0) })
      yield* fixture.session.prompt(task)
      assert.strictEqual(fixture.asked[0]?.options.maxOutputTokens, Math.floor(14_336 / 3))
    }))

  it.scoped("[A03] [A10] begins only after every result of the step is there, and reads them all", () =>
    Effect.gen(function*() {
      const slow = tool("slow", () => Effect.as(Effect.sleep("1 minute"), output("slow-output-end")))
      const fixture = yield* start({
        limits: small,
        tools: [big(), slow],
        answer: (asked, index) =>
          isSummaryRequest(asked)
            ? answerSummary
            : index === 0
            ? TestModel.reply({ calls: [["slow", "{}"], ...Array.from({ length: 4 }, () => ["look", "{}"] as const)] })
            : TestModel.reply({ text: "Done." })
      })
      const turn = yield* Effect.fork(fixture.session.prompt(task))
      yield* TestClock.adjust("59 seconds")
      assert.notInclude(fixture.story(), "AutoCompactionStarted")
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* Fiber.join(turn)).text, "Done.")
      const story = fixture.story()
      assert.isBelow(story.lastIndexOf("ToolCallFinished"), story.indexOf("AutoCompactionStarted"))
      const [asked] = summaries(fixture)
      const read = asked ? texts(asked).join() : ""
      for (const mark of ["slow-output-end", "output-0-end", "output-1-end", "output-3-end"]) assert.include(read, mark)
    }))

  it.scoped("[A04] compares the unreduced request", () =>
    Effect.gen(function*() {
      const fixture = yield* start({ limits: small, tools: [big()], answer: looking(6) })
      yield* fixture.session.prompt(task)
      const started = fixture.events.find((event) => event._tag === "AutoCompactionStarted")
      const [first] = summaries(fixture)
      const at = fixture.asked.findIndex((asked) => asked === first)
      const before = fixture.asked[at - 1]
      // The estimate is larger than the last request by the results that came since: nothing was taken away.
      const sent = fixture.events.flatMap((event) => event._tag === "StepStarted" ? [event.estimate] : [])
      assert.isDefined(before)
      assert.isAbove(started?.estimate ?? 0, (sent[at - 1] ?? 0) + 1_000)
    }))

  it.scoped("[A11] [A12] [A09] after k compactions: one wrapper, the original task byte for byte, one summary", () =>
    Effect.gen(function*() {
      const fixture = yield* start({ limits: small, tools: [big()], answer: looking(20) })
      const result = yield* fixture.session.prompt(task)
      assert.strictEqual(result.text, "Done.")
      assert.isAtLeast(result.compaction.count, 3)
      for (const asked of fixture.turns()) {
        const [first, ...rest] = asked.prompt.entries
        assert.isTrue(first?._tag === "UserMessage")
        if (first?._tag !== "UserMessage") return
        assert.isTrue(rest.every((entry) => entry._tag === "Step"))
        assert.isTrue(first.text === task.text || first.text.endsWith(`\n\n${task.text}\n</last_user_message>`))
        assert.deepStrictEqual(first.images, task.images)
        // The user's own words hold the tag once more than the wrapper does.
        assert.isAtMost(count(first.text, "<compacted_context>"), 2)
        assert.isAtMost(count(first.text, "## Goal"), 1)
        assert.strictEqual(asked.prompt.system, "You are an agent.")
      }
    }))

  it.scoped("[A14] the request for the summary: same session, no tools, not the agent's system prompt", () =>
    Effect.gen(function*() {
      const fixture = yield* start({ limits: small, tools: [big()], answer: looking(8) })
      yield* fixture.session.prompt(task)
      assert.isAtLeast(summaries(fixture).length, 1)
      for (const asked of summaries(fixture)) {
        assert.deepStrictEqual(asked.prompt.tools, [])
        assert.strictEqual(asked.options.sessionId, "session-1")
        assert.notInclude(asked.prompt.system, "You are an agent.")
        assert.strictEqual(asked.prompt.entries.length, 1)
      }
    }))

  it.scoped("[A15] nothing of the summary is told, not even its reasoning", () =>
    Effect.gen(function*() {
      const talk = Stream.concat(
        Stream.make(ModelEvent.ReasoningDelta({ text: "secret thought" })),
        answerSummary
      )
      const fixture = yield* start({ limits: small, tools: [big()], answer: looking(8, () => talk) })
      const result = yield* fixture.session.prompt(task)
      yield* Effect.yieldNow()
      assert.isAtLeast(result.compaction.count, 1)
      const told = inJson(fixture.events)
      assert.notInclude(told, "The first half works")
      assert.notInclude(told, "secret thought")
      assert.notInclude(result.text, "Goal")
    }))

  it.scoped("[A16] an empty summary changes nothing, is told, and the turn goes on", () =>
    Effect.gen(function*() {
      const nothing = TestModel.reply({ text: "  \n", usage: usage(5) })
      const fixture = yield* start({ limits: small, tools: [big()], answer: looking(5, () => nothing) })
      const result = yield* fixture.session.prompt(task)
      assert.strictEqual(result.text, "Done.")
      assert.strictEqual(result.compaction.count, 0)
      assert.strictEqual(result.compaction.usage.fresh, 5 * summaries(fixture).length)
      const failed = fixture.events.find((event) => event._tag === "AutoCompactionFailed")
      assert.strictEqual(failed?.error._tag, "EmptySummary")
      const last = fixture.turns().at(-1)
      assert.deepStrictEqual(last?.prompt.entries[0], task)
      assert.strictEqual(last?.prompt.entries.length, 6)
    }))

  it.scoped("[A17] Started, then exactly one end; usage is counted apart", () =>
    Effect.gen(function*() {
      const fixture = yield* start({ limits: small, tools: [big()], answer: looking(12) })
      const result = yield* fixture.session.prompt(task)
      yield* Effect.yieldNow()
      const expected = Array.from({ length: result.compaction.count }, () => [
        "AutoCompactionStarted",
        "AutoCompactionApplied"
      ]).flat()
      assert.deepStrictEqual(tags(fixture), expected)
      assert.strictEqual(result.compaction.usage.fresh, 900 * result.compaction.count)
      assert.strictEqual(result.usage.fresh, 0)
      for (const event of fixture.events) {
        if (event._tag !== "AutoCompactionApplied") continue
        assert.isBelow(event.after, event.before)
        assert.isAbove(event.coverage.steps, 0)
      }
    }))

  it.scoped("[A23] no tool output is copied into a checkpoint or a second record", () =>
    Effect.gen(function*() {
      const fixture = yield* start({ limits: small, tools: [big()], answer: looking(10) })
      yield* fixture.session.prompt(task)
      const written = inJson(fixture.records)
      for (let call = 0; call < 10; call++) assert.strictEqual(count(written, `output-${call}-end`), 1)
      assert.isTrue(fixture.records.some((record) => record._tag === "CompactionApplied"))
    }))

  it.scoped("[E01] a failed append is a failed compaction: memory is as before", () =>
    Effect.gen(function*() {
      const full = new TranscriptError({ reason: "write", subject: "s", detail: "ENOSPC" })
      const fixture = yield* start({
        limits: small,
        tools: [big()],
        answer: looking(5),
        onAppend: ([record]) => record._tag === "CompactionApplied" ? Effect.fail(full) : Effect.void
      })
      const result = yield* fixture.session.prompt(task)
      assert.strictEqual(result.text, "Done.")
      assert.deepStrictEqual(tags(fixture), ["AutoCompactionStarted", "AutoCompactionFailed"])
      assert.deepStrictEqual(fixture.turns().at(-1)?.prompt.entries[0], task)
    }))

  it.scoped("[E04] a resumed session sends what the live one would have sent", () =>
    Effect.gen(function*() {
      const fixture = yield* start({ limits: small, tools: [big()], answer: looking(10) })
      yield* fixture.session.prompt(task)
      const again = yield* start({
        limits: small,
        tools: [big()],
        answer: looking(0),
        opened: fixture.records
      })
      yield* fixture.session.prompt(userMessage("And now?"))
      yield* again.session.prompt(userMessage("And now?"))
      assert.deepStrictEqual(
        again.turns().at(-1)?.prompt.entries,
        fixture.turns().at(-1)?.prompt.entries
      )
    }))
})

describe("cancelling and interrupting", () => {
  const slow = (released: Array<string> = []) =>
    Stream.unwrapScoped(
      Effect.as(
        Effect.addFinalizer(() => Effect.sync(() => void released.push("summary released"))),
        TestModel.after("1 hour", answerSummary)
      )
    )

  it.scoped("[A18] Esc cancels the compaction alone; the unchanged request goes out once", () =>
    Effect.gen(function*() {
      const fixture = yield* start({ limits: small, tools: [big()], answer: looking(5, slow) })
      const turn = yield* Effect.fork(fixture.session.prompt(task))
      yield* TestClock.adjust("30 minutes")
      assert.deepStrictEqual(tags(fixture), ["AutoCompactionStarted"])
      const before = fixture.turns().length
      yield* fixture.session.escape
      const result = yield* Fiber.join(turn)
      yield* Effect.yieldNow()
      assert.strictEqual(result.text, "Done.")
      assert.deepStrictEqual(tags(fixture), ["AutoCompactionStarted", "AutoCompactionCancelled"])
      assert.strictEqual(fixture.turns().length, before + 1)
      assert.deepStrictEqual(fixture.turns().at(-1)?.prompt.entries[0], task)
      assert.strictEqual(fixture.turns().at(-1)?.prompt.entries.length, 6)
    }))

  it.scoped("[A19] interrupting the turn interrupts the child first, and no end of the compaction is told", () =>
    Effect.gen(function*() {
      const order: Array<string> = []
      const fixture = yield* start({
        limits: small,
        tools: [big()],
        answer: looking(5, () => slow(order)),
        onEvent: (event) => Effect.sync(() => void (event._tag === "TurnFinished" && order.push("turn finished")))
      })
      const turn = yield* Effect.fork(fixture.session.prompt(task))
      yield* TestClock.adjust("30 minutes")
      yield* fixture.session.interrupt
      const result = yield* Fiber.join(turn)
      yield* Effect.yieldNow()
      assert.strictEqual(result.reason, "interrupted")
      assert.deepStrictEqual(tags(fixture), ["AutoCompactionStarted"])
      assert.deepStrictEqual(order, ["summary released", "turn finished"])
      yield* TestClock.adjust("2 hours")
      assert.strictEqual(fixture.story().at(-1), "TurnFinished")
    }))

  it.scoped("[A19] interrupting the caller of prompt cascades to the child", () =>
    Effect.gen(function*() {
      const order: Array<string> = []
      const fixture = yield* start({ limits: small, tools: [big()], answer: looking(5, () => slow(order)) })
      const turn = yield* Effect.fork(fixture.session.prompt(task))
      yield* TestClock.adjust("30 minutes")
      yield* Fiber.interrupt(turn)
      yield* Effect.yieldNow()
      assert.deepStrictEqual(order, ["summary released"])
      assert.strictEqual(fixture.story().at(-1), "TurnFinished")
      assert.notInclude(tags(fixture), "AutoCompactionCancelled")
    }))

  it.effect("[A19] closing the session interrupts turn and child, and only then ends the events", () =>
    Effect.gen(function*() {
      const order: Array<string> = []
      yield* Effect.scoped(Effect.gen(function*() {
        const fixture = yield* start({ limits: small, tools: [big()], answer: looking(5, () => slow(order)) })
        yield* Effect.forkScoped(fixture.session.prompt(task))
        yield* TestClock.adjust("30 minutes")
        assert.deepStrictEqual(tags(fixture), ["AutoCompactionStarted"])
      }))
      assert.deepStrictEqual(order, ["summary released"])
    }))

  it.scoped("[A20] after a cancel nothing is tried again until history advances", () =>
    Effect.gen(function*() {
      const fixture = yield* start({ limits: small, tools: [big()], answer: looking(6, slow) })
      const turn = yield* Effect.fork(fixture.session.prompt(task))
      yield* TestClock.adjust("1 minute")
      yield* fixture.session.escape
      yield* TestClock.adjust("1 minute")
      // The cancelled boundary sends its request; the step it brings is the advance.
      assert.deepStrictEqual(tags(fixture), [
        "AutoCompactionStarted",
        "AutoCompactionCancelled",
        "AutoCompactionStarted"
      ])
      assert.strictEqual(fixture.turns().length, 6)
      yield* TestClock.adjust("2 hours")
      assert.strictEqual((yield* Fiber.join(turn)).compaction.count, 1)
    }))

  it.scoped("[A20] three failures in a row open the breaker", () =>
    Effect.gen(function*() {
      const nothing = TestModel.reply({ text: "" })
      let calls = 0
      const fixture = yield* start({
        limits: small,
        tools: [],
        answer: (asked) => {
          if (isSummaryRequest(asked)) return nothing
          calls++
          return calls === 1
            ? TestModel.reply({ calls: Array.from({ length: 5 }, () => ["look", "{}"] as const) })
            : calls < 9
            ? TestModel.reply({ calls: [["look", "{}"]] })
            : TestModel.reply({ text: "Done." })
        },
        settings: {
          tools: [tool("look", (_, call) => Effect.succeed(call < 5 ? output("first") : "x"))]
        }
      })
      const result = yield* fixture.session.prompt(task)
      assert.strictEqual(result.text, "Done.")
      assert.strictEqual(tags(fixture).filter((tag) => tag === "AutoCompactionFailed").length, 3)
    }))

  it.scoped("[A22] a summary of 24 hours is waited for", () =>
    Effect.gen(function*() {
      const fixture = yield* start({
        limits: small,
        tools: [big()],
        answer: looking(5, () => TestModel.after("24 hours", answerSummary))
      })
      const turn = yield* Effect.fork(fixture.session.prompt(task))
      yield* TestClock.adjust("23 hours")
      assert.deepStrictEqual(tags(fixture), ["AutoCompactionStarted"])
      yield* TestClock.adjust("1 hour")
      assert.strictEqual((yield* Fiber.join(turn)).compaction.count, 1)
    }))

  it.scoped("Esc while the checkpoint is being written is swallowed", () =>
    Effect.gen(function*() {
      const fixture = yield* start({
        limits: small,
        tools: [big()],
        answer: looking(5),
        onAppend: ([record]) => record._tag === "CompactionApplied" ? Effect.sleep("1 minute") : Effect.void
      })
      const turn = yield* Effect.fork(fixture.session.prompt(task))
      yield* TestClock.adjust("30 seconds")
      assert.deepStrictEqual(tags(fixture), ["AutoCompactionStarted"])
      yield* fixture.session.escape
      yield* TestClock.adjust("1 minute")
      const result = yield* Fiber.join(turn)
      yield* Effect.yieldNow()
      assert.strictEqual(result.reason, "finished")
      assert.deepStrictEqual(tags(fixture), ["AutoCompactionStarted", "AutoCompactionApplied"])
    }))

  it.scoped("Esc without a compaction interrupts the turn; finished results are kept for the next one", () =>
    Effect.gen(function*() {
      const fixture = yield* start({
        tools: [
          tool("quick", () => Effect.succeed("quick result")),
          tool("hang", () => Effect.never)
        ],
        answer: (_, index) =>
          index === 0
            ? TestModel.reply({ text: "Trying.", calls: [["quick", "{}"], ["hang", "{}"]] })
            : TestModel.reply({ text: "Done." })
      })
      const turn = yield* Effect.fork(fixture.session.prompt(task))
      yield* TestClock.adjust("1 minute")
      yield* fixture.session.escape
      const result = yield* Fiber.join(turn)
      assert.strictEqual(result.reason, "interrupted")
      assert.strictEqual(result.text, "Trying.")
      yield* fixture.session.prompt(userMessage("Go on."))
      const step = fixture.asked[1]?.prompt.entries[1]
      assert.deepStrictEqual(
        step?._tag === "Step" && step.parts.flatMap((part) => part._tag === "Exchange" ? [part.result.text] : []),
        ["quick result", "interrupted by the user"]
      )
    }))

  it.scoped("Esc while nothing runs does nothing, and does not stick", () =>
    Effect.gen(function*() {
      const fixture = yield* start({ answer: looking(0) })
      yield* fixture.session.escape
      assert.strictEqual((yield* fixture.session.prompt(task)).reason, "finished")
    }))

  it.scoped(
    "every Started has one end, or the turn's; Applied means replaced: at any time of Esc and interruption",
    () =>
      Effect.gen(function*() {
        const minutes = (at: number) => TestClock.adjust(`${at} minutes`)
        for (const escapeAt of [0, 1, 3, 4]) {
          for (const interruptAt of [1, 3, 4]) {
            const fixture = yield* start({
              limits: small,
              tools: [big()],
              answer: looking(9, () => TestModel.after("3 minutes", answerSummary)),
              onAppend: ([record]) => record._tag === "CompactionApplied" ? Effect.sleep("1 minute") : Effect.void
            })
            const turn = yield* Effect.fork(fixture.session.prompt(task))
            yield* minutes(escapeAt)
            if (tags(fixture).length > 0) yield* fixture.session.escape
            yield* minutes(interruptAt)
            // It returns when the append that may be under way has ended.
            const interrupting = yield* Effect.fork(fixture.session.interrupt)
            yield* minutes(60)
            yield* Fiber.join(interrupting)
            yield* Fiber.join(turn)
            const told = tags(fixture)
            const ends = told.filter((tag) => tag !== "AutoCompactionStarted").length
            const begun = told.length - ends
            assert.isTrue(begun === ends || begun === ends + 1, told.join())
            assert.strictEqual(
              told.filter((tag) => tag === "AutoCompactionApplied").length,
              fixture.records.filter((record) => record._tag === "CompactionApplied").length
            )
            assert.strictEqual(fixture.events.at(-1)?._tag satisfies SessionEvent["_tag"] | undefined, "TurnFinished")
          }
        }
      }),
    60_000
  )
})
