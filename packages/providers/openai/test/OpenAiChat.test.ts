import { assert, describe, it } from "@effect/vitest"
import type { Step } from "@weir/model/Conversation"
import { userMessage } from "@weir/model/Conversation"
import type { Model, NativeRequest } from "@weir/model/Model"
import * as Reply from "@weir/model/Reply"
import * as Fault from "@weir/simulator/Fault"
import * as Script from "@weir/simulator/Script"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Conformance from "../../transport/test/Conformance.js"
import { ask, eventStream, http, options, prompt, sending, simulate, tools } from "../../transport/test/Conformance.js"
import { exchange, png, step } from "../../transport/test/Conversations.js"
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
  make: (given) => OpenAiChat.make({ ...given, ...(given.provider === "cerebras" && { dialect: "cerebras" }) }),
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

  it.scoped("ask for thinking only where it is wanted", () =>
    Effect.gen(function*() {
      const simulator = yield* simulate()
      yield* ask(OpenAiChat.make({ ...options(simulator.url), thinking: "low" }))
      const { json } = yield* simulator.request(0)
      assert.deepInclude(json, { reasoning_effort: "low" })
    }))
})

const effort = { off: { reasoning_effort: "none" }, high: { reasoning_effort: "high" } }
const typed = { off: { thinking: { type: "disabled" } }, high: { thinking: { type: "enabled" } } }
const templated = (on: boolean) => ({ chat_template_kwargs: { enable_thinking: on, thinking: on } })
const template = { off: templated(false), high: templated(true) }

const older = { max_tokens: 1000 }
const newer = { max_completion_tokens: 1000 }
const usage = { stream_options: { include_usage: true } }
const key = { prompt_cache_key: "session-1" }

/** What each wants in the body of a request, what with it for thinking, and in which header the session. */
const rows: Readonly<
  Record<Dialect.Name, {
    readonly body: object
    readonly thinking: { readonly off: object; readonly high: object }
    readonly header?: string
  }>
> = {
  azure: { body: { ...newer, ...usage, ...key }, thinking: effort },
  cerebras: { body: { ...newer, ...usage }, thinking: effort },
  common: { body: { ...older, ...usage }, thinking: effort },
  deepseek: {
    body: { ...older, ...usage },
    thinking: { off: typed.off, high: { ...typed.high, reasoning_effort: "high" } }
  },
  fireworks: { body: { ...older, ...usage }, header: "x-session-affinity", thinking: effort },
  groq: { body: { ...newer, ...usage }, thinking: effort },
  litellm: { body: { ...older, ...usage }, thinking: effort },
  "llama.cpp": { body: { ...older, ...usage }, thinking: template },
  "lm-studio": { body: { ...older, ...usage }, thinking: effort },
  mistral: { body: { ...older, ...key }, thinking: effort },
  moonshot: { body: { ...older, ...usage, ...key }, thinking: typed },
  nvidia: { body: { ...older, ...usage }, thinking: template },
  ollama: { body: { ...older, ...usage }, thinking: effort },
  openai: { body: { ...newer, ...usage, ...key, store: false }, thinking: effort },
  openrouter: {
    body: { ...older, ...usage },
    header: "x-session-id",
    thinking: { off: { reasoning: { effort: "none" } }, high: { reasoning: { effort: "high" } } }
  },
  qwen: {
    body: { ...older, ...usage },
    thinking: { off: { enable_thinking: false }, high: { enable_thinking: true } }
  },
  sglang: { body: { ...older, ...usage }, thinking: template },
  together: {
    body: { ...older, ...usage },
    thinking: { off: { reasoning: { enabled: false } }, high: { reasoning: { enabled: true } } }
  },
  vllm: { body: { ...older, ...usage }, thinking: template },
  xai: { body: { ...newer, ...usage }, header: "x-grok-conv-id", thinking: effort },
  zai: { body: { ...older, ...usage }, thinking: typed }
}

const sessionHeaders = ["x-session-affinity", "x-session-id", "x-grok-conv-id"]

describe("OpenAiChat's images", () => {
  const entries = [
    userMessage("What is in these?", [png, png]),
    step({ _tag: "Text", text: "Let me look." }, exchange("a", { images: [png] }))
  ]
  const asking = (url: string) => OpenAiChat.make(options(url)).start({ ...prompt, entries })
  const refusing = (status: number, message: string) =>
    simulate({ faults: [Fault.at(0, http(status, { error: { message } }))] })
  const replyTo = (request: NativeRequest) =>
    Effect.map(
      Stream.runCollect(request.stream(sending)),
      (events) => Chunk.toReadonlyArray(events).reduce(Reply.append, Reply.empty)
    )

  const refusals: ReadonlyArray<readonly [server: string, status: number, message: string]> = [
    [
      "llama.cpp",
      500,
      "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj"
    ],
    ["vLLM", 400, "At most 0 image(s) may be provided in one prompt."],
    ["another vLLM", 400, "qwen3-coder is not a multimodal model"],
    ["Ollama", 500, "this model is missing data required for image input"],
    ["OpenRouter", 404, "No endpoints found that support image input"],
    ["DeepSeek", 400, "messages[1]: unknown variant `image_url`, expected `text`"],
    ["Mistral", 400, "Image input is not enabled for this model"]
  ]
  for (const [server, status, message] of refusals) {
    it.scoped(`are left out, with a note, where the model turns out to read none: ${server}`, () =>
      Effect.gen(function*() {
        const simulator = yield* refusing(status, message)
        const request = asking(simulator.url)
        const reply = yield* replyTo(request)
        assert.strictEqual(reply.stop, "end")
        yield* replyTo(request.append(userMessage("And now?")))
        const [refused, first, second] = yield* simulator.requests
        assert.deepStrictEqual([refused?.status, first?.status, second?.status], [status, 200, 200])
        const note = "(An image was left out: this model reads no images.)"
        assert.include(first?.body ?? "", `"What is in these?\\n\\n${note}\\n\\n${note}"`)
        assert.include(first?.body ?? "", `in their order:\\n\\n${note}`)
        assert.notInclude(second?.body ?? "image_url", "image_url")
      }))
  }

  it.scoped("that are refused for what they are stay, and their refusal is told", () =>
    Effect.gen(function*() {
      const simulator = yield* refusing(400, "The image exceeds 8000 pixels in one dimension.")
      assert.strictEqual((yield* Effect.flip(replyTo(asking(simulator.url))))._tag, "InvalidRequest")
      assert.lengthOf(yield* simulator.requests, 1)
    }))
})

describe("OpenAiChat's dialects", () => {
  for (const name of Dialect.names) {
    const row = rows[name]
    it.scoped(`speak to ${name} as it wants`, () =>
      Effect.gen(function*() {
        const simulator = yield* simulate()
        const given = { ...options(simulator.url), dialect: name }
        yield* ask(OpenAiChat.make(given))
        // Its own ways to ask for thinking are errors elsewhere, and so to the simulator.
        yield* Effect.exit(ask(OpenAiChat.make({ ...given, thinking: "off" })))
        yield* Effect.exit(ask(OpenAiChat.make({ ...given, thinking: "high" })))
        const [plain, off, high] = yield* simulator.requests
        assert.strictEqual(off?.status, row.thinking === effort ? 200 : 400)
        const role = name === "openai" ? "developer" : "system"
        const body = {
          messages: [{ content: "Be brief.", role }, { content: "hello", role: "user" }],
          model: "sim-1",
          stream: true,
          tools: [{ function: tools[0], type: "function" }],
          ...row.body
        }
        assert.deepStrictEqual(plain?.json, body)
        assert.deepStrictEqual(off?.json, { ...body, ...row.thinking.off })
        assert.deepStrictEqual(high?.json, { ...body, ...row.thinking.high })
        assert.deepStrictEqual(
          sessionHeaders.filter((header) => plain?.headers[header] === "session-1"),
          row.header === undefined ? [] : [row.header]
        )
      }))
  }

  it.scoped("send reasoning back to the model whose it is, through the reply that it made", () =>
    Effect.gen(function*() {
      const simulator = yield* simulate({
        script: Script.say({ parts: [Script.reasoning("Hm."), Script.call("read", { path: "a" })] })
      })
      const model = (model: string, dialect: Dialect.Name) =>
        OpenAiChat.make({ ...options(simulator.url), dialect, model })
      const result = { facts: [], images: [], isError: false, text: "ok" }
      const send = (request: NativeRequest) =>
        Effect.map(
          Stream.runCollect(request.stream(sending)),
          (events) => Reply.toStep(Chunk.toReadonlyArray(events).reduce(Reply.append, Reply.empty), () => result)
        )
      const own = yield* send(model("m-1", "llama.cpp").start(prompt))
      const unnamed = yield* send(model("m-1", "common").start(prompt))
      assert.isUndefined(unnamed.native)
      const sent = (reader: Model["Type"], step: Step) =>
        Effect.gen(function*() {
          yield* send(reader.start(prompt).append(step))
          const { body } = yield* Effect.map(simulator.requests, (requests) => requests.at(-1) ?? { body: "" })
          return body.includes("\"Hm.\"")
        })
      assert.isTrue(yield* sent(model("m-1", "llama.cpp"), own))
      assert.isTrue(yield* sent(model("m-1", "openrouter"), own))
      assert.isFalse(yield* sent(model("m-2", "llama.cpp"), own))
      assert.isFalse(yield* sent(model("m-1", "common"), own))
      assert.isFalse(yield* sent(model("m-1", "llama.cpp"), unnamed))
    }))
})
