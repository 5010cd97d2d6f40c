import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Conformance from "../../transport/test/Conformance.js"
import { ask, eventStream, options, simulate, tools } from "../../transport/test/Conformance.js"
import * as Dialect from "../src/ChatDialect.js"
import * as OpenAiChat from "../src/OpenAiChat.js"

const stream = (chunks: ReadonlyArray<unknown>) =>
  eventStream(
    chunks.map((chunk) => `data: ${typeof chunk === "string" ? chunk : JSON.stringify(chunk)}\n\n`).join("")
  )

const begun = { choices: [{ delta: { content: "Hel" }, finish_reason: null, index: 0 }] }

const interrupted = { _tag: "ModelUnavailable", reason: "interrupted" }

Conformance.conformance({
  name: "OpenAiChat",
  corpus: "openai-completions",
  make: (given) =>
    OpenAiChat.make({
      ...given,
      dialect: { ...Dialect.of(given.baseUrl), refusesSilently: given.provider === "cerebras" }
    }),
  baseUrl: ({ url }) => url,
  begun: [begun],
  stream,
  refusals: [
    ["only the end", stream(["[DONE]"]), interrupted],
    ["no finish_reason", stream([begun, "[DONE]"]), interrupted],
    ["an error in place of a chunk", stream([begun, { message: "prompt is too long", object: "error" }]), {
      _tag: "ContextWindowExceeded"
    }],
    ["broken JSON", stream([begun, "{\"choices\":["]), interrupted]
  ]
})

describe("OpenAiChat's requests", () => {
  it.scoped("hold what every host takes", () =>
    Effect.gen(function*() {
      const simulator = yield* simulate()
      yield* ask(OpenAiChat.make(options(simulator.url)))
      const { json } = yield* simulator.request(0)
      assert.deepStrictEqual(json, {
        max_tokens: 1000,
        messages: [{ content: "Be brief.", role: "system" }, { content: "hello", role: "user" }],
        model: "sim-1",
        stream: true,
        stream_options: { include_usage: true },
        tools: [{ function: tools[0], type: "function" }]
      })
    }))

  it.scoped("hold no tools where there are none", () =>
    Effect.gen(function*() {
      const simulator = yield* simulate()
      yield* ask(OpenAiChat.make(options(simulator.url)), { tools: [] })
      const { json } = yield* simulator.request(0)
      assert.notProperty(json, "tools")
    }))

  it.scoped("give OpenAI its own options", () =>
    Effect.gen(function*() {
      const simulator = yield* simulate()
      yield* ask(OpenAiChat.make({ ...options(simulator.url), dialect: Dialect.of("https://api.openai.com/v1") }))
      const { json } = yield* simulator.request(0)
      assert.deepInclude(json, { max_completion_tokens: 1000, prompt_cache_key: "session-1", store: false })
      assert.notProperty(json, "max_tokens")
    }))
})
