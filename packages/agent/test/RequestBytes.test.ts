import { assert, describe, it } from "@effect/vitest"
import * as ByteSize from "@weir/compaction/ByteSize"
import { type Image, userMessage } from "@weir/model/Conversation"
import type { Limits } from "@weir/model/Model"
import { ContextWindowExceeded } from "@weir/model/ModelError"
import * as TestModel from "@weir/model/TestModel"
import type { Tool } from "@weir/model/Tool"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { isSummaryRequest, limits, start, summary, triggeringAt, usage } from "./fixture.js"

const image = (kilobytes: number): Image => ({ mediaType: "image/png", data: "A".repeat(1_000 * kilobytes) })

const screenshot: Tool = {
  spec: { name: "screenshot", description: "A picture.", parameters: { type: "object", properties: {} } },
  access: "read",
  run: () => Effect.succeed({ text: "Taken.", isError: false, images: [image(100)], facts: [] })
}

const bodyOf = ({ prompt }: TestModel.Asked) => ByteSize.prompt(prompt)

/** A server that takes bodies of at most `limit` bytes, and says so in these words. */
const serving = (
  limit: number,
  steps: number,
  refusal: Partial<{ readonly limit: number }> = {},
  summarize: () => TestModel.Answer = () => TestModel.reply({ text: summary, usage: usage(900, 100) })
) => {
  let made = 0
  return (asked: TestModel.Asked): TestModel.Answer => {
    if (bodyOf(asked) > limit) {
      return Stream.fail(
        new ContextWindowExceeded({ provider: "test", model: "m", detail: "413", kind: "bytes", ...refusal })
      )
    }
    if (isSummaryRequest(asked)) return summarize()
    return made < steps
      ? TestModel.reply({ calls: [["screenshot", "{}"]], id: `call-${made++}` })
      : TestModel.reply({ text: "Done." })
  }
}

const roomy = (maxBytes?: number): Limits =>
  limits({ window: 1_000_000, ...(maxBytes !== undefined && { maxBytes: { limit: maxBytes, guessed: false } }) })

const task = userMessage("Look around.", [image(50)])

const run = (options: { readonly limits: Limits; readonly answer: (asked: TestModel.Asked) => TestModel.Answer }) =>
  Effect.gen(function*() {
    const fixture = yield* start({ ...options, tools: [screenshot] })
    const result = yield* fixture.session.prompt(task)
    yield* Effect.yieldNow()
    return { fixture, result }
  })

const picturesIn = (asked: TestModel.Asked | undefined) =>
  asked?.prompt.entries.map((entry) =>
    entry._tag === "UserMessage"
      ? entry.images.length
      : entry.parts.flatMap((part) => part._tag === "Exchange" ? part.result.images : []).length
  ) ?? []

describe("a limit on the bytes of a request", () => {
  it.scoped("that is declared is never exceeded: the oldest images become notes in a copy, the task keeps its own", () =>
    Effect.gen(function*() {
      const { fixture, result } = yield* run({ limits: roomy(500_000), answer: serving(500_000, 8) })
      assert.strictEqual(result.text, "Done.")
      for (const asked of fixture.asked) assert.isAtMost(bodyOf(asked), 500_000)
      assert.deepStrictEqual(picturesIn(fixture.asked.at(-1)), [1, 0, 0, 0, 0, 1, 1, 1, 1])
      assert.notInclude(fixture.story(), "AutoCompactionStarted")
      assert.strictEqual(fixture.records.filter((record) => record._tag === "StepCompleted").length, 9)
    }))

  for (const [how, refusal] of [["named", { limit: 500_000 }], ["not named", {}]] as const) {
    it.scoped(`that a refusal shows, ${how}, is learned and kept to`, () =>
      Effect.gen(function*() {
        const { fixture, result } = yield* run({ limits: roomy(), answer: serving(500_000, 8, refusal) })
        assert.strictEqual(result.text, "Done.")
        assert.strictEqual(fixture.asked.filter((asked) => bodyOf(asked) > 500_000).length, 1)
        const learned = fixture.records.find((record) => record._tag === "LimitLearned")
        assert.strictEqual(learned?.limit.bytes?.guessed, how === "not named")
        const again = yield* start({
          limits: roomy(),
          answer: serving(500_000, 1, refusal),
          tools: [screenshot],
          opened: fixture.records
        })
        assert.strictEqual((yield* again.session.prompt(userMessage("And now?"))).text, "Done.")
        for (const asked of again.asked) assert.isAtMost(bodyOf(asked), 500_000)
      }))
  }

  it.scoped("history of text alone is compacted for it when nothing can be pruned", () =>
    Effect.gen(function*() {
      const fixture = yield* start({
        limits: roomy(60_000),
        tools: [screenshot],
        answer: (asked) =>
          isSummaryRequest(asked)
            ? TestModel.reply({ text: summary })
            : TestModel.reply({ text: "said ".repeat(3_000) })
      })
      for (let turn = 0; turn < 6; turn++) {
        assert.strictEqual((yield* fixture.session.prompt(userMessage("More."))).reason, "finished")
      }
      yield* Effect.yieldNow()
      for (const asked of fixture.asked) assert.isAtMost(bodyOf(asked), 60_000)
      const started = fixture.events.find((event) => event._tag === "AutoCompactionStarted")
      assert.strictEqual(started?.reason, "local-exhaustion")
    }))

  it.scoped("a turn that would stay whole, and leave no bytes for a summary, is summarized as well", () =>
    Effect.gen(function*() {
      const replies = ["said ".repeat(3_000), "said ".repeat(3_000), `said${" ".repeat(16)}`.repeat(1_900), "Done."]
      const fixture = yield* start({
        tools: [screenshot],
        limits: { ...triggeringAt(9_000), maxBytes: { limit: 39_000, guessed: false } },
        answer: (asked) => TestModel.reply({ text: isSummaryRequest(asked) ? summary : replies.shift() ?? "" })
      })
      for (const text of ["One.", "Two.", "Three.", "Four."]) {
        assert.strictEqual((yield* fixture.session.prompt(userMessage(text))).reason, "finished")
      }
      yield* Effect.yieldNow()
      for (const asked of fixture.asked) assert.isAtMost(bodyOf(asked), 39_000)
      assert.include(fixture.story(), "AutoCompactionApplied")
    }))

  it.scoped("a turn that would stay whole, and leaves no bytes for the next message, is summarized", () =>
    Effect.gen(function*() {
      const fixture = yield* start({
        limits: limits({ window: 24_000, outputCap: 1_000, maxBytes: { limit: 39_000, guessed: false } }),
        tools: [screenshot],
        answer: (asked) =>
          TestModel.reply({ text: isSummaryRequest(asked) ? summary : `said${" ".repeat(16)}`.repeat(1_500) })
      })
      yield* fixture.session.prompt(userMessage("One."))
      assert.strictEqual((yield* fixture.session.prompt(userMessage("a ".repeat(10_000)))).reason, "finished")
      yield* Effect.yieldNow()
      const started = fixture.events.find((event) => event._tag === "AutoCompactionStarted")
      assert.strictEqual(started?.reason, "turn-boundary-trigger")
      for (const asked of fixture.asked) assert.isAtMost(bodyOf(asked), 39_000)
    }))

  it.scoped("images of the message itself that are too large end the turn at once, saying what to do", () =>
    Effect.gen(function*() {
      const { fixture, result } = yield* run({ limits: roomy(40_000), answer: serving(40_000, 0) })
      assert.strictEqual(result.reason, "context_limit")
      assert.strictEqual(fixture.asked.length, 0)
      assert.match(result.error?.message ?? "", /of \d+ bytes exceeds the size limit of 40000 bytes.* smaller images/)
    }))
})
