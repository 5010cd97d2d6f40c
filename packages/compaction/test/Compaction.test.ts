import { assert, describe, it } from "@effect/vitest"
import * as Checkpoint from "@weir/compaction/Checkpoint"
import type { CompactionRequest } from "@weir/compaction/Compaction"
import * as Compaction from "@weir/compaction/Compaction"
import * as Estimate from "@weir/compaction/Estimate"
import * as Projection from "@weir/compaction/Projection"
import type { Entry } from "@weir/model/Conversation"
import type { SendOptions } from "@weir/model/Model"
import * as Model from "@weir/model/Model"
import { ModelUnavailable } from "@weir/model/ModelError"
import type { ModelError } from "@weir/model/ModelError"
import { ModelEvent } from "@weir/model/ModelEvent"
import type { Prompt } from "@weir/model/Prompt"
import * as Usage from "@weir/model/Usage"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Ref from "effect/Ref"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import { budgetOf, exchange, said, step, summary, turn, weights, words } from "./Samples.js"

interface Sent {
  readonly prompt: Prompt
  readonly options: SendOptions
}

type Answer = Stream.Stream<ModelEvent, ModelError>

const usage = { ...Usage.zero, fresh: 1_000, output: 200 }

const answer = (text: string, stop: "end" | "length" = "end"): Answer =>
  Stream.make(
    ModelEvent.ReasoningDelta({ text: "Let me see." }),
    ModelEvent.TextDelta({ text: text.slice(0, 10) }),
    ModelEvent.TextDelta({ text: text.slice(10) }),
    ModelEvent.Finished({ stop, usage })
  )

const overloaded = new ModelUnavailable({ provider: "test", model: "m", detail: "", reason: "overloaded" })

/** A model that gives the answers in turn and notes what it was sent. */
const scripted = (answers: ReadonlyArray<Answer>) =>
  Effect.gen(function*() {
    const sent = yield* Ref.make<ReadonlyArray<Sent>>([])
    const model: Model.Model["Type"] = {
      endpoint: "test",
      provider: "test",
      id: "m",
      limits: { window: 32_768, outputCap: 8_192, source: "declared" },
      weights,
      cachesPrompts: false,
      start: (prompt) =>
        Model.request({
          append: () => model.start(prompt),
          open: (options) =>
            Ref.getAndUpdate(sent, (all) => [...all, { prompt, options }]).pipe(
              Effect.flatMap((all) => Stream.toPull(answers[all.length] ?? Stream.die("the script is over")))
            )
        })
    }
    return { model, sent: Ref.get(sent) }
  })

const turns = [
  turn("t0", "Earlier wish", [said("Done.")]),
  turn("t1", "Task", Array.from({ length: 6 }, (_, index) => step(exchange("bash", `${index} ${words(2_500)}`))))
]

const prompt: Pick<Prompt, "system" | "tools"> = {
  system: "AGENT SYSTEM PROMPT",
  tools: [{ name: "bash", description: "runs", parameters: {} }]
}

const requestOf = (model: Model.Model["Type"], projection: Projection.Projection): CompactionRequest => ({
  model,
  prompt,
  projection,
  budget: budgetOf(32_768),
  estimate: Estimate.start({ ...prompt, entries: Projection.entries(projection) }, weights),
  place: "in-turn",
  strategy: "auto",
  sessionId: "session",
  checkpointId: Checkpoint.CheckpointId.make("c1"),
  mayAskAgain: true,
  retry: (effect) => effect
})

const long = `${summary}\n- ${words(200)}`

const run = (answers: ReadonlyArray<Answer>, options: Partial<CompactionRequest> = {}) =>
  Effect.gen(function*() {
    const { model, sent } = yield* scripted(answers)
    const request = { ...requestOf(model, options.projection ?? { turns }), ...options }
    const result = yield* Effect.either(Compaction.make.compact(request))
    return { result, sent: yield* sent, request }
  })

const texts = (entries: ReadonlyArray<Entry>) =>
  entries.map((entry) => entry._tag === "UserMessage" ? entry.text : "step")

describe("A compaction", () => {
  it.effect("[A14] is one request with no tools, on the same client and session", () =>
    Effect.gen(function*() {
      const { request, result, sent } = yield* run([answer(long)])
      const made = yield* result
      assert.strictEqual(sent.length, 1)
      assert.deepEqual(sent[0]?.prompt.tools, [])
      assert.deepEqual(sent[0]?.options, { maxOutputTokens: request.budget.caps.summaryOutput, sessionId: "session" })
      assert.notInclude(sent[0]?.prompt.system ?? "", prompt.system)
      assert.notInclude(texts(sent[0]?.prompt.entries ?? []).join(""), prompt.system)
      assert.deepInclude(made, { usage, strategy: "isolated", notes: [], askedAgain: false })
      assert.isAbove(made.before, made.after)
    }))

  it.effect("[A15] only the normal text becomes the summary", () =>
    Effect.gen(function*() {
      const { checkpoint } = yield* (yield* run([answer(long)])).result
      assert.strictEqual(checkpoint.summary, long.trim())
      assert.strictEqual(checkpoint.id, "c1")
    }))

  it.effect("[A11] what it yields replaces the conversation, and `after` is the size of that", () =>
    Effect.gen(function*() {
      const { request, result } = yield* run([answer(long)])
      const made = yield* result
      const entries = Projection.entries(Projection.apply(request.projection, made.checkpoint))
      assert.strictEqual(entries.length, 1)
      assert.include(texts(entries)[0] ?? "", long.trim())
      assert.strictEqual(made.after, Estimate.current(Estimate.start({ ...prompt, entries }, weights)))
    }))

  it.effect("tells who listens what arrives", () =>
    Effect.gen(function*() {
      const seen = yield* Ref.make("")
      yield* run([answer(long)], { focus: "", onText: (delta) => Ref.update(seen, (text) => text + delta) })
      assert.strictEqual(yield* Ref.get(seen), long)
    }))

  it.effect("with nothing to compact there is no request", () =>
    Effect.gen(function*() {
      const { result, sent } = yield* run([], { projection: { turns: [turn("t0", "Task")] } })
      assert.strictEqual(Either.getOrThrow(Either.flip(result))._tag, "NothingToCompact")
      assert.strictEqual(sent.length, 0)
    }))
})

describe("[A16] A faulty summary", () => {
  it.effect("is asked for once more, stricter, naming the fault; both are paid for", () =>
    Effect.gen(function*() {
      const { result, sent } = yield* run([answer(""), answer(long)])
      const made = yield* result
      assert.include(texts(sent[1]?.prompt.entries ?? [])[0] ?? "", "could not be used: it held reasoning and no text")
      assert.strictEqual(made.checkpoint.summary, long.trim())
      assert.deepEqual(made.usage, Usage.add(usage, usage))
      assert.isTrue(made.askedAgain)
    }))

  it.effect.each(
    [
      ["EmptySummary", answer("")],
      ["TruncatedSummary", answer(long, "length")],
      ["MalformedSummary", answer("I'm sorry, I can't do that.")],
      ["NoProgress", answer(`${summary} ${words(2_000)}`)]
    ] as const
  )("twice: %s, with what it cost, in a message that says what to do", ([tag, faulty]) =>
    Effect.gen(function*() {
      const small = { turns: [turn("t0", "Task", [said(words(2_050))])] }
      const { result } = yield* run([faulty, faulty], { projection: small })
      const error = Either.getOrThrow(Either.flip(result))
      assert.strictEqual(error._tag, tag)
      assert.deepEqual("usage" in error && error.usage, Usage.add(usage, usage))
      assert.include(error.message, "The conversation is unchanged")
    }))

  it.effect("is not asked for again where the turn has used that up", () =>
    Effect.gen(function*() {
      const { result, sent } = yield* run([answer("")], { mayAskAgain: false })
      assert.strictEqual(Either.getOrThrow(Either.flip(result))._tag, "EmptySummary")
      assert.strictEqual(sent.length, 1)
    }))

  it.effect("with a soft fault twice is accepted and noted", () =>
    Effect.gen(function*() {
      const soft = long.replace("## Discoveries\n", "")
      const made = yield* (yield* run([answer(soft), answer(soft)])).result
      assert.deepEqual(made.notes, ["these headings were missing or empty: Discoveries"])
    }))

  it.effect("with a soft fault is better than a second one that cannot be used, or none", () =>
    Effect.gen(function*() {
      const soft = long.replace("## Discoveries\n", "")
      for (const second of [answer(""), Stream.fail(overloaded)]) {
        const made = yield* (yield* run([answer(soft), second])).result
        assert.strictEqual(made.checkpoint.summary, soft.trim())
        assert.strictEqual(made.notes.length, 1)
      }
    }))
})

describe("The model's own failures", () => {
  it.effect("follow the retry policy that is handed in, then are told as they are", () =>
    Effect.gen(function*() {
      const retry: CompactionRequest["retry"] = (effect) => Effect.retry(effect, Schedule.recurs(2))
      const good = yield* run([Stream.fail(overloaded), Stream.fail(overloaded), answer(long)], { retry })
      assert.isTrue(Either.isRight(good.result))
      const bad = yield* run([Stream.fail(overloaded), Stream.fail(overloaded), Stream.fail(overloaded)], { retry })
      const error = Either.getOrThrow(Either.flip(bad.result))
      assert.isTrue(error._tag === "SummarizerFailed" && error.error._tag === "ModelUnavailable")
      assert.strictEqual(bad.sent.length, 3)
    }))

  it.effect("a half answer of a failed try is no part of the next", () =>
    Effect.gen(function*() {
      const half = Stream.concat(Stream.make(ModelEvent.TextDelta({ text: "HALF" })), Stream.fail(overloaded))
      const made = yield* (yield* run([half, answer(long)], {
        retry: (effect) => Effect.retry(effect, Schedule.recurs(1))
      }))
        .result
      assert.strictEqual(made.checkpoint.summary, long.trim())
    }))

  it.effect("[A22] a summary that takes 24 hours is waited for", () =>
    Effect.gen(function*() {
      const slow = answer(long).pipe(Stream.schedule(Schedule.spaced(Duration.hours(6))))
      const { model } = yield* scripted([slow])
      const fiber = yield* Effect.fork(Compaction.make.compact(requestOf(model, { turns })))
      yield* TestClock.adjust(Duration.hours(23))
      assert.isTrue((yield* Fiber.poll(fiber))._tag === "None")
      yield* TestClock.adjust(Duration.hours(2))
      assert.strictEqual((yield* Fiber.join(fiber)).checkpoint.summary, long.trim())
    }))
})
