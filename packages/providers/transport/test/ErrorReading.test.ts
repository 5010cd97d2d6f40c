import * as NodeContext from "@effect/platform-node/NodeContext"
import * as FileSystem from "@effect/platform/FileSystem"
import { assert, describe, it } from "@effect/vitest"
import type { ModelError } from "@weir/model/ModelError"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as ErrorReading from "../src/ErrorReading.js"

const optionalNumber = Schema.optional(Schema.Number)

const Case = Schema.Struct({
  provider: Schema.String,
  api: Schema.String,
  httpStatus: Schema.Int,
  body: Schema.Unknown,
  where: Schema.Literal("http", "stream", "usage"),
  kind: Schema.String,
  errorName: Schema.optional(Schema.String),
  maxTokens: optionalNumber,
  actualTokens: optionalNumber,
  promptTokens: optionalNumber,
  outputLimit: optionalNumber,
  retryAfterMs: optionalNumber
})

const corpus = Effect.gen(function*() {
  const fileSystem = yield* FileSystem.FileSystem
  const text = yield* fileSystem.readFileString(new URL("overflow-cases.json", import.meta.url).pathname)
  return yield* Schema.decode(Schema.parseJson(Schema.Array(Case)))(text)
}).pipe(Effect.provide(NodeContext.layer))

/** What each kind of the corpus has to become. */
const expected: Record<string, (error: ModelError) => boolean> = {
  content_policy: (error) => error._tag === "ContentRefused",
  context: (error) => error._tag === "ContextWindowExceeded" && error.kind === "tokens",
  image: (error) => error._tag === "InvalidRequest",
  invalid_request: (error) => error._tag === "InvalidRequest",
  item_too_large: (error) => error._tag === "InvalidRequest",
  output_limit: (error) => error._tag === "OutputLimitExceeded",
  payload: (error) => error._tag === "ContextWindowExceeded" && error.kind === "bytes",
  quota: (error) => error._tag === "QuotaExhausted",
  rate_limit: (error) => error._tag === "ModelUnavailable" && error.reason === "rateLimited",
  replay_shape: (error) => error._tag === "InvalidRequest",
  tpm_too_large: (error) => error._tag === "QuotaExhausted",
  transient: (error) => error._tag === "ModelUnavailable"
}

const origin = (provider: string): ErrorReading.Origin => ({
  model: "m",
  provider,
  refusesSilently: provider === "cerebras",
  secrets: [Redacted.make("very-secret-key")]
})

const raw = (body: unknown) => typeof body === "string" ? body : JSON.stringify(body)

const readCase = (one: typeof Case.Type) =>
  ErrorReading.read(
    origin(one.provider),
    one.where === "stream"
      ? { body: [one.body, { name: one.errorName }] }
      : { status: one.httpStatus, body: raw(one.body) },
    0
  )

describe("ErrorReading", () => {
  it.effect("reads every error of the corpus, over all APIs, with its numbers", () =>
    Effect.gen(function*() {
      const cases = (yield* corpus).filter((one) => one.where !== "usage" && one.kind !== "length")
      assert.isAbove(cases.length, 80)
      const wrong = cases.flatMap((one) => {
        const error = readCase(one)
        const finish = raw(one.body).includes("finish_reason")
        const good = expected[one.kind]?.(error) === true &&
          (finish || error._tag !== "ContextWindowExceeded" ||
            error.limit === one.maxTokens && error.actual === one.actualTokens) &&
          (error._tag !== "OutputLimitExceeded" || error.limit === one.outputLimit) &&
          (one.promptTokens === undefined ||
            error._tag === "ContextWindowExceeded" && error.input === one.promptTokens) &&
          (one.retryAfterMs === undefined ||
            error._tag === "ModelUnavailable" && error.retryAfter !== undefined &&
              Duration.toMillis(error.retryAfter) === one.retryAfterMs)
        return good ? [] : [{ provider: one.provider, kind: one.kind, body: raw(one.body), error }]
      })
      assert.deepStrictEqual(wrong, [])
    }))

  const said = (status: number, body: unknown, headers: Record<string, string> = {}) =>
    ErrorReading.read(origin("p"), { body: raw(body), headers, status }, 0)
  const sizes = (error: ModelError): ReadonlyArray<unknown> | string =>
    error._tag === "ContextWindowExceeded" ? [error.kind, error.limit, error.actual, error.input] : error._tag

  it("reads sizes in wordings that are not in the corpus", () => {
    const wordings: ReadonlyArray<readonly [status: number, message: string, ReadonlyArray<unknown>]> = [
      [400, "The input token count exceeds the maximum number of tokens allowed 1048576.", [
        "tokens",
        1048576,
        undefined,
        undefined
      ]],
      [400, "The input token count exceeds the maximum number of tokens allowed (1048576).", [
        "tokens",
        1048576,
        undefined,
        undefined
      ]],
      [
        400,
        "This endpoint's maximum context length is 131072 tokens. However, you requested about 150000 tokens (140000 of text input, 10000 in the output). Please reduce the length of either one.",
        ["tokens", 131072, 150000, 140000]
      ],
      [400, "prompt token count of 140001 exceeds the limit of 128000", ["tokens", 128000, 140001, undefined]],
      [400, "Invalid request: Your request exceeded model token limit: 131072 (requested: 140001)", [
        "tokens",
        131072,
        140001,
        undefined
      ]],
      [400, "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]", [
        "tokens",
        129024,
        undefined,
        undefined
      ]],
      [400, "The request exceeds this model's context length.", ["tokens", undefined, undefined, undefined]],
      [400, "prompt tokens (140001) exceed model maximum (131072)", ["tokens", 131072, 140001, undefined]],
      [
        400,
        "Trying to keep the first 9123 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.",
        ["tokens", 4096, 9123, undefined]
      ],
      [400, "max_tokens must be at least 1, got -186.", ["tokens", undefined, undefined, undefined]],
      [
        400,
        "'max_tokens' or 'max_completion_tokens' is too large: 32000. This model's maximum context length is 40960 tokens and your request has 12000 input tokens (32000 > 40960 - 12000).",
        ["tokens", 40960, 12000, undefined]
      ],
      [500, "Context size has been exceeded.", ["tokens", undefined, undefined, undefined]],
      [
        400,
        "Requested token count exceeds the model's maximum context length of 8192 tokens. You requested a total of 8300 tokens: 300 tokens from the input messages and 8000 tokens for the completion.",
        ["tokens", 8192, 8300, 300]
      ],
      [400, "Input length 140001 exceeds the maximum allowed input length of 131072 tokens.", [
        "tokens",
        131072,
        140001,
        undefined
      ]],
      [400, "The conversation is too long for this model: 70,123 tokens were sent, 65,536 tokens fit.", [
        "tokens",
        65536,
        70123,
        undefined
      ]],
      // TabbyAPI, TensorRT-LLM, vLLM, SGLang, TGI, MLC
      [400, "Prompt length 5000 is greater than max_seq_len 4096", ["tokens", 4096, 5000, undefined]],
      [
        400,
        "The sum of prompt length (9000.0), query length (0) max_tokens (8000) should not exceed max_num_tokens (8192)",
        ["tokens", 8192, 9000, undefined]
      ],
      [
        400,
        "The decoder prompt (length 5000) is longer than the maximum model length of 4096. Make sure that `max_model_len` is no smaller than the number of text tokens.",
        ["tokens", 4096, 5000, undefined]
      ],
      [400, "The engine prompt length 5000 exceeds the max_model_len 4096. Please reduce prompt.", [
        "tokens",
        4096,
        5000,
        undefined
      ]],
      [
        400,
        "Input length (164352 tokens) exceeds the maximum allowed length (131068 tokens). Use a shorter input or enable --allow-auto-truncate.",
        ["tokens", 131068, 164352, undefined]
      ],
      [422, "Input validation error: `inputs` must have less than 4096 tokens. Given: 5000", [
        "tokens",
        4096,
        5000,
        undefined
      ]],
      [400, "Request prompt has 5000 tokens in total, larger than the model input length limit 4096.", [
        "tokens",
        4096,
        5000,
        undefined
      ]],
      // watsonx, SambaNova, GitHub Models, SiliconFlow, Volcengine, Qianfan
      [
        400,
        "Invalid input argument for Model 'ibm/granite': the number of input tokens 5000 cannot exceed the total tokens limit 4096 for this model",
        ["tokens", 4096, 5000, undefined]
      ],
      [
        400,
        "Requested generation length 8192 is not possible! The provided prompt is 5000 tokens long, so generating 8192 tokens requires a sequence length of 13192, but the maximum supported sequence length is just 8192!",
        ["tokens", 8192, 5000, undefined]
      ],
      [400, "length of prompt_tokens (37123) must be less than max_seq_len (32768).", [
        "tokens",
        32768,
        37123,
        undefined
      ]],
      [400, "Total tokens of image and text exceed max message tokens. Request id: 0217", [
        "tokens",
        undefined,
        undefined,
        undefined
      ]],
      [400, "Input length 140000 exceeds the maximum length 131072. Request id: 021747", [
        "tokens",
        131072,
        140000,
        undefined
      ]],
      [400, "Prompt tokens too long", ["tokens", undefined, undefined, undefined]],
      [400, "上下文过长,输入超过模型最大长度", ["tokens", undefined, undefined, undefined]],
      [400, "Request payload size exceeds the limit: 20971520 bytes.", ["bytes", 20971520, undefined, undefined]],
      [413, "", ["bytes", undefined, undefined, undefined]]
    ]
    for (const [status, message, wanted] of wordings) {
      assert.deepStrictEqual(sizes(said(status, { error: { message } })), wanted, message)
      assert.deepStrictEqual(sizes(said(status, { object: "error", message })), wanted, `flat: ${message}`)
      assert.deepStrictEqual(sizes(said(status, [{ error: message }])), wanted, `array: ${message}`)
      assert.deepStrictEqual(sizes(said(status, { detail: message })), wanted, `detail: ${message}`)
    }
  })

  it("takes nothing for a full context that only looks like it", () => {
    const lookAlikes: ReadonlyArray<readonly [status: number, message: string, ModelError["_tag"], number?]> = [
      [
        400,
        "max_tokens is too large: 100000. This model supports at most 16384 completion tokens, whereas you provided 100000.",
        "OutputLimitExceeded",
        16384
      ],
      [
        400,
        "max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens for claude-x",
        "OutputLimitExceeded",
        64000
      ],
      [
        400,
        "The maximum tokens you requested exceeds the model limit of 8192. Try again with a maximum tokens value that is lower.",
        "OutputLimitExceeded",
        8192
      ],
      [400, "Invalid max_tokens value, the valid range of max_tokens is [1, 8192]", "OutputLimitExceeded", 8192],
      [
        400,
        "`max_tokens` must be less than or equal to `32768`, the maximum value for `max_tokens` is less than the `context_window` for this model",
        "OutputLimitExceeded",
        32768
      ],
      [429, "Extra usage is required for long context requests.", "QuotaExhausted"],
      [400, "The output is too long", "InvalidRequest"],
      [400, "Missing required parameter: 'messages[3].tool_call_id'.", "InvalidRequest"],
      [404, "The model `gpt-9` does not exist or you do not have access to it.", "InvalidRequest"],
      [504, "The model took too long to answer", "ModelUnavailable"],
      [500, "failed to parse tool call arguments as JSON", "InvalidRequest"],
      [529, "Overloaded", "ModelUnavailable"],
      [401, "Incorrect API key provided", "AuthenticationFailed"],
      [400, "API key not valid. Please pass a valid API key.", "AuthenticationFailed"]
    ]
    for (const [status, message, tag, limit] of lookAlikes) {
      const error = said(status, { error: { message } })
      assert.strictEqual(error._tag, tag, message)
      assert.strictEqual(error._tag === "OutputLimitExceeded" ? error.limit : undefined, limit, message)
    }
  })

  it("knows the codes of a full context", () => {
    const github = {
      code: "tokens_limit_reached",
      message: "Request body too large for gpt-4o model. Max size: 8000 tokens."
    }
    assert.deepStrictEqual(sizes(said(413, { error: github })), ["tokens", 8000, undefined, undefined])
    assert.deepStrictEqual(sizes(said(400, { error: { code: "tokens_too_long" } })), [
      "tokens",
      undefined,
      undefined,
      undefined
    ])
  })

  it("hears nothing in what the model wrote or was asked", () => {
    const words = "rate limit reached: 10 per day. maximum context length is 8192 tokens, overloaded, invalid api key"
    const quoted = [
      { error: { code: "tool_use_failed", failed_generation: words, message: "Failed to call a function." } },
      { detail: [{ input: words, msg: "Extra inputs are not permitted", type: "extra_forbidden" }] },
      { detail: [{ input: { messages: [{ content: words }] }, msg: "Field required", type: "missing" }] }
    ]
    for (const body of quoted) assert.strictEqual(said(400, body)._tag, "InvalidRequest")
  })

  it("takes a whole reply in place of a stream for no error of which it may speak", () => {
    const words = "rate limit reached. maximum context length is 8192 tokens"
    const replies = [
      { choices: [{ finish_reason: "stop", message: { content: words } }], object: "chat.completion" },
      { content: [{ text: words, type: "text" }], stop_reason: "end_turn", type: "message" },
      { candidates: [{ content: { parts: [{ text: words }] }, finishReason: "STOP" }] }
    ]
    for (const reply of replies) {
      const error = said(200, reply)
      assert.strictEqual(error._tag, "InvalidRequest")
      assert.include(error.detail, "does not stream")
    }
    assert.strictEqual(
      said(200, { choices: [{ finish_reason: "error", message: { content: words } }] })._tag,
      "ModelUnavailable"
    )
  })

  it("trusts the status inside a body over that of a proxy", () => {
    const error = said(502, {
      error: {
        code: 502,
        message: "Provider returned error",
        metadata: { raw: "{\"error\":{\"code\":429,\"message\":\"slow\"}}" }
      }
    })
    assert.deepInclude(error, {
      _tag: "ModelUnavailable",
      reason: "rateLimited",
      detail: "HTTP 502: Provider returned error - slow"
    })
  })

  it("reads pages, nothing, and what is cut off", () => {
    const page = said(
      502,
      "<html><head><style>p{}</style><title>502 Bad Gateway</title></head><body><h1>Bad\nGateway</h1></body></html>"
    )
    assert.deepInclude(page, { _tag: "ModelUnavailable", detail: "HTTP 502: 502 Bad Gateway Bad Gateway" })
    assert.strictEqual(said(200, "<!DOCTYPE html><title>Log in</title>")._tag, "InvalidRequest")
    assert.deepInclude(said(500, ""), { _tag: "ModelUnavailable", detail: "HTTP 500: (nothing)" })
    assert.deepInclude(said(400, "{\"error\":{\"message\":\"prompt is too lo"), { _tag: "InvalidRequest" })
  })

  it("keeps the delay that is asked for, in every way it is asked", () => {
    const asked = (headers: Record<string, string>, body: unknown = "") => {
      const error = said(429, body, headers)
      return error._tag === "ModelUnavailable" && error.retryAfter ? Duration.toMillis(error.retryAfter) : undefined
    }
    assert.strictEqual(asked({ "retry-after": "2", "retry-after-ms": "1500" }), 1500)
    assert.strictEqual(asked({ "retry-after": "2.5" }), 2500)
    assert.strictEqual(asked({ "retry-after": "Thu, 01 Jan 1970 00:00:07 GMT" }), 7000)
    assert.strictEqual(asked({ "retry-after": "Wed, 31 Dec 1969 00:00:00 GMT" }), undefined)
    assert.strictEqual(asked({ "retry-after": "0" }), undefined)
    assert.strictEqual(asked({ "retry-after": "soon" }), undefined)
    assert.strictEqual(asked({ "retry-after": "3600" }), 3_600_000)
    assert.strictEqual(asked({}, { error: { message: "Please try again in 1m12.5s." } }), 72_500)
    assert.strictEqual(asked({}, { error: { message: "Please try again in 120ms. Visit x" } }), 120)
    assert.strictEqual(asked({}, { error: { message: "Please retry in 20 seconds" } }), 20_000)
    assert.strictEqual(
      asked({}, { error: { details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "18s" }] } }),
      18_000
    )
  })

  it("takes no body of numbers for silence", () => {
    const numbers = { body: "{\"error\":{\"code\":400}}", status: 400 }
    const error = ErrorReading.read({ ...origin("cerebras"), refusesSilently: true }, numbers, 0)
    assert.deepInclude(error, { _tag: "InvalidRequest", detail: "HTTP 400: {\"error\":{\"code\":400}}" })
    const nothing = ErrorReading.read({ ...origin("cerebras"), refusesSilently: true }, { body: " ", status: 400 }, 0)
    assert.strictEqual(nothing._tag, "ContextWindowExceeded")
  })

  it("obeys the server's word on retrying", () => {
    assert.strictEqual(said(400, "{}", { "x-should-retry": "true" })._tag, "ModelUnavailable")
    assert.strictEqual(said(503, "{}", { "x-should-retry": "false" })._tag, "InvalidRequest")
    assert.strictEqual(said(429, "{}", { "x-should-retry": "false" })._tag, "QuotaExhausted")
    assert.strictEqual(
      said(400, { error: { code: "context_length_exceeded" } }, { "x-should-retry": "true" })._tag,
      "ContextWindowExceeded"
    )
  })

  it("shows no key", () => {
    const keys = ["very-secret-key", "sk-proj-abcdefghijklmnop", "Bearer abc.def.ghi", "https://me:pass@host/"]
    const error = said(401, { error: { message: `no such key: ${keys.join(" ")}` } })
    for (const hidden of ["very-secret-key", "abcdefghijklmnop", "abc.def.ghi", "pass@"]) {
      assert.notInclude(error.message, hidden)
      assert.notInclude(error.detail, hidden)
    }
    assert.include(error.detail, "no such key")
  })
})
