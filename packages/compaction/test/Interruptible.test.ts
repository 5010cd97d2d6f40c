/**
 * The promises of an interruptible child: a turn runs a compaction (a summary of
 * 100 ms, then a commit of 20 ms in the turn itself), while the user presses Esc or cancels the turn.
 */
import { assert, describe, it } from "@effect/vitest"
import { interruptible } from "@weir/compaction/Interruptible"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FastCheck from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as FiberHandle from "effect/FiberHandle"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as TestClock from "effect/TestClock"
import * as VirtualTime from "../../model/test/VirtualTime.js"
import { many } from "./Samples.js"

type Log = Ref.Ref<ReadonlyArray<string>>

const note = (log: Log, line: string) => Ref.update(log, (lines) => [...lines, line])

const summarize = (log: Log, time: Duration.DurationInput = "100 millis") =>
  Effect.sleep(time).pipe(Effect.as("summary"), Effect.onExit(() => note(log, "child released")))

/** A turn that compacts once as the loop does: child, then commit and one terminal event where Esc cannot reach. */
const turn = (
  log: Log,
  handle: FiberHandle.FiberHandle<string, string>,
  child: Effect.Effect<string, string> = summarize(log)
) =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function*() {
      const exit = yield* Effect.exit(restore(interruptible(handle, note(log, "Started"))(child)))
      if (Exit.isFailure(exit)) {
        if (Option.isNone(Cause.failureOption(exit.cause))) return yield* Effect.failCause(exit.cause)
        yield* note(log, "Failed")
        return "failed"
      }
      if (Option.isNone(exit.value)) {
        yield* note(log, "Cancelled")
        return "cancelled"
      }
      yield* Effect.sleep("20 millis")
      yield* note(log, "Applied")
      return "applied"
    })
  ).pipe(Effect.ensuring(note(log, "turn released")))

const scene = Effect.gen(function*() {
  const log: Log = yield* Ref.make<ReadonlyArray<string>>([])
  const handle = yield* FiberHandle.make<string, string>()
  return { log, handle, lines: Ref.get(log), esc: FiberHandle.clear(handle) }
})

/** Tells all stories side by side, so that the clock is moved once. */
const together = <A, E, R>(stories: ReadonlyArray<A>, tell: (story: A) => Effect.Effect<void, E, R>) =>
  Effect.gen(function*() {
    const all = yield* Effect.fork(Effect.forEach(stories, tell, { concurrency: "unbounded", discard: true }))
    yield* TestClock.adjust("1 second")
    yield* Fiber.join(all)
  })

describe("An interruptible child", () => {
  it.scoped("[A18] value: Esc reaches the turn as a value, and the turn goes on", () =>
    Effect.gen(function*() {
      const { esc, handle, lines, log } = yield* scene
      const fiber = yield* Effect.fork(turn(log, handle))
      yield* TestClock.adjust("50 millis")
      yield* esc
      assert.strictEqual(yield* Fiber.join(fiber), "cancelled")
      assert.deepEqual(yield* lines, ["Started", "child released", "Cancelled", "turn released"])
    }))

  it.scoped("[A17] agree and order: whenever Esc comes, outcome, terminal event and order are one story", () =>
    together([1, 50, 99, 101, 110, 119, 121], (at) =>
      Effect.gen(function*() {
        const { esc, handle, lines, log } = yield* scene
        yield* Effect.fork(Effect.delay(esc, Duration.millis(at)))
        const outcome = yield* turn(log, handle)
        assert.strictEqual(outcome, at < 100 ? "cancelled" : "applied", `Esc at ${at}`)
        const terminal = outcome === "applied" ? "Applied" : "Cancelled"
        assert.deepEqual(yield* lines, ["Started", "child released", terminal, "turn released"], `Esc at ${at}`)
      })))

  it.scoped("[A19] cascade and lexical: interrupting the turn releases the child first, at once, and nothing lives on", () =>
    together([1, 50, 99], (at) =>
      Effect.gen(function*() {
        const { handle, lines, log } = yield* scene
        const fiber = yield* Effect.fork(turn(log, handle))
        yield* Effect.sleep(Duration.millis(at))
        assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(fiber)))
        assert.isTrue(Option.isNone(FiberHandle.unsafeGet(handle)))
        // No terminal event when the turn itself is interrupted, and silence afterwards.
        const told = yield* lines
        assert.deepEqual(told, ["Started", "child released", "turn released"])
        yield* Effect.sleep("500 millis")
        assert.deepEqual(yield* lines, told)
      })))

  it.scoped("[A19] cancel-agree: a turn interrupted while it commits commits whole, then ends", () =>
    Effect.gen(function*() {
      const { handle, lines, log } = yield* scene
      const fiber = yield* Effect.fork(turn(log, handle))
      yield* TestClock.adjust("110 millis")
      const interrupting = yield* Effect.fork(Fiber.interrupt(fiber))
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(interrupting)
      assert.deepEqual(yield* lines, ["Started", "child released", "Applied", "turn released"])
    }))

  it.scoped("[A19] closing the session's scope takes the child along", () =>
    Effect.gen(function*() {
      const log: Log = yield* Ref.make<ReadonlyArray<string>>([])
      const fiber = yield* Effect.fork(
        Effect.scoped(Effect.flatMap(FiberHandle.make<string, string>(), (handle) => turn(log, handle)))
      )
      yield* TestClock.adjust("50 millis")
      yield* Fiber.interrupt(fiber)
      assert.deepEqual(yield* Ref.get(log), ["Started", "child released", "turn released"])
    }))

  it.scoped("idle and again: Esc while nothing runs does not stick, and the handle serves again and again", () =>
    Effect.gen(function*() {
      const { esc, handle, log } = yield* scene
      for (let round = 0; round < 20; round++) {
        yield* esc
        const fiber = yield* Effect.fork(turn(log, handle))
        yield* TestClock.adjust(round % 2 === 0 ? "1 second" : "10 millis")
        yield* esc
        assert.strictEqual(yield* Fiber.join(fiber), round % 2 === 0 ? "applied" : "cancelled")
        assert.isTrue(Option.isNone(FiberHandle.unsafeGet(handle)))
      }
    }))

  it.scoped("the child does not begin before `started` has run, and Esc reaches it from then on", () =>
    Effect.gen(function*() {
      const { esc, handle, lines, log } = yield* scene
      const outcome = yield* interruptible(handle, note(log, "Started").pipe(Effect.zipRight(esc)))(
        note(log, "began").pipe(Effect.as("summary"))
      )
      assert.isTrue(Option.isNone(outcome))
      assert.deepEqual(yield* lines, ["Started"])
    }))

  it.scoped("a failure and a defect stay what they are", () =>
    Effect.gen(function*() {
      const { handle, log } = yield* scene
      assert.strictEqual(yield* turn(log, handle, Effect.fail("no summary")), "failed")
      const died = yield* Effect.exit(turn(log, handle, Effect.die("bug")))
      assert.isTrue(Exit.isFailure(died) && Cause.isDie(died.cause) && !Cause.isInterrupted(died.cause))
    }))

  it.scoped("[A22] no timeout: a summary of 24 hours is waited for, and can be cancelled in its last minute", () =>
    Effect.gen(function*() {
      const { esc, handle, log } = yield* scene
      const day = summarize(log, "24 hours")
      const first = yield* Effect.fork(turn(log, handle, day))
      yield* TestClock.adjust("25 hours")
      assert.strictEqual(yield* Fiber.join(first), "applied")
      const second = yield* Effect.fork(turn(log, handle, day))
      yield* TestClock.adjust("1439 minutes")
      assert.isTrue(Option.isNone(yield* Fiber.poll(second)))
      yield* esc
      assert.strictEqual(yield* Fiber.join(second), "cancelled")
    }))

  it.prop(
    "[A17] any Esc, any cancel: one terminal event at most, none without a start, the turn's end last",
    [FastCheck.record({
      cancelAt: FastCheck.option(FastCheck.nat(140)),
      escAt: FastCheck.nat(140),
      fails: FastCheck.boolean(),
      seed: FastCheck.nat()
    })],
    ([{ cancelAt, escAt, fails, seed }]) => {
      const story = Effect.gen(function*() {
        const { esc, handle, lines, log } = yield* scene
        const child = fails ? Effect.zipRight(summarize(log), Effect.fail("no")) : summarize(log)
        const fiber = yield* Effect.fork(turn(log, handle, child))
        yield* Effect.fork(Effect.delay(esc, Duration.millis(escAt)))
        if (cancelAt !== null) yield* Effect.fork(Effect.delay(Fiber.interrupt(fiber), Duration.millis(cancelAt)))
        const exit = yield* Fiber.await(fiber)
        yield* Effect.sleep("500 millis")
        const told = yield* lines
        const terminal = told.filter((line) => line === "Applied" || line === "Cancelled" || line === "Failed")
        assert.isAtMost(terminal.length, 1)
        if (Exit.isSuccess(exit)) assert.deepEqual(terminal.map((line) => line.toLowerCase()), [exit.value])
        if (told.length > 0) {
          assert.deepEqual([told.at(0), told.at(-1)], ["Started", "turn released"])
          assert.isAtMost(told.filter((line) => line === "child released").length, 1)
        }
        assert.isTrue(Option.isNone(FiberHandle.unsafeGet(handle)))
      })
      assert.isTrue(Exit.isSuccess(VirtualTime.run(Effect.scoped(story), { seed })))
    },
    many
  )
})
