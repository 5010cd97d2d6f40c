/** The promises that a compaction keeps as a child of its turn, over a real session in virtual time. */
import { assert, describe, it } from "@effect/vitest"
import { userMessage } from "@weir/model/Conversation"
import { ContextWindowExceeded, ModelUnavailable } from "@weir/model/ModelError"
import * as TestModel from "@weir/model/TestModel"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as VirtualTime from "../../model/test/VirtualTime.js"
import { type Fixture, isSummaryRequest, limits, start, summary, tool } from "./fixture.js"

const task = userMessage("Fix all of it.")

/** About 1,000 tokens: the sixth reaches the trigger. */
const look = () =>
  tool(
    "look",
    (_, call) => Effect.succeed(`output-${call} ${"The quick brown fox jumps over the lazy dog. ".repeat(100)}`)
  )

const small = limits({ window: 14_336 })

const good = TestModel.reply({ text: summary })

const looking = (calls: number, summarize: (asked: TestModel.Asked) => TestModel.Answer) => {
  let made = 0
  return (asked: TestModel.Asked): TestModel.Answer => {
    if (isSummaryRequest(asked)) return summarize(asked)
    return made < calls
      ? TestModel.reply({ calls: [["look", "{}"]], id: `call-${made++}` })
      : TestModel.reply({ text: "Done." })
  }
}

const ends = (fixture: Fixture) =>
  fixture.story().filter((tag) => tag.startsWith("AutoCompaction") && tag !== "AutoCompactionStarted")

/** Tells a story to its end, whatever time it takes. */
const told = <A>(effect: Effect.Effect<A>): A =>
  Exit.getOrElse(VirtualTime.run(effect, { seed: 1 }), (cause) => {
    throw new Error(String(cause))
  })

const overloaded = new ModelUnavailable({
  provider: "test",
  model: "test-model",
  detail: "",
  reason: "overloaded",
  retryAfter: Duration.seconds(50)
})

const exceeded = new ContextWindowExceeded({ provider: "test", model: "test-model", detail: "", kind: "tokens" })

/** The answer, with the times at which it was asked for, and those at which it was let go. */
const clocked = (answer: TestModel.Answer) => {
  const asked: Array<number> = []
  const released: Array<number> = []
  const note = (times: Array<number>) => Effect.map(Clock.currentTimeMillis, (now) => void times.push(now))
  return { asked, released, answer: Stream.ensuring(Stream.unwrap(Effect.as(note(asked), answer)), note(released)) }
}

/** One turn over six outputs, and Esc or an interruption at a time in milliseconds. */
const turn = (options: {
  readonly answer: (asked: TestModel.Asked) => TestModel.Answer
  readonly escapeAt?: number
  readonly interruptAt?: number
  readonly limits?: typeof small
  readonly appendTakes?: Duration.DurationInput
}) =>
  told(Effect.scoped(Effect.gen(function*() {
    const fixture = yield* start({
      limits: options.limits ?? small,
      tools: [look()],
      answer: options.answer,
      onAppend: ([record]) => record._tag === "CompactionApplied" ? Effect.sleep(options.appendTakes ?? 0) : Effect.void
    })
    const running = yield* Effect.fork(fixture.session.prompt(task))
    if (options.escapeAt !== undefined) yield* Effect.fork(Effect.delay(fixture.session.escape, options.escapeAt))
    if (options.interruptAt !== undefined) {
      yield* Effect.fork(Effect.delay(fixture.session.interrupt, options.interruptAt))
    }
    const result = yield* Fiber.join(running)
    const at = yield* Clock.currentTimeMillis
    yield* Effect.sleep("1 hour")
    return { at, fixture, result }
  })))

describe("a compaction as a child of its turn", () => {
  it("[A18] value: Esc reaches the turn as a value, and the turn goes on", () => {
    const { fixture, result } = turn({ answer: looking(6, () => TestModel.after("1 minute", good)), escapeAt: 30_000 })
    assert.strictEqual(result.text, "Done.")
    assert.deepStrictEqual(ends(fixture), ["AutoCompactionCancelled"])
  })

  it("[A17] agree: at every instant of summary and append, outcome, event and history are one story", () => {
    for (const escapeAt of [0, 1, 50, 99, 100, 101, 110, 119, 120, 121]) {
      const { fixture, result } = turn({
        answer: looking(6, () => TestModel.after("100 millis", good)),
        appendTakes: "20 millis",
        escapeAt
      })
      const applied = fixture.records.filter((record) => record._tag === "CompactionApplied").length
      const [end] = ends(fixture)
      assert.strictEqual(ends(fixture).length, result.reason === "interrupted" && applied === 0 && !end ? 0 : 1)
      assert.strictEqual(end === "AutoCompactionApplied", applied === 1, `Esc at ${escapeAt}`)
      assert.strictEqual(result.compaction.count, applied, `Esc at ${escapeAt}`)
      // Esc belongs to the compaction until its end is told; while it is being written it does nothing.
      if (escapeAt > 0 && escapeAt < 120) assert.strictEqual(result.reason, "finished", `Esc at ${escapeAt}`)
      const entries = fixture.turns().at(-1)?.prompt.entries.length
      if (result.reason === "finished") assert.strictEqual(entries, applied === 1 ? 1 : 7, `Esc at ${escapeAt}`)
    }
  })

  it("[A17] order: the child is released before its end is told", () => {
    const order: Array<string> = []
    told(Effect.scoped(Effect.gen(function*() {
      const slow = Stream.ensuring(TestModel.after("1 minute", good), Effect.sync(() => void order.push("released")))
      const fixture = yield* start({
        limits: small,
        tools: [look()],
        answer: looking(6, () => slow),
        onEvent: (event) => Effect.sync(() => void (event._tag === "AutoCompactionCancelled" && order.push("told")))
      })
      const running = yield* Effect.fork(fixture.session.prompt(task))
      yield* Effect.sleep("30 seconds")
      yield* fixture.session.escape
      yield* Fiber.join(running)
    })))
    assert.deepStrictEqual(order, ["released", "told"])
  })

  it("[A19] cascade and lexical: interrupting the turn releases the child at once, before the turn's end", () => {
    const { answer, released } = clocked(TestModel.after("1 minute", good))
    const { at, fixture, result } = turn({ answer: looking(6, () => answer), interruptAt: 30_000 })
    assert.deepStrictEqual([at, released], [30_000, [30_000]])
    assert.strictEqual(result.reason, "interrupted")
    assert.strictEqual(fixture.story().at(-1), "TurnFinished")
  })

  it("[A19] cancel-agree: interrupted while it is written, it is written, told and counted, then the turn ends", () => {
    const { fixture, result } = turn({ answer: looking(6, () => good), appendTakes: "1 minute", interruptAt: 30_000 })
    assert.strictEqual(result.reason, "interrupted")
    assert.strictEqual(result.compaction.count, 1)
    assert.deepStrictEqual(ends(fixture), ["AutoCompactionApplied"])
    assert.strictEqual(fixture.records.filter((record) => record._tag === "CompactionApplied").length, 1)
  })

  it("[A18] idle: Esc while nothing runs does nothing, and does not stick", () => {
    const { fixture, result } = told(Effect.scoped(Effect.gen(function*() {
      const fixture = yield* start({ limits: small, tools: [look()], answer: looking(6, () => good) })
      yield* fixture.session.escape
      return { fixture, result: yield* fixture.session.prompt(task) }
    })))
    assert.strictEqual(result.reason, "finished")
    assert.strictEqual(result.compaction.count, 1)
    assert.deepStrictEqual(ends(fixture), ["AutoCompactionApplied"])
  })

  it("[A18] again: after a cancel the next one runs to its end", () => {
    const { fixture, result } = turn({ answer: looking(7, () => TestModel.after("1 minute", good)), escapeAt: 30_000 })
    assert.strictEqual(result.text, "Done.")
    assert.deepStrictEqual(ends(fixture), ["AutoCompactionCancelled", "AutoCompactionApplied"])
  })

  it("[A18] backoff: Esc while the child waits to ask again is immediate", () => {
    const { answer, asked } = clocked(Stream.fail(overloaded))
    const { at, fixture, result } = turn({ answer: looking(6, () => answer), escapeAt: 30_000 })
    assert.deepStrictEqual([at, asked], [30_000, [0]])
    assert.strictEqual(result.text, "Done.")
    assert.deepStrictEqual(ends(fixture), ["AutoCompactionCancelled"])
  })

  it("[A08] overflow: refused as too large, a summary is asked for with less, at once and never the same", () => {
    const { answer, asked } = clocked(Stream.fail(exceeded))
    const { at, fixture } = turn({ answer: looking(6, () => answer) })
    assert.strictEqual(at, 0)
    assert.isAtLeast(asked.length, 2)
    const sizes = fixture.asked.filter(isSummaryRequest).map(({ prompt: { entries: [entry] } }) =>
      entry?._tag === "UserMessage" ? entry.text.length : 0
    )
    assert.strictEqual(new Set(sizes).size, sizes.length)
    assert.deepStrictEqual(ends(fixture), ["AutoCompactionFailed"])
  })

  it("[A18] Esc between the parts of a chunked summary: no part more is asked for, and history is as before", () => {
    let made = 0
    let summaries = 0
    // No output is left out of what the model itself has said: refused twice, it is summarized part by part.
    const says = "The quick brown fox jumps over the lazy dog. ".repeat(100)
    const { fixture, result } = turn({
      answer: (asked) => {
        if (isSummaryRequest(asked)) return summaries++ < 2 ? Stream.fail(exceeded) : TestModel.after("1 minute", good)
        return made < 3
          ? TestModel.reply({ text: says, calls: [["look", "{}"]], id: `call-${made++}` })
          : TestModel.reply({ text: "Done." })
      },
      escapeAt: 90_000
    })
    assert.strictEqual(summaries, 4)
    assert.deepStrictEqual(ends(fixture), ["AutoCompactionCancelled"])
    assert.isTrue(result.text.endsWith("Done."))
    const [first, ...rest] = fixture.turns()[3]?.prompt.entries ?? []
    assert.deepStrictEqual(first, task)
    assert.strictEqual(rest.length, 3)
  })

  it("[A22] no timeout: a summary of 24 hours is waited for, and can be cancelled in its last minute", () => {
    const day = () => TestModel.after("24 hours", good)
    assert.strictEqual(turn({ answer: looking(6, day) }).result.compaction.count, 1)
    const { fixture, result } = turn({ answer: looking(6, day), escapeAt: 86_399_000 })
    assert.deepStrictEqual(ends(fixture), ["AutoCompactionCancelled"])
    assert.strictEqual(result.text, "Done.")
  })
})
