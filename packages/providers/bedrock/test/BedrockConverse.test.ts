import { assert, describe, it } from "@effect/vitest"
import type { Step, ToolResult } from "@weir/model/Conversation"
import { userMessage } from "@weir/model/Conversation"
import * as Reply from "@weir/model/Reply"
import * as BedrockFrames from "@weir/simulator/BedrockFrames"
import type * as Fault from "@weir/simulator/Fault"
import * as Script from "@weir/simulator/Script"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { vi } from "vitest"
import * as Conformance from "../../transport/test/Conformance.js"
import { ask, http, prompt, sending, simulate } from "../../transport/test/Conformance.js"
import * as BedrockConverse from "../src/BedrockConverse.js"
import { Credentials } from "../src/Credentials.js"

/** The SDK warns once in a process, when its first client is made. */
const warnings = vi.spyOn(process, "emitWarning")

const keys = Credentials.Keys({ accessKeyId: "AKIDEXAMPLE", secretAccessKey: Redacted.make("wJalrXUtnFEMI") })

const make = ({ apiKey, fetch: _, ...options }: Conformance.Options & Partial<BedrockConverse.Options>) =>
  BedrockConverse.make({
    credentials: apiKey ? Credentials.ApiKey({ key: apiKey }) : keys,
    region: "us-east-1",
    ...options
  })

const claude = "anthropic.claude-sonnet-4-5-20250929-v1:0"

const options = (baseUrl: string, model = claude) => ({ ...Conformance.options(baseUrl), model })

/** An event, or an exception as the corpus writes it, in its frame. */
const frame = (element: unknown): Uint8Array => {
  if (!Predicate.isRecord(element)) throw new Error("no event")
  if ("exception" in element) return BedrockFrames.exception(String(element.exception), String(element.message))
  const [name = "", body] = Object.entries(element)[0] ?? []
  return BedrockFrames.event(name, Predicate.isRecord(body) ? body : {})
}

const bytes = (parts: ReadonlyArray<Uint8Array>): Fault.Fault => ({
  _tag: "Http",
  body: Encoding.encodeBase64(Uint8Array.from(parts.flatMap((part) => [...part]))),
  encoding: "base64",
  headers: { "content-type": "application/vnd.amazon.eventstream" },
  status: 200
})

const stream = (elements: ReadonlyArray<unknown>) => bytes(elements.map(frame))

const begun = [
  { messageStart: { role: "assistant" } },
  { contentBlockDelta: { contentBlockIndex: 0, delta: { text: "Hel" } } }
]

const thrown = (exception: string, message: string) => stream([...begun, { exception, message }])

const interrupted = { _tag: "ModelUnavailable", reason: "interrupted" }

const refused = (status: number, kind: string, message: string) =>
  http(status, { message }, { "x-amzn-errortype": `${kind}:http://internal.amazon.com/coral/com.amazon.bedrock/` })

Conformance.conformance({
  name: "BedrockConverse",
  corpus: "bedrock-converse",
  make,
  baseUrl: ({ origin }) => origin,
  begun,
  stream,
  alwaysKeyed: "Every request is signed, or carries an API key: AWS answers nobody without.",
  refusals: [
    ["no messageStop", stream([...begun, { contentBlockStop: { contentBlockIndex: 0 } }]), interrupted],
    ["only usage", stream([{ metadata: { usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 } } }]), interrupted],
    ["half a frame", bytes([...begun.map(frame), frame(begun[1]).slice(0, 20)]), interrupted],
    ["half the first frame", bytes([frame(begun[0]).slice(0, 20)]), interrupted],
    [
      "a frame with a wrong sum",
      bytes([frame(begun[0]), frame(begun[1]).map((byte, at) => at === 90 ? byte ^ 1 : byte)]),
      {
        ...interrupted
      }
    ],
    ["a failing server in the stream", thrown("internalServerException", "The system encountered an error."), {
      _tag: "ModelUnavailable",
      reason: "overloaded"
    }],
    ["a failing model in the stream", thrown("modelStreamErrorException", "The model failed."), {
      _tag: "ModelUnavailable",
      reason: "overloaded"
    }],
    ["an exception in the first frame", stream([{ exception: "serviceUnavailableException", message: "Busy." }]), {
      _tag: "ModelUnavailable",
      reason: "overloaded"
    }],
    ["an exception that the SDK does not know", thrown("modelTimeoutException", "The model took too long."), {
      _tag: "ModelUnavailable",
      reason: "overloaded"
    }],
    ["a request that is wrong, in the stream", thrown("validationException", "Malformed input request."), {
      _tag: "InvalidRequest"
    }],
    [
      "an error of the frames' own kind",
      bytes([
        BedrockFrames.failure("InternalFailure", "An internal server error occurred")
      ]),
      { _tag: "ModelUnavailable" }
    ],
    ["a used up quota", refused(400, "ServiceQuotaExceededException", "Your request exceeds the quota."), {
      _tag: "QuotaExhausted"
    }],
    [
      "a day's tokens",
      refused(429, "ThrottlingException", "Too many tokens per day, please wait before trying again."),
      {
        _tag: "QuotaExhausted"
      }
    ],
    ["a failing model", refused(424, "ModelErrorException", "The model failed."), {
      _tag: "ModelUnavailable",
      reason: "overloaded"
    }],
    ["a model that is not ready", refused(429, "ModelNotReadyException", "Not ready."), {
      _tag: "ModelUnavailable",
      reason: "overloaded"
    }],
    ["a model that may not be used", refused(403, "AccessDeniedException", "You don't have access to the model."), {
      _tag: "AuthenticationFailed"
    }],
    ["keys that are too old", refused(403, "ExpiredTokenException", "The security token included is expired"), {
      _tag: "AuthenticationFailed"
    }],
    ["an unknown model", refused(400, "ValidationException", "The provided model identifier is invalid."), {
      _tag: "InvalidRequest"
    }],
    [
      "a model that fails for want of room",
      refused(424, "ModelErrorException", "Input is too long for requested model."),
      {
        _tag: "ContextWindowExceeded"
      }
    ],
    ["a plain text as a success", http(200, "ok", { "content-type": "text/plain" }), { _tag: "ModelUnavailable" }]
  ]
})

const answered = (text: string): ToolResult => ({ facts: [], images: [], isError: false, text })

describe("BedrockConverse's requests", () => {
  it.scoped("hold what the API takes, marked for the cache where the model has one", () =>
    Effect.gen(function*() {
      const simulator = yield* simulate()
      const mark = { cachePoint: { type: "default" } }
      const toolSpec = {
        description: "Reads.",
        inputSchema: { json: { properties: {}, type: "object" } },
        name: "read"
      }
      const body = (caches: { readonly all?: boolean; readonly tools?: boolean }) => ({
        inferenceConfig: { maxTokens: 1000 },
        messages: [{ content: [{ text: "hello" }, ...(caches.all ? [mark] : [])], role: "user" }],
        system: [{ text: "Be brief." }, ...(caches.all ? [mark] : [])],
        toolConfig: { tools: [{ toolSpec }, ...(caches.tools ? [mark] : [])] }
      })
      const expected = [
        [claude, body({ all: true, tools: true })],
        ["us.amazon.nova-pro-v1:0", body({ all: true })],
        ["meta.llama3-3-70b-instruct-v1:0", body({})],
        ["arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abc", body({})]
      ] as const
      for (const [index, [model, wanted]] of expected.entries()) {
        yield* ask(make(options(simulator.origin, model)))
        const { json, path, wire } = yield* simulator.request(index)
        assert.strictEqual(wire, "bedrock")
        assert.strictEqual(path, `/model/${encodeURIComponent(model)}/converse-stream`)
        assert.deepStrictEqual(json, wanted)
      }
    }))

  it.scoped("go to the same place with or without a slash at the end of the address", () =>
    Effect.gen(function*() {
      const simulator = yield* simulate()
      yield* ask(make(options(`${simulator.origin}/`, "m")))
      assert.strictEqual((yield* simulator.request(0)).path, "/model/m/converse-stream")
    }))

  it.scoped("are signed with keys, and carry an API key as a bearer", () =>
    Effect.gen(function*() {
      const simulator = yield* simulate({ apiKey: Redacted.make("AKIDEXAMPLE") })
      yield* ask(make(options(simulator.origin)))
      const session = Credentials.Keys({ ...keys, sessionToken: Redacted.make("session-1") })
      yield* ask(make({ ...options(simulator.origin), credentials: session }))
      const [first, second] = yield* simulator.requests
      assert.notProperty(first?.headers, "x-amz-security-token")
      assert.property(second?.headers, "x-amz-security-token")
      const others = Credentials.Keys({ ...keys, accessKeyId: "AKIDOTHER" })
      const error = yield* Effect.flip(ask(make({ ...options(simulator.origin), credentials: others })))
      assert.deepInclude(error, {
        _tag: "AuthenticationFailed",
        detail: "HTTP 403: The security token included in the request is invalid."
      })
    }))

  it.scoped("take no key or region from the SDK's own variables when they are given", () =>
    Effect.gen(function*() {
      vi.stubEnv("AWS_BEARER_TOKEN_BEDROCK", "leaked-token")
      vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIDLEAKED")
      vi.stubEnv("AWS_SECRET_ACCESS_KEY", "leaked-secret")
      vi.stubEnv("AWS_SESSION_TOKEN", "leaked-session")
      vi.stubEnv("AWS_REGION", "leaked-region")
      vi.stubEnv("AWS_USE_FIPS_ENDPOINT", "true")
      vi.stubEnv("AWS_MAX_ATTEMPTS", "5")
      vi.stubEnv("AWS_RETRY_MODE", "adaptive")
      const simulator = yield* simulate({ apiKey: Redacted.make("AKIDEXAMPLE") })
      yield* ask(make(options(simulator.origin)))
      vi.unstubAllEnvs()
      const [{ headers } = { headers: {} }, ...more] = yield* simulator.requests
      assert.notProperty(headers, "x-amz-security-token")
      assert.lengthOf(more, 0)
    }))

  it.scoped("are made with what the AWS tools would use, when nothing is given", () =>
    Effect.gen(function*() {
      const simulator = yield* simulate({ apiKey: Redacted.make("AKIDCHAIN") })
      const model = (chain: { readonly profile?: string }) =>
        make({ ...options(simulator.origin), credentials: Credentials.Chain(chain) })
      const warned = vi.spyOn(console, "warn")
      vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIDCHAIN")
      vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret-of-the-chain")
      vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true")
      vi.stubEnv("AWS_CONFIG_FILE", "/nowhere/config")
      vi.stubEnv("AWS_SHARED_CREDENTIALS_FILE", "/nowhere/credentials")
      yield* ask(model({}))
      vi.stubEnv("AWS_BEARER_TOKEN_BEDROCK", "AKIDCHAIN")
      yield* ask(model({}))
      vi.stubEnv("AWS_PROFILE", "none-such")
      vi.stubEnv("AWS_BEARER_TOKEN_BEDROCK", undefined)
      const errors = yield* Effect.all([Effect.flip(ask(model({}))), Effect.flip(ask(model({ profile: "nor-this" })))])
      vi.unstubAllEnvs()
      for (const error of errors) {
        assert.strictEqual(error._tag, "AuthenticationFailed")
        assert.include(error.message, "AWS_ACCESS_KEY_ID")
      }
      assert.deepStrictEqual((yield* simulator.requests).map(({ status }) => status), [200, 200])
      assert.strictEqual(warned.mock.calls.length, 0)
      warned.mockRestore()
    }))

  it.scoped("show nothing that the request said about its sender", () =>
    Effect.gen(function*() {
      vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIDCHAIN")
      vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret-of-the-chain")
      vi.stubEnv("AWS_SESSION_TOKEN", "session+of/the=chain")
      const echo = "The Canonical String should have been 'x-amz-security-token is session+of/the=chain'"
      const simulator = yield* simulate({
        faults: [{ fault: refused(403, "InvalidSignatureException", echo), when: () => true }]
      })
      const model = make({ ...options(simulator.origin), credentials: Credentials.Chain({}) })
      const error = yield* Effect.flip(ask(model))
      vi.unstubAllEnvs()
      assert.strictEqual(error._tag, "AuthenticationFailed")
      assert.include(error.detail, "Canonical String")
      assert.notInclude(`${error.detail} ${error.message} ${String(error)}`, "session+of")
    }))

  it("have left neither a warning about Node nor a variable behind", () => {
    assert.deepStrictEqual(warnings.mock.calls, [])
    assert.notProperty(process.env, "AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED")
  })
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

/** Talks until the model calls nothing more, and gives the replies. */
const converse = (model: ReturnType<typeof make>) =>
  Effect.iterate({ request: model.start(prompt), replies: new Array<Reply.Reply>() }, {
    while: ({ replies }) => replies.length === 0 || replies.at(-1)?.stop === "calls",
    body: ({ replies, request }) =>
      Effect.map(Stream.runCollect(request.stream(sending)), (events) => {
        const reply = Chunk.toReadonlyArray(events).reduce(Reply.append, Reply.empty)
        const step = Reply.toStep(reply, (call) => answered(`content of ${call.arguments}`))
        return { replies: [...replies, reply], request: request.append(step) }
      })
  })

describe("BedrockConverse's thinking", () => {
  it.scoped("goes back unchanged and in its place, hidden or not, all through a tool loop", () =>
    Effect.gen(function*() {
      const simulator = yield* simulate({ script: thinking })
      const { replies } = yield* converse(make({ ...options(simulator.origin), thinking: "high" }))
      assert.deepStrictEqual(replies.map(({ stop }) => stop), ["calls", "calls", "end"])
      assert.strictEqual(Reply.calls(replies[0] ?? Reply.empty).length, 2)
      assert.isUndefined(replies[2]?.native)
      const requests = yield* simulator.requests
      assert.deepStrictEqual(requests.map(({ status }) => status), [200, 200, 200])
      assert.include(requests[2]?.body, "\"text\":\"And the other one.\"")
      assert.include(requests[2]?.body, "redactedContent")
    }))

  it.scoped("is known to belong to the model that thought it", () =>
    Effect.gen(function*() {
      const simulator = yield* simulate({ script: thinking })
      const other = "anthropic.claude-opus-4-20250514-v1:0"
      const start = (model: string) => make(options(simulator.origin, model)).start(prompt)
      const events = yield* Stream.runCollect(start(claude).stream(sending))
      const step = Reply.toStep(Chunk.toReadonlyArray(events).reduce(Reply.append, Reply.empty), () => answered("ok"))
      const { native, ...foreign } = step
      assert.isDefined(native)
      const done: Step = { _tag: "Step", parts: [{ _tag: "Text", text: "Both are fine." }] }
      for (const request of [start(other).append(step), start(claude).append(foreign)]) {
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

  it.scoped("is asked for in the words of each family", () =>
    Effect.gen(function*() {
      const simulator = yield* simulate()
      const sent = (model: string, thinking: BedrockConverse.Options["thinking"], maxOutputTokens = 20_000) =>
        Effect.gen(function*() {
          const given = { ...options(simulator.origin, model), ...(thinking && { thinking }) }
          yield* Stream.runDrain(make(given).start(prompt).stream({ ...sending, maxOutputTokens }))
          const json = (yield* simulator.requests).at(-1)?.json
          return Predicate.isRecord(json) ? json.additionalModelRequestFields : undefined
        })
      assert.isUndefined(yield* sent(claude, undefined))
      assert.deepStrictEqual(yield* sent(claude, "low"), { thinking: { budget_tokens: 4_096, type: "enabled" } })
      assert.deepStrictEqual(yield* sent(claude, "high"), { thinking: { budget_tokens: 10_000, type: "enabled" } })
      assert.deepStrictEqual(yield* sent(claude, "high", 1000), { thinking: { type: "disabled" } })
      assert.deepStrictEqual(yield* sent(claude, "off"), { thinking: { type: "disabled" } })
      assert.deepInclude(yield* sent("global.anthropic.claude-opus-4-6-v1", "medium"), {
        output_config: { effort: "medium" }
      })
      assert.deepStrictEqual(yield* sent("openai.gpt-oss-120b-1:0", "medium"), { reasoning_effort: "medium" })
      assert.deepStrictEqual(yield* sent("openai.gpt-6-2", "off"), { reasoning: { effort: "none" } })
      assert.isUndefined(yield* sent("amazon.nova-pro-v1:0", "high"))
    }))
})

describe("BedrockConverse's prompt cache", () => {
  it.scoped("is read up to where the last request ended, however much one step adds", () =>
    Effect.gen(function*() {
      const many = Array.from({ length: 30 }, (_, index) => Script.call("read", { path: `file ${index}` }))
      const simulator = yield* simulate({
        script: Script.sequence([Script.repeat(Script.calls(...many), 3), Script.reply("Done.")])
      })
      const long = "All that there is to know about the task at hand, in many words. ".repeat(400)
      const model = make(options(simulator.origin))
      const { replies } = yield* converse({ ...model, start: () => model.start({ ...prompt, system: long }) })
      assert.lengthOf(replies, 4)
      for (const [index, { usage }] of replies.entries()) {
        assert.isDefined(usage)
        const before = replies[index - 1]?.usage
        assert.strictEqual(usage?.cacheRead, before === undefined ? 0 : before.cacheRead + before.cacheWrite)
      }
    }))
})
