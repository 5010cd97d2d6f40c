/** What a session that is opened again knows: how its model counts, and what failed. */
import { assert, describe, it } from "@effect/vitest"
import * as Gate from "@weir/compaction/Gate"
import * as Projection from "@weir/compaction/Projection"
import { exchanges, userMessage } from "@weir/model/Conversation"
import * as TestModel from "@weir/model/TestModel"
import * as Fold from "@weir/session/Fold"
import type { Record } from "@weir/session/Record"
import * as Effect from "effect/Effect"
import { type Fixture, isSummaryRequest, limits, start, summary, tool, usage } from "./fixture.js"

const words = "The quick brown fox jumps over the lazy dog. "

const answerSummary = TestModel.reply({ text: summary, usage: usage(900, 100) })

const look = tool("look", () => Effect.succeed(words.repeat(100)))

/** Calls `look` in each turn `calls` times; counts a third more than our scan does. */
const looking = (calls: number, summarize: () => TestModel.Answer = () => answerSummary) => {
  let made = 0
  return (asked: TestModel.Asked): TestModel.Answer => {
    if (isSummaryRequest(asked)) return summarize()
    const counted = usage(300 + 1_400 * asked.prompt.entries.filter((entry) => entry._tag === "Step").length)
    return made++ < calls
      ? TestModel.reply({ calls: [["look", "{}"]], id: `call-${made}`, usage: counted })
      : TestModel.reply({ text: "Done.", usage: counted })
  }
}

const roomy = limits({ window: 200_000 })

/** The in-turn trigger is 6,990 tokens. */
const small = limits({ window: 14_336 })

const estimates = (fixture: Fixture) =>
  fixture.events.flatMap((event) => event._tag === "StepStarted" ? [event.estimate] : [])

const reopened = (
  records: ReadonlyArray<Record>,
  options: Omit<Parameters<typeof start>[0], "opened" | "tools">
) => start({ ...options, opened: records, tools: [look] })

const failures = (fixture: Fixture) =>
  fixture.story().filter((tag) => tag === "AutoCompactionFailed" || tag === "AutoCompactionStarted")

const ask = (fixture: Fixture, text = "Go on.") =>
  Effect.zipRight(fixture.session.prompt(userMessage(text)), Effect.yieldNow())

describe("a session that is opened again", () => {
  it.scoped("[E04] weighs the conversation as the live one does, also after a compaction", () =>
    Effect.gen(function*() {
      for (const [limits, calls] of [[roomy, 6], [small, 9]] as const) {
        const live = yield* start({ limits, answer: looking(calls), tools: [look] })
        yield* ask(live)
        const again = yield* reopened(live.records, { limits, answer: looking(0) })
        yield* ask(live)
        yield* ask(again)
        const [resumed = 0] = estimates(again)
        const [alive = 0] = estimates(live).slice(-1)
        assert.strictEqual(resumed, alive)
      }
    }))

  it.scoped("trusts no usage of another model, nor of steps that answered a longer history", () =>
    Effect.gen(function*() {
      const live = yield* start({ limits: roomy, answer: looking(6), tools: [look] })
      yield* ask(live)
      const other = yield* reopened(live.records, { limits: roomy, answer: looking(0), model: "other" })
      yield* ask(other)
      const same = yield* reopened(live.records, { limits: roomy, answer: looking(0) })
      yield* ask(same)
      assert.isBelow(estimates(other)[0] ?? 0, 0.95 * (estimates(same)[0] ?? 0))
      assert.deepInclude(other.records.filter((record) => record._tag === "ModelChanged"), {
        _tag: "ModelChanged",
        provider: "test",
        model: "other"
      })
      assert.isFalse(same.records.some((record) => record._tag === "ModelChanged"))

      yield* live.session.compact()
      const compacted = yield* reopened(live.records, { limits: roomy, answer: looking(0) })
      yield* ask(compacted)
      assert.isBelow(estimates(compacted)[0] ?? Infinity, 4_000)
    }))

  it.scoped("an open breaker stays open after a restart; another model closes it", () =>
    Effect.gen(function*() {
      const nothing = () => TestModel.reply({ text: "" })
      const live = yield* start({ limits: small, answer: looking(9, nothing), tools: [look] })
      yield* ask(live)
      assert.strictEqual(live.records.filter((record) => record._tag === "CompactionFailed").length, 3)
      const again = yield* reopened(live.records, { limits: small, answer: looking(2, nothing) })
      yield* ask(again)
      assert.deepStrictEqual(failures(again), [])
      const other = yield* reopened(live.records, { limits: small, answer: looking(0, nothing), model: "other" })
      yield* ask(other)
      assert.deepStrictEqual(failures(other), ["AutoCompactionStarted", "AutoCompactionFailed"])
    }))

  it.scoped("a successful compaction on request closes the breaker, also after a restart", () =>
    Effect.gen(function*() {
      const nothing = () => TestModel.reply({ text: "" })
      const live = yield* start({ limits: small, answer: looking(9, nothing), tools: [look] })
      yield* ask(live)
      const again = yield* reopened(live.records, { limits: small, answer: looking(9) })
      assert.strictEqual((yield* again.session.compact())._tag, "Compacted")
      yield* ask(again)
      assert.include(again.story(), "AutoCompactionApplied")
    }))

  it.scoped("what failed is known after a restart: the same conversation is not tried again", () =>
    Effect.gen(function*() {
      const nothing = () => TestModel.reply({ text: "" })
      const live = yield* start({ limits: roomy, answer: looking(3, nothing), tools: [look] })
      yield* ask(live)
      assert.strictEqual((yield* live.session.compact())._tag, "Failed")
      const { gate, projection } = Fold.fold(live.records)
      assert.isFalse(Gate.allows(gate, Projection.fingerprint(projection)))
      yield* ask(live)
      const later = Fold.fold(live.records)
      assert.isTrue(Gate.allows(later.gate, Projection.fingerprint(later.projection)))
    }))

  it.scoped("tool outputs of a larger window are cut for a smaller one, in what is sent and not in the transcript", () =>
    Effect.gen(function*() {
      const long = tool("look", () => Effect.succeed(words.repeat(500)))
      const live = yield* start({ limits: roomy, answer: looking(3), tools: [long] })
      yield* ask(live)
      const narrow = limits({ window: 32_768 })
      const again = yield* reopened(live.records, { limits: narrow, answer: looking(0), model: "narrow" })
      yield* ask(again)
      const outputs = again.turns()[0]?.prompt.entries.flatMap((entry) =>
        entry._tag === "Step"
          ? exchanges(entry).map(({ result }) => result.text)
          : []
      ) ?? []
      assert.strictEqual(outputs.length, 3)
      for (const output of outputs) {
        assert.isBelow(output.length, 0.6 * words.length * 500)
        assert.match(output, /characters left out/)
        assert.isTrue(output.startsWith(words) && output.endsWith(words))
      }
      const kept = again.records.flatMap((record) =>
        record._tag === "StepCompleted" ? exchanges(record.step).map(({ result }) => result.text.length) : []
      )
      assert.deepStrictEqual(kept, [22_500, 22_500, 22_500])

      const back = yield* reopened(again.records, { limits: roomy, answer: looking(0) })
      yield* ask(back)
      const whole = back.turns()[0]?.prompt.entries.find((entry) => entry._tag === "Step")
      assert.strictEqual(whole?._tag === "Step" && exchanges(whole)[0]?.result.text.length, 22_500)
    }))
})
