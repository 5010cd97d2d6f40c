import { assert, describe, it } from "@effect/vitest"
import * as Script from "@weir/simulator/Script"
import { Simulator } from "@weir/simulator/Simulator"
import * as Simulators from "@weir/simulator/Simulator"
import * as Effect from "effect/Effect"
import { events, fold, items, post, request, streaming, user } from "./ResponsesClient.js"
import { at, json } from "./TestClient.js"

const tools = [{ name: "bash", parameters: { properties: {}, type: "object" }, type: "function" }]

const full = Script.say({
  parts: [
    Script.reasoning("Let me look at it."),
    Script.text("Looking."),
    Script.call("bash", { command: "cat a" }),
    Script.redacted,
    Script.call("bash", "")
  ]
})

const counts = (usage: unknown) => ({
  cached: Number(at(usage, "input_tokens_details", "cached_tokens")),
  input: Number(at(usage, "input_tokens")),
  output: Number(at(usage, "output_tokens")),
  reasoning: Number(at(usage, "output_tokens_details", "reasoning_tokens"))
})

describe("Responses stream", () => {
  it.scoped("is numbered events, each item between its beginning and its end", () =>
    Effect.gen(function*() {
      const { text } = yield* post(streaming({ tools }))
      const all = events(text)
      assert.deepStrictEqual(all.map((event) => at(event, "sequence_number")), all.map((_, index) => index))
      const kinds = all.map((event) => String(at(event, "type")).replace("response.", ""))
      assert.deepStrictEqual(kinds.slice(0, 2), ["created", "in_progress"])
      assert.strictEqual(kinds.at(-1), "completed")
      assert.deepStrictEqual(
        kinds.filter((kind) => !kind.endsWith(".delta")).slice(2, 12),
        [
          "output_item.added",
          "reasoning_summary_part.added",
          "reasoning_summary_text.done",
          "reasoning_summary_part.done",
          "output_item.done",
          "output_item.added",
          "content_part.added",
          "output_text.done",
          "content_part.done",
          "output_item.done"
        ]
      )
      const { calls, finish, reasoning, text: said, usage } = fold(text)
      assert.deepStrictEqual({ finish, reasoning, said }, {
        finish: "completed",
        reasoning: "Let me look at it.",
        said: "Looking."
      })
      assert.deepStrictEqual(calls.map((call) => call.arguments), ["{\"command\":\"cat a\"}", ""])
      assert.deepStrictEqual(items(text), at(all.at(-1), "response", "output"))
      assert.isAbove(counts(usage).reasoning, 4)
      assert.isAbove(counts(usage).output, counts(usage).reasoning)
    }).pipe(Effect.provide(Simulators.layer({ script: full }))))

  it.scoped("says the same as a reply that comes whole", () =>
    Effect.gen(function*() {
      const whole = json(yield* post(request({ include: ["reasoning.encrypted_content"], tools })))
      const streamed = (yield* post(streaming({ tools }))).text
      const bare = (value: unknown) => JSON.stringify(value).replace(/_\d{6}_|"encrypted_content":"[^"]*"/g, "")
      assert.strictEqual(bare(at(whole, "output")), bare(items(streamed)))
      assert.strictEqual(at(whole, "status"), "completed")
      assert.strictEqual(counts(at(whole, "usage")).input, counts(fold(streamed).usage).input)
    }).pipe(Effect.provide(Simulators.layer({ script: full }))))

  it.scoped("brings back what it thought only when that is asked for", () =>
    Effect.gen(function*() {
      const [thought] = items((yield* post(streaming({ include: null }))).text)
      assert.deepInclude(thought, { type: "reasoning" })
      assert.notProperty(thought, "encrypted_content")
    }).pipe(Effect.provide(Simulators.layer({ script: full }))))

  it.scoped("tells newer models' remarks from their answers", () =>
    Effect.gen(function*() {
      const phase = (model: string) =>
        Effect.map(
          post(streaming({ model, tools })),
          ({ text }) => items(text).map((item) => at(item, "phase")).find((found) => found !== undefined)
        )
      assert.strictEqual(yield* phase("gpt-5.6"), "commentary")
      assert.strictEqual(yield* phase("gpt-6.2"), "commentary")
      assert.isUndefined(yield* phase("gpt-5.2"))
    }).pipe(Effect.provide(Simulators.layer({ script: full }))))

  it.scoped("ends at the output limit in the middle of a call", () =>
    Effect.gen(function*() {
      const { text } = yield* post(streaming({ max_output_tokens: 20, tools }))
      assert.strictEqual(fold(text).finish, "max_output_tokens")
      assert.strictEqual(at(events(text).at(-1), "type"), "response.incomplete")
      assert.deepInclude(items(text).at(-1), { status: "incomplete", type: "function_call" })
    }).pipe(
      Effect.provide(Simulators.layer({ script: Script.calls(Script.call("bash", { a: "word ".repeat(100) })) }))
    ))
})

describe("Responses window", () => {
  const prompt = "the level of the river ".repeat(300)

  it.scoped("names no sizes", () =>
    Effect.gen(function*() {
      const response = yield* post(request({ input: prompt }))
      assert.strictEqual(response.status, 400)
      assert.deepStrictEqual(at(json(response), "error"), {
        code: "context_length_exceeded",
        message: "Your input exceeds the context window of this model. Please adjust your input and try again.",
        param: "input",
        type: "invalid_request_error"
      })
    }).pipe(Effect.provide(Simulators.layer({ script: Script.reply("ok"), window: 500 }))))
})

describe("Responses prompt cache", () => {
  it.scoped("is automatic: the prefix that an earlier request shares, inside of the input's count", () =>
    Effect.gen(function*() {
      const simulator = yield* Simulator
      const ask = (...input: ReadonlyArray<object>) =>
        Effect.map(
          post(request({ input, instructions: "Rule of the house. ".repeat(400) })),
          (response) => counts(at(json(response), "usage"))
        )
      const first = yield* ask(user())
      assert.strictEqual(first.cached, 0)
      const grown = yield* ask(user(), { content: "Hello.", role: "assistant" }, user("and"))
      assert.strictEqual(grown.input, (yield* simulator.requests)[1]?.tokens)
      assert.isAbove(grown.cached, first.input - 140)
      assert.isAtMost(grown.cached, first.input)
    }).pipe(Effect.provide(Simulators.layer({ script: Script.reply("ok") }))))
})
