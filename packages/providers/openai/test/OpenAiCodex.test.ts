import { assert, describe, it } from "@effect/vitest"
import { userMessage } from "@weir/model/Conversation"
import type { Model, NativeRequest } from "@weir/model/Model"
import { AuthenticationFailed } from "@weir/model/ModelError"
import * as Reply from "@weir/model/Reply"
import * as CodexError from "@weir/simulator/CodexError"
import * as CodexRules from "@weir/simulator/CodexRules"
import * as Fault from "@weir/simulator/Fault"
import * as Script from "@weir/simulator/Script"
import type { Simulator } from "@weir/simulator/Simulator"
import type { Answer } from "@weir/simulator/Wire"
import * as Chunk from "effect/Chunk"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as fc from "fast-check"
import * as Conformance from "../../transport/test/Conformance.js"
import { ask, eventStream, http, options, prompt, sending, simulate } from "../../transport/test/Conformance.js"
import { anyConversation } from "../../transport/test/Conversations.js"
import * as CodexRequest from "../src/CodexRequest.js"
import * as OpenAiCodex from "../src/OpenAiCodex.js"
import * as OpenAiResponses from "../src/OpenAiResponses.js"
import * as ResponsesItems from "../src/ResponsesItems.js"

const stream = (events: ReadonlyArray<unknown>) =>
  eventStream(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""))

const answer = ({ body, headers, status }: Answer) => http(status, body, { ...headers })

const begun = [
  { type: "response.created", response: { status: "in_progress" } },
  { type: "response.output_text.delta", output_index: 0, content_index: 0, delta: "Hel" }
]

const failed = (code: string, message: string) => ({
  type: "response.failed",
  response: { status: "failed", error: { code, message } }
})

const access = (token: string): OpenAiCodex.CodexAccess => ({ accessToken: Redacted.make(token), accountId: "acc-1" })

const expired = new AuthenticationFailed({ detail: "The login has expired.", model: "sim-1", provider: "sim" })

const fixed = (token = "token-1"): OpenAiCodex.CodexCredentials => ({
  current: Effect.succeed(access(token)),
  refresh: () => Effect.fail(expired)
})

const baseUrl = ({ origin }: Simulator["Type"]) => `${origin}/backend-api/codex`

Conformance.conformance({
  name: "OpenAiCodex",
  corpus: "openai-codex",
  make: ({ apiKey, ...given }) =>
    OpenAiCodex.make({ ...given, credentials: fixed(apiKey ? Redacted.value(apiKey) : undefined) }),
  baseUrl,
  begun,
  stream,
  alwaysKeyed: "a request belongs to a subscription",
  unsized: "the backend's error names none",
  refusals: [
    ["a subscription that is used up", answer(CodexError.usageLimit("plus", 13_872, 1_777_936_568)), {
      _tag: "QuotaExhausted",
      detail: "HTTP 429: The usage limit has been reached",
      resetsIn: Duration.seconds(13_872)
    }],
    [
      "one that is used up, in the stream",
      stream([failed("usage_limit_reached", "The usage limit has been reached")]),
      {
        _tag: "QuotaExhausted"
      }
    ],
    ["a plan without it", answer(CodexError.usageNotIncluded), { _tag: "QuotaExhausted" }],
    ["one without it, in the stream", stream([failed("usage_not_included", "To use Codex, upgrade to Plus.")]), {
      _tag: "QuotaExhausted"
    }],
    ["an overloaded server", answer(CodexError.overloaded), { _tag: "ModelUnavailable", reason: "overloaded" }],
    ["one that asks for less", http(503, { error: { code: "slow_down", message: "Slow down." } }), {
      _tag: "ModelUnavailable",
      reason: "overloaded"
    }],
    ["an overloaded server in the stream", stream([...begun, failed("server_is_overloaded", "Busy.")]), {
      _tag: "ModelUnavailable",
      reason: "overloaded"
    }],
    [
      "a window exceeded in the stream",
      eventStream(CodexError.windowExceeded.events ?? ""),
      { _tag: "ContextWindowExceeded", kind: "tokens" }
    ],
    [
      "a rate limit in the stream",
      stream([failed("rate_limit_exceeded", "Rate limit reached. Please try again in 11.054s.")]),
      { _tag: "ModelUnavailable", reason: "rateLimited", retryAfter: Duration.millis(11_054) }
    ],
    ["a failure of an unknown kind", stream([failed("new_code", "Hm.")]), {
      _tag: "ModelUnavailable",
      reason: "overloaded"
    }],
    ["a prompt that is refused", http(400, { error: { code: "cyber_policy", message: "No." } }), {
      _tag: "ContentRefused"
    }],
    ["a rule of the backend", answer(CodexError.detail("Unsupported parameter: temperature")), {
      _tag: "InvalidRequest",
      detail: "HTTP 400: Unsupported parameter: temperature"
    }]
  ]
})

const make = (simulator: Simulator["Type"], more: Partial<OpenAiCodex.Options> = {}) =>
  OpenAiCodex.make({ ...options(baseUrl(simulator)), credentials: fixed(), ...more })

const user = { content: [{ text: "hello", type: "input_text" }], role: "user", type: "message" }

describe("OpenAiCodex's requests", () => {
  it.scoped("hold what the backend takes, the instructions first, and no limit of the output", () =>
    Effect.gen(function*() {
      const simulator = yield* simulate()
      yield* ask(make(simulator))
      const { headers, json, path, status } = yield* simulator.request(0)
      assert.deepInclude({ path, status }, { path: "/backend-api/codex/responses", status: 200 })
      assert.deepInclude(headers, {
        accept: "text/event-stream",
        "chatgpt-account-id": "acc-1",
        "openai-beta": "responses=experimental",
        originator: "weir",
        "session-id": "session-1",
        "x-client-request-id": "session-1"
      })
      assert.deepStrictEqual(json, {
        include: ["reasoning.encrypted_content"],
        input: [{ content: [{ text: "Be brief.", type: "input_text" }], role: "developer", type: "message" }, user],
        model: "sim-1",
        prompt_cache_key: "session-1",
        store: false,
        stream: true,
        text: { verbosity: "medium" },
        tools: [{
          description: "Reads.",
          name: "read",
          parameters: { properties: {}, type: "object" },
          strict: false,
          type: "function"
        }]
      })
    }))

  it.scoped("hold no instructions where there are none, and ask for thinking where it is wanted", () =>
    Effect.gen(function*() {
      const simulator = yield* simulate()
      yield* ask(make(simulator, { thinking: "high" }), { system: " " })
      const { json, status } = yield* simulator.request(0)
      assert.strictEqual(status, 200)
      assert.deepInclude(json, { input: [user], reasoning: { effort: "high", summary: "auto" } })
    }))

  it("[F03] are accepted by a strict validator, for any conversation", () => {
    fc.assert(
      fc.property(anyConversation(), fc.constantFrom("", "s"), (entries, system) => {
        const items = ResponsesItems.start({ entries, system, tools: [] }, { codec: "openai-codex", model: "sim-1" })
        const body = JSON.stringify(
          CodexRequest.make(items, { model: "sim-1", sessionId: "s-1", thinking: undefined })
        )
        const verdict = CodexRules.read({
          body,
          headers: {
            accept: "text/event-stream",
            authorization: "Bearer t",
            "chatgpt-account-id": "a",
            "content-type": "application/json",
            "openai-beta": "responses=experimental",
            originator: "weir",
            "session-id": "s-1"
          },
          isUtf8: true,
          json: JSON.parse(body),
          method: "POST",
          path: "/backend-api/codex/responses"
        }, { maxOutput: 1000 })
        assert.isTrue(Either.isRight(verdict), JSON.stringify(verdict))
      }),
      { numRuns: 200 }
    )
  })
})

/** Credentials whose first token has expired; counts what is asked of them. */
const expiring = (fresh: string) => {
  const refused: Array<string> = []
  const credentials: OpenAiCodex.CodexCredentials = {
    current: Effect.succeed(access("old-token")),
    refresh: ({ accessToken }) =>
      Effect.sync(() => {
        refused.push(Redacted.value(accessToken))
        return access(fresh)
      })
  }
  return { credentials, refused }
}

describe("OpenAiCodex's reasoning", () => {
  it.scoped("of another login is left out", () =>
    Effect.gen(function*() {
      const simulator = yield* simulate()
      const payload = [
        { encrypted_content: "another login's", id: "rs_a", summary: [], type: "reasoning" },
        { content: [{ text: "Done.", type: "output_text" }], id: "msg_a", type: "message" }
      ]
      const request = make(simulator).start({
        ...prompt,
        entries: [userMessage("Go"), {
          _tag: "Step",
          native: { codec: "openai-codex", model: "sim-1", payload },
          parts: [{ _tag: "Text", text: "Done." }]
        }, userMessage("Go on")]
      })
      const events = yield* Stream.runCollect(request.stream(sending))
      assert.deepInclude(Chunk.toReadonlyArray(events).at(-1), { _tag: "Finished", stop: "end" })
      const requests = yield* simulator.requests
      assert.deepStrictEqual(requests.map(({ status }) => status), [400, 200])
      assert.notInclude(requests[1]?.body ?? "", "another login's")
    }))
})

describe("OpenAiCodex's access", () => {
  it.scoped("is refreshed once when it has expired, and the request sent again", () =>
    Effect.gen(function*() {
      const simulator = yield* simulate({ apiKey: Redacted.make("new-token") })
      const { credentials, refused } = expiring("new-token")
      const events = yield* ask(make(simulator, { credentials }))
      assert.deepInclude(events.at(-1), { _tag: "Finished", stop: "end" })
      assert.deepStrictEqual(refused, ["old-token"])
      const [first, second, ...others] = yield* simulator.requests
      assert.deepStrictEqual([first?.status, second?.status], [401, 200])
      assert.strictEqual(first?.body, second?.body)
      assert.lengthOf(others, 0)
    }))

  it.scoped("is not refreshed a second time", () =>
    Effect.gen(function*() {
      const simulator = yield* simulate({ apiKey: Redacted.make("another-token") })
      const { credentials, refused } = expiring("new-token")
      const error = yield* Effect.flip(ask(make(simulator, { credentials })))
      assert.strictEqual(error._tag, "AuthenticationFailed")
      assert.include(error.detail, "Provided authentication token is expired")
      assert.deepStrictEqual(refused, ["old-token"])
      assert.lengthOf(yield* simulator.requests, 2)
    }))

  it.scoped("shows in no error, old or new", () =>
    Effect.gen(function*() {
      const echo = http(401, { error: { message: "No: old-token, new-token" } })
      const simulator = yield* simulate({ faults: [Fault.at([0, 1], echo)] })
      const { credentials } = expiring("new-token")
      const error = yield* Effect.flip(ask(make(simulator, { credentials })))
      assert.strictEqual(error._tag, "AuthenticationFailed")
      assert.notInclude(error.detail, "new-token")
      assert.notInclude(error.message, "old-token")
    }))

  it.scoped("is left alone when the server refuses for another reason", () =>
    Effect.gen(function*() {
      for (const status of [400, 403, 429, 500]) {
        const simulator = yield* simulate({ faults: [Fault.at(0, http(status, { detail: "no" }))] })
        const { credentials, refused } = expiring("new-token")
        yield* Effect.flip(ask(make(simulator, { credentials })))
        assert.deepStrictEqual(refused, [], String(status))
        assert.lengthOf(yield* simulator.requests, 1)
      }
    }))

  it.scoped("that cannot be had ends the request with the reason", () =>
    Effect.gen(function*() {
      const simulator = yield* simulate({ apiKey: Redacted.make("new-token") })
      assert.strictEqual(yield* Effect.flip(ask(make(simulator))), expired)
      assert.lengthOf(yield* simulator.requests, 1)
      const none = { ...fixed(), current: Effect.fail(expired) }
      assert.strictEqual(yield* Effect.flip(ask(make(simulator, { credentials: none }))), expired)
      assert.lengthOf(yield* simulator.requests, 1)
    }))
})

describe("OpenAiCodex's quota", () => {
  it.scoped("names when it is restored", () =>
    Effect.gen(function*() {
      const simulator = yield* simulate({
        faults: [Fault.at(0, answer(CodexError.usageLimit("plus", 13_872, 1_777_936_568)))]
      })
      const error = yield* Effect.flip(ask(make(simulator)))
      assert.include(error.message, "It is restored in 3h 51m 12s.")
    }))
})

const replyTo = (request: NativeRequest) =>
  Effect.map(
    Stream.runCollect(request.stream(sending)),
    (events) => Chunk.toReadonlyArray(events).reduce(Reply.append, Reply.empty)
  )

const ok = { facts: [], images: [], isError: false, text: "ok" }

describe("OpenAiCodex's reasoning", () => {
  const thinking = Script.sequence([
    Script.say({ parts: [Script.reasoning("Hm, let me see."), Script.call("read", { path: "a" })] }),
    Script.reply("Done.")
  ])

  it.scoped("goes back to the backend that encrypted it, and to no other", () =>
    Effect.gen(function*() {
      const simulator = yield* simulate({ script: thinking })
      const codex = make(simulator)
      const api = OpenAiResponses.make(options(simulator.url))
      const sent = (first: Model["Type"], second: Model["Type"]) =>
        Effect.gen(function*() {
          const step = Reply.toStep(yield* replyTo(first.start(prompt)), () => ok)
          yield* replyTo(second.start(prompt).append(step).append(userMessage("Go on.")))
          const { body, status } = (yield* simulator.requests).at(-1) ?? { body: "" }
          assert.strictEqual(status, 200)
          return body.includes("\"encrypted_content\"")
        })
      assert.isTrue(yield* sent(codex, codex))
      assert.isFalse(yield* sent(codex, api))
      assert.isFalse(yield* sent(api, codex))
    }))
})
