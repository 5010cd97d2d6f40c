import * as HttpBody from "@effect/platform/HttpBody"
import { assert, describe } from "@effect/vitest"
import * as Json from "@weir/simulator/Json"
import * as Script from "@weir/simulator/Script"
import * as Simulator from "@weir/simulator/Simulator"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { against } from "./Against.js"
import { at, json, post, request, send, user } from "./TestClient.js"

interface Case {
  readonly name: string
  readonly body: unknown
  readonly message: RegExp
  readonly param?: string
  readonly code?: string
  readonly status?: number
}

const call = (id: string, more: object = {}) => ({
  function: { arguments: "{}", name: "ls" },
  id,
  type: "function",
  ...more
})
const calling = (...calls: ReadonlyArray<unknown>) => ({ content: null, role: "assistant", tool_calls: calls })
const result = (id: unknown, content: unknown = "ok") => ({ content, role: "tool", tool_call_id: id })
const messages = (...list: ReadonlyArray<unknown>) => request({ messages: list })
const tool = (name: unknown, parameters: unknown = { properties: {}, type: "object" }) => ({
  function: { description: "Lists files.", name, parameters },
  type: "function"
})
const image = (url: unknown) => user([{ image_url: { url }, type: "image_url" }])

const cases: ReadonlyArray<Case> = [
  { body: "{\"model\":", message: /^We could not parse the JSON body/, name: "invalid JSON" },
  { body: "[1]", message: /^We could not parse the JSON body/, name: "JSON that is no object" },
  { body: { messages: [user("hi")] }, message: /^you must provide a model parameter$/, name: "no model" },
  {
    body: request({ model: "gpt-none" }),
    code: "model_not_found",
    message: /^The model `gpt-none` does not exist/,
    name: "unknown model",
    status: 404
  },
  {
    body: { model: "sim-1" },
    code: "missing_required_parameter",
    message: /^Missing required parameter: 'messages'\.$/,
    name: "no messages",
    param: "messages"
  },
  { body: messages(), code: "empty_array", message: /^Invalid 'messages': empty array/, name: "empty messages" },
  {
    body: request({ messages: "hi" }),
    code: "invalid_type",
    message: /expected an array of objects, but got a string instead/,
    name: "messages that are no array"
  },
  {
    body: messages({ content: "hi", role: "robot" }),
    code: "invalid_value",
    message: /^Invalid value: 'robot'\. Supported values are: 'system', 'assistant', /,
    name: "unknown role",
    param: "messages[0].role"
  },
  { body: messages({ content: "hi" }), code: "missing_required_parameter", message: /role/, name: "no role" },
  {
    body: messages(user("hi"), result("call_1")),
    message: /must be a response to a preceeding message with 'tool_calls'/,
    name: "a result without a call",
    param: "messages.[1].role"
  },
  {
    body: messages(user("hi"), calling(call("call_1")), user("go on")),
    message: /must be followed by tool messages.*did not have response messages: call_1$/,
    name: "a user message between call and result",
    param: "messages.[1].role"
  },
  {
    body: messages(user("hi"), calling(call("call_1"), call("call_2")), result("call_1")),
    message: /did not have response messages: call_2$/,
    name: "one of two parallel calls unanswered"
  },
  {
    body: messages(user("hi"), calling(call("call_1")), result("call_2")),
    message: /'tool_call_id' of 'call_2' not found in 'tool_calls' of previous message/,
    name: "a result for another call",
    param: "messages.[2].tool_call_id"
  },
  {
    body: messages(user("hi"), calling(call("call_1")), result("call_1"), result("call_1")),
    message: /Duplicate value for 'tool_call_id' of 'call_1'/,
    name: "two results for one call"
  },
  {
    body: messages(user("hi"), calling(call("call_1")), result("call_1"), user("and"), result("call_1")),
    message: /must be a response to a preceeding message/,
    name: "a result after another user message"
  },
  {
    body: messages(user("hi"), calling(call("call_1"), call("call_1")), result("call_1")),
    message: /used more than once/,
    name: "two calls with one id"
  },
  {
    body: messages(user("hi"), { content: null, role: "assistant" }),
    message: /^Invalid value for 'content': expected a string, got null\.$/,
    name: "an assistant message with neither content nor calls",
    param: "messages.[1].content"
  },
  {
    body: messages(user("hi"), { content: "", role: "assistant", tool_calls: [] }),
    code: "empty_array",
    message: /'messages\[1\]\.tool_calls': empty array/,
    name: "an empty list of calls"
  },
  { body: messages(user(null)), message: /expected a string, got null/, name: "a user message of null" },
  { body: messages(user([])), code: "empty_array", message: /empty array/, name: "a user message of no parts" },
  {
    body: messages(user("hi"), calling(call("c".repeat(41))), result("c".repeat(41))),
    code: "string_above_max_length",
    message: /maximum length 40, but got a string with length 41/,
    name: "a call id of 41 characters",
    param: "messages[1].tool_calls[0].id"
  },
  {
    body: messages(user("hi"), calling(call(""))),
    code: "empty_string",
    message: /empty string/,
    name: "an empty call id"
  },
  {
    body: messages(user("hi"), calling(call("call_1")), { content: "ok", role: "tool" }),
    code: "missing_required_parameter",
    message: /messages\[2\]\.tool_call_id/,
    name: "a result without an id"
  },
  {
    body: messages(
      user("hi"),
      calling(call("call_1", { function: { arguments: { a: 1 }, name: "ls" } })),
      result("call_1")
    ),
    code: "invalid_type",
    message: /expected a string, but got an object instead/,
    name: "arguments that are no string",
    param: "messages[1].tool_calls[0].function.arguments"
  },
  {
    body: messages(
      user("hi"),
      calling(call("call_1", { function: { arguments: "{}", name: "l s" } })),
      result("call_1")
    ),
    message: /does not match pattern/,
    name: "a call of a tool with a bad name"
  },
  {
    body: request({ tools: [tool("list files")] }),
    code: "invalid_value",
    message: /string does not match pattern\. Expected a string that matches the pattern '\^\[a-zA-Z0-9_-\]\+\$'/,
    name: "a tool with a bad name",
    param: "tools[0].function.name"
  },
  {
    body: request({ tools: [tool("x".repeat(65))] }),
    code: "string_above_max_length",
    message: /maximum length 64/,
    name: "a tool with a long name"
  },
  {
    body: request({ tools: [tool("ls", { properties: {} })] }),
    code: "invalid_function_parameters",
    message:
      /^Invalid schema for function 'ls': schema must be a JSON Schema of 'type: "object"', got 'type: "None"'\.$/,
    name: "parameters without a type",
    param: "tools[0].function.parameters"
  },
  {
    body: request({ tools: [tool("ls", { type: "array" })] }),
    code: "invalid_function_parameters",
    message: /got 'type: "array"'/,
    name: "parameters of another type"
  },
  {
    body: request({ tools: [tool("ls"), tool("ls")] }),
    message: /used more than once/,
    name: "two tools with one name"
  },
  {
    body: request({ tools: [] }),
    code: "empty_array",
    message: /'tools': empty array/,
    name: "an empty list of tools"
  },
  {
    body: request({ tools: Array.from({ length: 129 }, (_, index) => tool(`t${index}`)) }),
    code: "array_above_max_length",
    message: /maximum length 128, but got an array with length 129/,
    name: "129 tools"
  },
  {
    body: request({ max_completion_tokens: 5, max_tokens: 5 }),
    message: /at the same time is not supported/,
    name: "two output limits"
  },
  {
    body: request({ max_tokens: 0 }),
    code: "integer_below_min_value",
    message: /Expected a value >= 1, but got 0 instead/,
    name: "an output limit of 0",
    param: "max_tokens"
  },
  {
    body: request({ max_completion_tokens: -186 }),
    code: "integer_below_min_value",
    message: /got -186/,
    name: "a negative output limit"
  },
  {
    body: request({ max_completion_tokens: 250_000 }),
    message: /^max_completion_tokens is too large: 250000\. This model supports at most 32768 completion tokens/,
    name: "an output limit above the model's",
    param: "max_completion_tokens"
  },
  { body: request({ max_tokens: 1.5 }), code: "invalid_type", message: /decimal/, name: "an output limit of 1.5" },
  {
    body: request({ stream_options: { include_usage: true } }),
    message: /only allowed when 'stream' is enabled/,
    name: "stream options without a stream",
    param: "stream_options"
  },
  {
    body: request({ tool_choice: "auto" }),
    message: /'tool_choice' is only allowed when 'tools' are specified/,
    name: "a tool choice without tools"
  },
  {
    body: request({ parallel_tool_calls: true }),
    message: /'parallel_tool_calls' is only allowed when 'tools' are specified/,
    name: "parallel calls without tools"
  },
  {
    body: request({ tool_choice: { function: { name: "rm" }, type: "function" }, tools: [tool("ls")] }),
    message: /no function named 'rm'/,
    name: "the choice of an unknown tool"
  },
  { body: request({ tool_choice: "never", tools: [tool("ls")] }), message: /'never'/, name: "an unknown tool choice" },
  {
    body: request({ temperature: 3 }),
    code: "decimal_above_max_value",
    message: /^Invalid 'temperature': decimal above maximum value\. Expected a value <= 2, but got 3 instead\.$/,
    name: "a temperature of 3"
  },
  { body: request({ top_p: -1 }), code: "decimal_below_min_value", message: /got -1/, name: "a top_p of -1" },
  { body: request({ n: 0 }), code: "integer_below_min_value", message: /'n'/, name: "no choice at all" },
  { body: request({ stream: "yes" }), code: "invalid_type", message: /boolean/, name: "a stream of yes" },
  { body: request({ reasoning_effort: "extreme" }), message: /'extreme'/, name: "an unknown effort" },
  {
    body: request({ enable_thinking: true }),
    code: "unknown_parameter",
    message: /^Unknown parameter: 'enable_thinking'\.$/,
    name: "another vendor's parameter",
    param: "enable_thinking"
  },
  {
    body: messages({ ...user("hi"), tool_call_id: "x" }),
    code: "unknown_parameter",
    message: /messages\[0\]\.tool_call_id/,
    name: "a field that the role does not have"
  },
  { body: messages(image("cat.png")), message: /Expected a valid URL/, name: "an image address that is none" },
  { body: messages(image("data:image/png;base64,!!")), message: /base64/, name: "an image that is not base64" },
  {
    body: messages(image("data:image/tiff;base64,AAAA")),
    code: "invalid_image_format",
    message: /unsupported image/,
    name: "an image of an unknown type"
  },
  {
    body: messages(
      user("hi"),
      calling(call("call_1")),
      result("call_1", [{ image_url: { url: "https://a.example/b.png" }, type: "image_url" }])
    ),
    message: /only allowed for messages with role 'user', but this message with role 'tool'/,
    name: "an image in a tool result"
  },
  {
    body: messages(user([{ text: "hi", type: "tekst" }])),
    code: "invalid_value",
    message: /^Invalid value: 'tekst'\. Supported values are: 'text', /,
    name: "a content part of unknown type",
    param: "messages[0].content[0].type"
  },
  {
    body: "{\"model\":\"sim-1\",\"messages\":[{\"role\":\"user\",\"content\":\"cut \\ud83d\"}]}",
    message: /^We could not parse the JSON body/,
    name: "half of a surrogate pair"
  }
]

const simulator = Simulator.layer({ models: ["sim-1"], script: Script.reply("ok") })

describe("ChatValidator", () => {
  against(simulator, (it) => {
    for (const { body, code, message, name, param, status = 400 } of cases) {
      it.effect(`refuses ${name}`, () =>
        Effect.gen(function*() {
          const response = yield* post(body)
          const error = at(json(response), "error")
          assert.strictEqual(response.status, status)
          assert.match(String(at(error, "message")), message)
          assert.strictEqual(at(error, "type"), "invalid_request_error")
          assert.sameMembers(Object.keys(Json.isObject(error) ? error : {}), ["message", "type", "param", "code"])
          if (code !== undefined) assert.strictEqual(at(error, "code"), code)
          if (param !== undefined) assert.strictEqual(at(error, "param"), param)
        }))
    }

    it.effect("refuses bytes that are not UTF-8", () =>
      Effect.gen(function*() {
        const good = new TextEncoder().encode(Json.print(request({ messages: [user("hi!")] })))
        const bad = good.map((byte) => byte === 0x21 ? 0xff : byte)
        const body = (bytes: Uint8Array) => HttpBody.uint8Array(bytes, "application/json")
        assert.strictEqual((yield* send(body(good))).status, 200)
        const response = yield* send(body(bad))
        assert.strictEqual(response.status, 400)
        assert.match(response.text, /could not parse the JSON body/)
      }))

    it.effect("refuses another content type", () =>
      Effect.gen(function*() {
        const response = yield* send(HttpBody.text(Json.print(request()), "text/plain"))
        assert.strictEqual(response.status, 400)
        assert.strictEqual(at(json(response), "error", "code"), "unsupported_content_type")
      }))

    it.effect("accepts everything a careful client sends", () =>
      Effect.gen(function*() {
        const response = yield* post(request({
          max_completion_tokens: 32_768,
          messages: [
            { content: "You help.", role: "system" },
            { content: "Briefly.", role: "developer" },
            user([{ text: "look 👀", type: "text" }, {
              image_url: { detail: "auto", url: "data:image/png;base64,iVBORw0KGgo=" },
              type: "image_url"
            }]),
            { ...calling(call("call_1"), call("call_2")), reasoning_content: "hm" },
            result("call_2"),
            result("call_1", [{ text: "two", type: "text" }, { text: "parts", type: "text" }]),
            { content: "half done", role: "assistant" },
            {
              content: "",
              role: "assistant",
              tool_calls: [call("call_1", { function: { arguments: "{oops", name: "ls" } })]
            },
            result("call_1", ""),
            user("go on"),
            user("please")
          ],
          parallel_tool_calls: true,
          prompt_cache_key: "s1",
          reasoning_effort: "low",
          store: false,
          stream: false,
          temperature: 2,
          tool_choice: { function: { name: "ls" }, type: "function" },
          tools: [tool("ls"), { function: { name: "now" }, type: "function" }]
        }))
        assert.strictEqual(response.status, 200, response.text)
      }))
  })

  against(Simulator.layer({ apiKey: Redacted.make("sk-right-key-1234"), script: Script.reply("ok") }), (it) => {
    it.effect("asks for a key in the API's words, before it looks at the body", () =>
      Effect.gen(function*() {
        const none = yield* post("{")
        assert.strictEqual(none.status, 401)
        assert.match(none.text, /You didn't provide an API key/)
        const wrong = yield* post(request(), { authorization: "Bearer sk-wrong-key-5678" })
        assert.strictEqual(wrong.status, 401)
        assert.strictEqual(at(json(wrong), "error", "code"), "invalid_api_key")
        assert.notInclude(wrong.text, "wrong-key")
        const right = yield* post(request(), { authorization: "Bearer sk-right-key-1234" })
        assert.strictEqual(right.status, 200)
      }))
  })
})
