import * as HttpBody from "@effect/platform/HttpBody"
import { assert, describe } from "@effect/vitest"
import * as Json from "@weir/simulator/Json"
import * as Script from "@weir/simulator/Script"
import * as Simulator from "@weir/simulator/Simulator"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { against } from "./Against.js"
import type { Method } from "./GeminiClient.js"
import { model, post, request, send, user } from "./GeminiClient.js"
import { at, json } from "./TestClient.js"

interface Case {
  readonly name: string
  readonly body: unknown
  readonly message: RegExp
  readonly model?: string
  readonly method?: Method
  readonly status?: readonly [number, string]
}

const third = "gemini-3.7-flash"
const second = "gemini-2.5-pro"

const text = (value: unknown) => ({ text: value })
const call = (more: object = {}, beside: object = {}) => ({
  functionCall: { args: {}, name: "ls", ...more },
  thoughtSignature: "skip_thought_signature_validator",
  ...beside
})
const unsigned = (more: object = {}) => ({ functionCall: { args: {}, name: "ls", ...more } })
const result = (more: object = {}) => ({ functionResponse: { name: "ls", response: { output: "ok" }, ...more } })
const image = (mimeType = "image/png", data: unknown = "aGk=") => ({ inlineData: { data, mimeType } })
const contents = (...list: ReadonlyArray<unknown>) => request({ contents: list })
const declaration = (more: object = {}) => ({ description: "Lists.", name: "ls", ...more })
const tools = (...list: ReadonlyArray<unknown>) => request({ tools: [{ functionDeclarations: list }] })
const config = (more: object) => request({ generationConfig: more })
const thinking = (more: object) => config({ thinkingConfig: more })

const shape: ReadonlyArray<Case> = [
  { body: "{\"contents\":", message: /^Invalid JSON payload received\. Unexpected token\.$/, name: "invalid JSON" },
  { body: "[1]", message: /^Invalid JSON payload received\. Root element must be a message\.$/, name: "a list" },
  {
    body: "{\"contents\":[{\"parts\":[{\"text\":\"a\\ud800b\"}]}]}",
    message: /^Invalid JSON payload received\. Illegal unicode/,
    name: "half a character"
  },
  {
    body: request({ messages: [] }),
    message: /^Invalid JSON payload received\. Unknown name "messages": Cannot find field\.$/,
    name: "a field of another API"
  },
  {
    body: contents({ content: "hi", role: "user" }),
    message: /^Invalid JSON payload received\. Unknown name "content" at 'contents\[0\]': Cannot find field\.$/,
    name: "another field in a content"
  },
  {
    body: contents("hi"),
    message:
      /^Invalid value at 'contents\[0\]' \(type\.googleapis\.com\/google\.ai\.generativelanguage\.v1beta\.Content\), "hi"$/,
    name: "a content that is text"
  },
  {
    body: contents(user(text(5))),
    message: /^Invalid value at 'contents\[0\]\.parts\[0\]\.text' \(TYPE_STRING\), 5$/,
    name: "text that is a number"
  },
  {
    body: contents(user(text(["hi"]))),
    message:
      /^Invalid JSON payload received\. Unknown name "text" at 'contents\[0\]\.parts\[0\]': Proto field is not repeating, cannot start list\.$/,
    name: "text that is a list"
  },
  {
    body: request(),
    message:
      /^models\/gemini-none is not found for API version v1beta, or is not supported for generateContent\. Call ListModels/,
    model: "gemini-none",
    name: "an unknown model",
    status: [404, "NOT_FOUND"]
  },
  {
    body: { generateContentRequest: { content: [] } },
    message:
      /^Invalid JSON payload received\. Unknown name "content" at 'generate_content_request': Cannot find field\.$/,
    method: "countTokens",
    name: "another field in a request to be counted"
  }
]

const conversation: ReadonlyArray<Case> = [
  { body: {}, message: /^\* GenerateContentRequest\.contents: contents is not specified\n$/, name: "no contents" },
  { body: contents(), message: /contents is not specified/, name: "empty contents" },
  {
    body: contents(user()),
    message: /^\* GenerateContentRequest\.contents\[0\]\.parts: contents\.parts must not be empty\.\n$/,
    name: "a content without parts"
  },
  {
    body: contents(user(text(""))),
    message:
      /^\* GenerateContentRequest\.contents\[0\]\.parts\[0\]\.data: required oneof field 'data' must have one initialized field\n$/,
    name: "an empty text"
  },
  { body: contents(user({})), message: /required oneof field 'data' must have one/, name: "an empty part" },
  {
    body: contents(user({ ...text("hi"), ...image() })),
    message:
      /^Invalid value at 'contents\[0\]\.parts\[0\]' \(oneof\), oneof field 'data' is already set\. Cannot set '\w+'/,
    name: "a part that is two"
  },
  {
    body: contents({ parts: [text("hi")], role: "assistant" }),
    message: /^Please use a valid role: user, model\.$/,
    name: "a role of another API"
  },
  {
    body: contents(user(text("hi")), model(call()), { parts: [result()], role: "function" }),
    message: /^Please use a valid role/,
    name: "the role of functions"
  },
  {
    body: contents(model(text("hi"))),
    message: /^Please ensure that single turn requests end with a user role or the role field is empty\.$/,
    name: "only a reply"
  },
  {
    body: contents(user(text("hi")), model(text("Once"))),
    message: /^Please ensure that multiturn requests ends with a user role or a function response\.$/,
    name: "a reply at the end"
  },
  {
    body: request({ systemInstruction: { parts: [text("")] } }),
    message: /^\* GenerateContentRequest\.system_instruction\.parts\[0\]\.data: required oneof/,
    name: "an empty system instruction"
  },
  {
    body: request({ systemInstruction: "Be brief." }),
    message: /^Invalid value at 'system_instruction' \(.*Content\), "Be brief\."$/,
    name: "a system instruction that is text"
  }
]

const callTurn =
  "Please ensure that function call turn comes immediately after a user turn or after a function response"
const responseTurn = "Please ensure that function response turn comes immediately after a function call turn."
const unequal = "Please ensure that the number of function response parts is equal to the number of function call parts"

const pairing: ReadonlyArray<Case> = [
  { body: contents(model(call()), user(result())), message: new RegExp(`^${callTurn}`), name: "a call first" },
  {
    body: contents(user(text("hi")), model(text("I look.")), model(call()), user(result())),
    message: new RegExp(`^${callTurn} turn\\.$`),
    name: "a call after a reply"
  },
  {
    body: contents(user(text("hi")), user(call()), user(result())),
    message: new RegExp(`^${callTurn}`),
    name: "a call by the user"
  },
  {
    body: contents(user(text("hi")), model(call())),
    message: new RegExp(`^${unequal}`),
    name: "a call at the end"
  },
  {
    body: contents(user(text("hi")), model(call()), user(text("go on"))),
    message: new RegExp(`^${unequal} of the function call turn\\.$`),
    name: "a call without a response"
  },
  {
    body: contents(user(text("hi")), model(call(), unsigned()), user(result())),
    message: new RegExp(`^${unequal}`),
    name: "one of two calls unanswered"
  },
  {
    body: contents(user(text("hi")), model(call()), user(result(), result())),
    message: new RegExp(`^${unequal}`),
    name: "a response too many"
  },
  {
    body: contents(user(text("hi")), model(call(), unsigned()), user(result()), user(result())),
    message: new RegExp(`^${unequal}`),
    name: "responses in two contents"
  },
  {
    body: contents(user(text("hi")), model(call(), unsigned({ name: "cat" })), user(result({ name: "cat" }), result())),
    message: new RegExp(`^${unequal}`),
    name: "responses in another order"
  },
  {
    body: contents(user(text("hi")), model(call({ id: "a" })), user(result({ id: "b" }))),
    message: new RegExp(`^${unequal}`),
    name: "a response to another id"
  },
  {
    body: contents(user(text("hi")), user(result())),
    message: new RegExp(`^${responseTurn}$`),
    name: "a response without a call"
  },
  {
    body: contents(user(text("hi")), model(call()), user(result()), user(result())),
    message: new RegExp(`^${responseTurn}$`),
    name: "a response again"
  },
  {
    body: contents(user(text("hi")), model(call({ name: "" })), user(result({ name: "" }))),
    message: /^\* GenerateContentRequest\.contents\[1\]\.parts\[0\]\.function_call\.name: Name cannot be empty\.\n$/,
    name: "a call without a name"
  },
  {
    body: contents(user(text("hi")), model(call({ args: "{}" })), user(result())),
    message:
      /^Invalid value at 'contents\[1\]\.parts\[0\]\.function_call\.args' \(type\.googleapis\.com\/google\.protobuf\.Struct\), "\{\}"$/,
    name: "arguments as text"
  },
  {
    body: contents(user(text("hi")), model(call()), user(result({ response: "ok" }))),
    message: /^Invalid value at 'contents\[2\]\.parts\[0\]\.function_response\.response' \(.*Struct\), "ok"$/,
    name: "a response as text"
  },
  {
    body: contents(user(text("hi")), model(call({ arguments: {} })), user(result())),
    message: /Unknown name "arguments" at 'contents\[1\]\.parts\[0\]\.function_call': Cannot find field\.$/,
    name: "a field of Chat in a call"
  },
  {
    body: contents(user(text("hi")), model(unsigned()), user(result({ parts: [image()] }))),
    message: /^Multimodal function responses are not supported for this model\.$/,
    model: second,
    name: "images in responses for an older model"
  }
]

const signatures: ReadonlyArray<Case> = [
  {
    body: contents(user(text("hi")), model(unsigned()), user(result())),
    message: new RegExp(
      "^Function call is missing a thought_signature in functionCall parts\\. This is required for tools to work " +
        "correctly, and missing thought_signature may lead to degraded model performance\\. Additional data, function " +
        "call `default_api:ls` , position 2\\. Please refer to https://ai\\.google\\.dev/gemini-api/docs/thought-"
    ),
    name: "none on a call"
  },
  {
    body: contents(
      user(text("hi")),
      model(text("I look."), unsigned(), call()),
      user(result(), result())
    ),
    message: /^Function call is missing a thought_signature/,
    name: "only on the second call"
  },
  {
    body: contents(user(text("hi")), model(call()), user(result()), model(unsigned()), user(result())),
    message: /position 4\./,
    name: "none on a later call"
  },
  {
    body: contents(user(text("hi")), model(call({}, { thoughtSignature: "EqQB" })), user(result())),
    message: /^Corrupted thought signature\.$/,
    name: "a false one on a call"
  },
  {
    body: contents(user(text("hi")), model({ text: "Yes.", thoughtSignature: "EqQB" }), user(text("and"))),
    message: /^Corrupted thought signature\.$/,
    model: second,
    name: "a false one on a text"
  },
  {
    body: contents(user(text("hi")), model(call({}, { thoughtSignature: "no base64!" })), user(result())),
    message:
      /^Invalid value at 'contents\[1\]\.parts\[0\]\.thought_signature' \(TYPE_BYTES\), Base64 decoding failed for "no base64!"$/,
    name: "one that is no Base64"
  }
]

const declarations: ReadonlyArray<Case> = [
  {
    body: tools(declaration({ name: "2 ls" })),
    message:
      /^\* GenerateContentRequest\.tools\[0\]\.function_declarations\[0\]\.name: Invalid function name\. Must start with a letter or an underscore\. Must be alphameric/,
    name: "an illegal name"
  },
  { body: tools(declaration({ name: "a".repeat(65) })), message: /maximum length of 64\.\n$/, name: "a long name" },
  {
    body: tools(declaration(), declaration()),
    message: /^Duplicate function declaration found: ls$/,
    name: "one name twice"
  },
  {
    body: tools(declaration({ parameters: { additionalProperties: false, type: "object" } })),
    message:
      /^Invalid JSON payload received\. Unknown name "additionalProperties" at 'tools\[0\]\.function_declarations\[0\]\.parameters': Cannot find field\.$/,
    name: "JSON Schema in place of the API's own"
  },
  {
    body: tools(
      declaration({ parameters: { properties: { a: { type: "string" }, b: { const: 1 } }, type: "object" } })
    ),
    message: /Unknown name "const" at '.*parameters\.properties\[1\]\.value': Cannot find field\.$/,
    name: "the same deeper down"
  },
  {
    body: tools(declaration({ parameters: { type: ["string", "null"] } })),
    message: /Unknown name "type" at '.*parameters': Proto field is not repeating, cannot start list\.$/,
    name: "a choice of types"
  },
  {
    body: tools(declaration({ input_schema: {} })),
    message: /Unknown name "input_schema" at 'tools\[0\]\.function_declarations\[0\]'/,
    name: "a field of another API"
  },
  {
    body: request({ tools: [{ function: declaration(), type: "function" }] }),
    message: /Unknown name "function" at 'tools\[0\]': Cannot find field\.$/,
    name: "a tool of Chat"
  },
  {
    body: request({ toolConfig: { functionCallingConfig: { mode: "AUTO" } } }),
    message: /^Function calling config is set without function_declarations\.$/,
    name: "a choice without tools"
  },
  {
    body: { ...tools(declaration()), toolConfig: { functionCallingConfig: { mode: "REQUIRED" } } },
    message:
      /^Invalid value at 'tool_config\.function_calling_config\.mode' \(.*FunctionCallingConfig\.Mode\), "REQUIRED"$/,
    name: "an unknown choice"
  }
]

const configuration: ReadonlyArray<Case> = [
  {
    body: config({ maxOutputTokens: 65_537 }),
    message:
      /^Unable to submit request because it has a maxOutputTokens value of 65537 but the supported range is from 1 \(inclusive\) to 65537 \(exclusive\)\. Update the value and try again\.$/,
    name: "more output than the model has"
  },
  {
    body: config({ maxOutputTokens: 0 }),
    message:
      /^\* GenerateContentRequest\.generation_config\.max_output_tokens: max_output_tokens must be positive\.\n$/,
    name: "no output"
  },
  {
    body: config({ maxOutputTokens: "many" }),
    message: /^Invalid value at 'generation_config\.max_output_tokens' \(TYPE_INT32\), "many"$/,
    name: "an output limit that is text"
  },
  {
    body: config({ temperature: 2.1 }),
    message:
      /^\* GenerateContentRequest\.generation_config\.temperature: temperature must be in the range \[0\.0, 2\.0\]\.\n$/,
    name: "a hot temperature"
  },
  {
    body: config({ max_tokens: 5 }),
    message: /Unknown name "max_tokens" at 'generation_config': Cannot find field\.$/,
    name: "a field of another API"
  },
  {
    body: thinking({ thinkingBudget: 1_024, thinkingLevel: "LOW" }),
    message: /^You can only set only one of thinking budget and thinking level\.$/,
    name: "budget and level"
  },
  {
    body: thinking({ thinkingLevel: "LOW" }),
    message: /^Thinking level is not supported for this model\.$/,
    model: second,
    name: "a level for an older model"
  },
  {
    body: thinking({ thinkingLevel: "MINIMAL" }),
    message: /^Thinking level MINIMAL is not supported for this model\.$/,
    model: third,
    name: "a level that the model has not"
  },
  {
    body: thinking({ thinkingLevel: "EXTREME" }),
    message: /^Invalid value at 'generation_config\.thinking_config\.thinking_level' \(.*ThinkingLevel\), "EXTREME"$/,
    name: "an unknown level"
  },
  {
    body: thinking({ thinkingBudget: 0 }),
    message: /^Budget 0 is invalid\. This model only works in thinking mode\.$/,
    model: second,
    name: "no budget for a model that must think"
  },
  {
    body: thinking({ thinkingBudget: 50_000 }),
    message: /^The thinking budget 50000 is invalid\. Please choose a value between 128 and 32768\.$/,
    model: second,
    name: "a large budget"
  }
]

const images: ReadonlyArray<Case> = [
  { body: contents(user(image("image/gif"))), message: /^Unsupported MIME type: image\/gif$/, name: "another format" },
  { body: contents(user(image("", "aGk="))), message: /^Unsupported MIME type: $/, name: "no format" },
  {
    body: contents(user(image("image/png", "no base64!"))),
    message:
      /^Invalid value at 'contents\[0\]\.parts\[0\]\.inline_data\.data' \(TYPE_BYTES\), Base64 decoding failed for "no base64!"$/,
    name: "data that is no Base64"
  },
  { body: contents(user(image("image/png", ""))), message: /^Provided image is not valid\.$/, name: "no data" },
  {
    body: contents(user({ image_url: { url: "data:image/png;base64,AAAA" } })),
    message: /Unknown name "image_url" at 'contents\[0\]\.parts\[0\]': Cannot find field\.$/,
    name: "an image of Chat"
  }
]

const groups = { configuration, conversation, declarations, images, pairing, shape, signatures }

const models = ["sim-1", third, second, "gemini-2.5-flash"]

describe("Gemini validator", () => {
  against(Simulator.layer({ models, script: Script.reply("ok") }), (it) => {
    for (const [group, cases] of Object.entries(groups)) {
      for (
        const { body, message, method, model: id, name, status: [code, status] = [400, "INVALID_ARGUMENT"] } of cases
      ) {
        it.effect(`refuses ${group}: ${name}`, () =>
          Effect.gen(function*() {
            const response = yield* post(body, { ...(id && { model: id }), ...(method && { method }) })
            assert.strictEqual(response.status, code, response.text)
            const refused = json(response)
            assert.deepInclude(at(refused, "error"), { code, status })
            assert.match(String(at(refused, "error", "message")), message)
          }))
      }
    }

    it.effect("names the place of what cannot be read", () =>
      Effect.gen(function*() {
        const response = yield* post(contents(user(text(5))))
        assert.deepStrictEqual(at(json(response), "error", "details", 0), {
          "@type": "type.googleapis.com/google.rpc.BadRequest",
          fieldViolations: [{
            description: "Invalid value at 'contents[0].parts[0].text' (TYPE_STRING), 5",
            field: "contents[0].parts[0].text"
          }]
        })
      }))

    it.effect("refuses bytes that are no UTF-8", () =>
      Effect.gen(function*() {
        const bytes = Uint8Array.from(
          [...Json.print(request())].map((letter) => letter === "h" ? 0xff : letter.charCodeAt(0))
        )
        const response = yield* send(HttpBody.uint8Array(bytes, "application/json"))
        assert.strictEqual(response.status, 400)
        assert.match(response.text, /Invalid JSON payload received\. Invalid UTF-8/)
      }))

    it.effect("accepts everything a careful client sends", () =>
      Effect.gen(function*() {
        const body = (responses: ReadonlyArray<unknown>) => ({
          contents: [
            { parts: [text("look 👀"), image(), image("image/webp", "_-8=")] },
            user(text("and then")),
            model({ text: "Hm.", thought: true }, text("I look."), call({ id: "a" }), unsigned()),
            ...responses,
            model(call()),
            user(result({ response: { error: "failed" } }), text("Go on.")),
            model(text("half")),
            model(text("done")),
            user(text(" "))
          ],
          generation_config: {
            candidateCount: 1,
            maxOutputTokens: 65_536,
            stop_sequences: ["END"],
            temperature: 2,
            thinking_config: { include_thoughts: true },
            topK: null
          },
          safetySettings: [],
          systemInstruction: { parts: { text: "You help." }, role: "user" },
          tool_config: { function_calling_config: { mode: "VALIDATED" } },
          tools: [{ function_declarations: [declaration({ parametersJsonSchema: { type: "object" } })] }, {
            functionDeclarations: [declaration({
              name: "_a.b:c-d",
              parameters: { properties: { a: { items: { type: "STRING" }, type: "ARRAY" } }, type: "OBJECT" }
            })]
          }]
        })
        const inside = yield* post(body([user(result({ id: "a", parts: [image()] }), result())]), { model: third })
        assert.strictEqual(inside.status, 200, inside.text)
        const after = yield* post(body([user(result({ id: "a" }), result()), user(image())]), { model: second })
        assert.strictEqual(after.status, 200, after.text)
        for (
          const [budget, id] of [[-1, second], [128, second], [0, "gemini-2.5-flash"], [1, "gemini-2.5-flash"]] as const
        ) {
          assert.strictEqual((yield* post(thinking({ thinkingBudget: budget }), { model: id })).status, 200)
        }
      }))

    it.effect("refuses a body of more than 20 MB", () =>
      Effect.gen(function*() {
        const response = yield* send(
          HttpBody.uint8Array(new Uint8Array(20 * 1_024 * 1_024 + 1).fill(0x61), "application/json")
        )
        assert.strictEqual(response.status, 400)
        assert.deepStrictEqual(at(json(response), "error"), {
          code: 400,
          message: "Request payload size exceeds the limit: 20971520 bytes.",
          status: "INVALID_ARGUMENT"
        })
      }))
  })

  against(Simulator.layer({ apiKey: Redacted.make("AIza-right-key"), script: Script.reply("ok") }), (it) => {
    it.effect("asks for a key in the API's words, before it looks at the body", () =>
      Effect.gen(function*() {
        const none = yield* post("{", { headers: { authorization: "Bearer AIza-right-key" } })
        assert.strictEqual(none.status, 403)
        assert.deepInclude(at(json(none), "error"), { code: 403, status: "PERMISSION_DENIED" })
        assert.match(String(at(json(none), "error", "message")), /^Method doesn't allow unregistered callers/)
        const wrong = yield* post(request(), { headers: { "x-goog-api-key": "AIza-wrong-key" } })
        assert.strictEqual(wrong.status, 400)
        assert.strictEqual(
          at(json(wrong), "error", "message"),
          "API key not valid. Please pass a valid API key."
        )
        assert.strictEqual(at(json(wrong), "error", "details", 0, "reason"), "API_KEY_INVALID")
        const right = yield* post(request(), { headers: { "x-goog-api-key": "AIza-right-key" } })
        assert.strictEqual(right.status, 200)
        const logged = yield* Effect.flatMap(Simulator.Simulator, ({ requests }) => requests)
        assert.notInclude(Json.print(logged), "wrong-key")
      }))
  })
})
