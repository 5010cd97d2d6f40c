import { assert, describe, it } from "@effect/vitest"
import * as Script from "@weir/simulator/Script"
import { Simulator } from "@weir/simulator/Simulator"
import * as Simulators from "@weir/simulator/Simulator"
import * as Effect from "effect/Effect"
import { assistant, count, events, fold, message, post, request, streaming, user } from "./AnthropicClient.js"
import { at, json } from "./TestClient.js"

const answer = "An answer of several words, with an emoji 👩‍🚀 and \"quotes\"."

const tools = [{ description: "Runs.", input_schema: { properties: {}, type: "object" }, name: "bash" }]

const full = Script.say({
  parts: [
    Script.reasoning("Let me look at it."),
    Script.redacted,
    Script.text("Looking."),
    Script.call("bash", { command: "cat a" }),
    Script.call("bash", "not json")
  ]
})

describe("Anthropic stream", () => {
  it.scoped("is the events of one text, in order", () =>
    Effect.gen(function*() {
      const response = yield* post(streaming())
      assert.strictEqual(response.status, 200, response.text)
      assert.match(response.headers["content-type"] ?? "", /^text\/event-stream/)
      assert.strictEqual(response.headers["request-id"], "req_000000")
      const all = events(response.text)
      const types = all.map((event) => String(at(event, "type")))
      assert.deepStrictEqual(types.slice(0, 3), ["message_start", "ping", "content_block_start"])
      assert.deepStrictEqual(types.slice(-3), ["content_block_stop", "message_delta", "message_stop"])
      assert.isAtLeast(types.filter((type) => type === "content_block_delta").length, 2)
      const logged = yield* Effect.flatMap(Simulator, ({ settled }) => settled(0))
      assert.deepInclude(logged, { kind: "main", outcome: "answered", wire: "anthropic" })
      const { content, finish, start, usage } = message(response.text)
      assert.deepStrictEqual(content, [{ text: answer, type: "text" }])
      assert.strictEqual(finish, "end_turn")
      assert.deepInclude(at(start, "message"), { content: [], model: "sim-1", role: "assistant", stop_reason: null })
      assert.strictEqual(at(start, "message", "usage", "input_tokens"), logged.tokens)
      assert.strictEqual(at(start, "message", "usage", "output_tokens"), 1)
      assert.deepInclude(usage, {
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        input_tokens: logged.tokens
      })
      assert.isAbove(Number(at(usage, "output_tokens")), 5)
    }).pipe(Effect.provide(Simulators.layer({ script: Script.reply(answer) }))))

  it.scoped("holds thinking, hidden thinking, text and parallel calls; whole replies hold the same", () =>
    Effect.gen(function*() {
      const streamed = yield* post(streaming({ tools }))
      const { content, finish } = message(streamed.text)
      assert.strictEqual(finish, "tool_use")
      assert.deepStrictEqual(content.map(({ type }) => type), [
        "thinking",
        "redacted_thinking",
        "text",
        "tool_use",
        "tool_use"
      ])
      assert.strictEqual(content[0]?.thinking, "Let me look at it.")
      assert.match(String(content[0]?.signature), /^[A-Za-z0-9+/]{40,}=*$/)
      assert.match(String(content[1]?.data), /^[A-Za-z0-9+/]{40,}=*$/)
      assert.deepStrictEqual(content.slice(3).map(({ input }) => input), [{ command: "cat a" }, "not json"])
      assert.strictEqual(new Set(content.slice(3).map(({ id }) => id)).size, 2)
      const pieces = events(streamed.text).filter((event) => at(event, "index") === 3)
      assert.isAtLeast(pieces.length, 5)
      const hidden = events(streamed.text).filter((event) => at(event, "index") === 1)
      assert.deepStrictEqual(hidden.map((event) => at(event, "type")), ["content_block_start", "content_block_stop"])
      const whole = json(yield* post(request({ tools })))
      assert.deepInclude(whole, { role: "assistant", stop_reason: "tool_use", type: "message" })
      assert.strictEqual(at(whole, "content", 0, "thinking"), "Let me look at it.")
      assert.deepStrictEqual(at(whole, "content", 3, "input"), { command: "cat a" })
      assert.deepStrictEqual(
        at(whole, "usage", "output_tokens"),
        at(message(streamed.text).usage, "output_tokens")
      )
    }).pipe(Effect.provide(Simulators.layer({ script: full }))))

  it.scoped("goes through a tool loop whose thoughts are replayed", () =>
    Effect.gen(function*() {
      const first = message((yield* post(streaming({ thinking: { type: "adaptive" }, tools }))).text)
      const results = first.content.filter(({ type }) => type === "tool_use").map(({ id }) => ({
        content: "ok",
        tool_use_id: id,
        type: "tool_result"
      }))
      const second = yield* post(streaming({
        messages: [user("hi"), assistant(...first.content), user(results)],
        thinking: { type: "adaptive" },
        tools
      }))
      assert.strictEqual(second.status, 200, second.text)
      assert.strictEqual(fold(second.text).text, "Done.")
    }).pipe(Effect.provide(Simulators.layer({
      script: Script.sequence([
        Script.say({ parts: [Script.reasoning("Hm."), Script.redacted, Script.call("bash", {})] }),
        Script.reply("Done.")
      ])
    }))))
})

describe("Anthropic count_tokens", () => {
  it.scoped("counts what the request itself is then charged, and leaves script and cache alone", () =>
    Effect.gen(function*() {
      const { max_tokens: _, ...body } = request({ messages: [user("word ".repeat(3_000))], tools })
      const counted = yield* count({ ...body, cache_control: { type: "ephemeral" } })
      assert.strictEqual(counted.status, 200, counted.text)
      const { requests } = yield* Simulator
      const tokens = (yield* requests)[0]?.tokens
      assert.deepStrictEqual(json(counted), { input_tokens: tokens })
      assert.deepInclude((yield* requests)[0], { kind: "count", outcome: "answered" })
      const answered = json(yield* post({ ...body, cache_control: { type: "ephemeral" }, max_tokens: 10 }))
      assert.strictEqual(at(answered, "content", 0, "text"), "one")
      assert.strictEqual(at(answered, "usage", "cache_read_input_tokens"), 0)
      assert.strictEqual(
        Number(at(answered, "usage", "input_tokens")) + Number(at(answered, "usage", "cache_creation_input_tokens")),
        tokens
      )
      assert.strictEqual((yield* count(request())).status, 400)
    }).pipe(Effect.provide(Simulators.layer({
      script: Script.sequence([Script.reply("one"), Script.reply("two")])
    }))))
})
