/** What happens before a turn's first request, for a program that uses the session as a library. */
import { assert, describe, it } from "@effect/vitest"
import * as Budget from "@weir/compaction/Budget"
import { exchanges, userMessage } from "@weir/model/Conversation"
import * as TestModel from "@weir/model/TestModel"
import * as Effect from "effect/Effect"
import { type Fixture, isSummaryRequest, limits, start, summary, tool, usage } from "./fixture.js"

const words = "The quick brown fox jumps over the lazy dog. "

const answerSummary = TestModel.reply({ text: summary, usage: usage(900, 100) })

/** Does what the newest user message says: `look N times`, or `say N` (that many sentences). */
const agent = (asked: TestModel.Asked): TestModel.Answer => {
  if (isSummaryRequest(asked)) return answerSummary
  const { entries } = asked.prompt
  const at = entries.findLastIndex((entry) => entry._tag === "UserMessage")
  const user = entries[at]
  const text = user?._tag === "UserMessage" ? user.text : ""
  const looks = Number(/look (\d+) times/.exec(text)?.[1] ?? 0)
  return entries.length - 1 - at < looks
    ? TestModel.reply({ calls: [["look", "{}"]], id: `call-${entries.length}` })
    : TestModel.reply({ text: words.repeat(Number(/say (\d+)/.exec(text)?.[1] ?? 1)) })
}

/** About 1,000 tokens. */
const look = tool("look", (_, call) => Effect.succeed(`output-${call}\n${words.repeat(100)}`))

/** The turn-boundary trigger is 16,384 tokens, the one between steps 18,432, the tail cap 8,192. */
const window = limits({ window: 32_768 })

const session = (settings?: Parameters<typeof start>[0]["settings"]) =>
  start({ limits: window, tools: [look], answer: agent, ...(settings && { settings }) })

const say = (fixture: Fixture, text: string) =>
  Effect.zipLeft(fixture.session.prompt(userMessage(text)), Effect.yieldNow())

const starts = (fixture: Fixture) =>
  fixture.events.flatMap((event) => event._tag === "AutoCompactionStarted" ? [[event.phase, event.reason]] : [])

const lastRequest = (fixture: Fixture) => fixture.turns().at(-1)?.prompt.entries ?? []

/** User messages of a request, the wrapper as `summary`. */
const users = (fixture: Fixture) =>
  lastRequest(fixture).flatMap((entry) =>
    entry._tag === "UserMessage" ? [entry.text.startsWith("<compacted_context>") ? "summary" : entry.text] : []
  )

const estimates = (fixture: Fixture) =>
  fixture.events.flatMap((event) => event._tag === "StepStarted" ? [event.estimate] : [])

describe("before a turn", () => {
  it.scoped(
    "[B01] [B02] on unless switched off; due at window − reserve exactly; nothing is asked",
    () =>
      Effect.gen(function*() {
        // The first turns take about 14,700 tokens; the last message takes what is left to the trigger, in single tokens.
        const upTo = (padding: number) =>
          Effect.gen(function*() {
            const fixture = yield* session()
            for (let turn = 0; turn < 4; turn++) yield* say(fixture, `${turn} look 3 times`)
            yield* say(fixture, "a".repeat(padding))
            return fixture
          })
        const { boundaryTrigger, inTurnTrigger } = Budget.of(window)
        const sizes = new Map<number, boolean>()
        for (const padding of [0, 4_000, 8_000]) {
          const fixture = yield* upTo(padding)
          const started = fixture.events.find((event) => event._tag === "AutoCompactionStarted")
          const size = started?.estimate ?? estimates(fixture).at(-1) ?? 0
          sizes.set(size, started !== undefined)
          const reason = size >= inTurnTrigger ? "in-turn-trigger" : "turn-boundary-trigger"
          if (started) assert.deepStrictEqual(starts(fixture), [["turn-boundary", reason]])
          assert.notInclude(fixture.story(), "PermissionAsked")
        }
        for (const [size, compacted] of sizes) assert.strictEqual(compacted, size >= boundaryTrigger, `${size}`)
        assert.deepStrictEqual(new Set(sizes.values()), new Set([false, true]))
      }),
    20_000
  )

  it.scoped("[B01] the off switch keeps all of it; an overflow is then a clear end", () =>
    Effect.gen(function*() {
      const fixture = yield* session({ autoCompact: false })
      for (let turn = 0; turn < 8; turn++) yield* say(fixture, `say 300`)
      const result = yield* say(fixture, `say 1`)
      assert.deepStrictEqual(starts(fixture), [])
      assert.strictEqual(fixture.asked.filter(isSummaryRequest).length, 0)
      assert.strictEqual(result.reason, "context_limit")
      assert.match(result.error?.message ?? "", /start a new session/)
    }))

  it.scoped("[B03] the session's own model summarizes, asked in the same session", () =>
    Effect.gen(function*() {
      const fixture = yield* session()
      for (let turn = 0; turn < 7; turn++) yield* say(fixture, `say 250`)
      const summaries = fixture.asked.filter(isSummaryRequest)
      assert.strictEqual(summaries.length, 1)
      assert.strictEqual(summaries[0]?.options.sessionId, "session-1")
      assert.include(users(fixture), "summary")
    }))

  it.scoped("[B04] the 3 newest turns stay whole; over the cap the oldest of them goes", () =>
    Effect.gen(function*() {
      const small = yield* session()
      for (const text of ["say 1400", "say 50", "say 51", "say 52", "now"]) yield* say(small, text)
      assert.deepStrictEqual(users(small), ["summary", "say 50", "say 51", "say 52", "now"])
      const large = yield* session()
      for (const text of ["say 600", "say 300", "say 301", "say 302", "now"]) yield* say(large, text)
      assert.deepStrictEqual(users(large), ["summary", "say 301", "say 302", "now"])
    }))

  it.scoped("[B05] [B06] one turn over the cap keeps its newest step, with its calls and all their results", () =>
    Effect.gen(function*() {
      const fixture = yield* start({
        limits: window,
        tools: [look],
        answer: (asked) => {
          if (isSummaryRequest(asked)) return answerSummary
          const { entries } = asked.prompt
          const last = entries.at(-1)
          // A turn of 14 outputs in two steps, cut off before it could answer.
          if (last?._tag === "UserMessage" && last.text === "now") return TestModel.reply({ text: "Done." })
          const size = entries.length === 1 ? 2 : 12
          return TestModel.reply({
            calls: Array.from({ length: size }, () => ["look", "{}"] as const),
            id: `call-${entries.length}`
          })
        },
        settings: { maxSteps: 2 }
      })
      assert.strictEqual((yield* say(fixture, "look around")).reason, "max_steps")
      yield* say(fixture, "now")
      assert.deepStrictEqual(starts(fixture), [["turn-boundary", "turn-boundary-trigger"]])
      const [wrapper, user, step, now] = lastRequest(fixture)
      assert.deepStrictEqual(users(fixture), ["summary", "look around", "now"])
      assert.isTrue(wrapper?._tag === "UserMessage" && user?._tag === "UserMessage" && now?._tag === "UserMessage")
      assert.strictEqual(step?._tag === "Step" ? exchanges(step).length : 0, 12)
      for (const { result } of step?._tag === "Step" ? exchanges(step) : []) assert.match(result.text, /^output-\d+\n/)
    }))

  it.scoped("[B07] the policy between steps is as it is without it: the lower trigger alone does not count there", () =>
    Effect.gen(function*() {
      let made = 0
      const fixture = yield* start({
        limits: window,
        tools: [look],
        answer: (asked) =>
          isSummaryRequest(asked)
            ? answerSummary
            : made++ < 20
            ? TestModel.reply({ calls: [["look", "{}"]], id: `call-${made}` })
            : TestModel.reply({ text: "Done." })
      })
      yield* say(fixture, "look around")
      const { boundaryTrigger, inTurnTrigger } = Budget.of(window)
      assert.isBelow(boundaryTrigger, inTurnTrigger)
      const begun = fixture.events.flatMap((event) => event._tag === "AutoCompactionStarted" ? [event] : [])
      assert.isAtLeast(begun.length, 1)
      for (const { estimate, phase, reason } of begun) {
        assert.deepStrictEqual([phase, reason], ["in-turn", "in-turn-trigger"])
        assert.isAtLeast(estimate, inTurnTrigger)
      }
      assert.isTrue(estimates(fixture).some((size) => size >= boundaryTrigger))
    }))

  it.scoped("after a compaction the request is estimated anew, and what goes out fits", () =>
    Effect.gen(function*() {
      const fixture = yield* session()
      for (let turn = 0; turn < 12; turn++) yield* say(fixture, `say 250`)
      const { input } = Budget.of(window)
      let after: number | undefined
      let proven = 0
      for (const event of fixture.events) {
        if (event._tag === "AutoCompactionApplied") after = event.after
        if (event._tag !== "StepStarted") continue
        assert.isAtMost(event.estimate, input)
        if (after !== undefined) {
          assert.strictEqual(event.estimate, after)
          proven++
          after = undefined
        }
      }
      assert.isAtLeast(proven, 2)
    }))
})
