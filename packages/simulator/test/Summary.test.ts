import { assert, describe, it } from "@effect/vitest"
import { userMessage } from "@weir/model/Conversation"
import * as Script from "@weir/simulator/Script"
import { Simulator } from "@weir/simulator/Simulator"
import * as Simulators from "@weir/simulator/Simulator"
import type { SummaryBehaviour } from "@weir/simulator/Summary"
import { headings, summarize } from "@weir/simulator/Summary"
import * as TokenCounter from "@weir/simulator/TokenCounter"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { apis } from "./TestApis.js"
import { user } from "./TestClient.js"

const asking = `Write a summary of the work with the headings ${headings.join(", ")}.`

const history = [
  "user: Add retries to the client. You must never touch src/generated.",
  ...Array.from(
    { length: 300 },
    (_, index) => `bash cat src/part${index}.ts\nline ${index} of the output, result ${index * 7}`
  ),
  "error: the test of src/client/Retry.ts fails with a timeout"
].join("\n")

const simulator = (summary: SummaryBehaviour | ReadonlyArray<SummaryBehaviour> = "good") =>
  Simulators.layer({ maxOutput: 200_000, script: Script.reply("main"), summary, window: 1_000_000 })

const kinds = Effect.map(
  Effect.flatMap(Simulator, ({ requests }) => requests),
  (requests) => requests.map(({ kind }) => kind)
)

for (const api of apis) {
  describe(`Summary on the ${api.name} wire`, () => {
    const { fold, post, request, streaming, tools, under } = api

    const compaction = (more: object = {}) => streaming({ ...under(asking, [user(history)]), ...more })

    const summary = (behaviour: SummaryBehaviour) =>
      Effect.map(post(compaction()), (response) => ({ ...fold(response.text), status: response.status })).pipe(
        Effect.provide(simulator(behaviour))
      )

    it.scoped("answers a compaction request with five headings made from the input", () =>
      Effect.gen(function*() {
        const first = fold((yield* post(compaction())).text)
        const second = fold((yield* post(compaction())).text)
        assert.strictEqual(first.text, second.text)
        assert.strictEqual(first.finish, api.finish.end)
        for (const heading of headings) assert.match(first.text, new RegExp(`^## ${heading}\n\\S`, "m"))
        assert.include(first.text, "Add retries to the client")
        assert.include(first.text, "must never touch src/generated")
        assert.include(first.text, "src/part0.ts")
        assert.include(first.text, "fails with a timeout")
        const tokens = TokenCounter.make().text(first.text)
        assert.isAbove(tokens, 250)
        assert.isBelow(tokens, 2_000)
        assert.deepStrictEqual(yield* kinds, ["compaction", "compaction"])
      }).pipe(Effect.provide(simulator())))

    it.scoped("carries an earlier summary on and leaves the request itself out", () =>
      Effect.gen(function*() {
        const earlier = fold((yield* post(compaction())).text).text
        const framed = (previous: string) =>
          `<previous_summary>\n${previous}\n</previous_summary>\n\n<history>\n<tool_result>\nfound src/new.ts\n` +
          `</tool_result>\n</history>\n\n${asking} Never be vague.`
        const messages = (previous: string) => under("You write summaries.", [user(framed(previous))])
        const second = fold((yield* post(streaming(messages(earlier)))).text).text
        const third = fold((yield* post(streaming(messages(second)))).text).text
        for (const text of [second, third]) {
          assert.match(text, /^## Goal\nuser: Add retries to the client/)
          assert.include(text, "must never touch src/generated")
          assert.include(text, "src/new.ts")
          assert.notInclude(text, "Never be vague")
          assert.notMatch(text, /- - |<\/?history>/)
        }
        assert.isBelow(third.length, earlier.length * 1.5)
      }).pipe(Effect.provide(simulator())))

    it.scoped("recognizes one whose prefix is the agent's own, and nothing else", () =>
      Effect.gen(function*() {
        const system = "You are an agent."
        yield* post(
          request({
            ...under(system, [user("work"), { content: "ok", role: "assistant" }, user(asking)]),
            ...api.noCalls,
            tools
          })
        )
        yield* post(compaction({ tools }))
        yield* post(request(under(system, [user("Give me a summary of the goal.")])))
        yield* post(request({ messages: [user(`<compacted_context>\n${asking}\n</compacted_context>\n\ngo on`)] }))
        assert.deepStrictEqual(yield* kinds, ["compaction", "main", "main", "main"])
      }).pipe(Effect.provide(simulator())))

    it.scoped("does not move the script on", () =>
      Effect.gen(function*() {
        yield* post(compaction())
        assert.strictEqual(fold((yield* post(streaming())).text).text, "one")
      }).pipe(Effect.provide(
        Simulators.layer({ script: Script.sequence([Script.reply("one"), Script.reply("two")]) })
      )))

    it.scoped("misbehaves in turn, the last way staying", () =>
      Effect.gen(function*() {
        const texts = yield* Effect.replicateEffect(Effect.map(post(compaction()), ({ text }) => fold(text).text), 3)
        assert.strictEqual(texts[0], "")
        assert.include(texts[1], "## Goal")
        assert.include(texts[2], "## Goal")
      }).pipe(Effect.provide(simulator(["empty", "good"]))))

    it.scoped("misbehaves as told", () =>
      Effect.gen(function*() {
        const good = yield* summary("good")
        assert.deepInclude(yield* summary("empty"), { finish: api.finish.end, reasoning: "", text: "" })
        assert.deepInclude(yield* summary("reasoningOnly"), { finish: api.finish.end, reasoning: good.text, text: "" })
        assert.match((yield* summary("toolMarkup")).text, /^<tool_call>/)
        assert.deepInclude(yield* summary("toolCall"), { finish: api.finish.calls, text: "" })
        assert.strictEqual((yield* summary("echo")).text, history)
        assert.isAbove((yield* summary("inflated")).text.length, 160_000)
        const truncated = yield* summary("truncated")
        assert.strictEqual(truncated.finish, api.finish.length)
        assert.isTrue(good.text.startsWith(truncated.text) && truncated.text.length < good.text.length)
        const missing = (yield* summary("missingHeading")).text
        assert.include(missing, "## Accomplished")
        assert.notInclude(missing, "## Relevant Files")
        assert.include((yield* summary("closingTags")).text, "</compacted_context>")
        assert.strictEqual((yield* summary("refusal")).finish, api.finish.refused)
      }))

    it.scoped("fails with status 500", () =>
      Effect.gen(function*() {
        const response = yield* post(compaction())
        assert.strictEqual(response.status, 500)
        assert.include(response.text, api.serverError)
        assert.strictEqual((yield* post(streaming())).status, 200)
      }).pipe(Effect.provide(simulator("httpError"))))

    for (const behaviour of ["hang", "silent"] as const) {
      it.scoped(`is ${behaviour} for ever`, () =>
        Effect.gen(function*() {
          const simulator = yield* Simulator
          const fiber = yield* Effect.fork(post(compaction()))
          const logged = yield* simulator.request(0)
          assert.strictEqual(logged.kind, "compaction")
          yield* TestClock.adjust("1000 days")
          assert.strictEqual((yield* simulator.requests)[0]?.outcome, "open")
          yield* Fiber.interrupt(fiber)
          yield* simulator.awaitOpenConnections(0)
        }).pipe(Effect.provide(simulator(behaviour))))
    }

    it.scoped("stays within the output limit asked for", () =>
      Effect.gen(function*() {
        const { finish, usage } = fold((yield* post(compaction(api.limit(50)))).text)
        assert.strictEqual(finish, api.finish.length)
        assert.strictEqual(usage?.output, 50)
      }).pipe(Effect.provide(simulator())))
  })
}

describe("Summary", () => {
  it.live("is linear on 1 MB of letters, dots and slashes", () =>
    Effect.gen(function*() {
      for (const unit of ["a", "a/", "a.", "../", " a"]) {
        const [time] = yield* Effect.timed(
          Effect.sync(() =>
            summarize({ entries: [userMessage(unit.repeat(1_000_000 / unit.length))], system: "", tools: [] })
          )
        )
        // A quadratic scan of these takes minutes.
        assert.isBelow(Duration.toSeconds(time), 3, unit)
      }
    }))
})
