import { assert, describe } from "@effect/vitest"
import * as Json from "@weir/simulator/Json"
import * as Script from "@weir/simulator/Script"
import * as Simulator from "@weir/simulator/Simulator"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { against } from "./Against.js"
import { assistant, claude, post, request, text, user } from "./BedrockClient.js"
import { at, json } from "./TestClient.js"

interface Case {
  readonly name: string
  readonly body: unknown
  readonly message: RegExp
  readonly kind?: string
  readonly model?: string
  readonly status?: number
}

const toolSpec = (more: object = {}) => ({
  toolSpec: { description: "Lists files.", inputSchema: { json: { type: "object" } }, name: "ls", ...more }
})
const toolConfig = { tools: [toolSpec()] }
const call = (toolUseId: unknown, more: object = {}) => ({ toolUse: { input: {}, name: "ls", toolUseId, ...more } })
const result = (toolUseId: unknown, more: object = {}) => ({
  toolResult: { content: [text("ok")], toolUseId, ...more }
})
const image = (bytes: unknown, format = "png") => ({ image: { format, source: { bytes } } })
const messages = (...list: ReadonlyArray<unknown>) => request({ messages: list, toolConfig })
const mark = { cachePoint: { type: "default" } }
const png = "iVBORw0KGgoAAAANSUhEUgAA"
const byModel = "^The model returned the following errors: "
const serialization = { kind: "SerializationException" }

const shape: ReadonlyArray<Case> = [
  { body: "{\"messages\":", message: /could not be read/, name: "invalid JSON", ...serialization },
  { body: "[1]", message: /could not be read/, name: "JSON that is no object", ...serialization },
  {
    body: "{\"messages\":[{\"role\":\"user\",\"content\":[{\"text\":\"a\\ud800b\"}]}]}",
    message: /could not be read/,
    name: "half a character",
    ...serialization
  },
  {
    body: request({ model: "m" }),
    message: /^Malformed input request: #: extraneous key \[model\] is not permitted/,
    name: "a field of another API"
  },
  {
    body: request(),
    message: /^The provided model identifier is invalid\.$/,
    model: "anthropic.claude-none",
    name: "an unknown model"
  },
  {
    body: request({ inferenceConfig: { maxTokens: 0 } }),
    message:
      /^1 validation error detected: Value '0' at 'inferenceConfig\.maxTokens' failed to satisfy constraint: Member must have value greater than or equal to 1$/,
    name: "maxTokens of 0"
  },
  {
    body: request({ inferenceConfig: { maxTokens: 64_001 } }),
    message:
      /^The maximum tokens you requested exceeds the model limit of 64000\. Try again with a maximum tokens value that is lower than 64000\.$/,
    name: "maxTokens over the model's"
  },
  {
    body: request({ inferenceConfig: { maxTokens: "9" } }),
    message: /^inferenceConfig\.maxTokens: Unexpected field type$/,
    name: "maxTokens as text",
    ...serialization
  },
  {
    body: request({ inferenceConfig: { maxTokens: 1.5 } }),
    message: /Unexpected field type$/,
    name: "a fraction of maxTokens",
    ...serialization
  },
  {
    body: request({ inferenceConfig: { max_tokens: 9 } }),
    message: /#\/inferenceConfig: extraneous key \[max_tokens\]/,
    name: "an option of another API"
  },
  {
    body: request({ inferenceConfig: { temperature: 1.1 } }),
    message: /at 'inferenceConfig\.temperature' .* less than or equal to 1$/,
    name: "a hot temperature"
  },
  {
    body: request({ additionalModelRequestFields: [] }),
    message: /^additionalModelRequestFields: Unexpected field type$/,
    name: "a list of more fields",
    ...serialization
  }
]

const conversation: ReadonlyArray<Case> = [
  {
    body: {},
    message:
      /^1 validation error detected: Value null at 'messages' failed to satisfy constraint: Member must not be null$/,
    name: "no messages"
  },
  { body: messages(), message: /^A conversation must start with a user message\./, name: "empty messages" },
  {
    body: messages(assistant(text("hi"))),
    message:
      /^A conversation must start with a user message\. Try again with a conversation that starts with a user message\.$/,
    name: "an assistant message first"
  },
  {
    body: messages(user(text("hi")), user(text("and"))),
    message: /^A conversation must alternate between user and assistant roles\. Make sure the conversation alternates/,
    name: "two user messages in a row"
  },
  {
    body: messages(user(text("hi")), assistant(text("a")), assistant(text("b")), user(text("c"))),
    message: /^A conversation must alternate/,
    name: "two assistant messages in a row"
  },
  {
    body: messages(user(text("hi")), assistant(text("Once"))),
    message: new RegExp(`${byModel}This model does not support assistant message prefill\\.`),
    name: "a prefill"
  },
  {
    body: messages({ content: [text("Be brief.")], role: "system" }, user(text("hi"))),
    message: /Value 'system' at 'messages\.1\.member\.role' failed .* enum value set: \[user, assistant\]$/,
    name: "a system message"
  },
  {
    body: messages(user()),
    message:
      /^The content field in the Message object at messages\.0 is empty\. Add a ContentBlock object to the content/,
    name: "a message of no blocks"
  },
  {
    body: messages({ content: "hi", role: "user" }),
    message: /^messages\.0\.content: Unexpected field type$/,
    name: "content as text",
    ...serialization
  },
  ...[["", "empty"], [" \n", "blank"]].map(([blank, name]): Case => ({
    body: messages(user(text(blank))),
    message:
      /^The text field in the ContentBlock object at messages\.0\.content\.0 is blank\. Add text to the text field/,
    name: `${name} text`
  })),
  {
    body: messages(user(text("hi")), assistant(text(" ")), user(text("and"))),
    message: /at messages\.1\.content\.0 is blank/,
    name: "blank text of the assistant"
  },
  {
    body: messages(user({ text: "hi", type: "text" })),
    message:
      /^The ContentBlock object at messages\.0\.content\.0 must set one of the following keys: text, image, toolResult/,
    name: "a block of another API"
  },
  {
    body: messages(user({ ...text("hi"), ...mark })),
    message: /must set one of the following keys/,
    name: "two blocks in one"
  },
  { body: messages(user({})), message: /must set one of the following keys/, name: "a block of nothing" },
  {
    body: messages(user(call("a"))),
    message: /must set one of the following keys/,
    name: "a call of the user"
  },
  {
    body: request({ system: "Be brief." }),
    message: /^system: Unexpected field type$/,
    name: "a system prompt as text",
    ...serialization
  },
  {
    body: request({ system: [text(" ")] }),
    message: /^The text field in the SystemContentBlock object at system\.0 is blank/,
    name: "a blank system prompt"
  }
]

const pairing: ReadonlyArray<Case> = [
  {
    body: { messages: messages(user(text("hi")), assistant(call("a")), user(result("a"))).messages },
    message: /^The toolConfig field must be defined when using toolUse and toolResult content blocks\.$/,
    name: "calls in the history without tools"
  },
  {
    body: messages(user(text("hi")), assistant(call("a")), user(text("go on"))),
    message: /^Expected toolResult blocks at messages\.2\.content for the following Ids: a$/,
    name: "a call without a result"
  },
  {
    body: messages(user(text("hi")), assistant(call("a"), call("b")), user(result("b"))),
    message: /^Expected toolResult blocks at messages\.2\.content for the following Ids: a$/,
    name: "one of two parallel calls unanswered"
  },
  {
    body: messages(user(result("a"))),
    message:
      /^The number of toolResult blocks at messages\.0\.content exceeds the number of toolUse blocks of previous turn\.$/,
    name: "a result without a call"
  },
  {
    body: messages(user(text("hi")), assistant(call("a")), user(result("a"), result("a"))),
    message: /^The toolResult blocks at messages\.2\.content contain duplicate Ids: a$/,
    name: "two results for one call"
  },
  {
    body: messages(user(text("hi")), assistant(call("a")), user(text("Here."), result("a"))),
    message: new RegExp(`${byModel}messages\\.2: .*without \`tool_result\` blocks immediately after: a\\.`),
    name: "text before the results"
  },
  {
    body: messages(user(text("hi")), assistant(call("a"), call("a")), user(result("a"))),
    message: /^The toolUse blocks at messages\.1\.content contain duplicate Ids: a$/,
    name: "two calls with one id"
  },
  {
    body: messages(user(text("hi")), assistant(call("a")), user(result("a")), assistant(call("a")), user(result("a"))),
    message: /^The toolUse blocks at messages\.3\.content contain duplicate Ids: a$/,
    name: "an id used again later"
  },
  {
    body: messages(user(text("hi")), assistant(call("call|1")), user(result("call|1"))),
    message:
      /^1 validation error detected: Value 'call\|1' at 'messages\.2\.member\.content\.1\.member\.toolUse\.toolUseId' failed to satisfy constraint: Member must satisfy regular expression pattern: \[a-zA-Z0-9_-\]\+$/,
    name: "an id with another character"
  },
  {
    body: messages(user(text("hi")), assistant(call("a".repeat(65))), user(result("a".repeat(65)))),
    message: /Member must have length less than or equal to 64$/,
    name: "an id of 65 characters"
  },
  {
    body: messages(user(text("hi")), assistant(call("")), user(result(""))),
    message: /Member must have length greater than or equal to 1$/,
    name: "an empty id"
  },
  {
    body: messages(user(text("hi")), assistant(call("a", { name: "ls files" })), user(result("a"))),
    message: /at 'messages\.2\.member\.content\.1\.member\.toolUse\.name' .* pattern: \[a-zA-Z0-9_-\]\+$/,
    name: "a name with a blank"
  },
  {
    body: messages(user(text("hi")), assistant(call("a", { input: "{}" })), user(result("a"))),
    message: /^The format of the value at messages\.1\.content\.0\.toolUse\.input is invalid\. Provide a json object/,
    name: "arguments as text"
  },
  {
    body: messages(user(text("hi")), assistant(call("a")), user(result("a", { content: [] }))),
    message: /^The content field in the ToolResultBlock object at messages\.2\.content\.0\.toolResult is empty\./,
    name: "a result of nothing"
  },
  {
    body: messages(user(text("hi")), assistant(call("a")), user(result("a", { content: [text("")] }))),
    message: /^The text field in the ToolResultContentBlock object at .* is blank/,
    name: "a result of blank text"
  },
  {
    body: messages(user(text("hi")), assistant(call("a")), user(result("a", { status: "failed" }))),
    message: /enum value set: \[success, error\]$/,
    name: "an unknown status"
  },
  {
    body: messages(
      user(text("hi")),
      assistant(call("a")),
      user(result("a", { content: [text("no"), image(png)], status: "error" }))
    ),
    message: new RegExp(`${byModel}.*all content must be type "text" if \`is_error\` is true$`),
    name: "an image in the result of a failure"
  }
]

const withTools = (...tools: ReadonlyArray<unknown>) => request({ toolConfig: { tools } })

const tools: ReadonlyArray<Case> = [
  {
    body: withTools(),
    message: /at 'toolConfig\.tools' failed to satisfy constraint: Member must have length greater than or equal to 1$/,
    name: "no tools in a toolConfig"
  },
  {
    body: withTools(toolSpec({ name: "ls files" })),
    message: /at 'toolConfig\.tools\.1\.member\.toolSpec\.name' .* pattern: \[a-zA-Z0-9_-\]\+$/,
    name: "a name with a blank"
  },
  {
    body: withTools(toolSpec({ name: "a".repeat(65) })),
    message: /Member must have length less than or equal to 64$/,
    name: "a name of 65 characters"
  },
  { body: withTools(toolSpec(), toolSpec()), message: /Tool names must be unique\.$/, name: "one name twice" },
  {
    body: withTools(toolSpec({ description: "" })),
    message: /toolSpec\.description' .* Member must have length greater than or equal to 1$/,
    name: "an empty description"
  },
  {
    body: withTools(toolSpec({ inputSchema: { json: {} } })),
    message:
      /^The value at toolConfig\.tools\.0\.toolSpec\.inputSchema\.json\.type must be one of the following: object\.$/,
    name: "an empty schema"
  },
  {
    body: withTools(toolSpec({ inputSchema: { type: "object" } })),
    message: /^The ToolInputSchema object at .* must set one of the following keys: json\.$/,
    name: "a schema without its key"
  },
  {
    body: withTools(toolSpec({ inputSchema: { json: { anyOf: [], type: "object" } } })),
    message: /does not support oneOf, allOf, or anyOf at the top level$/,
    name: "a choice of schemas"
  },
  {
    body: withTools({ input_schema: {}, name: "ls" }),
    message: /^The Tool object at toolConfig\.tools\.0 must set one of the following keys: toolSpec, cachePoint\.$/,
    name: "a tool of another API"
  },
  {
    body: request({ toolConfig: { toolChoice: { none: {} }, tools: [toolSpec()] } }),
    message: /^The ToolChoice object at toolConfig\.toolChoice must set one of the following keys: auto, any, tool\.$/,
    name: "an unknown choice"
  },
  {
    body: request({ toolConfig: { toolChoice: { tool: { name: "rm" } }, tools: [toolSpec()] } }),
    message: /Tool 'rm' not found in provided tools$/,
    name: "a choice of an unknown tool"
  }
]

const caching: ReadonlyArray<Case> = [
  {
    body: request({
      messages: [user(text("a"), mark, text("b"), mark)],
      system: [text("s"), mark, text("t"), mark],
      toolConfig: { tools: [toolSpec(), mark] }
    }),
    message: new RegExp(`${byModel}A maximum of 4 blocks with cache_control may be provided\\. Found 5\\.$`),
    name: "five marks"
  },
  { body: messages(user(mark, text("a"))), message: /must follow a block of content\.$/, name: "a mark of nothing" },
  { body: messages(user(text("a"), mark, mark)), message: /must follow a block/, name: "two marks of one block" },
  { body: withTools(mark, toolSpec()), message: /must follow a tool\.$/, name: "a mark before the tools" },
  {
    body: messages(user(text("a"), { cachePoint: { type: "ephemeral" } })),
    message: /at 'messages\.1\.member\.content\.2\.member\.cachePoint\.type' .* enum value set: \[default\]$/,
    name: "a mark of another type"
  },
  {
    body: messages(user(text("a"), { cachePoint: { ttl: "2h", type: "default" } })),
    message: /enum value set: \[5m, 1h\]$/,
    name: "a mark for two hours"
  },
  {
    body: messages(user(text("a"), mark)),
    kind: "AccessDeniedException",
    message: /^You invoked an unsupported model or your request did not allow prompt caching\./,
    model: "meta.llama3-3-70b-instruct-v1:0",
    name: "a mark for a model without a cache",
    status: 403
  },
  {
    body: messages(
      user(text("hi")),
      assistant({ reasoningContent: { reasoningText: { signature: "s", text: "t" } } }, mark),
      user(text("and"))
    ),
    message: /cache_control: Extra inputs are not permitted$/,
    name: "a mark on thinking"
  }
]

const asked = (thinking: object, more: object = {}) =>
  request({ additionalModelRequestFields: { thinking }, toolConfig, ...more })

const reasoning = (reasoningContent: object) =>
  messages(user(text("hi")), assistant({ reasoningContent }, text("a")), user(text("and")))

const thoughts: ReadonlyArray<Case> = [
  {
    body: asked({ budget_tokens: 1_023, type: "enabled" }),
    message: /thinking\.enabled\.budget_tokens: Input should be greater than or equal to 1024$/,
    name: "a small budget"
  },
  {
    body: asked({ budget_tokens: 2_000, type: "enabled" }, { inferenceConfig: { maxTokens: 2_000 } }),
    message: /`max_tokens` must be greater than `thinking\.budget_tokens`\./,
    name: "a budget of all maxTokens"
  },
  { body: asked({ type: "on" }), message: /thinking: Input tag 'on'/, name: "an unknown mode" },
  {
    body: asked({ type: "adaptive" }, { toolConfig: { toolChoice: { any: {} }, tools: [toolSpec()] } }),
    message: /Thinking may not be enabled when tool_choice forces/,
    name: "a forced call"
  },
  {
    body: asked({ budget_tokens: 2_000, type: "enabled" }, {
      messages: [user(text("hi")), assistant(call("a")), user(result("a"))]
    }),
    message: /messages\.1\.content\.0\.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`\./,
    name: "a tool loop that begins without"
  },
  {
    body: reasoning({ reasoningText: { text: "t" } }),
    message: new RegExp(`${byModel}.*signature: Field required$`),
    name: "no signature"
  },
  {
    body: reasoning({ reasoningText: { signature: "EqQB", text: "t" } }),
    message: new RegExp(`${byModel}messages\\.1\\.content\\.0: Invalid \`signature\` in \`thinking\` block$`),
    name: "a false signature"
  },
  {
    body: reasoning({ redactedContent: "EqQB" }),
    message: /Invalid `data` in `redacted_thinking` block$/,
    name: "false hidden bytes"
  },
  {
    body: reasoning({ redactedContent: "no base64" }),
    message: /Unable to decode base64 blob$/,
    name: "hidden bytes that are no Base64",
    ...serialization
  },
  {
    body: reasoning({ text: "t" }),
    message:
      /^The ReasoningContentBlock object at .* must set one of the following keys: reasoningText, redactedContent/,
    name: "a delta of reasoning"
  }
]

const images: ReadonlyArray<Case> = [
  {
    body: messages(user(image(png, "bmp"))),
    message: /at 'messages\.1\.member\.content\.1\.member\.image\.format' .* enum value set: \[png, jpeg, gif, webp\]$/,
    name: "another format"
  },
  {
    body: messages(user(image(png, "jpeg"))),
    message: new RegExp(`${byModel}.*Image does not match the provided media type image/jpeg$`),
    name: "a false format"
  },
  {
    body: messages(user(image("no base64"))),
    message: /Unable to decode base64 blob$/,
    name: "data that is no Base64",
    ...serialization
  },
  {
    body: messages(user(image(`${png}${"A".repeat(5 * 1_024 * 1_024)}`))),
    message: /image exceeds 5 MB maximum: \d+ bytes > 5242880 bytes$/,
    name: "over 5 MB"
  },
  {
    body: messages(user(text("hi")), assistant(image(png)), user(text("and"))),
    message: /must set one of the following keys: text, toolUse, reasoningContent, cachePoint\.$/,
    name: "an image of the assistant"
  },
  {
    body: messages(user({ image: { format: "png", source: { url: "https://a.example/x.png" } } })),
    message: /^The ImageSource object at .* must set one of the following keys: bytes\.$/,
    name: "an image by its address"
  }
]

const groups = { caching, conversation, images, pairing, shape, thoughts, tools }

const llama = "meta.llama3-3-70b-instruct-v1:0"

describe("Bedrock validator", () => {
  against(Simulator.layer({ models: [claude, llama], script: Script.reply("ok") }), (it) => {
    for (const [group, cases] of Object.entries(groups)) {
      for (const { body, kind = "ValidationException", message, model, name, status = 400 } of cases) {
        it.effect(`refuses ${group}: ${name}`, () =>
          Effect.gen(function*() {
            const response = yield* post(body, model === undefined ? {} : { model })
            assert.strictEqual(response.status, status, response.text)
            assert.deepStrictEqual(Object.keys(Object(json(response))), ["message"])
            assert.match(String(at(json(response), "message")), message)
            assert.strictEqual(response.headers["x-amzn-errortype"]?.split(":")[0], kind)
            assert.strictEqual(response.headers["content-type"], "application/json")
          }))
      }
    }

    it.effect("refuses bytes that are no UTF-8", () =>
      Effect.gen(function*() {
        const bytes = Uint8Array.from(
          [...Json.print(request())].map((letter) => letter === "h" ? 0xff : letter.charCodeAt(0))
        )
        const response = yield* post(bytes)
        assert.strictEqual(response.status, 400)
        assert.match(response.text, /could not be read/)
      }))

    it.effect("accepts everything a careful client sends", () =>
      Effect.gen(function*() {
        const response = yield* post(request({
          additionalModelRequestFields: { thinking: { type: "disabled" } },
          inferenceConfig: { maxTokens: 64_000, stopSequences: ["END"], temperature: 0.5, topP: 1 },
          messages: [
            user(text("look 👀"), image(png), image("AAAA", "webp")),
            assistant(text("I look."), call("tooluse_1"), call("call-2")),
            user(
              result("call-2", { content: [text("two"), image(png), { json: { a: 1 } }], status: "success" }),
              result("tooluse_1", { content: [text("failed")], status: "error" }),
              text("Go on."),
              mark
            ),
            assistant(call("tooluse_3")),
            user(result("tooluse_3"), { cachePoint: { ttl: "5m", type: "default" } })
          ],
          requestMetadata: { session: "s1" },
          system: [text("You help."), mark],
          toolConfig: { toolChoice: { auto: {} }, tools: [toolSpec(), toolSpec({ name: "now" }), mark] }
        }))
        assert.strictEqual(response.status, 200, response.text)
      }))

    it.effect("accepts other models without marks", () =>
      Effect.gen(function*() {
        const response = yield* post(messages(user(text("hi"))), { model: llama })
        assert.strictEqual(response.status, 200, response.text)
      }))
  })

  against(Simulator.layer({ apiKey: Redacted.make("AKIDRIGHT"), script: Script.reply("ok") }), (it) => {
    it.effect("asks for a signature or a key in the API's words, before it looks at the body", () =>
      Effect.gen(function*() {
        const signed = (id: string) => ({
          headers: {
            authorization: `AWS4-HMAC-SHA256 Credential=${id}/20261130/us-east-1/bedrock/aws4_request, Signature=0`,
            "x-amz-security-token": "session-secret"
          }
        })
        const none = yield* post("{")
        assert.strictEqual(none.status, 403)
        assert.deepStrictEqual(json(none), { message: "Missing Authentication Token" })
        const wrong = yield* post(request(), signed("AKIDWRONG"))
        assert.strictEqual(wrong.status, 403)
        assert.match(wrong.headers["x-amzn-errortype"] ?? "", /^UnrecognizedClientException:/)
        assert.strictEqual((yield* post(request(), signed("AKIDRIGHT"))).status, 200)
        assert.strictEqual((yield* post(request(), { headers: { authorization: "Bearer AKIDRIGHT" } })).status, 200)
        const logged = yield* Effect.flatMap(Simulator.Simulator, ({ requests }) => requests)
        assert.notInclude(Json.print(logged), "AKID")
        assert.notInclude(Json.print(logged), "session-secret")
      }))
  })
})
