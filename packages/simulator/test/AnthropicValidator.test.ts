import * as HttpBody from "@effect/platform/HttpBody"
import { assert, describe } from "@effect/vitest"
import * as Json from "@weir/simulator/Json"
import * as Script from "@weir/simulator/Script"
import * as Simulator from "@weir/simulator/Simulator"
import * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"
import * as Redacted from "effect/Redacted"
import { against } from "./Against.js"
import { assistant, post, request, send, user } from "./AnthropicClient.js"
import { at, json, sendTo } from "./TestClient.js"

interface Case {
  readonly name: string
  readonly body: unknown
  readonly message: RegExp
  readonly type?: string
  readonly status?: number
}

const tool = (more: object = {}) => ({
  description: "Lists files.",
  input_schema: { properties: {}, type: "object" },
  name: "ls",
  ...more
})
const call = (id: unknown, more: object = {}) => ({ id, input: {}, name: "ls", type: "tool_use", ...more })
const result = (id: unknown, more: object = {}) => ({ content: "ok", tool_use_id: id, type: "tool_result", ...more })
const text = (value: unknown, more: object = {}) => ({ text: value, type: "text", ...more })
const image = (data: string, mediaType = "image/png") => ({
  source: { data, media_type: mediaType, type: "base64" },
  type: "image"
})
const messages = (...list: ReadonlyArray<unknown>) => request({ messages: list, tools: [tool()] })
const mark = { cache_control: { type: "ephemeral" } }
const hour = { cache_control: { ttl: "1h", type: "ephemeral" } }

/** The head of a PNG of this size. */
const png = (width: number, height: number) => {
  const bytes = new Uint8Array(33)
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52])
  const view = new DataView(bytes.buffer)
  view.setUint32(16, width)
  view.setUint32(20, height)
  return Encoding.encodeBase64(bytes)
}

const shape: ReadonlyArray<Case> = [
  { body: "{\"model\":", message: /^The request body is not valid JSON: /, name: "invalid JSON" },
  { body: "[1]", message: /^Input should be a valid dictionary/, name: "JSON that is no object" },
  {
    body: "{\"model\":\"sim-1\",\"max_tokens\":9,\"messages\":[{\"role\":\"user\",\"content\":\"a\\ud800b\"}]}",
    message: /not valid JSON: no low surrogate in string/,
    name: "half a character"
  },
  { body: { max_tokens: 9, messages: [user("hi")] }, message: /^model: Field required$/, name: "no model" },
  {
    body: request({ model: "claude-none" }),
    message: /^model: claude-none$/,
    name: "unknown model",
    status: 404,
    type: "not_found_error"
  },
  {
    body: { messages: [user("hi")], model: "sim-1" },
    message: /^max_tokens: Field required$/,
    name: "no max_tokens"
  },
  {
    body: request({ max_tokens: 0 }),
    message: /^max_tokens: Input should be greater than or equal to 1$/,
    name: "max_tokens of 0"
  },
  { body: request({ max_tokens: 1.5 }), message: /^max_tokens: .*valid integer/, name: "a fraction of max_tokens" },
  { body: request({ max_tokens: "9" }), message: /^max_tokens: .*valid integer/, name: "max_tokens as text" },
  {
    body: request({ max_tokens: 64_001 }),
    message: /^max_tokens: 64001 > 64000, which is the maximum allowed number of output tokens for sim-1$/,
    name: "max_tokens over the model's"
  },
  {
    body: request({ max_completion_tokens: 9 }),
    message: /^max_completion_tokens: Extra inputs/,
    name: "a field of Chat"
  },
  {
    body: request({ temperature: 1.1 }),
    message: /^temperature: .*less than or equal to 1$/,
    name: "a hot temperature"
  },
  { body: request({ stream: "yes" }), message: /^stream: Input should be a valid boolean$/, name: "stream as text" },
  {
    body: request({ metadata: { user: "u" } }),
    message: /^metadata\.user: Extra inputs are not permitted$/,
    name: "metadata of another kind"
  }
]

const conversation: ReadonlyArray<Case> = [
  { body: { max_tokens: 9, model: "sim-1" }, message: /^messages: Field required$/, name: "no messages" },
  { body: messages(), message: /^messages: at least one message is required$/, name: "empty messages" },
  { body: request({ messages: "hi" }), message: /^messages: .*valid list/, name: "messages that are no list" },
  {
    body: messages(assistant(text("hi"))),
    message: /^messages: first message must use the "user" role$/,
    name: "an assistant message first"
  },
  {
    body: messages({ content: "Be brief.", role: "system" }, user("hi")),
    message: /^messages: Unexpected role "system"\. The Messages API accepts a top-level `system` parameter/,
    name: "a system message"
  },
  {
    body: messages({ content: "x", role: "tool" }),
    message: /^messages\.0\.role: Input should be 'user'/,
    name: "a role of Chat"
  },
  {
    body: messages({ ...user("hi"), cache_control: { type: "ephemeral" } }),
    message: /^messages\.0\.cache_control: Extra inputs/,
    name: "a mark on a message"
  },
  {
    body: messages(user("")),
    message: /^messages\.0: user messages must have non-empty content$/,
    name: "an empty user message"
  },
  {
    body: messages(user([])),
    message: /^messages\.0: user messages must have non-empty/,
    name: "a user message of no blocks"
  },
  {
    body: messages(user([text("")])),
    message: /^messages: text content blocks must be non-empty$/,
    name: "an empty text block"
  },
  {
    body: messages(user(" \n")),
    message: /^messages: text content blocks must contain non-whitespace text$/,
    name: "blank text"
  },
  {
    body: messages(user([text(null)])),
    message: /^messages\.0\.content\.0\.text\.text: .*string/,
    name: "text of null"
  },
  {
    body: messages(user([{ input_text: "a", type: "input_text" }])),
    message:
      /^messages\.0\.content\.0: Input tag 'input_text' found using 'type' does not match any of the expected tags: 'text'/,
    name: "a block of another API"
  },
  {
    body: messages(user("hi"), assistant(), user("go on")),
    message: /^messages\.1: all messages must have non-empty content except for the optional final assistant message$/,
    name: "an empty assistant message in the middle"
  },
  {
    body: messages(user("hi"), assistant(text("Once "))),
    message: /^messages: final assistant content cannot end with trailing whitespace$/,
    name: "a prefill that ends in a blank"
  },
  {
    body: messages(user("hi"), assistant(image("AAAA"))),
    message: /^messages\.1\.content\.0: Input tag 'image'/,
    name: "an image from the assistant"
  },
  { body: request({ system: [text(" ")] }), message: /^system: text content blocks/, name: "a blank system block" }
]

const pairing: ReadonlyArray<Case> = [
  {
    body: messages(user("hi"), assistant(call("toolu_1"))),
    message: /^messages\.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1\. Each/,
    name: "a call without a result at the end"
  },
  {
    body: messages(user("hi"), assistant(call("toolu_1")), user("go on")),
    message: /^messages\.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1\./,
    name: "a call without a result"
  },
  {
    body: messages(user("hi"), assistant(call("toolu_1"), call("toolu_2")), user([result("toolu_2")])),
    message: /immediately after: toolu_1\. Each `tool_use` block must have a corresponding/,
    name: "one of two parallel calls unanswered"
  },
  {
    body: messages(user("hi"), assistant(call("toolu_1")), user([text("Here."), result("toolu_1")])),
    message: /^messages\.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1/,
    name: "text before the results"
  },
  {
    body: messages(
      user("hi"),
      assistant(call("toolu_1"), call("toolu_2")),
      user([result("toolu_1")]),
      user([result("toolu_2")])
    ),
    message: /unexpected `tool_use_id` found in `tool_result` blocks: toolu_2/,
    name: "results in two messages"
  },
  {
    body: messages(user([result("toolu_1")])),
    message:
      /^messages\.0\.content\.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_1\. Each `tool_result` block must have a corresponding `tool_use` block in the previous message\.$/,
    name: "a result without a call"
  },
  {
    body: messages(user("hi"), assistant(call("toolu_1")), user([result("toolu_1"), result("toolu_1")])),
    message: /^messages\.2\.content\.1: each tool_use must have a single result\. .* with id: toolu_1$/,
    name: "two results for one call"
  },
  {
    body: messages(user("hi"), assistant(call("toolu_1"), call("toolu_1")), user([result("toolu_1")])),
    message: /^messages\.1\.content\.1: `tool_use` ids must be unique$/,
    name: "two calls with one id"
  },
  {
    body: messages(
      user("hi"),
      assistant(call("toolu_1")),
      user([result("toolu_1")]),
      assistant(call("toolu_1")),
      user([result("toolu_1")])
    ),
    message: /^messages\.3\.content\.0: `tool_use` ids must be unique$/,
    name: "an id used again later"
  },
  {
    body: messages(user("hi"), assistant(call("call|1")), user([result("call|1")])),
    message: /^messages\.1\.content\.0\.tool_use\.id: String should match pattern '\^\[a-zA-Z0-9_-\]\+\$'$/,
    name: "an id with another character"
  },
  {
    body: messages(user("hi"), assistant(call("toolu_1", { input: "{}" })), user([result("toolu_1")])),
    message: /^messages\.1\.content\.0\.tool_use\.input: Input should be a valid dictionary$/,
    name: "arguments as text"
  },
  {
    body: messages(
      user("hi"),
      assistant(call("toolu_1")),
      user([result("toolu_1", { content: [text("no"), image(png(1, 1))], is_error: true })])
    ),
    message: /^messages\.2\.content\.0\.tool_result: all content must be type "text" if `is_error` is true$/,
    name: "an image in the result of a failure"
  },
  {
    body: { ...messages(user("hi"), assistant(call("toolu_1")), user([result("toolu_1")])), tools: [] },
    message: /^Requests which include `tool_use` or `tool_result` blocks must define tools$/,
    name: "calls in the history without tools"
  }
]

const withTools = (...tools: ReadonlyArray<unknown>) => request({ tools })

const tools: ReadonlyArray<Case> = [
  {
    body: withTools(tool({ name: "ls files" })),
    message: /^tools\.0\.custom\.name: String should match pattern '\^\[a-zA-Z0-9_-\]\{1,128\}\$'$/,
    name: "a name with a blank"
  },
  { body: withTools(tool({ name: "" })), message: /^tools\.0\.custom\.name: String should match/, name: "no name" },
  { body: withTools(tool(), tool()), message: /^tools: Tool names must be unique\.$/, name: "one name twice" },
  {
    body: withTools(tool({ input_schema: { anyOf: [{ type: "object" }], type: "object" } })),
    message: /^tools\.0\.custom\.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level$/,
    name: "a choice of schemas"
  },
  {
    body: withTools(tool({ input_schema: {} })),
    message: /input_schema\.type: Field required$/,
    name: "an empty schema"
  },
  {
    body: withTools({ function: { name: "ls", parameters: {} }, type: "function" }),
    message: /^tools\.0\.type: Input should be 'custom'$/,
    name: "a tool of Chat"
  },
  {
    body: withTools(tool({ parameters: {} })),
    message: /^tools\.0\.custom\.parameters: Extra inputs/,
    name: "another field"
  },
  {
    body: request({ tool_choice: { name: "rm", type: "tool" }, tools: [tool()] }),
    message: /^tool_choice: Tool 'rm' not found in provided tools$/,
    name: "a choice of an unknown tool"
  },
  {
    body: request({ tool_choice: { type: "auto" } }),
    message: /^tool_choice: `tool_choice` may only be specified while providing `tools`\.$/,
    name: "a choice without tools"
  },
  {
    body: request({ tool_choice: "none", tools: [tool()] }),
    message: /^tool_choice: .*dictionary/,
    name: "a choice of Chat"
  },
  {
    body: request({ tool_choice: { type: "required" }, tools: [tool()] }),
    message: /^tool_choice: Input tag 'required'/,
    name: "an unknown choice"
  }
]

const caching: ReadonlyArray<Case> = [
  {
    body: request({
      messages: [user([text("a", mark), text("b", mark)])],
      system: [text("s", mark), text("t", mark)],
      tools: [tool(mark)]
    }),
    message: /^A maximum of 4 blocks with cache_control may be provided\. Found 5\.$/,
    name: "five marks"
  },
  {
    body: request({ ...mark, messages: [user(["a", "b", "c", "d"].map((letter) => text(letter, mark)))] }),
    message: /Found 5\.$/,
    name: "four marks and one of the whole request"
  },
  {
    body: messages(user([text("", mark)])),
    message: /^messages\.0\.content\.0\.text: cache_control cannot be set for empty text blocks$/,
    name: "a mark on empty text"
  },
  {
    body: request({ system: [text("", mark)] }),
    message: /^system\.0: cache_control cannot be set for empty text blocks$/,
    name: "a mark on an empty system block"
  },
  {
    body: messages(user("hi"), assistant({ signature: "s", thinking: "t", type: "thinking", ...mark }), user("and")),
    message: /^messages\.1\.content\.0\.thinking\.cache_control: Extra inputs are not permitted$/,
    name: "a mark on thinking"
  },
  {
    body: messages(user([text("a", { cache_control: { type: "forever" } })])),
    message: /^messages\.0\.content\.0\.text\.cache_control\.type: Input should be 'ephemeral'$/,
    name: "a mark of another type"
  },
  {
    body: request({ messages: [user([text("a", hour)])], tools: [tool(mark)] }),
    message:
      /^messages\.0\.content\.0\.text\.cache_control\.ttl: a ttl='1h' cache_control block must not come after a ttl='5m'/,
    name: "an hour after five minutes"
  }
]

const thinking = (more: object) =>
  request({ thinking: { budget_tokens: 2_000, type: "enabled" }, tools: [tool()], ...more })

const thoughts: ReadonlyArray<Case> = [
  {
    body: request({ thinking: { budget_tokens: 1_023, type: "enabled" } }),
    message: /^thinking\.enabled\.budget_tokens: Input should be greater than or equal to 1024$/,
    name: "a small budget"
  },
  {
    body: request({ max_tokens: 2_000, thinking: { budget_tokens: 2_000, type: "enabled" } }),
    message: /^`max_tokens` must be greater than `thinking\.budget_tokens`\./,
    name: "a budget of all max_tokens"
  },
  { body: request({ thinking: { type: "on" } }), message: /^thinking: Input tag 'on'/, name: "an unknown mode" },
  {
    body: request({ thinking: { budget_tokens: 2_000, type: "adaptive" } }),
    message: /^thinking\.adaptive\.budget_tokens: Extra inputs/,
    name: "a budget that is adaptive"
  },
  {
    body: thinking({ temperature: 0 }),
    message: /^`temperature` may only be set to 1 when thinking is enabled\./,
    name: "a temperature"
  },
  { body: thinking({ top_k: 5 }), message: /^`top_k` must be unset when thinking/, name: "top_k" },
  {
    body: thinking({ tool_choice: { type: "any" } }),
    message: /^Thinking may not be enabled when tool_choice forces/,
    name: "a forced call"
  },
  {
    body: thinking({ messages: [user("hi"), assistant(text("Once"))] }),
    message:
      /^messages\.1\.content\.0\.type: Expected `thinking` or `redacted_thinking`, but found `text`\. When `thinking` is enabled/,
    name: "a prefill"
  },
  {
    body: thinking({ messages: [user("hi"), assistant(call("toolu_1")), user([result("toolu_1")])] }),
    message: /^messages\.1\.content\.0\.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`\./,
    name: "a tool loop that begins without"
  },
  {
    body: messages(user("hi"), assistant({ thinking: "t", type: "thinking" }, text("a")), user("and")),
    message: /^messages\.1\.content\.0\.thinking\.signature: Field required$/,
    name: "no signature"
  },
  {
    body: messages(
      user("hi"),
      assistant({ signature: "EqQB", thinking: "t", type: "thinking" }, text("a")),
      user("and")
    ),
    message: /^messages\.1\.content\.0: Invalid `signature` in `thinking` block$/,
    name: "a false signature"
  },
  {
    body: messages(user("hi"), assistant({ data: "EqQB", type: "redacted_thinking" }, text("a")), user("and")),
    message: /^messages\.1\.content\.0: Invalid `data` in `redacted_thinking` block$/,
    name: "false hidden data"
  }
]

const imageAt = "^messages\\.0\\.content\\.0\\.image\\.source"

const images: ReadonlyArray<Case> = [
  {
    body: messages(user([image(png(1, 1), "image/bmp")])),
    message: new RegExp(`${imageAt}\\.base64\\.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or`),
    name: "another format"
  },
  {
    body: messages(user([image(png(1, 1), "image/jpeg")])),
    message: new RegExp(`${imageAt}\\.base64\\.data: Image does not match the provided media type image/jpeg$`),
    name: "a false format"
  },
  {
    body: messages(user([image("no base64")])),
    message: /base64\.data: Invalid base64 data$/,
    name: "data that is no Base64"
  },
  {
    body: messages(user([image(`${png(1, 1)}${"A".repeat(5 * 1_024 * 1_024 - 40)}`)])),
    message: new RegExp(`${imageAt}\\.base64: image exceeds 5 MB maximum: \\d+ bytes > 5242880 bytes$`),
    name: "over 5 MB"
  },
  {
    body: messages(user([image(png(8_001, 10))])),
    message: /base64\.data: At least one of the image dimensions exceed max allowed size: 8000 pixels$/,
    name: "over 8,000 pixels"
  },
  {
    body: messages(user(Array.from({ length: 21 }, () => image(png(10, 2_001))))),
    message: /max allowed size for many-image requests: 2000 pixels$/,
    name: "over 2,000 pixels among many"
  },
  {
    body: messages(user([{ image_url: { url: "data:image/png;base64,AAAA" }, type: "image_url" }])),
    message: /Input tag 'image_url'/,
    name: "an image of Chat"
  },
  {
    body: messages(user([{ source: { type: "url", url: "http://a.example/x.png" }, type: "image" }])),
    message: /source\.url\.url: Only HTTPS URLs are supported\.$/,
    name: "an address without encryption"
  }
]

const groups = { caching, conversation, images, pairing, shape, thoughts, tools }

describe("Anthropic validator", () => {
  against(Simulator.layer({ models: ["sim-1"], script: Script.reply("ok") }), (it) => {
    for (const [group, cases] of Object.entries(groups)) {
      for (const { body, message, name, status = 400, type = "invalid_request_error" } of cases) {
        it.effect(`refuses ${group}: ${name}`, () =>
          Effect.gen(function*() {
            const response = yield* post(body)
            assert.strictEqual(response.status, status, response.text)
            const refused = json(response)
            assert.strictEqual(at(refused, "type"), "error")
            assert.strictEqual(at(refused, "error", "type"), type)
            assert.match(String(at(refused, "error", "message")), message)
            assert.strictEqual(at(refused, "request_id"), response.headers["request-id"])
          }))
      }
    }

    it.effect("refuses bytes that are no UTF-8", () =>
      Effect.gen(function*() {
        const bytes = Uint8Array.from(
          [...Json.print(request())].map((letter) => letter === "h" ? 0xff : letter.charCodeAt(0))
        )
        const response = yield* send(HttpBody.uint8Array(bytes, "application/json"))
        assert.strictEqual(response.status, 400)
        assert.match(response.text, /not valid JSON: str is not valid UTF-8/)
      }))

    it.effect("refuses a missing and an unknown version", () =>
      Effect.gen(function*() {
        const { origin } = yield* Simulator.Simulator
        const body = HttpBody.text(Json.print(request()), "application/json")
        const none = yield* sendTo(`${origin}/v1/messages`, body, {})
        assert.strictEqual(none.status, 400)
        assert.strictEqual(at(json(none), "error", "message"), "anthropic-version: header is required")
        const old = yield* post(request(), { "anthropic-version": "2022-01-01" })
        assert.strictEqual(
          at(json(old), "error", "message"),
          "anthropic-version: \"2022-01-01\" is not a valid version"
        )
        assert.strictEqual((yield* post(request(), { "anthropic-version": "2026-10-21" })).status, 200)
      }))

    it.effect("accepts everything a careful client sends", () =>
      Effect.gen(function*() {
        const response = yield* post(request({
          max_tokens: 64_000,
          messages: [
            user([text("look 👀"), image(png(8_000, 1)), image("AAAA", "image/webp")]),
            user("and then"),
            assistant(text("I look."), call("toolu_1"), call("call-2")),
            user([
              result("call-2", { content: [text("two"), image(png(1, 1))] }),
              result("toolu_1", { content: "failed", is_error: true }),
              text("Go on.", mark)
            ]),
            assistant(call("toolu_3")),
            user([result("toolu_3", { content: "" })]),
            { content: "half done", role: "assistant" },
            user([{ source: { type: "url", url: "https://a.example/x.png" }, type: "image" }]),
            { content: "Once", role: "assistant" }
          ],
          metadata: { user_id: "s1" },
          output_config: { effort: "low" },
          stop_sequences: ["END"],
          stream: false,
          system: [text("You help.", hour)],
          temperature: 0.5,
          thinking: { type: "disabled" },
          tool_choice: { disable_parallel_tool_use: true, type: "auto" },
          tools: [tool(hour), tool({ name: "now", type: "custom" })]
        }))
        assert.strictEqual(response.status, 200, response.text)
      }))

    it.effect("refuses a body of more than 32 MB", () =>
      Effect.gen(function*() {
        const response = yield* send(
          HttpBody.uint8Array(new Uint8Array(32 * 1_024 * 1_024 + 1).fill(0x61), "application/json")
        )
        assert.strictEqual(response.status, 413)
        assert.deepStrictEqual(at(json(response), "error"), {
          message: "Request exceeds the maximum allowed number of bytes.",
          type: "request_too_large"
        })
      }))
  })

  against(Simulator.layer({ apiKey: Redacted.make("sk-right-key-1234"), script: Script.reply("ok") }), (it) => {
    it.effect("asks for a key in the API's words, before it looks at the body", () =>
      Effect.gen(function*() {
        const none = yield* post("{")
        assert.strictEqual(none.status, 401)
        assert.deepStrictEqual(at(json(none), "error"), {
          message: "x-api-key header is required",
          type: "authentication_error"
        })
        const wrong = yield* post(request(), { "x-api-key": "sk-wrong-key-5678" })
        assert.strictEqual(wrong.status, 401)
        assert.strictEqual(at(json(wrong), "error", "message"), "invalid x-api-key")
        assert.strictEqual((yield* post(request(), { "x-api-key": "sk-right-key-1234" })).status, 200)
        assert.strictEqual((yield* post(request(), { authorization: "Bearer sk-right-key-1234" })).status, 200)
        const logged = yield* Effect.flatMap(Simulator.Simulator, ({ requests }) => requests)
        assert.notInclude(Json.print(logged), "key-")
      }))
  })
})
