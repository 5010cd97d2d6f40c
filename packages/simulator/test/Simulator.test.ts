import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import { assert, describe, it } from "@effect/vitest"
import * as Json from "@weir/simulator/Json"
import * as Script from "@weir/simulator/Script"
import { Simulator } from "@weir/simulator/Simulator"
import * as Simulators from "@weir/simulator/Simulator"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as TestClock from "effect/TestClock"
import { at, chunks, events, fold, json, post, request, streaming, user } from "./TestClient.js"

const answer = "An answer of several words, with an emoji 👩‍🚀 and \"quotes\"."

const tools = [{ function: { name: "bash", parameters: { properties: {}, type: "object" } }, type: "function" }]

describe("Simulator", () => {
  it.scoped("streams a reply: role, deltas, finish, usage, end", () =>
    Effect.gen(function*() {
      const response = yield* post(streaming())
      assert.strictEqual(response.status, 200)
      assert.match(response.headers["content-type"] ?? "", /^text\/event-stream/)
      const all = chunks(response.text)
      assert.deepStrictEqual(at(all[0], "choices", 0, "delta"), { content: "", role: "assistant" })
      for (const chunk of all) {
        assert.strictEqual(at(chunk, "object"), "chat.completion.chunk")
        assert.strictEqual(at(chunk, "model"), "sim-1")
        assert.strictEqual(at(chunk, "id"), at(all[0], "id"))
      }
      assert.deepStrictEqual(at(all.at(-1), "choices"), [])
      assert.strictEqual(events(response.text).at(-1), "[DONE]")
      const { calls, finish, text, usage } = fold(response.text)
      assert.deepStrictEqual({ calls, finish, text }, { calls: [], finish: "stop", text: answer })
      const logged = yield* Effect.flatMap(Simulator, ({ settled }) => settled(0))
      assert.strictEqual(at(usage, "prompt_tokens"), logged.tokens)
      assert.strictEqual(
        at(usage, "total_tokens"),
        Number(at(usage, "prompt_tokens")) + Number(at(usage, "completion_tokens"))
      )
      assert.isAbove(Number(at(usage, "completion_tokens")), 5)
      assert.strictEqual(logged.outcome, "answered")
    }).pipe(Effect.provide(Simulators.layer({ script: Script.reply(answer) }))))

  it.scoped("sends no usage that was not asked for", () =>
    Effect.gen(function*() {
      const response = yield* post(request({ stream: true }))
      assert.notInclude(response.text, "usage")
      assert.strictEqual(events(response.text).at(-1), "[DONE]")
    }).pipe(Effect.provide(Simulators.layer({ script: Script.reply(answer) }))))

  it.scoped("sends reasoning, text and parallel calls, their arguments in pieces", () =>
    Effect.gen(function*() {
      const streamed = yield* post(streaming({ tools }))
      const { calls, finish, reasoning, text } = fold(streamed.text)
      assert.strictEqual(finish, "tool_calls")
      assert.strictEqual(reasoning, "Let me look.")
      assert.strictEqual(text, "Looking.")
      assert.deepStrictEqual(calls.map((call) => [call.name, call.arguments]), [
        ["bash", "{\"command\":\"cat a\"}"],
        ["bash", "not json"]
      ])
      assert.notStrictEqual(calls[0]?.id, calls[1]?.id)
      const pieces = chunks(streamed.text).filter((chunk) =>
        at(chunk, "choices", 0, "delta", "tool_calls", 0, "index") === 0
      )
      assert.isAtLeast(pieces.length, 3)
      const whole = json(yield* post(request({ tools })))
      assert.strictEqual(at(whole, "choices", 0, "finish_reason"), "tool_calls")
      assert.strictEqual(at(whole, "choices", 0, "message", "content"), "Looking.")
      assert.strictEqual(at(whole, "choices", 0, "message", "tool_calls", 1, "function", "arguments"), "not json")
      assert.notStrictEqual(at(whole, "choices", 0, "message", "tool_calls", 0, "id"), calls[0]?.id)
    }).pipe(Effect.provide(Simulators.layer({
      script: Script.say({
        parts: [
          Script.reasoning("Let me look."),
          Script.text("Looking."),
          Script.call("bash", { command: "cat a" }),
          Script.call("bash", "not json")
        ]
      })
    }))))

  it.scoped("lists models and refuses other addresses", () =>
    Effect.gen(function*() {
      const { url } = yield* Simulator
      const client = yield* HttpClient.HttpClient
      const models = yield* Effect.flatMap(client.get(`${url}/models`), (response) => response.json)
      assert.strictEqual(at(models, "data", 0, "id"), "sim-1")
      assert.strictEqual(at(models, "data", 0, "max_model_len"), 9_000)
      const other = yield* client.get(`${url}/nothing`)
      assert.strictEqual(other.status, 404)
      assert.include(yield* other.text, "Invalid URL (GET /v1/nothing)")
    }).pipe(Effect.provide([FetchHttpClient.layer, Simulators.layer({ script: Script.echo, window: 9_000 })])))

  it.scoped("logs every body byte for byte, and no key", () =>
    Effect.gen(function*() {
      const odd = "{ \"model\" : \"sim-1\",\n\"messages\":[{\"role\":\"user\",\"content\":\"\\u00e9é\\t👀 </x>\"}] }"
      yield* post(odd, { authorization: "Bearer sk-secret", "x-trace": "t1" })
      yield* post("{broken")
      const simulator = yield* Simulator
      const [first, second] = yield* simulator.requests
      assert.strictEqual(first?.body, odd)
      assert.strictEqual(at(first?.json, "messages", 0, "content"), "éé\t👀 </x>")
      assert.strictEqual(first?.headers["x-trace"], "t1")
      assert.strictEqual(first?.headers.authorization, "[redacted]")
      assert.notInclude(Json.print(first), "sk-secret")
      assert.deepInclude(second, { body: "{broken", json: undefined, kind: "main", outcome: "refused", status: 400 })
    }).pipe(Effect.provide(Simulators.layer({ script: Script.echo }))))

  it.scoped("reads a body of 3 MB", () =>
    Effect.gen(function*() {
      const text = "weir ".repeat(600_000)
      const response = yield* post(request({ messages: [user(text)] }))
      assert.strictEqual(response.status, 200)
      const [logged] = yield* Effect.flatMap(Simulator, ({ requests }) => requests)
      assert.strictEqual(at(logged?.json, "messages", 0, "content"), text)
      assert.isAbove(logged?.tokens ?? 0, 500_000)
    }).pipe(Effect.provide(Simulators.layer({ script: Script.reply("ok"), window: 10_000_000 }))))

  it.scoped("stops at the output limit with finish reason length", () =>
    Effect.gen(function*() {
      const long = "word ".repeat(1_000)
      const { finish, text, usage } = fold((yield* post(streaming({ max_completion_tokens: 100 }))).text)
      assert.strictEqual(finish, "length")
      assert.strictEqual(at(usage, "completion_tokens"), 100)
      assert.isBelow(text.length, 600)
      assert.isTrue(long.startsWith(text))
    }).pipe(Effect.provide(Simulators.layer({ script: Script.reply("word ".repeat(1_000)) }))))

  it.scoped("stops where the window is full", () =>
    Effect.gen(function*() {
      const { finish, usage } = fold((yield* post(streaming())).text)
      assert.strictEqual(finish, "length")
      assert.strictEqual(at(usage, "total_tokens"), 200)
    }).pipe(Effect.provide(Simulators.layer({ script: Script.reply("word ".repeat(1_000)), window: 200 }))))

  it.scoped("reports the prefix an earlier request shares as cached, in steps of 128 from 1,024", () =>
    Effect.gen(function*() {
      const cachedOf = (messages: ReadonlyArray<object>, more: object = {}) =>
        Effect.map(
          post(request({ messages, ...more })),
          (response) => Number(at(json(response), "usage", "prompt_tokens_details", "cached_tokens"))
        )
      const system = { content: "Rule of the house. ".repeat(400), role: "system" }
      assert.strictEqual(yield* cachedOf([system, user("one")]), 0)
      const shared = yield* cachedOf([system, user("two")])
      const [, second] = yield* Effect.flatMap(Simulator, ({ requests }) => requests)
      assert.isAtMost(shared, second?.tokens ?? 0)
      assert.isAbove(shared, (second?.tokens ?? 0) - 128 - 20)
      assert.strictEqual(shared % 128, 0)
      assert.strictEqual(yield* cachedOf([{ ...system, content: `x${system.content}` }, user("two")]), 0)
      assert.strictEqual(yield* cachedOf([system, user("two")], { tools }), 0)
      assert.strictEqual(yield* cachedOf([user("short")]), 0)
      assert.strictEqual(yield* cachedOf([user("short")]), 0)
      const grown = yield* cachedOf([system, user("two"), { content: "ok", role: "assistant" }, user("three")])
      assert.isAtLeast(grown, shared)
      const half = yield* cachedOf([{ ...system, content: system.content.slice(0, 5_700) + "but then".repeat(300) }])
      assert.isAtLeast(half, 1_024)
      assert.isBelow(half, shared)
    }).pipe(Effect.provide(Simulators.layer({ script: Script.reply("ok") }))))

  it.scoped("waits as the script says, on the clock", () =>
    Effect.gen(function*() {
      const simulator = yield* Simulator
      const fiber = yield* Effect.fork(post(streaming()))
      yield* simulator.request(0)
      yield* Effect.repeat(
        Effect.zipRight(TestClock.adjust("1 hour"), Effect.yieldNow()),
        { until: () => Effect.map(simulator.requests, ([first]) => first?.outcome === "answered") }
      )
      assert.strictEqual(fold((yield* Fiber.join(fiber)).text).text, answer)
      const now = yield* TestClock.currentTimeMillis
      assert.isAtLeast(now, Duration.toMillis("24 hours"))
    }).pipe(Effect.provide(Simulators.layer({
      script: Script.say({
        beforeFirst: "10 hours",
        beforeHeaders: "10 hours",
        between: "1 hour",
        parts: [Script.text(answer)]
      })
    }))))

  it.scoped("says in one log line where it listens", () => {
    const lines: Array<string> = []
    const logger = Logger.replace(Logger.defaultLogger, Logger.make(({ message }) => lines.push(String(message))))
    return Effect.gen(function*() {
      const { url } = yield* Simulator
      assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/v1$/)
      assert.deepStrictEqual(lines, [`Simulator listens on ${url}`])
    }).pipe(Effect.provide(Simulators.serve({ script: Script.echo }).pipe(Layer.provide(logger))))
  })
})

describe("window", () => {
  const text = "the level of the river ".repeat(300)
  const sized = (window: number, enforce: "prompt" | "sum", more: object = {}) =>
    Effect.map(
      post(request({ max_completion_tokens: 1_000, messages: [user(text)], ...more })),
      (response) => ({
        error: response.status === 200 ? undefined : at(json(response), "error"),
        status: response.status
      })
    ).pipe(Effect.provide(Simulators.layer({ enforce, script: Script.reply("ok"), window })))

  const tokens = Effect.map(
    Effect.zipRight(post(request({ messages: [user(text)] })), Effect.flatMap(Simulator, ({ requests }) => requests)),
    ([first]) => first?.tokens ?? 0
  ).pipe(Effect.provide(Simulators.layer({ script: Script.reply("ok") })))

  it.scoped("takes a prompt of exactly the window and refuses one token more", () =>
    Effect.gen(function*() {
      const size = yield* tokens
      assert.isAbove(size, 1_000)
      assert.strictEqual((yield* sized(size, "prompt")).status, 200)
      const { error, status } = yield* sized(size - 1, "prompt")
      assert.strictEqual(status, 400)
      assert.deepStrictEqual(error, {
        code: "context_length_exceeded",
        message: `This model's maximum context length is ${size - 1} tokens. However, your messages resulted in ` +
          `${size} tokens. Please reduce the length of the messages.`,
        param: "messages",
        type: "invalid_request_error"
      })
    }))

  it.scoped("counts the output limit in where the provider does", () =>
    Effect.gen(function*() {
      const size = yield* tokens
      assert.strictEqual((yield* sized(size + 1_000, "sum")).status, 200)
      const { error } = yield* sized(size + 999, "sum")
      assert.strictEqual(
        at(error, "message"),
        `This model's maximum context length is ${size + 999} tokens. However, you requested ${size + 1_000} tokens ` +
          `(${size} in the messages, 1000 in the completion). Please reduce the length of the messages or completion.`
      )
    }))

  it.scoped("counts tools, calls and images in", () =>
    Effect.gen(function*() {
      const size = yield* tokens
      const withTools = yield* sized(size + 10, "prompt", { tools })
      assert.match(
        String(at(withTools.error, "message")),
        new RegExp(
          `\\(${size} in the messages, \\d+ in the functions\\)\\. Please reduce the length of the messages or`
        )
      )
      const image = { image_url: { url: "data:image/png;base64,iVBORw0KGgo=" }, type: "image_url" }
      const withImage = yield* sized(size + 1_100, "prompt", { messages: [user([{ text, type: "text" }, image])] })
      assert.strictEqual(at(withImage.error, "code"), "context_length_exceeded")
      const id = "call_1"
      const calling = {
        role: "assistant",
        tool_calls: [{ function: { arguments: text, name: "bash" }, id, type: "function" }]
      }
      const withCall = yield* sized(size + 1_000, "prompt", {
        messages: [user(text), calling, { content: "ok", role: "tool", tool_call_id: id }]
      })
      assert.strictEqual(at(withCall.error, "code"), "context_length_exceeded")
    }))

  it.scoped("may change from one request to the next", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* post(request())).status, 200)
      assert.strictEqual((yield* post(request())).status, 400)
    }).pipe(Effect.provide(Simulators.layer({
      script: Script.reply("ok"),
      window: ({ index, tokens: size }) => index === 0 ? size : size - 1
    }))))

  for (const [enforce, reported] of [["truncate", 1_000], ["accept", 1_508]] as const) {
    it.scoped(`may be overrun silently: ${enforce}`, () =>
      Effect.gen(function*() {
        const window = 1_000
        const response = yield* post(request({ messages: [user(text)] })).pipe(
          Effect.provide(Simulators.layer({ enforce, script: Script.reply("ok then"), window }))
        )
        assert.strictEqual(at(json(response), "choices", 0, "message", "content"), "ok then")
        assert.strictEqual(at(json(response), "usage", "prompt_tokens"), reported)
      }))
  }

  it.scoped("refuses a body of too many bytes", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* post(request())).status, 200)
      const response = yield* post(request({ messages: [user("x".repeat(1_000))] }))
      assert.strictEqual(response.status, 413)
    }).pipe(Effect.provide(Simulators.layer({ maxBodyBytes: 1_000, script: Script.reply("ok") }))))
})
