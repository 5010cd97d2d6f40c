import { assert, describe, it } from "@effect/vitest"
import * as CodexError from "@weir/simulator/CodexError"
import * as Reasoning from "@weir/simulator/ResponsesReasoning"
import * as Script from "@weir/simulator/Script"
import * as Simulator from "@weir/simulator/Simulator"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { against } from "./Against.js"
import { events, fold, text, user } from "./ResponsesClient.js"
import { at, json, sendTo } from "./TestClient.js"

const headers: Readonly<Record<string, string>> = {
  accept: "text/event-stream",
  authorization: "Bearer token-1",
  "chatgpt-account-id": "acc-1",
  "openai-beta": "responses=experimental",
  originator: "weir",
  "session-id": "session-1"
}

const without = (name: string) => Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name))

const request = (more: object = {}) => ({
  include: ["reasoning.encrypted_content"],
  input: [{ content: "Be brief.", role: "developer" }, user()],
  model: "sim-1",
  prompt_cache_key: "session-1",
  store: false,
  stream: true,
  ...more
})

const post = (body: unknown, given = headers) =>
  Effect.flatMap(
    Simulator.Simulator,
    ({ origin }) => sendTo(`${origin}/backend-api/codex/responses`, text(body), given)
  )

interface Case {
  readonly name: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** In the backend's own words, or those of the API behind it. */
  readonly detail?: string
  readonly message?: RegExp
  readonly status?: number
}

const call = (id: string, more: object = {}) => ({
  arguments: "{}",
  call_id: id,
  name: "ls",
  type: "function_call",
  ...more
})
const output = (id: string) => ({ call_id: id, output: "ok", type: "function_call_output" })
const input = (...list: ReadonlyArray<unknown>) => request({ input: list })

const unsupported = (name: string, value: unknown): Case => ({
  body: request({ [name]: value }),
  detail: `Unsupported parameter: ${name}`,
  name: `the parameter ${name}`
})

const required = (name: string): Case => ({
  detail: `Missing required header: ${name}`,
  headers: without(name),
  name: `no header ${name}`
})

const place = { index: 0, reply: "7" }
const reasoning = (more: object = {}) => ({
  encrypted_content: Reasoning.encrypt(place, [], "sim-1"),
  id: Reasoning.reasoningId(place),
  summary: [],
  type: "reasoning",
  ...more
})

const cases: ReadonlyArray<Case> = [
  { detail: "Unauthorized", headers: without("authorization"), name: "no token", status: 401 },
  required("chatgpt-account-id"),
  required("originator"),
  required("session-id"),
  required("openai-beta"),
  { ...required("openai-beta"), headers: { ...headers, "openai-beta": "assistants=v2" }, name: "another beta" },
  {
    detail: "Accept must be text/event-stream",
    headers: { ...headers, accept: "application/json" },
    name: "no wish for a stream",
    status: 406
  },
  unsupported("max_output_tokens", 1000),
  unsupported("temperature", 1),
  unsupported("top_p", 1),
  unsupported("previous_response_id", "resp_1"),
  unsupported("truncation", "auto"),
  unsupported("metadata", {}),
  unsupported("user", "me"),
  unsupported("safety_identifier", "me"),
  unsupported("background", false),
  unsupported("max_tokens", 1000),
  unsupported("messages", []),
  { body: request({ store: true }), detail: "Store must be set to false", name: "something to store" },
  { body: request({ store: undefined }), detail: "Store must be set to false", name: "no word on storing" },
  { body: request({ stream: false }), detail: "Stream must be set to true", name: "no stream" },
  { body: request({ stream: undefined }), detail: "Stream must be set to true", name: "no word on streaming" },
  { body: request({ input: "hi" }), detail: "Input must be a list", name: "a text in place of items" },
  { body: request({ input: undefined }), detail: "Input must be a list", name: "no input" },
  {
    body: request({ model: "gpt-none" }),
    detail: "The 'gpt-none' model is not supported when using Codex with a ChatGPT account.",
    name: "an unknown model"
  },
  { body: "{\"model\":", message: /^We could not parse the JSON body/, name: "invalid JSON" },
  { body: input(), message: /^Invalid 'input': empty array/, name: "empty input" },
  { body: input(user(), call("c1")), message: /^No tool output found for function call c1\.$/, name: "an open call" },
  { body: input(output("c1")), message: /^No tool call found for function call output/, name: "an output alone" },
  {
    body: input(call("c".repeat(116)), output("c".repeat(116))),
    message: /maximum length 64, but got a string with length 116/,
    name: "an id of a call that is too long"
  },
  {
    body: input(call("c1", { id: "c1" }), output("c1")),
    message: /Expected an ID that begins with 'fc'/,
    name: "an id of another kind"
  },
  {
    body: input(reasoning(), user()),
    message: /without its required following item/,
    name: "reasoning that led to nothing"
  },
  {
    body: input(
      reasoning({ encrypted_content: "x" }),
      call("c1", { id: Reasoning.itemId("fc", { index: 1, reply: "7" }, true) }),
      output("c1")
    ),
    message: /^The encrypted content could not be verified/,
    name: "forged reasoning"
  },
  { body: request({ tools: [{ type: "function" }] }), message: /tools\[0\]\.name/, name: "a tool without a name" },
  { body: request({ text: { verbosity: "huge" } }), message: /^Invalid value: 'huge'/, name: "unknown verbosity" }
]

describe("Codex validator", () => {
  against(Simulator.layer({ models: ["sim-1"], script: Script.reply("ok") }), (it) => {
    for (const { body = request(), detail, headers: given = headers, message, name, status = 400 } of cases) {
      it.effect(`refuses ${name}`, () =>
        Effect.gen(function*() {
          const response = yield* post(body, given)
          assert.strictEqual(response.status, status, response.text)
          const answer = json(response)
          if (detail !== undefined) assert.deepStrictEqual(answer, { detail })
          if (message !== undefined) assert.match(String(at(answer, "error", "message")), message)
        }))
    }

    it.effect("accepts everything a careful client sends", () =>
      Effect.gen(function*() {
        const response = yield* post(request({
          input: [
            { content: "Be brief.", role: "developer", type: "message" },
            user([{ text: "look", type: "input_text" }]),
            reasoning(),
            call("c1", { id: Reasoning.itemId("fc", { index: 1, reply: "7" }, true) }),
            output("c1")
          ],
          instructions: "",
          parallel_tool_calls: true,
          reasoning: { effort: "low", summary: "auto" },
          text: { verbosity: "medium" },
          tool_choice: "auto",
          tools: [{ name: "ls", parameters: { type: "object" }, strict: false, type: "function" }]
        }))
        assert.strictEqual(response.status, 200, response.text)
        assert.strictEqual(fold(response.text).text, "ok")
      }))
  })
})

describe("Codex access", () => {
  it.scoped("expires: any token but the right one is refused, and not shown", () =>
    Effect.gen(function*() {
      const old = yield* post("{")
      assert.strictEqual(old.status, 401)
      assert.deepStrictEqual(at(json(old), "error", "code"), "token_expired")
      assert.notInclude(old.text, "token-1")
      const fresh = yield* post(request(), { ...headers, authorization: "Bearer token-2" })
      assert.strictEqual(fresh.status, 200)
    }).pipe(
      Effect.provide(Simulator.layer({ apiKey: Redacted.make("token-2"), script: Script.reply("ok") }))
    ))
})

describe("Codex stream", () => {
  const failure = (body: object) =>
    Effect.map(post(body), (response) => {
      assert.strictEqual(response.status, 200)
      assert.match(response.headers["content-type"] ?? "", /^text\/event-stream/)
      return events(response.text).at(-1)
    })

  it.scoped("finds only in the stream that the window is exceeded", () =>
    Effect.gen(function*() {
      const last = yield* failure(request({ input: [user("the level of the river ".repeat(300))] }))
      assert.strictEqual(at(last, "type"), "response.failed")
      assert.strictEqual(at(last, "response", "error", "code"), "context_length_exceeded")
      const logged = yield* Effect.flatMap(Simulator.Simulator, ({ request }) => request(0))
      assert.strictEqual(logged.outcome, "refused")
    }).pipe(Effect.provide(Simulator.layer({ script: Script.reply("ok"), window: 500 }))))

  it.scoped("reports failures as failed responses", () =>
    Effect.gen(function*() {
      const last = yield* failure(request())
      assert.deepStrictEqual(at(last, "response", "error"), { code: "server_is_overloaded", message: "Busy." })
    }).pipe(Effect.provide(Simulator.layer({
      script: Script.say({
        fault: { _tag: "ErrorFrame", after: 1, code: "server_is_overloaded", message: "Busy." },
        parts: [Script.text("ok")]
      })
    }))))
})

describe("Codex limits", () => {
  it("name the plan, and when it is open again", () => {
    const { body, status } = CodexError.usageLimit("plus", 13_872, 1_777_936_568)
    assert.strictEqual(status, 429)
    assert.deepStrictEqual(body, {
      error: {
        message: "The usage limit has been reached",
        plan_type: "plus",
        resets_at: 1_777_936_568,
        resets_in_seconds: 13_872,
        type: "usage_limit_reached"
      }
    })
  })
})
