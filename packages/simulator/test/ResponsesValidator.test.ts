import { assert, describe } from "@effect/vitest"
import * as Json from "@weir/simulator/Json"
import * as Reasoning from "@weir/simulator/ResponsesReasoning"
import * as Script from "@weir/simulator/Script"
import * as Simulator from "@weir/simulator/Simulator"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { against } from "./Against.js"
import { post, request, user } from "./ResponsesClient.js"
import { at, json } from "./TestClient.js"

interface Case {
  readonly name: string
  readonly body: unknown
  readonly message: RegExp
  readonly param?: string
  readonly code?: string
  readonly status?: number
}

const input = (...list: ReadonlyArray<unknown>) => request({ input: list })
const call = (id: unknown, more: object = {}) => ({
  arguments: "{}",
  call_id: id,
  name: "ls",
  type: "function_call",
  ...more
})
const output = (id: unknown, output: unknown = "ok") => ({ call_id: id, output, type: "function_call_output" })
const said = (text: string, more: object = {}) => ({
  content: [{ annotations: [], text, type: "output_text" }],
  role: "assistant",
  type: "message",
  ...more
})
const tool = (name: unknown, more: object = {}) => ({
  description: "Lists files.",
  name,
  parameters: { properties: {}, type: "object" },
  strict: false,
  type: "function",
  ...more
})
const image = (url: unknown) => user([{ detail: "auto", image_url: url, type: "input_image" }])

const reply = "7"
const summary = (text: string) => [{ text, type: "summary_text" }]
const reasoning = (index = 0, more: object = {}) => ({
  encrypted_content: Reasoning.encrypt({ index, reply }, ["Hm."], "sim-1"),
  id: Reasoning.reasoningId({ index, reply }),
  summary: summary("Hm."),
  type: "reasoning",
  ...more
})
const led = (id: string, index = 1) => call(id, { id: Reasoning.itemId("fc", { index, reply }, true) })
const answer = (index = 1) => said("So.", { id: Reasoning.itemId("msg", { index, reply }, true) })

const unverified = { code: "invalid_encrypted_content", message: /^The encrypted content could not be verified\.$/ }
const unfollowed = /^Item 'rs_7_0' of type 'reasoning' was provided without its required following item\.$/

const cases: ReadonlyArray<Case> = [
  { body: "{\"model\":", message: /^We could not parse the JSON body/, name: "invalid JSON" },
  { body: { input: "hi" }, message: /^you must provide a model parameter$/, name: "no model" },
  {
    body: request({ model: "gpt-none" }),
    code: "model_not_found",
    message: /^The model `gpt-none` does not exist/,
    name: "an unknown model",
    status: 404
  },
  {
    body: { model: "sim-1" },
    code: "missing_required_parameter",
    message: /^One of 'input' or 'previous_response_id'/,
    name: "no input"
  },
  { body: input(), code: "empty_array", message: /^Invalid 'input': empty array/, name: "empty input", param: "input" },
  { body: request({ input: 1 }), code: "invalid_type", message: /but got an integer/, name: "input that is a number" },
  {
    body: request({ messages: [] }),
    code: "unknown_parameter",
    message: /^Unknown parameter: 'messages'\.$/,
    name: "a parameter of the other API",
    param: "messages"
  },
  {
    body: request({ max_tokens: 100 }),
    code: "unknown_parameter",
    message: /^Unknown parameter: 'max_tokens'\.$/,
    name: "the other API's output limit"
  },
  {
    body: request({ max_output_tokens: 15 }),
    code: "integer_below_min_value",
    message:
      /^Invalid 'max_output_tokens': integer below minimum value\. Expected a value >= 16, but got 15 instead\.$/,
    name: "an output limit of less than 16 tokens",
    param: "max_output_tokens"
  },
  {
    body: request({ max_output_tokens: 128_001 }),
    code: "invalid_value",
    message: /^max_output_tokens is too large: 128001\. This model supports at most 128000 output tokens/,
    name: "an output limit of more than the model gives"
  },
  { body: request({ max_output_tokens: "100" }), code: "invalid_type", message: /a string/, name: "a limit as text" },
  {
    body: input({ content: "hi", role: "tool" }),
    code: "invalid_value",
    message: /^Invalid value: 'tool'\. Supported values are: 'assistant', 'system', 'developer', and 'user'\.$/,
    name: "a role of the other API",
    param: "input[0].role"
  },
  {
    body: input({ text: "hi" }),
    code: "missing_required_parameter",
    message: /input\[0\]\.type/,
    name: "an item of no type"
  },
  {
    body: input({ type: "local_shell_call" }),
    code: "invalid_value",
    message: /^Invalid value: 'local_shell_call'/,
    name: "an item of an unknown type"
  },
  {
    body: input({ ...user(), tool_calls: [] }),
    code: "unknown_parameter",
    message: /^Unknown parameter: 'input\[0\]\.tool_calls'\.$/,
    name: "an unknown field of an item"
  },
  {
    body: input(user([{ text: "hi", type: "output_text" }])),
    code: "invalid_value",
    message: /^Invalid value: 'output_text'\. Supported values are: 'input_text', 'input_image', and 'input_file'\.$/,
    name: "what the model writes, said by the user",
    param: "input[0].content[0].type"
  },
  {
    body: input(user(), { content: [{ text: "hi", type: "input_text" }], role: "assistant" }),
    code: "invalid_value",
    message: /^Invalid value: 'input_text'\. Supported values are: 'output_text' and 'refusal'\.$/,
    name: "what the user writes, said by the model",
    param: "input[1].content[0].type"
  },
  {
    body: input(user([{ text: "hi", type: "text" }])),
    code: "invalid_value",
    message: /^Invalid value: 'text'/,
    name: "a part of the other API"
  },
  { body: input(image({ url: "x" })), code: "invalid_type", message: /image_url/, name: "an image as an object" },
  { body: input(image("ftp://a/b.png")), message: /Expected a valid URL/, name: "an image at no address" },
  {
    body: input(image("data:image/bmp;base64,aGk=")),
    code: "invalid_image_format",
    message: /^You uploaded an unsupported image/,
    name: "an image of another kind"
  },
  { body: input(image("data:image/png;base64,a")), code: "invalid_base64", message: /base64/, name: "a broken image" },
  {
    body: input(user(), said("So.", { phase: "thinking" })),
    code: "invalid_value",
    message: /^Invalid value: 'thinking'\. Supported values are: 'commentary' and 'final_answer'\.$/,
    name: "an unknown phase"
  },
  {
    body: input(user(), call("c1")),
    message: /^No tool output found for function call c1\.$/,
    name: "a call without an output",
    param: "input"
  },
  {
    body: input(user(), call("c1"), call("c2"), output("c1"), user("go on")),
    message: /^No tool output found for function call c2\.$/,
    name: "one of two calls without an output"
  },
  {
    body: input(user(), output("c1")),
    message: /^No tool call found for function call output with call_id c1\.$/,
    name: "an output without a call"
  },
  {
    body: input(user(), output("c1"), call("c1")),
    message: /^No tool call found for function call output/,
    name: "an output before its call"
  },
  { body: input(call("c1"), output("c1"), output("c1")), message: /^Duplicate/, name: "two outputs of one call" },
  { body: input(call("c1"), call("c1"), output("c1")), message: /^Duplicate/, name: "two calls with one id" },
  {
    body: input(call("c".repeat(65)), output("c".repeat(65))),
    code: "string_above_max_length",
    message:
      /^Invalid 'input\[0\]\.call_id': string too long\. Expected a string with maximum length 64, but got a string with length 65 instead\.$/,
    name: "an id of a call of more than 64 characters",
    param: "input[0].call_id"
  },
  { body: input(call(""), output("")), code: "empty_string", message: /empty string/, name: "an empty id of a call" },
  {
    body: input(call("c1", { id: "call_1" }), output("c1")),
    code: "invalid_value",
    message: /^Invalid 'input\[0\]\.id': 'call_1'\. Expected an ID that begins with 'fc'\.$/,
    name: "a call under an id of another kind",
    param: "input[0].id"
  },
  {
    body: input(said("So.", { id: "fc_1" })),
    message: /Expected an ID that begins with 'msg'\.$/,
    name: "a message under the id of a call"
  },
  {
    body: input(reasoning(0, { id: "msg_7_0_0" }), answer()),
    message: /Expected an ID that begins with 'rs'\.$/,
    name: "reasoning under the id of a message"
  },
  {
    body: input(said("So.", { id: `msg_${"x".repeat(61)}` })),
    code: "string_above_max_length",
    message: /^Invalid 'input\[0\]\.id': string too long/,
    name: "an id of more than 64 characters"
  },
  {
    body: input(said("So.", { id: "msg_1" }), said("So.", { id: "msg_1" })),
    message: /^Duplicate item found with id msg_1\. Remove duplicate items from your input and try again\.$/,
    name: "one item twice"
  },
  { body: input(user(), reasoning()), message: unfollowed, name: "reasoning at the end" },
  { body: input(reasoning(), user()), message: unfollowed, name: "reasoning that the user follows" },
  { body: input(reasoning(), said("So.")), message: unfollowed, name: "reasoning before a message of no reply" },
  { body: input(reasoning(), led("c1", 2), output("c1")), message: unfollowed, name: "reasoning before a later item" },
  {
    body: input(user(), led("c1"), output("c1")),
    message: /^Item 'fc_7_1_1' of type 'function_call' was provided without its required 'reasoning' item: 'rs_7_0'\.$/,
    name: "a call without the reasoning that led to it"
  },
  {
    body: input(user(), answer()),
    message: /^Item 'msg_7_1_1' of type 'message' was provided without its required 'reasoning' item: 'rs_7_0'\.$/,
    name: "a message without the reasoning that led to it"
  },
  {
    body: input(reasoning(0, { summary: summary("Ha.") }), answer()),
    ...unverified,
    name: "reasoning with another summary"
  },
  { body: input(reasoning(0, { encrypted_content: "x" }), answer()), ...unverified, name: "forged reasoning" },
  {
    body: input(
      reasoning(0, { encrypted_content: Reasoning.encrypt({ index: 0, reply }, ["Hm."], "sim-2") }),
      answer()
    ),
    ...unverified,
    name: "reasoning of another model"
  },
  {
    body: input(
      reasoning(0, { encrypted_content: Reasoning.encrypt({ index: 1, reply }, ["Hm."], "sim-1") }),
      answer()
    ),
    ...unverified,
    name: "reasoning from another place"
  },
  {
    body: input(reasoning(0, { encrypted_content: null }), answer()),
    message: /^Item with id 'rs_7_0' not found\. Items are not persisted when `store` is set to false/,
    name: "reasoning without its content",
    status: 404
  },
  {
    body: input(reasoning(0, { summary: undefined }), answer()),
    code: "missing_required_parameter",
    message: /summary/,
    name: "reasoning without a summary"
  },
  {
    body: input({ id: "msg_1", type: "item_reference" }),
    message: /^Item with id 'msg_1' not found/,
    name: "a reference to what is not stored",
    status: 404
  },
  {
    body: request({ previous_response_id: "resp_1" }),
    code: "previous_response_not_found",
    message: /^Previous response with id 'resp_1' not found\.$/,
    name: "an earlier response"
  },
  {
    body: request({ tools: [{ function: tool("ls"), type: "function" }] }),
    code: "missing_required_parameter",
    message: /^Missing required parameter: 'tools\[0\]\.name'\.$/,
    name: "a tool in the form of the other API",
    param: "tools[0].name"
  },
  {
    body: request({ tools: [tool("l s")] }),
    message: /does not match pattern/,
    name: "a tool with a blank in its name"
  },
  {
    body: request({ tools: [tool("ls", { parameters: { type: "string" } })] }),
    code: "invalid_function_parameters",
    message: /got 'type: "string"'/,
    name: "a tool that takes no object"
  },
  { body: request({ tools: [tool("ls"), tool("ls")] }), message: /more than once/, name: "two tools of one name" },
  { body: request({ tool_choice: "auto" }), message: /only allowed when 'tools'/, name: "a choice of no tools" },
  {
    body: request({ tool_choice: { name: "rm", type: "function" }, tools: [tool("ls")] }),
    message: /no function named 'rm'/,
    name: "a choice of an unknown tool"
  },
  {
    body: request({ include: ["reasoning"] }),
    code: "invalid_value",
    message: /^Invalid value: 'reasoning'/,
    name: "something unknown to include"
  },
  {
    body: request({ include: ["reasoning.encrypted_content"], model: "gpt-4.1" }),
    message: /^Encrypted content is not supported with this model\.$/,
    name: "the thoughts of a model that has none",
    param: "include"
  },
  {
    body: request({ model: "gpt-4.1", reasoning: { effort: "low" } }),
    code: "unsupported_parameter",
    message: /^Unsupported parameter: 'reasoning\.effort' is not supported with this model\.$/,
    name: "effort of a model that does not think"
  },
  {
    body: request({ reasoning: { effort: "huge" } }),
    code: "invalid_value",
    message: /^Invalid value: 'huge'/,
    name: "an unknown effort",
    param: "reasoning.effort"
  },
  {
    body: request({ reasoning_effort: "low" }),
    code: "unknown_parameter",
    message: /reasoning_effort/,
    name: "effort in the form of the other API"
  },
  {
    body: request({ prompt_cache_key: "k".repeat(65) }),
    code: "string_above_max_length",
    message: /^Invalid 'prompt_cache_key': string too long/,
    name: "a key of the cache of more than 64 characters"
  },
  { body: request({ store: "no" }), code: "invalid_type", message: /'store'/, name: "a switch that is a text" },
  { body: request({ temperature: 3 }), code: "decimal_above_max_value", message: /temperature/, name: "too much heat" }
]

const models = ["sim-1", "gpt-4.1"]

describe("ResponsesValidator", () => {
  against(Simulator.layer({ models, script: Script.reply("ok") }), (it) => {
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

    it.effect("accepts everything a careful client sends", () =>
      Effect.gen(function*() {
        const response = yield* post(request({
          include: ["reasoning.encrypted_content"],
          input: [
            { content: "You help.", role: "developer", type: "message" },
            user([{ text: "look 👀", type: "input_text" }, {
              detail: "auto",
              image_url: "data:image/png;base64,iVBORw0KGgo=",
              type: "input_image"
            }]),
            reasoning(),
            answer(),
            reasoning(2),
            led("c1", 3),
            call("c2"),
            output("c2", [{ text: "two", type: "input_text" }, {
              image_url: "https://example.com/a.png",
              type: "input_image"
            }]),
            output("c1", ""),
            said("half done", { id: "msg_9", phase: "commentary", status: "incomplete" }),
            { content: [{ refusal: "No.", type: "refusal" }], role: "assistant", type: "message" },
            { content: "as a text", role: "assistant" },
            call("c3", { arguments: "{oops", id: "fc_1", status: "completed" }),
            output("c3"),
            user("go on"),
            user("please")
          ],
          instructions: "Briefly.",
          max_output_tokens: 16,
          parallel_tool_calls: true,
          prompt_cache_key: "s1",
          reasoning: { effort: "low", summary: "auto" },
          store: false,
          stream: false,
          text: { verbosity: "low" },
          tool_choice: { name: "ls", type: "function" },
          tools: [tool("ls"), { name: "now", type: "function" }]
        }))
        assert.strictEqual(response.status, 200, response.text)
      }))
  })

  against(Simulator.layer({ apiKey: Redacted.make("sk-right-key-1234"), script: Script.reply("ok") }), (it) => {
    it.effect("asks for a key before it looks at the body", () =>
      Effect.gen(function*() {
        assert.match((yield* post("{")).text, /You didn't provide an API key/)
        const wrong = yield* post(request(), { authorization: "Bearer sk-wrong-key-5678" })
        assert.strictEqual(wrong.status, 401)
        assert.strictEqual(at(json(wrong), "error", "code"), "invalid_api_key")
        assert.strictEqual((yield* post(request(), { authorization: "Bearer sk-right-key-1234" })).status, 200)
      }))
  })
})
