import { assert, describe, it, vi } from "@effect/vitest"
import type { Step, ToolResult } from "@weir/model/Conversation"
import { userMessage } from "@weir/model/Conversation"
import * as Reply from "@weir/model/Reply"
import * as Script from "@weir/simulator/Script"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as Conformance from "../../transport/test/Conformance.js"
import { ask, eventStream, http, options, prompt, sending, simulate } from "../../transport/test/Conformance.js"
import { png } from "../../transport/test/Conversations.js"
import * as GoogleGemini from "../src/GoogleGemini.js"

const stream = (chunks: ReadonlyArray<unknown>) =>
  eventStream(chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join(""))

const chunk = (part: object, finishReason?: string) => ({
  candidates: [{ content: { parts: [part], role: "model" }, index: 0, ...(finishReason && { finishReason }) }]
})

const begun = [chunk({ text: "Hel" })]

const reported = (code: number, status: string, message: string, details: ReadonlyArray<object> = []) => ({
  error: { code, message, status, ...(details.length > 0 && { details }) }
})

const quota = "You exceeded your current quota, please check your plan and billing details."
const retryInfo = { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "18s" }
const perDay = {
  "@type": "type.googleapis.com/google.rpc.QuotaFailure",
  violations: [{ quotaId: "GenerateRequestsPerDayPerProjectPerModel-FreeTier" }]
}

const interrupted = { _tag: "ModelUnavailable", reason: "interrupted" }

Conformance.conformance({
  name: "GoogleGemini",
  corpus: "google-gemini",
  make: GoogleGemini.make,
  baseUrl: ({ origin }) => origin,
  begun,
  stream,
  refusals: [
    ["no finishReason", stream([...begun, chunk({ text: "lo" })]), interrupted],
    ["broken JSON", eventStream("data: {\"candidates\":\r\n\r\n"), interrupted],
    ["half an event", eventStream("data: {\"candidates\":[{\"content\""), interrupted],
    [
      "a malformed call",
      stream([...begun, { candidates: [{ finishReason: "MALFORMED_FUNCTION_CALL" }] }]),
      { ...interrupted, retries: 1 }
    ],
    ["an unknown end", stream([chunk({ text: "Hel" }, "SOMETHING_NEW")]), interrupted],
    ["a blocked prompt", stream([{ promptFeedback: { blockReason: "SAFETY" } }]), {
      _tag: "ContentRefused",
      detail: "the prompt was blocked: SAFETY"
    }],
    [
      "an overloaded server in the stream",
      stream([...begun, reported(503, "UNAVAILABLE", "The model is overloaded. Please try again later.")]),
      { _tag: "ModelUnavailable", reason: "overloaded" }
    ],
    [
      "a window exceeded in the stream",
      stream([
        reported(
          400,
          "INVALID_ARGUMENT",
          "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."
        )
      ]),
      { _tag: "ContextWindowExceeded", actual: 1_200_000, kind: "tokens", limit: 1_048_576 }
    ],
    [
      "an error without the form of an event",
      eventStream(JSON.stringify(reported(429, "RESOURCE_EXHAUSTED", "Resource has been exhausted."))),
      { _tag: "ModelUnavailable", reason: "rateLimited" }
    ],
    [
      "a window exceeded, its size unsaid",
      http(
        400,
        reported(
          400,
          "INVALID_ARGUMENT",
          "The input token count exceeds the maximum number of tokens allowed 1048576."
        )
      ),
      { _tag: "ContextWindowExceeded", kind: "tokens", limit: 1_048_576 }
    ],
    [
      "a body that is too large",
      http(400, reported(400, "INVALID_ARGUMENT", "Request payload size exceeds the limit: 20971520 bytes.")),
      { _tag: "ContextWindowExceeded", kind: "bytes", limit: 20_971_520 }
    ],
    ["an error in a list", http(400, [reported(400, "INVALID_ARGUMENT", "Corrupted thought signature.")]), {
      _tag: "InvalidRequest",
      detail: "HTTP 400: Corrupted thought signature."
    }],
    ["a rate that passes", http(429, reported(429, "RESOURCE_EXHAUSTED", quota, [retryInfo])), {
      _tag: "ModelUnavailable",
      reason: "rateLimited"
    }],
    ["a quota of the day", http(429, reported(429, "RESOURCE_EXHAUSTED", quota, [perDay, retryInfo])), {
      _tag: "QuotaExhausted"
    }],
    [
      "a key that is none",
      http(
        400,
        reported(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", [{
          "@type": "type.googleapis.com/google.rpc.ErrorInfo",
          reason: "API_KEY_INVALID"
        }])
      ),
      { _tag: "AuthenticationFailed" }
    ]
  ]
})

const answered = (text: string): ToolResult => ({ facts: [], images: [], isError: false, text })

describe("GoogleGemini's requests", () => {
  it.scoped("hold what the API takes", () =>
    Effect.gen(function*() {
      const simulator = yield* simulate({ apiKey: Redacted.make("k-1") })
      yield* ask(GoogleGemini.make({ ...options(simulator.origin), apiKey: Redacted.make("k-1") }))
      const { headers, json, path } = yield* simulator.request(0)
      assert.strictEqual(path, "/v1beta/models/sim-1:streamGenerateContent")
      assert.notProperty(headers, "authorization")
      assert.notProperty(headers, "x-server-timeout")
      assert.deepStrictEqual(json, {
        contents: [{ parts: [{ text: "hello" }], role: "user" }],
        generationConfig: { maxOutputTokens: 1000 },
        systemInstruction: { parts: [{ text: "Be brief." }] },
        tools: [{
          functionDeclarations: [{
            description: "Reads.",
            name: "read",
            parametersJsonSchema: { properties: {}, type: "object" }
          }]
        }]
      })
    }))

  it.scoped("go to the same place with or without the version in the address", () =>
    Effect.gen(function*() {
      const simulator = yield* simulate()
      const { origin } = simulator
      for (const baseUrl of [origin, `${origin}/`, `${origin}/v1beta`, `${origin}/v1beta/`]) {
        yield* ask(GoogleGemini.make(options(baseUrl)))
      }
      const requests = yield* simulator.requests
      assert.deepStrictEqual(new Set(requests.map(({ path }) => path)).size, 1)
      assert.deepStrictEqual(requests.map(({ status }) => status), [200, 200, 200, 200])
    }))

  it.scoped("take no key or address from the SDK's own variables, and write nothing to standard error", () =>
    Effect.gen(function*() {
      const variables = {
        GEMINI_API_KEY: "leaked-key",
        GOOGLE_API_KEY: "leaked-too",
        GOOGLE_CLOUD_LOCATION: "leaked-place",
        GOOGLE_CLOUD_PROJECT: "leaked-project",
        GOOGLE_GEMINI_BASE_URL: "http://127.0.0.1:1",
        GOOGLE_GENAI_USE_VERTEXAI: "true"
      }
      for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
      const spies = [...["error", "warn", "debug", "log"] as const].map((level) => vi.spyOn(console, level))
      const simulator = yield* simulate()
      yield* ask(GoogleGemini.make(options(simulator.origin)))
      yield* ask(GoogleGemini.make({ ...options(simulator.origin), headers: { "x-goog-api-key": "given" } }))
      for (const spy of spies) {
        assert.strictEqual(spy.mock.calls.length, 0)
        spy.mockRestore()
      }
      vi.unstubAllEnvs()
      const [open, given] = yield* simulator.requests
      assert.notInclude(Object.values(open?.headers ?? {}).join(), "leaked")
      assert.notProperty(open?.headers, "x-goog-api-key")
      assert.property(given?.headers, "x-goog-api-key")
    }))

  const levels = [
    ["gemini-3.7-flash", "off", { includeThoughts: false, thinkingLevel: "LOW" }],
    ["gemini-3.5-flash", "off", { includeThoughts: false, thinkingLevel: "MINIMAL" }],
    ["gemini-4-flash-lite", "off", { includeThoughts: false, thinkingLevel: "MINIMAL" }],
    ["gemini-3-pro-preview", "medium", { includeThoughts: true, thinkingLevel: "HIGH" }],
    ["gemini-3.1-pro-preview", "medium", { includeThoughts: true, thinkingLevel: "MEDIUM" }],
    ["gemini-flash-latest", "high", { includeThoughts: true, thinkingLevel: "HIGH" }],
    ["gemini-2.5-pro", "off", { includeThoughts: false, thinkingBudget: 512 }],
    ["gemini-2.5-flash", "off", { includeThoughts: false, thinkingBudget: 0 }],
    ["gemini-2.5-flash-lite", "low", { includeThoughts: true, thinkingBudget: 512 }],
    ["gemini-2.5-pro", "high", { includeThoughts: true, thinkingBudget: 512 }],
    ["gemini-2.0-flash", "high", undefined],
    ["gemini-3.7-flash", undefined, undefined]
  ] as const

  it.scoped("ask each model for thinking in its own way, and only when told to", () =>
    Effect.gen(function*() {
      const simulator = yield* simulate()
      for (const [model, thinking] of levels) {
        yield* ask(GoogleGemini.make({ ...options(simulator.origin), model, ...(thinking && { thinking }) }))
      }
      const requests = yield* simulator.requests
      assert.deepStrictEqual(
        requests.map(({ json }) => json),
        requests.map(({ json }, index) => {
          const thinkingConfig = levels[index]?.[2]
          const generationConfig = { maxOutputTokens: 1000, ...(thinkingConfig && { thinkingConfig }) }
          return { ...Object(json), generationConfig }
        })
      )
      assert.isTrue(requests.every(({ status }) => status === 200))
    }))
})

const thinking = Script.sequence([
  Script.say({
    parts: [
      Script.reasoning("Hm, let me see."),
      Script.text("Looking."),
      Script.call("read", { path: "a" }),
      Script.call("read", { path: "b" })
    ]
  }),
  Script.say({ parts: [Script.reasoning("One more."), Script.call("read", { path: "c" })] }),
  Script.say({ parts: [Script.reasoning("That was all."), Script.text("All are fine.")] }),
  Script.reply("Good-bye.")
])

/** Talks until the model calls nothing more, and gives the steps. */
const converse = (model: ReturnType<typeof GoogleGemini.make>) =>
  Effect.iterate({ request: model.start(prompt), replies: new Array<Reply.Reply>() }, {
    while: ({ replies }) => replies.length === 0 || replies.at(-1)?.stop === "calls",
    body: ({ replies, request }) =>
      Effect.map(Stream.runCollect(request.stream(sending)), (events) => {
        const reply = Chunk.toReadonlyArray(events).reduce(Reply.append, Reply.empty)
        const step = Reply.toStep(reply, (call) => answered(`content of ${call.arguments}`))
        return { replies: [...replies, reply], request: request.append(step) }
      })
  })

describe("GoogleGemini's thought signatures", () => {
  for (const model of ["gemini-3.7-flash", "gemini-2.5-flash"]) {
    it.scoped(`go back unchanged and in their places, all through a tool loop and after it: ${model}`, () =>
      Effect.gen(function*() {
        const simulator = yield* simulate({ script: thinking })
        const { replies, request } = yield* converse(GoogleGemini.make({ ...options(simulator.origin), model }))
        assert.deepStrictEqual(replies.map(({ stop }) => stop), ["calls", "calls", "end"])
        yield* Stream.runDrain(request.append(userMessage("Thanks.")).stream(sending))
        const requests = yield* simulator.requests
        assert.deepStrictEqual(requests.map(({ status }) => status), [200, 200, 200, 200])
        const sent = requests.at(-1)?.body ?? ""
        assert.include(sent, "{\"text\":\"One more.\",\"thought\":true}")
        assert.match(sent, /\{"text":"All are fine\."\},\{"text":"","thoughtSignature":"[^"]+"\}/)
        assert.notInclude(sent, "skip_thought_signature_validator")
        assert.strictEqual(sent.split("\"thoughtSignature\"").length - 1, 3)
        const id = model === "gemini-3.7-flash" ? 6 : 0
        assert.strictEqual(sent.split("\"id\":").length - 1, id)
      }))
  }

  it.scoped("are known to belong to the model that thought", () =>
    Effect.gen(function*() {
      const simulator = yield* simulate({ script: thinking })
      const start = (model: string) => GoogleGemini.make({ ...options(simulator.origin), model }).start(prompt)
      const events = yield* Stream.runCollect(start("gemini-3.7-flash").stream(sending))
      const step = Reply.toStep(Chunk.toReadonlyArray(events).reduce(Reply.append, Reply.empty), () => answered("ok"))
      const { native, ...foreign } = step
      assert.isDefined(native)
      const done: Step = { _tag: "Step", parts: [{ _tag: "Text", text: "Both are fine." }] }
      for (const request of [start("gemini-3.6-flash").append(step), start("gemini-3.7-flash").append(foreign)]) {
        yield* Stream.runDrain(request.append(done).append(userMessage("Go on.")).stream(sending))
      }
      const [, ...others] = yield* simulator.requests
      assert.lengthOf(others, 2)
      for (const { body, status } of others) {
        assert.strictEqual(status, 200)
        assert.notInclude(body, "Hm, let me see.")
        assert.include(body, "Looking.")
        assert.strictEqual(body.split("skip_thought_signature_validator").length - 1, 1)
      }
    }))
})

describe("GoogleGemini's malformed calls", () => {
  it.scoped("are a passing fault", () =>
    Effect.gen(function*() {
      const simulator = yield* simulate({
        script: Script.sequence([Script.calls(Script.call("read", "{\"path\":")), Script.reply("Hello.")])
      })
      const model = GoogleGemini.make(options(simulator.origin))
      const error = yield* Effect.flip(ask(model))
      assert.deepInclude(error, { _tag: "ModelUnavailable", reason: "interrupted" })
      assert.include(error.message, "MALFORMED_FUNCTION_CALL")
      assert.deepInclude((yield* ask(model)).at(-1), { _tag: "Finished", stop: "end" })
    }))
})

describe("GoogleGemini's images", () => {
  for (const model of ["gemini-3.7-flash", "gemini-2.5-flash"]) {
    it.scoped(`[F02] of the user and of tools are taken: ${model}`, () =>
      Effect.gen(function*() {
        const simulator = yield* simulate({
          script: Script.sequence([Script.calls(Script.call("read", { path: "a" })), Script.reply("Nice.")])
        })
        const request = GoogleGemini.make({ ...options(simulator.origin), model })
          .start({ ...prompt, entries: [userMessage("look", [png])] })
        const events = yield* Stream.runCollect(request.stream(sending))
        const reply = Chunk.toReadonlyArray(events).reduce(Reply.append, Reply.empty)
        const step = Reply.toStep(reply, () => ({ ...answered("seen"), images: [png], isError: true }))
        yield* Stream.runDrain(request.append(step).stream(sending))
        const requests = yield* simulator.requests
        assert.deepStrictEqual(requests.map(({ status }) => status), [200, 200])
        const [first = 0, second = 0] = requests.map(({ tokens }) => tokens)
        assert.isAbove(first, 1_000)
        assert.isAbove(second, first + 1_000)
      }))
  }
})

describe("GoogleGemini's prompt cache", () => {
  it.scoped("is read up to where the last request ended", () =>
    Effect.gen(function*() {
      const simulator = yield* simulate({
        script: Script.sequence([
          Script.repeat(Script.calls(Script.call("read", { path: "a" })), 3),
          Script.reply("Done.")
        ])
      })
      const long = "All that there is to know about the task at hand, in many words. ".repeat(400)
      const model = GoogleGemini.make(options(simulator.origin))
      const { replies } = yield* converse({ ...model, start: () => model.start({ ...prompt, system: long }) })
      const tokens = (yield* simulator.requests).map((request) => request.tokens)
      assert.lengthOf(replies, 4)
      for (const [index, { usage }] of replies.entries()) {
        assert.strictEqual((usage?.fresh ?? 0) + (usage?.cacheRead ?? 0), tokens[index])
        if (index > 0) assert.isAbove(usage?.cacheRead ?? 0, (tokens[index - 1] ?? 0) - 140)
      }
    }))
})
