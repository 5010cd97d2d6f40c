import { assert, describe, it } from "@effect/vitest"
import type { Step, ToolResult } from "@weir/model/Conversation"
import { userMessage } from "@weir/model/Conversation"
import type { NativeRequest } from "@weir/model/Model"
import * as Reply from "@weir/model/Reply"
import type { Thinking } from "@weir/model/Thinking"
import * as Script from "@weir/simulator/Script"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { vi } from "vitest"
import * as Conformance from "../../transport/test/Conformance.js"
import { ask, eventStream, options, prompt, sending, simulate } from "../../transport/test/Conformance.js"
import * as AnthropicMessages from "../src/AnthropicMessages.js"

const Event = Schema.Struct({ type: Schema.String }, { key: Schema.String, value: Schema.Unknown })
type Event = typeof Event.Type
const isEvent = Schema.is(Event)

const frame = (event: Event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`

const stream = (events: ReadonlyArray<Event>) => eventStream(events.map(frame).join(""))

const begun: ReadonlyArray<Event> = [
  { type: "message_start", message: { usage: { input_tokens: 5, output_tokens: 1 } } },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hel" } }
]

const reported = (type: string, message: string) =>
  stream([...begun, { type: "error", error: { type, message }, request_id: "req_1" }])

const interrupted = { _tag: "ModelUnavailable", reason: "interrupted" }

Conformance.conformance({
  name: "AnthropicMessages",
  corpus: "anthropic-messages",
  make: AnthropicMessages.make,
  baseUrl: ({ origin }) => origin,
  begun,
  stream: (events) => stream(events.filter(isEvent)),
  refusals: [
    [
      "no message_stop",
      stream([
        ...begun,
        { type: "content_block_stop", index: 0 },
        { type: "message_delta", delta: { stop_reason: "end_turn" } }
      ]),
      interrupted
    ],
    ["only the end", stream([{ type: "message_stop" }]), interrupted],
    ["broken JSON", eventStream("event: message_start\ndata: {\"type\":\n\n"), interrupted],
    [
      "no event of this API",
      eventStream("event: message\ndata: {\"error\":{\"message\":\"prompt is too long\"}}\n\n"),
      {
        _tag: "ContextWindowExceeded"
      }
    ],
    ["an overloaded server", reported("overloaded_error", "Overloaded"), {
      _tag: "ModelUnavailable",
      reason: "overloaded"
    }],
    ["a failing server", reported("api_error", "Internal server error"), {
      _tag: "ModelUnavailable",
      reason: "overloaded"
    }],
    ["a limited rate", reported("rate_limit_error", "Number of request tokens has exceeded your limit"), {
      _tag: "ModelUnavailable",
      reason: "rateLimited"
    }],
    [
      "a window exceeded in the stream",
      reported("invalid_request_error", "prompt is too long: 208310 tokens > 200000 maximum"),
      { _tag: "ContextWindowExceeded", kind: "tokens", limit: 200_000, actual: 208_310 }
    ],
    ["a plain error in the stream", eventStream("event: error\ndata: Overloaded\n\n"), { _tag: "ModelUnavailable" }],
    ["an overloaded server before the stream", {
      _tag: "Http",
      body: JSON.stringify({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }),
      headers: { "content-type": "application/json" },
      status: 529
    }, { _tag: "ModelUnavailable", reason: "overloaded" }],
    ["more output than the model has", {
      _tag: "Http",
      body: JSON.stringify({
        type: "error",
        error: {
          type: "invalid_request_error",
          message: "max_tokens: 64000 > 8192, which is the maximum allowed number of output tokens for claude-3"
        }
      }),
      headers: { "content-type": "application/json" },
      status: 400
    }, { _tag: "OutputLimitExceeded", limit: 8192 }]
  ]
})

const cached = { cache_control: { type: "ephemeral" } }

const answered = (text: string): ToolResult => ({ facts: [], images: [], isError: false, text })

describe("AnthropicMessages' requests", () => {
  it.scoped("hold what the API takes, marked for the cache", () =>
    Effect.gen(function*() {
      const simulator = yield* simulate()
      yield* ask(AnthropicMessages.make({ ...options(simulator.origin), apiKey: Redacted.make("k-1") }))
      const { headers, json, path } = yield* simulator.request(0)
      assert.strictEqual(path, "/v1/messages")
      assert.strictEqual(headers["anthropic-version"], "2023-06-01")
      assert.notProperty(headers, "authorization")
      assert.deepStrictEqual(json, {
        max_tokens: 1000,
        messages: [{ content: [{ ...cached, text: "hello", type: "text" }], role: "user" }],
        model: "sim-1",
        stream: true,
        system: [{ ...cached, text: "Be brief.", type: "text" }],
        tools: [{
          ...cached,
          description: "Reads.",
          input_schema: { properties: {}, type: "object" },
          name: "read"
        }]
      })
    }))

  it.scoped("go to the same place with or without the version in the address", () =>
    Effect.gen(function*() {
      const simulator = yield* simulate()
      const { origin } = simulator
      for (const baseUrl of [origin, `${origin}/`, `${origin}/v1`, `${origin}/v1/`]) {
        yield* ask(AnthropicMessages.make(options(baseUrl)))
      }
      const paths = (yield* simulator.requests).map(({ path }) => path)
      assert.deepStrictEqual(paths, ["/v1/messages", "/v1/messages", "/v1/messages", "/v1/messages"])
    }))

  it.scoped("carry a token as a bearer", () =>
    Effect.gen(function*() {
      const simulator = yield* simulate({ apiKey: Redacted.make("token-1") })
      const model = AnthropicMessages.make({ ...options(simulator.origin), authToken: Redacted.make("token-1") })
      yield* ask(model)
      assert.notProperty((yield* simulator.request(0)).headers, "x-api-key")
      const error = yield* Effect.flip(
        ask(AnthropicMessages.make({ ...options(simulator.origin), authToken: Redacted.make("token-2") }))
      )
      assert.strictEqual(error._tag, "AuthenticationFailed")
    }))

  it.scoped("take no key, token or address from the SDK's own variables", () =>
    Effect.gen(function*() {
      vi.stubEnv("ANTHROPIC_API_KEY", "leaked-key")
      vi.stubEnv("ANTHROPIC_AUTH_TOKEN", "leaked-token")
      vi.stubEnv("ANTHROPIC_BASE_URL", "http://127.0.0.1:1")
      vi.stubEnv("ANTHROPIC_LOG", "debug")
      const simulator = yield* simulate()
      yield* ask(AnthropicMessages.make(options(simulator.origin)))
      const { headers } = yield* simulator.request(0)
      vi.unstubAllEnvs()
      assert.notInclude(Object.values(headers).join(), "leaked")
      assert.notProperty(headers, "x-api-key")
      assert.notProperty(headers, "authorization")
    }))

  it.scoped("of models that are to be retired write nothing to standard error", () =>
    Effect.gen(function*() {
      const warned = vi.spyOn(console, "warn")
      const simulator = yield* simulate()
      yield* ask(AnthropicMessages.make({ ...options(simulator.origin), model: "claude-3-haiku-20240307" }))
      assert.strictEqual(warned.mock.calls.length, 0)
      warned.mockRestore()
    }))
})

const thinking = Script.sequence([
  Script.say({
    parts: [
      Script.reasoning("Hm, let me see."),
      Script.redacted,
      Script.text("Looking."),
      Script.call("read", { path: "a" }),
      Script.reasoning("And the other one."),
      Script.call("read", { path: "b" })
    ]
  }),
  Script.say({ parts: [Script.reasoning("One more."), Script.call("read", { path: "c" })] }),
  Script.reply("All are fine.")
])

/** Talks until the model calls nothing more, and gives the steps. */
const converse = (model: ReturnType<typeof AnthropicMessages.make>) =>
  Effect.iterate({ request: model.start(prompt), replies: new Array<Reply.Reply>() }, {
    while: ({ replies }) => replies.length === 0 || replies.at(-1)?.stop === "calls",
    body: ({ replies, request }) =>
      Effect.map(Stream.runCollect(request.stream(sending)), (events) => {
        const reply = Chunk.toReadonlyArray(events).reduce(Reply.append, Reply.empty)
        const step = Reply.toStep(reply, (call) => answered(`content of ${call.arguments}`))
        return { replies: [...replies, reply], request: request.append(step) }
      })
  })

describe("AnthropicMessages' thinking", () => {
  it.scoped("goes back unchanged and in its place, hidden or not, all through a tool loop", () =>
    Effect.gen(function*() {
      const simulator = yield* simulate({ script: thinking })
      const { replies } = yield* converse(AnthropicMessages.make(options(simulator.origin)))
      assert.deepStrictEqual(replies.map(({ stop }) => stop), ["calls", "calls", "end"])
      assert.strictEqual(Reply.calls(replies[0] ?? Reply.empty).length, 2)
      assert.isUndefined(replies[2]?.native)
      const requests = yield* simulator.requests
      assert.deepStrictEqual(requests.map(({ status }) => status), [200, 200, 200])
      assert.include(requests[2]?.body, "\"thinking\":\"And the other one.\"")
      assert.include(requests[2]?.body, "redacted_thinking")
    }))

  it.scoped("is known to belong to the model that thought it", () =>
    Effect.gen(function*() {
      const simulator = yield* simulate({ script: thinking })
      const start = (model: string) => AnthropicMessages.make({ ...options(simulator.origin), model }).start(prompt)
      const events = yield* Stream.runCollect(start("sim-1").stream(sending))
      const step = Reply.toStep(Chunk.toReadonlyArray(events).reduce(Reply.append, Reply.empty), () => answered("ok"))
      const { native, ...foreign } = step
      assert.isDefined(native)
      const done: Step = { _tag: "Step", parts: [{ _tag: "Text", text: "Both are fine." }] }
      for (const request of [start("sim-2").append(step), start("sim-1").append(foreign)]) {
        yield* Stream.runDrain(request.append(done).append(userMessage("Go on.")).stream(sending))
      }
      const [, ...others] = yield* simulator.requests
      assert.lengthOf(others, 2)
      for (const { body, status } of others) {
        assert.strictEqual(status, 200)
        assert.notInclude(body, "Hm, let me see.")
        assert.include(body, "Looking.")
      }
    }))
})

describe("AnthropicMessages' wish to think", () => {
  const wishes: ReadonlyArray<readonly [model: string, Thinking, sent: object]> = [
    ["claude-sonnet-4-5", "high", { thinking: { type: "enabled", budget_tokens: 24_576 } }],
    ["claude-sonnet-4-5", "off", { thinking: { type: "disabled" } }],
    ["claude-opus-4-6", "medium", {
      thinking: { type: "adaptive", display: "summarized" },
      output_config: { effort: "medium" }
    }],
    ["claude-sonnet-5-5", "off", { thinking: { type: "between_tools" } }],
    ["claude-opus-5-5", "off", {
      thinking: { type: "adaptive", display: "summarized" },
      output_config: { effort: "low" }
    }]
  ]

  for (const [model, thinking, sent] of wishes) {
    it.scoped(`is told to ${model} in its own way: ${thinking}`, () =>
      Effect.gen(function*() {
        const simulator = yield* simulate()
        const asked = AnthropicMessages.make({ ...options(simulator.origin), model, thinking })
        const start = asked.start(prompt)
        yield* Stream.runDrain(start.stream({ ...sending, maxOutputTokens: 64_000 }))
        const { json, outcome } = yield* simulator.settled(0)
        assert.strictEqual(outcome, "answered")
        assert.deepInclude(json, sent)
      }))
  }

  it.scoped("is not told where there is none", () =>
    Effect.gen(function*() {
      const simulator = yield* simulate()
      yield* ask(AnthropicMessages.make({ ...options(simulator.origin), model: "claude-sonnet-4-5" }))
      const { json } = yield* simulator.request(0)
      assert.notProperty(json, "thinking")
      assert.notProperty(json, "output_config")
    }))

  it.scoped("waits for the next turn where another model began this one, and stays when this one did", () =>
    Effect.gen(function*() {
      const simulator = yield* simulate({ script: thinking })
      const model = AnthropicMessages.make({
        ...options(simulator.origin),
        model: "claude-sonnet-4-5",
        thinking: "low"
      })
      const large = { ...sending, maxOutputTokens: 64_000 }
      const modes: Array<unknown> = []
      const send = (request: NativeRequest) =>
        Effect.gen(function*() {
          const events = yield* Stream.runCollect(request.stream(large))
          const { json } = yield* simulator.request(modes.length)
          modes.push(Schema.decodeUnknownSync(Schema.Struct({ thinking: Event }))(json).thinking.type)
          return Reply.toStep(Chunk.toReadonlyArray(events).reduce(Reply.append, Reply.empty), () => answered("ok"))
        })
      const foreign: Step = {
        _tag: "Step",
        parts: [{
          _tag: "Exchange",
          call: { _tag: "ToolCall", arguments: "{}", id: "foreign", name: "read" },
          result: answered("ok")
        }]
      }
      const start = model.start(prompt).append(foreign)
      const first = yield* send(start)
      const second = yield* send(start.append(first).append(userMessage("Go on.")))
      yield* send(model.start(prompt).append(second))
      assert.deepStrictEqual(modes, ["disabled", "disabled", "enabled"])
    }))
})

describe("AnthropicMessages' prompt cache", () => {
  it.scoped("is read up to where the last request ended, however much one step adds", () =>
    Effect.gen(function*() {
      const many = Array.from({ length: 30 }, (_, index) => Script.call("read", { path: `file ${index}` }))
      const simulator = yield* simulate({
        script: Script.sequence([Script.repeat(Script.calls(...many), 3), Script.reply("Done.")])
      })
      const long = "All that there is to know about the task at hand, in many words. ".repeat(400)
      const model = AnthropicMessages.make(options(simulator.origin))
      const { replies } = yield* converse({ ...model, start: () => model.start({ ...prompt, system: long }) })
      assert.lengthOf(replies, 4)
      for (const [index, { usage }] of replies.entries()) {
        assert.isDefined(usage)
        const before = replies[index - 1]?.usage
        assert.strictEqual(usage?.cacheRead, before === undefined ? 0 : before.cacheRead + before.cacheWrite)
      }
    }))
})
