import { assert, describe, it } from "@effect/vitest"
import type * as Conversation from "@weir/model/Conversation"
import { userMessage } from "@weir/model/Conversation"
import type { Model } from "@weir/model/Model"
import * as Reply from "@weir/model/Reply"
import type { Thinking } from "@weir/model/Thinking"
import * as Fault from "@weir/simulator/Fault"
import * as Script from "@weir/simulator/Script"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Conformance from "../../transport/test/Conformance.js"
import { eventStream, http, options, prompt, sending, simulate } from "../../transport/test/Conformance.js"
import { png } from "../../transport/test/Conversations.js"
import * as OpenAiResponses from "../src/OpenAiResponses.js"

const stream = (events: ReadonlyArray<unknown>) =>
  eventStream(events.map((event) => `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`).join(""))

const begun = [
  { type: "response.created", response: { status: "in_progress" } },
  { type: "response.output_item.added", output_index: 0, item: { type: "message", id: "msg_1", content: [] } },
  { type: "response.output_text.delta", output_index: 0, content_index: 0, delta: "Hel" }
]

const failed = (code: string, message: string) => ({
  type: "response.failed",
  response: { status: "failed", error: { code, message } }
})

const window = "Your input exceeds the context window of this model. Please adjust your input and try again."

const interrupted = { _tag: "ModelUnavailable", reason: "interrupted" }

Conformance.conformance({
  name: "OpenAiResponses",
  corpus: "openai-responses",
  make: OpenAiResponses.make,
  baseUrl: ({ url }) => url,
  begun,
  stream,
  unsized: "the API's error names none",
  refusals: [
    ["only the end", stream(["[DONE]"]), interrupted],
    ["no end of the response", stream([...begun, { type: "response.output_item.done", output_index: 0 }]), interrupted],
    ["broken JSON", stream([...begun, "{\"type\":\"respon"]), interrupted],
    [
      "an unknown end",
      stream([...begun, { type: "response.incomplete", response: { incomplete_details: { reason: "boredom" } } }]),
      { ...interrupted, detail: "the reply ended for an unknown reason: boredom" }
    ],
    ["a failure without a reason", stream([...begun, { type: "response.failed", response: {} }]), interrupted],
    [
      "a flat error in the stream",
      stream([...begun, { type: "error", code: "context_length_exceeded", message: window, param: "input" }]),
      { _tag: "ContextWindowExceeded", kind: "tokens" }
    ],
    [
      "a nested error in the stream",
      stream([...begun, {
        type: "error",
        error: { code: "context_length_exceeded", message: window, param: "input" }
      }]),
      { _tag: "ContextWindowExceeded", kind: "tokens" }
    ],
    [
      "a flat error of a kind that passes",
      stream([...begun, { type: "error", code: "server_error", message: "The server had an error." }]),
      { _tag: "ModelUnavailable", reason: "overloaded", detail: "The server had an error." }
    ],
    [
      "a window exceeded by a failed response",
      stream([...begun, failed("context_length_exceeded", window)]),
      { _tag: "ContextWindowExceeded", kind: "tokens" }
    ],
    ["a server that failed", stream([...begun, failed("server_error", "An error occurred.")]), {
      _tag: "ModelUnavailable",
      reason: "overloaded"
    }],
    [
      "a failure for a reason that nobody knows",
      stream([...begun, failed("new_code", "Something new.")]),
      { _tag: "ModelUnavailable", reason: "overloaded" }
    ],
    ["credit that is used up", stream([failed("insufficient_quota", "You exceeded your current quota.")]), {
      _tag: "QuotaExhausted"
    }],
    ["a prompt that is refused", stream([failed("invalid_prompt", "Invalid prompt.")]), { _tag: "ContentRefused" }],
    [
      "a rate limit in the stream",
      stream([failed("rate_limit_exceeded", "Rate limit reached for gpt-5. Please try again in 11.054s.")]),
      { _tag: "ModelUnavailable", reason: "rateLimited" }
    ],
    [
      "an output limit that is too high",
      http(400, {
        error: {
          code: "invalid_value",
          message: "max_output_tokens is too large: 200000. This model supports at most 128000 output tokens.",
          param: "max_output_tokens",
          type: "invalid_request_error"
        }
      }),
      { _tag: "OutputLimitExceeded", limit: 128_000 }
    ]
  ]
})

const bodyOf = (given: Partial<OpenAiResponses.Options> = {}, maxOutputTokens = 1000) =>
  Effect.gen(function*() {
    const simulator = yield* simulate()
    const model = OpenAiResponses.make({ ...options(simulator.url), ...given })
    yield* Stream.runDrain(model.start(prompt).stream({ ...sending, maxOutputTokens }))
    const { json, path, status } = yield* simulator.request(0)
    assert.deepInclude({ path, status }, { path: "/v1/responses", status: 200 })
    return json
  })

describe("OpenAiResponses's requests", () => {
  it.scoped("hold what the API takes, and let it keep nothing", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* bodyOf(), {
        include: ["reasoning.encrypted_content"],
        input: [{ content: [{ text: "hello", type: "input_text" }], role: "user", type: "message" }],
        instructions: "Be brief.",
        max_output_tokens: 1000,
        model: "sim-1",
        prompt_cache_key: "session-1",
        store: false,
        stream: true,
        tools: [{
          description: "Reads.",
          name: "read",
          parameters: { properties: {}, type: "object" },
          strict: false,
          type: "function"
        }]
      })
    }))

  it.scoped("never ask for less output than the API gives", () =>
    Effect.gen(function*() {
      assert.deepInclude(yield* bodyOf({}, 16), { max_output_tokens: 16 })
      assert.deepInclude(yield* bodyOf({}, 1), { max_output_tokens: 16 })
    }))

  it.scoped("ask for thinking only where it is wanted", () =>
    Effect.gen(function*() {
      const asked = (thinking: Thinking) => bodyOf({ thinking })
      assert.deepInclude(yield* asked("high"), { reasoning: { effort: "high", summary: "auto" } })
      assert.deepInclude(yield* asked("off"), { reasoning: { effort: "none" } })
    }))

  it.scoped("ask no model for thoughts that has none", () =>
    Effect.gen(function*() {
      for (const model of ["gpt-4.1-mini", "gpt-4o", "chatgpt-4o-latest"]) {
        assert.notProperty(yield* bodyOf({ model }), "include", model)
      }
      for (const model of ["gpt-5.6", "o4-mini", "gpt-6.2-codex"]) {
        assert.property(yield* bodyOf({ model }), "include", model)
      }
    }))
})

const thinking = Script.sequence([
  Script.say({
    parts: [
      Script.reasoning("Hm, let me see."),
      Script.text("Looking."),
      Script.call("read", { path: "a" }),
      Script.redacted,
      Script.call("read", { path: "b" })
    ]
  }),
  Script.say({ parts: [Script.reasoning("One more."), Script.call("read", { path: "c" })] }),
  Script.say({ parts: [Script.reasoning("That was all."), Script.text("All are fine.")] }),
  Script.reply("Good-bye.")
])

const replyTo = (request: ReturnType<Model["Type"]["start"]>) =>
  Effect.map(
    Stream.runCollect(request.stream(sending)),
    (events) => Chunk.toReadonlyArray(events).reduce(Reply.append, Reply.empty)
  )

const answered = { facts: [], images: [], isError: false, text: "ok" }

/** Talks until the model calls nothing more. */
const converse = (model: Model["Type"], given = prompt) =>
  Effect.iterate({ request: model.start(given), replies: new Array<Reply.Reply>() }, {
    while: ({ replies }) => replies.length === 0 || replies.at(-1)?.stop === "calls",
    body: ({ replies, request }) =>
      Effect.map(replyTo(request), (reply) => ({
        replies: [...replies, reply],
        request: request.append(Reply.toStep(reply, (call) => ({ ...answered, text: `content of ${call.arguments}` })))
      }))
  })

const inputOf = (json: unknown): ReadonlyArray<Record<string, unknown>> => Object(json).input

/** Steps whose reasoning was made for another account. */
const foreign = (id: string) => ({
  codec: "openai-responses",
  model: "sim-1",
  payload: [
    { type: "reasoning", id: `rs_${id}`, summary: [], encrypted_content: "another account's" },
    { type: "message", id: `msg_${id}`, content: [{ type: "output_text", text: "Done." }], phase: "final_answer" },
    { type: "function_call", id: `fc_${id}`, call_id: `call_${id}` }
  ]
})
const step = (id: string): Conversation.Step => ({
  _tag: "Step",
  native: foreign(id),
  parts: [
    { _tag: "Text", text: "Done." },
    {
      _tag: "Exchange",
      call: { _tag: "ToolCall", arguments: "{}", id: `call_${id}`, name: "read" },
      result: answered
    }
  ]
})

describe("OpenAiResponses's reasoning", () => {
  for (const model of ["gpt-5.6", "o4-mini"]) {
    it.scoped(`goes back verbatim and in order, all through a tool loop and after it: ${model}`, () =>
      Effect.gen(function*() {
        const simulator = yield* simulate({ script: thinking })
        const { replies, request } = yield* converse(OpenAiResponses.make({ ...options(simulator.url), model }))
        assert.deepStrictEqual(replies.map(({ stop }) => stop), ["calls", "calls", "end"])
        yield* replyTo(request.append(userMessage("Thanks.")))
        const requests = yield* simulator.requests
        assert.deepStrictEqual(requests.map(({ status }) => status), [200, 200, 200, 200])
        const input = inputOf(requests.at(-1)?.json)
        assert.deepStrictEqual(input.map(({ id, role, type }) => id ?? role ?? type), [
          "user",
          "rs_000000_0",
          "msg_000000_1_1",
          "fc_000000_2_0",
          "rs_000000_3",
          "fc_000000_4_1",
          "function_call_output",
          "function_call_output",
          "rs_000001_0",
          "fc_000001_1_1",
          "function_call_output",
          "rs_000002_0",
          "msg_000002_1_1",
          "user"
        ])
        assert.deepStrictEqual(
          input.flatMap(({ phase }) => phase ?? []),
          model === "gpt-5.6" ? ["commentary", "final_answer"] : []
        )
        assert.deepInclude(input[1], { summary: [{ text: "Hm, let me see.", type: "summary_text" }] })
        assert.deepInclude(input[4], { summary: [] })
      }))
  }

  it.scoped("is dropped with the ids that are bound to it when the model changes", () =>
    Effect.gen(function*() {
      const simulator = yield* simulate({ script: thinking })
      const start = (model: string) => OpenAiResponses.make({ ...options(simulator.url), model }).start(prompt)
      const step = Reply.toStep(yield* replyTo(start("gpt-5.6")), () => answered)
      assert.isDefined(step.native)
      yield* replyTo(start("gpt-6.2").append(step))
      const { body, json, status } = (yield* simulator.requests)[1] ?? {}
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(inputOf(json).map(({ id, role, type }) => id ?? role ?? type), [
        "user",
        "msg_1",
        "function_call",
        "function_call",
        "function_call_output",
        "function_call_output"
      ])
      assert.isDefined(body)
      assert.notMatch(body ?? "", /let me see|phase/)
    }))

  it.scoped("of another account is left out, and what came after it is kept", () =>
    Effect.gen(function*() {
      const simulator = yield* simulate({ script: thinking })
      const model = OpenAiResponses.make(options(simulator.url))
      const entries = [userMessage("Go"), step("a"), step("b"), userMessage("Go on")]
      const { replies, request } = yield* converse(model, { ...prompt, entries })
      assert.deepStrictEqual(replies.map(({ stop }) => stop), ["calls", "calls", "end"])
      yield* replyTo(request.append(userMessage("Thanks.")))
      const requests = yield* simulator.requests
      assert.deepStrictEqual(requests.map(({ status }) => status), [400, 200, 200, 200, 200])
      const [refused, first, ...others] = requests.map(({ json }) =>
        inputOf(json).map(({ id, role, type }) => id ?? role ?? type)
      )
      assert.isTrue(refused?.includes("rs_a"))
      assert.deepStrictEqual(first, [
        "user",
        "msg_own_2",
        "function_call",
        "function_call_output",
        "msg_own_6",
        "function_call",
        "function_call_output",
        "user"
      ])
      // Each request begins as the one before it, so that the provider finds it cached.
      for (const one of others) assert.deepStrictEqual(one.slice(0, 8), first)
      assert.deepStrictEqual(others.at(-1)?.filter((id) => String(id).startsWith("rs_")), [
        "rs_000001_0",
        "rs_000001_3",
        "rs_000002_0",
        "rs_000003_0"
      ])
    }))

  it.scoped("of another account is left out once, and not where there is none", () =>
    Effect.gen(function*() {
      const refusal = http(400, { error: { code: "invalid_encrypted_content", message: "No." } })
      const simulator = yield* simulate({ faults: [Fault.when(() => true, refusal)] })
      const ask = (...entries: ReadonlyArray<Conversation.Entry>) =>
        Effect.flip(replyTo(OpenAiResponses.make(options(simulator.url)).start({ ...prompt, entries })))
      assert.strictEqual((yield* ask(userMessage("Go")))._tag, "InvalidRequest")
      assert.lengthOf(yield* simulator.requests, 1)
      assert.strictEqual((yield* ask(userMessage("Go"), step("a")))._tag, "InvalidRequest")
      assert.lengthOf(yield* simulator.requests, 3)
    }))

  it.scoped("does not go back where the output limit cut it before it led to anything", () =>
    Effect.gen(function*() {
      const simulator = yield* simulate({
        script: Script.sequence([
          Script.say({ parts: [Script.text("So."), Script.reasoning("word ".repeat(100))] }),
          Script.reply("Done.")
        ])
      })
      const request = OpenAiResponses.make(options(simulator.url)).start(prompt)
      const events = yield* Stream.runCollect(request.stream({ ...sending, maxOutputTokens: 20 }))
      const reply = Chunk.toReadonlyArray(events).reduce(Reply.append, Reply.empty)
      assert.strictEqual(reply.stop, "length")
      assert.isTrue(reply.parts.some(({ _tag }) => _tag === "Reasoning"))
      yield* replyTo(request.append(Reply.toStep(reply, () => answered)).append(userMessage("Go on.")))
      const { body, status } = (yield* simulator.requests)[1] ?? {}
      assert.strictEqual(status, 200)
      assert.notInclude(body ?? "", "\"reasoning\"")
    }))
})

describe("OpenAiResponses's images", () => {
  it.scoped("[F02] of the user and of tools, failed ones too, are taken", () =>
    Effect.gen(function*() {
      const simulator = yield* simulate({
        script: Script.sequence([Script.calls(Script.call("read", { path: "a" })), Script.reply("Nice.")])
      })
      const request = OpenAiResponses.make(options(simulator.url))
        .start({ ...prompt, entries: [userMessage("look", [png])] })
      const step = Reply.toStep(yield* replyTo(request), () => ({ ...answered, images: [png], isError: true }))
      yield* replyTo(request.append(step))
      const requests = yield* simulator.requests
      assert.deepStrictEqual(requests.map(({ status }) => status), [200, 200])
      const [first = 0, second = 0] = requests.map(({ tokens }) => tokens)
      assert.isAbove(first, 1_000)
      assert.isAbove(second, first + 1_000)
    }))
})

describe("OpenAiResponses's prompt cache", () => {
  it.scoped("is read up to where the last request ended", () =>
    Effect.gen(function*() {
      const simulator = yield* simulate({
        script: Script.sequence([
          Script.repeat(Script.say({ parts: [Script.reasoning("Hm."), Script.call("read", { path: "a" })] }), 3),
          Script.reply("Done.")
        ])
      })
      const system = "All that there is to know about the task at hand, in many words. ".repeat(400)
      const { replies } = yield* converse(OpenAiResponses.make(options(simulator.url)), { ...prompt, system })
      const tokens = (yield* simulator.requests).map((request) => request.tokens)
      assert.lengthOf(replies, 4)
      for (const [index, { usage }] of replies.entries()) {
        assert.strictEqual((usage?.fresh ?? 0) + (usage?.cacheRead ?? 0), tokens[index])
        if (index > 0) assert.isAbove(usage?.cacheRead ?? 0, (tokens[index - 1] ?? 0) - 140)
      }
    }))
})
