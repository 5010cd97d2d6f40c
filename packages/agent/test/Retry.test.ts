import { assert, describe, it } from "@effect/vitest"
import { userMessage } from "@weir/model/Conversation"
import { ModelUnavailable } from "@weir/model/ModelError"
import { ModelEvent } from "@weir/model/ModelEvent"
import * as TestModel from "@weir/model/TestModel"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Random from "effect/Random"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import { start, tool, usage } from "./fixture.js"

const origin = { provider: "test", model: "test-model", detail: "" }

const overloaded = new ModelUnavailable({ ...origin, reason: "overloaded" })

const asksToWait = (delay: Duration.DurationInput) =>
  new ModelUnavailable({ ...origin, reason: "rateLimited", retryAfter: Duration.decode(delay) })

const half = (text: string, error: ModelUnavailable) =>
  Stream.concat(Stream.make(ModelEvent.TextDelta({ text })), Stream.fail(error))

/** A turn whose first requests get these answers, the last one all further ones too; and when each was asked, in milliseconds. */
const turn = Effect.fnUntraced(function*(...answers: ReadonlyArray<TestModel.Answer>) {
  const times: Array<number> = []
  const begun = yield* Clock.currentTimeMillis
  const fixture = yield* start({
    answer: (_, index) =>
      Stream.unwrap(Effect.map(Clock.currentTimeMillis, (now) => {
        times.push(now - begun)
        return answers[Math.min(index, answers.length - 1)] ?? Stream.empty
      }))
  })
  const fiber = yield* Effect.fork(fixture.session.prompt(userMessage("Go.")))
  yield* TestClock.adjust("1 hour")
  return { ...fixture, result: yield* Fiber.join(fiber), times }
})

const failing = Stream.fail(overloaded)

/** The whole of each delay, or as little of it as may be. */
const latest = Effect.withRandom(Random.fixed([1]))
const soonest = Effect.withRandom(Random.fixed([0]))

describe("retry", () => {
  it.scoped("passing faults: 4 requests in 7 seconds, then the turn fails and says why", () =>
    Effect.gen(function*() {
      const { result, story, times } = yield* latest(turn(half("Hm", overloaded)))
      assert.deepStrictEqual(times, [0, 1_000, 3_000, 7_000])
      assert.strictEqual(result.reason, "failed")
      assert.strictEqual(result.error?._tag, "ModelUnavailable")
      assert.strictEqual(result.text, "Hm")
      assert.deepStrictEqual(
        story().filter((tag) => tag === "Rewound" || tag === "RetryScheduled"),
        ["Rewound", "RetryScheduled", "Rewound", "RetryScheduled", "Rewound", "RetryScheduled"]
      )
    }))

  it.scoped("a fault that is worth fewer retries gets no more of them", () =>
    Effect.gen(function*() {
      const once = Stream.fail(new ModelUnavailable({ ...origin, reason: "interrupted", retries: 1 }))
      const { result, times } = yield* latest(turn(once))
      assert.deepStrictEqual([result.reason, times], ["failed", [0, 1_000]])
      assert.deepStrictEqual((yield* latest(turn(failing, once))).times, [0, 1_000])
      const never = Stream.fail(new ModelUnavailable({ ...origin, reason: "interrupted", retries: 0 }))
      assert.deepStrictEqual((yield* latest(turn(never))).times, [0])
    }))

  it.scoped("delays are up to a quarter shorter, by chance", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual((yield* soonest(turn(failing))).times, [0, 750, 2_250, 5_250])
      const seeded = (seed: string) => Effect.withRandom(turn(failing), Random.make(seed))
      const { events, times } = yield* seeded("a")
      const delays = times.slice(1).map((time, index) => time - (times[index] ?? 0))
      assert.deepStrictEqual(
        events.flatMap((event) => event._tag === "RetryScheduled" ? [event.delayMillis] : []),
        delays
      )
      for (const [index, delay] of delays.entries()) {
        assert.isAtLeast(delay, 750 * 2 ** index)
        assert.isAtMost(delay, 1_000 * 2 ** index)
      }
      assert.notDeepEqual((yield* seeded("b")).times.slice(1).map((time, index) => time - (times[index] ?? 0)), delays)
    }))

  it.scoped("waits as long as the provider asks, never less, and its own delay where that is longer", () =>
    Effect.gen(function*() {
      const wait = (delay: Duration.DurationInput) =>
        soonest(turn(Stream.fail(asksToWait(delay)), TestModel.reply({ text: "ok" })))
      assert.deepStrictEqual((yield* wait("5 seconds")).times, [0, 5_000])
      assert.deepStrictEqual((yield* wait("60 seconds")).times, [0, 60_000])
      assert.deepStrictEqual((yield* wait("1200 millis")).times, [0, 1_200])
      assert.deepStrictEqual((yield* wait("20 millis")).times, [0, 750])
    }))

  it.scoped("asked delays use up no more tries than others", () =>
    Effect.gen(function*() {
      const { result, times } = yield* latest(turn(Stream.fail(asksToWait("30 seconds"))))
      assert.deepStrictEqual(times, [0, 30_000, 60_000, 90_000])
      assert.strictEqual(result.error?._tag, "ModelUnavailable")
    }))

  it.scoped("a wait of more than a minute ends the turn at once, with an error that names it", () =>
    Effect.gen(function*() {
      for (const [delay, named] of [["60001 millis", /wait 1m 1ms\./], ["2 hours", /wait 2h\./]] as const) {
        const { asked, result } = yield* turn(Stream.fail(asksToWait(delay)))
        assert.strictEqual(asked.length, 1)
        assert.strictEqual(result.reason, "failed")
        assert.match(result.error?.message ?? "", named)
      }
    }))

  it.scoped("a server that was never reached is told at once; one that was is asked again", () =>
    Effect.gen(function*() {
      const gone = new ModelUnavailable({ ...origin, reason: "network", unreachable: true })
      const { asked, result } = yield* turn(Stream.fail(gone))
      assert.strictEqual(asked.length, 1)
      assert.strictEqual(result.reason, "failed")
      const later = yield* latest(turn(half("Hm", overloaded), Stream.fail(gone)))
      assert.strictEqual(later.asked.length, 4)
    }))

  it.scoped("what a retried attempt said is said once, and nothing is rewound that was not shown", () =>
    Effect.gen(function*() {
      const spoke = yield* turn(half("Half", overloaded), TestModel.reply({ text: "Whole" }))
      assert.strictEqual(spoke.result.text, "Whole")
      assert.include(spoke.story(), "Rewound")
      const mute = yield* turn(failing, TestModel.reply({ text: "Whole" }))
      assert.notInclude(mute.story(), "Rewound")
    }))

  it.scoped("a tool runs once, though its call was made in every attempt", () =>
    Effect.gen(function*() {
      let runs = 0
      const called = (index: number) =>
        TestModel.reply({ calls: [["look", `{"attempt":${index}}`]], id: `call-${index}`, usage: usage(10) })
      const fixture = yield* start({
        tools: [tool("look", (args) => Effect.sync(() => (runs++, args)), "write")],
        settings: { permission: "full" },
        answer: (_, index) => {
          if (index === 4) return TestModel.reply({ text: "Done." })
          const whole = called(index)
          return index < 3 ? Stream.concat(Stream.take(whole, 1), failing) : whole
        }
      })
      const fiber = yield* Effect.fork(fixture.session.prompt(userMessage("Look.")))
      yield* TestClock.adjust("1 hour")
      assert.strictEqual((yield* Fiber.join(fiber)).text, "Done.")
      assert.strictEqual(runs, 1)
      const step = fixture.turns()[4]?.prompt.entries[1]
      assert.deepStrictEqual(
        step?._tag === "Step" && step.parts.map((part) => part._tag === "Exchange" && part.result.text),
        ["{\"attempt\":3}"]
      )
      assert.strictEqual(fixture.events.filter((event) => event._tag === "ToolCallStarted").length, 1)
    }))
})
