import { assert, describe, it } from "@effect/vitest"
import { userMessage } from "@weir/model/Conversation"
import { ModelEvent } from "@weir/model/ModelEvent"
import * as TestModel from "@weir/model/TestModel"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Random from "effect/Random"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import { isSummaryRequest, start, summary, tool, triggeringAt, usage } from "./fixture.js"

const said = (text: string) => ModelEvent.TextDelta({ text })

const paced = (pause: Duration.DurationInput, ...events: ReadonlyArray<ModelEvent>): TestModel.Answer =>
  Stream.tap(Stream.fromIterable(events), () => Effect.sleep(pause))

/** An answer that falls silent; `released` when its request has been given up. */
const silent = (released: () => void, ...events: ReadonlyArray<ModelEvent>): TestModel.Answer =>
  Stream.concat(Stream.fromIterable(events), Stream.never).pipe(Stream.ensuring(Effect.sync(released)))

const done = TestModel.reply({ text: "Done." })

const finished = ModelEvent.Finished({ stop: "end" })

const go = userMessage("Go.")

/** How a turn ends, and when, in milliseconds. */
const timed = <A>(prompt: Effect.Effect<A>, within: Duration.DurationInput) =>
  Effect.gen(function*() {
    const fiber = yield* Effect.fork(Effect.zip(prompt, Clock.currentTimeMillis))
    yield* TestClock.adjust(within)
    return yield* Fiber.join(fiber)
  }).pipe(Effect.withRandom(Random.fixed([1])))

describe("a silent model", () => {
  it.scoped("is asked again after 5 minutes without a word, its request released before", () =>
    Effect.gen(function*() {
      const times: Array<number> = []
      const fixture = yield* start({
        answer: (_, index) =>
          index === 0
            ? Stream.unwrap(Effect.map(Clock.currentTimeMillis, (now) => silent(() => times.push(now))))
            : Stream.unwrap(Effect.as(Effect.sync(() => times.push(-1)), done))
      })
      const [result, at] = yield* timed(fixture.session.prompt(go), "1 hour")
      assert.strictEqual(result.text, "Done.")
      assert.strictEqual(at, 301_000)
      assert.deepStrictEqual(times, [0, -1])
      const retry = fixture.events.find((event) => event._tag === "RetryScheduled")
      assert.match(retry?.reason ?? "", /stopped in the middle of its answer.*nothing for 5m/)
    }))

  it.scoped("in the middle of its answer, too: what it said is rewound", () =>
    Effect.gen(function*() {
      const fixture = yield* start({
        answer: (_, index) => index === 0 ? silent(() => undefined, said("Half")) : done,
        settings: { idleTimeout: Duration.seconds(10) }
      })
      const [result, at] = yield* timed(fixture.session.prompt(go), "1 hour")
      assert.strictEqual(result.text, "Done.")
      assert.strictEqual(at, 11_000)
      assert.include(fixture.story(), "Rewound")
    }))

  it.scoped("ends the turn when it is silent every time", () =>
    Effect.gen(function*() {
      let released = 0
      const fixture = yield* start({
        answer: () => silent(() => released++, said("Half")),
        settings: { idleTimeout: Duration.seconds(10) }
      })
      const [result, at] = yield* timed(fixture.session.prompt(go), "1 hour")
      assert.deepInclude(result.error, { _tag: "ModelUnavailable", reason: "interrupted" })
      assert.strictEqual(at, 47_000)
      assert.strictEqual(released, 4)
    }))

  it.scoped("is waited for while anything arrives, however long the whole takes", () =>
    Effect.gen(function*() {
      const alive = [said("A"), ...Array.from({ length: 60 }, () => ModelEvent.Heartbeat()), said("B"), finished]
      const fixture = yield* start({ answer: () => paced("299 seconds", ...alive) })
      const [result, at] = yield* timed(fixture.session.prompt(go), "24 hours")
      assert.strictEqual(result.text, "AB")
      assert.strictEqual(at, 63 * 299_000)
      assert.strictEqual(fixture.asked.length, 1)
    }))

  it.scoped("exactly: an event in the last millisecond is in time", () =>
    Effect.gen(function*() {
      const pausing = (pause: Duration.DurationInput) =>
        start({
          answer: (_, index) => index === 0 ? TestModel.after(pause, done) : done,
          settings: { idleTimeout: Duration.seconds(10) }
        })
      const inTime = yield* pausing("9999 millis")
      yield* timed(inTime.session.prompt(go), "1 hour")
      assert.strictEqual(inTime.asked.length, 1)
      const late = yield* pausing("10001 millis")
      yield* timed(late.session.prompt(go), "1 hour")
      assert.strictEqual(late.asked.length, 2)
    }))

  it.scoped("is not rushed by tools that take their time", () =>
    Effect.gen(function*() {
      const fixture = yield* start({
        tools: [tool("look", () => Effect.as(Effect.sleep("2 hours"), "seen"))],
        answer: (_, index) => index === 0 ? TestModel.reply({ calls: [["look", "{}"]] }) : done
      })
      const [result, at] = yield* timed(fixture.session.prompt(go), "24 hours")
      assert.strictEqual(result.text, "Done.")
      assert.strictEqual(at, 7_200_000)
      assert.strictEqual(fixture.asked.length, 2)
    }))

  it.scoped("is waited for without end when the timeout is zero", () =>
    Effect.gen(function*() {
      const fixture = yield* start({
        answer: () => TestModel.after("24 hours", done),
        settings: { idleTimeout: Duration.zero }
      })
      const [result] = yield* timed(fixture.session.prompt(go), "24 hours")
      assert.strictEqual(result.text, "Done.")
      assert.strictEqual(fixture.asked.length, 1)
    }))

  it.scoped("is released when the turn is interrupted", () =>
    Effect.gen(function*() {
      let released = 0
      const fixture = yield* start({ answer: () => silent(() => released++) })
      const fiber = yield* Effect.fork(fixture.session.prompt(go))
      yield* TestClock.adjust("1 minute")
      yield* fixture.session.interrupt
      assert.strictEqual((yield* Fiber.join(fiber)).reason, "interrupted")
      assert.strictEqual(released, 1)
    }))
})

describe("a silent summarizer", () => {
  const compacting = (summarize: (index: number) => TestModel.Answer, summaryIdleTimeout: Duration.Duration) => {
    let summaries = 0
    return start({
      limits: triggeringAt(9_000),
      tools: [tool("look", () => Effect.succeed("The quick brown fox jumps. ".repeat(300)))],
      settings: { idleTimeout: Duration.seconds(10), summaryIdleTimeout },
      answer: (asked, index) =>
        isSummaryRequest(asked)
          ? summarize(summaries++)
          : index < 8
          ? TestModel.reply({ calls: [["look", "{}"]], id: `call-${index}` })
          : done
    })
  }
  const answered = TestModel.reply({ text: summary, usage: usage(900, 100) })

  it.scoped("[A22] is waited for, whatever a turn's timeout", () =>
    Effect.gen(function*() {
      const fixture = yield* compacting(() => TestModel.after("24 hours", answered), Duration.zero)
      const [result] = yield* timed(fixture.session.prompt(go), "96 hours")
      assert.strictEqual(result.text, "Done.")
      assert.isAbove(result.compaction.count, 0)
      assert.notInclude(fixture.story(), "RetryScheduled")
    }))

  it.scoped("is asked again where a timeout is set for it", () =>
    Effect.gen(function*() {
      let released = 0
      const fixture = yield* compacting(
        (index) => index === 0 ? silent(() => released++, said("Half")) : answered,
        Duration.seconds(20)
      )
      const [result] = yield* timed(fixture.session.prompt(go), "96 hours")
      assert.strictEqual(result.text, "Done.")
      assert.isAbove(result.compaction.count, 0)
      assert.strictEqual(released, 1)
      assert.include(fixture.story(), "RetryScheduled")
      assert.notInclude(fixture.story(), "AutoCompactionFailed")
    }))
})
