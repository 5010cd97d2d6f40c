import { assert, describe, it } from "@effect/vitest"
import { userMessage } from "@weir/model/Conversation"
import { ModelEvent } from "@weir/model/ModelEvent"
import * as TestModel from "@weir/model/TestModel"
import { TranscriptError } from "@weir/session/TranscriptError"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { start, tool, usage } from "./fixture.js"

describe("a turn", () => {
  it.scoped("goes from a question to an answer, and says so in order", () =>
    Effect.gen(function*() {
      const fixture = yield* start({ answer: () => TestModel.reply({ text: "42", usage: usage(100) }) })
      const result = yield* fixture.session.prompt(userMessage("What is it?"))
      yield* Effect.yieldNow()
      assert.deepStrictEqual(result, {
        reason: "finished",
        text: "42",
        steps: 1,
        usage: usage(100),
        compaction: { count: 0, usage: { fresh: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 } }
      })
      assert.deepStrictEqual(fixture.story(), ["TurnStarted", "StepStarted", "UsageReported", "TurnFinished"])
      assert.deepStrictEqual(fixture.records.map((record) => record._tag), [
        "SessionStarted",
        "TurnStarted",
        "StepCompleted",
        "TurnFinished"
      ])
    }))

  it.scoped("text of several steps is joined in order", () =>
    Effect.gen(function*() {
      const fixture = yield* start({
        tools: [tool("look", () => Effect.succeed("seen"))],
        answer: (_, index) =>
          index === 0
            ? TestModel.reply({ text: "First I look.", calls: [["look", "{}"]] })
            : TestModel.reply({ text: "Done." })
      })
      const result = yield* fixture.session.prompt(userMessage("Look."))
      assert.strictEqual(result.text, "First I look.\n\nDone.")
      assert.strictEqual(result.steps, 2)
    }))

  it.scoped("a call and its result reach the model together", () =>
    Effect.gen(function*() {
      const fixture = yield* start({
        tools: [tool("look", (args) => Effect.succeed(`saw ${args}`))],
        answer: (_, index) =>
          index === 0
            ? TestModel.reply({ calls: [["look", "{\"at\":1}"], ["look", "{\"at\":2}"]] })
            : TestModel.reply({ text: "Done." })
      })
      yield* fixture.session.prompt(userMessage("Look twice."))
      const [, step] = fixture.asked[1]?.prompt.entries ?? []
      assert.deepStrictEqual(
        step?._tag === "Step" && step.parts.map((part) => part._tag === "Exchange" && part.result.text),
        ["saw {\"at\":1}", "saw {\"at\":2}"]
      )
    }))

  it.scoped("an unknown tool and a denied one are told to the model, which goes on", () =>
    Effect.gen(function*() {
      let ran = false
      const fixture = yield* start({
        tools: [tool("write", () => Effect.sync(() => (ran = true, "written")), "write")],
        answer: (_, index) =>
          index === 0
            ? TestModel.reply({ calls: [["erase", "{}"], ["write", "{}"]] })
            : TestModel.reply({ text: "I could not." })
      })
      const result = yield* fixture.session.prompt(userMessage("Erase and write."))
      const step = fixture.asked[1]?.prompt.entries[1]
      const texts = step?._tag === "Step"
        ? step.parts.flatMap((part) => part._tag === "Exchange" ? [part.result.text] : [])
        : []
      assert.include(texts[0], "There is no tool \"erase\". The tools are: write")
      assert.include(texts[1], "--permission-mode")
      assert.isFalse(ran)
      assert.strictEqual(result.reason, "finished")
    }))

  it.scoped("a tool that dies is a failed call, not a failed turn", () =>
    Effect.gen(function*() {
      const fixture = yield* start({
        tools: [tool("look", () => Effect.die("boom"))],
        answer: (_, index) =>
          index === 0 ? TestModel.reply({ calls: [["look", "{}"]] }) : TestModel.reply({ text: "Done." })
      })
      assert.strictEqual((yield* fixture.session.prompt(userMessage("Look."))).reason, "finished")
      assert.isTrue(fixture.events.some((event) => event._tag === "ToolCallFinished" && event.isError))
    }))

  it.scoped("stops after the most steps it may take", () =>
    Effect.gen(function*() {
      const fixture = yield* start({
        tools: [tool("look", () => Effect.succeed("seen"))],
        settings: { maxSteps: 3 },
        answer: () => TestModel.reply({ calls: [["look", "{}"]] })
      })
      const result = yield* fixture.session.prompt(userMessage("Look for ever."))
      assert.strictEqual(result.reason, "max_steps")
      assert.strictEqual(fixture.asked.length, 3)
    }))

  it.scoped("an answer cut off by its output limit is kept and told", () =>
    Effect.gen(function*() {
      const fixture = yield* start({
        answer: () => Stream.make(ModelEvent.TextDelta({ text: "Half an" }), ModelEvent.Finished({ stop: "length" }))
      })
      const result = yield* fixture.session.prompt(userMessage("Answer."))
      assert.strictEqual(result.text, "Half an")
      assert.strictEqual(result.reason, "failed")
      assert.strictEqual(result.error?._tag, "OutputLimitExceeded")
      assert.match(
        result.error?.message ?? "",
        /cut off at its output limit of 8192 tokens\. Raise --max-output-tokens/
      )
    }))

  it.scoped("a transcript that cannot be written ends the turn with its error", () =>
    Effect.gen(function*() {
      const full = new TranscriptError({ reason: "write", subject: "s", detail: "ENOSPC" })
      const fixture = yield* start({
        answer: () => TestModel.reply({ text: "42" }),
        onAppend: ([record]) => record._tag === "StepCompleted" ? Effect.fail(full) : Effect.void
      })
      const result = yield* fixture.session.prompt(userMessage("What is it?"))
      assert.strictEqual(result.error?._tag, "TranscriptError")
      assert.strictEqual(result.reason, "failed")
      assert.strictEqual(result.text, "42")
    }))
})
