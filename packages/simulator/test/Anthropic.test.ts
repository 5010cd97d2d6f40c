import { assert, describe, it } from "@effect/vitest"
import * as Script from "@weir/simulator/Script"
import { Simulator } from "@weir/simulator/Simulator"
import * as Simulators from "@weir/simulator/Simulator"
import * as Effect from "effect/Effect"
import { assistant, count, events, fold, message, post, request, streaming, user } from "./AnthropicClient.js"
import { at, json } from "./TestClient.js"

const answer = "An answer of several words, with an emoji 👩‍🚀 and \"quotes\"."

const tools = [{ description: "Runs.", input_schema: { properties: {}, type: "object" }, name: "bash" }]

const full = Script.say({
  parts: [
    Script.reasoning("Let me look at it."),
    Script.redacted,
    Script.text("Looking."),
    Script.call("bash", { command: "cat a" }),
    Script.call("bash", "not json")
  ]
})

describe("Anthropic stream", () => {
  it.scoped("is the events of one text, in order", () =>
    Effect.gen(function*() {
      const response = yield* post(streaming())
      assert.strictEqual(response.status, 200, response.text)
      assert.match(response.headers["content-type"] ?? "", /^text\/event-stream/)
      assert.strictEqual(response.headers["request-id"], "req_000000")
      const all = events(response.text)
      const types = all.map((event) => String(at(event, "type")))
      assert.deepStrictEqual(types.slice(0, 3), ["message_start", "ping", "content_block_start"])
      assert.deepStrictEqual(types.slice(-3), ["content_block_stop", "message_delta", "message_stop"])
      assert.isAtLeast(types.filter((type) => type === "content_block_delta").length, 2)
      const logged = yield* Effect.flatMap(Simulator, ({ settled }) => settled(0))
      assert.deepInclude(logged, { kind: "main", outcome: "answered", wire: "anthropic" })
      const { content, finish, start, usage } = message(response.text)
      assert.deepStrictEqual(content, [{ text: answer, type: "text" }])
      assert.strictEqual(finish, "end_turn")
      assert.deepInclude(at(start, "message"), { content: [], model: "sim-1", role: "assistant", stop_reason: null })
      assert.strictEqual(at(start, "message", "usage", "input_tokens"), logged.tokens)
      assert.strictEqual(at(start, "message", "usage", "output_tokens"), 1)
      assert.deepInclude(usage, {
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        input_tokens: logged.tokens
      })
      assert.isAbove(Number(at(usage, "output_tokens")), 5)
    }).pipe(Effect.provide(Simulators.layer({ script: Script.reply(answer) }))))

  it.scoped("holds thinking, hidden thinking, text and parallel calls; whole replies hold the same", () =>
    Effect.gen(function*() {
      const streamed = yield* post(streaming({ tools }))
      const { content, finish } = message(streamed.text)
      assert.strictEqual(finish, "tool_use")
      assert.deepStrictEqual(content.map(({ type }) => type), [
        "thinking",
        "redacted_thinking",
        "text",
        "tool_use",
        "tool_use"
      ])
      assert.strictEqual(content[0]?.thinking, "Let me look at it.")
      assert.match(String(content[0]?.signature), /^[A-Za-z0-9+/]{40,}=*$/)
      assert.match(String(content[1]?.data), /^[A-Za-z0-9+/]{40,}=*$/)
      assert.deepStrictEqual(content.slice(3).map(({ input }) => input), [{ command: "cat a" }, "not json"])
      assert.strictEqual(new Set(content.slice(3).map(({ id }) => id)).size, 2)
      const pieces = events(streamed.text).filter((event) => at(event, "index") === 3)
      assert.isAtLeast(pieces.length, 5)
      const hidden = events(streamed.text).filter((event) => at(event, "index") === 1)
      assert.deepStrictEqual(hidden.map((event) => at(event, "type")), ["content_block_start", "content_block_stop"])
      const whole = json(yield* post(request({ tools })))
      assert.deepInclude(whole, { role: "assistant", stop_reason: "tool_use", type: "message" })
      assert.strictEqual(at(whole, "content", 0, "thinking"), "Let me look at it.")
      assert.deepStrictEqual(at(whole, "content", 3, "input"), { command: "cat a" })
      assert.deepStrictEqual(
        at(whole, "usage", "output_tokens"),
        at(message(streamed.text).usage, "output_tokens")
      )
    }).pipe(Effect.provide(Simulators.layer({ script: full }))))

  it.scoped("goes through a tool loop whose thoughts are replayed", () =>
    Effect.gen(function*() {
      const first = message((yield* post(streaming({ thinking: { type: "adaptive" }, tools }))).text)
      const results = first.content.filter(({ type }) => type === "tool_use").map(({ id }) => ({
        content: "ok",
        tool_use_id: id,
        type: "tool_result"
      }))
      const second = yield* post(streaming({
        messages: [user("hi"), assistant(...first.content), user(results)],
        thinking: { type: "adaptive" },
        tools
      }))
      assert.strictEqual(second.status, 200, second.text)
      assert.strictEqual(fold(second.text).text, "Done.")
    }).pipe(Effect.provide(Simulators.layer({
      script: Script.sequence([
        Script.say({ parts: [Script.reasoning("Hm."), Script.redacted, Script.call("bash", {})] }),
        Script.reply("Done.")
      ])
    }))))
})

describe("Anthropic count_tokens", () => {
  it.scoped("counts what the request itself is then charged, and leaves script and cache alone", () =>
    Effect.gen(function*() {
      const { max_tokens: _, ...body } = request({ messages: [user("word ".repeat(3_000))], tools })
      const counted = yield* count({ ...body, cache_control: { type: "ephemeral" } })
      assert.strictEqual(counted.status, 200, counted.text)
      const { requests } = yield* Simulator
      const tokens = (yield* requests)[0]?.tokens
      assert.deepStrictEqual(json(counted), { input_tokens: tokens })
      assert.deepInclude((yield* requests)[0], { kind: "count", outcome: "answered" })
      const answered = json(yield* post({ ...body, cache_control: { type: "ephemeral" }, max_tokens: 10 }))
      assert.strictEqual(at(answered, "content", 0, "text"), "one")
      assert.strictEqual(at(answered, "usage", "cache_read_input_tokens"), 0)
      assert.strictEqual(
        Number(at(answered, "usage", "input_tokens")) + Number(at(answered, "usage", "cache_creation_input_tokens")),
        tokens
      )
      assert.strictEqual((yield* count(request())).status, 400)
    }).pipe(Effect.provide(Simulators.layer({
      script: Script.sequence([Script.reply("one"), Script.reply("two")])
    }))))
})

const looping = Script.sequence([
  Script.say({ parts: [Script.reasoning("One."), Script.redacted, Script.text("I look."), Script.call("bash", {})] }),
  Script.say({ parts: [Script.reasoning("Two."), Script.call("bash", {})] }),
  Script.reply("Done.")
])

type Content = ReadonlyArray<Record<string, unknown>>

const results = (content: Content) =>
  user(
    content.filter(({ type }) => type === "tool_use").map(({ id }) => ({
      content: "ok",
      tool_use_id: id,
      type: "tool_result"
    }))
  )

const adaptive = { thinking: { type: "adaptive" }, tools }

/** A reply, and what the next request says when it replays that reply in another way. */
const replayed = (change: (content: Content) => Content, more: object = {}, ...after: ReadonlyArray<object>) =>
  Effect.gen(function*() {
    const { content } = message((yield* post(streaming({ messages: [user("hi")], ...adaptive }))).text)
    const messages = [user("hi"), assistant(...change(content)), results(content), ...after]
    const response = yield* post(streaming({ ...adaptive, messages, ...more }))
    return response.status === 200 ? "accepted" : String(at(json(response), "error", "message"))
  }).pipe(Effect.provide(Simulators.layer({ script: looping })))

const thoughtless = (content: Content) =>
  content.filter(({ type }) => type !== "thinking" && type !== "redacted_thinking")

const modified =
  /^messages\.1\.content\.\d: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified\. These/

describe("Anthropic thinking", () => {
  const bad: ReadonlyArray<readonly [string, (content: Content) => Content, RegExp]> = [
    [
      "all missing",
      thoughtless,
      /^messages\.1\.content\.0\.type: Expected `thinking` or `redacted_thinking`, but found `text`\. When `thinking`/
    ],
    ["the first missing", (content) => content.slice(1), modified],
    ["the second missing", ([first = {}, _, ...rest]) => [first, ...rest], modified],
    ["the two exchanged", ([first = {}, second = {}, ...rest]) => [second, first, ...rest], modified],
    ["one repeated", ([first = {}, ...rest]) => [first, first, ...rest], modified],
    ["after the call", ([first = {}, ...rest]) => [...rest, first], modified],
    [
      "another text",
      ([first = {}, ...rest]) => [{ ...first, thinking: "One!" }, ...rest],
      /^messages\.1\.content\.0: Invalid `signature` in `thinking` block$/
    ],
    [
      "another signature",
      ([first = {}, ...rest]) => [{ ...first, signature: `${first.signature}`.replace(/^./, "A") }, ...rest],
      /^messages\.1\.content\.0: Invalid `signature`/
    ],
    [
      "other hidden data",
      ([first = {}, second = {}, ...rest]) => [first, { ...second, data: "AAAA" }, ...rest],
      /^messages\.1\.content\.1: Invalid `data` in `redacted_thinking` block$/
    ]
  ]
  for (const [name, change, error] of bad) {
    it.scoped(`of the latest tool loop is wanted as it was: ${name}`, () =>
      Effect.gen(function*() {
        assert.match(yield* replayed(change), error)
      }))
  }

  it.scoped("of the latest tool loop is accepted as it was", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* replayed((content) => content), "accepted")
    }))

  it.scoped("belongs to its model", () =>
    Effect.gen(function*() {
      assert.match(
        yield* replayed((content) => content, { model: "sim-2" }),
        /Invalid `signature` in `thinking` block$/
      )
    }))

  it.scoped("may be left out with thinking disabled, and of earlier turns", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* replayed(thoughtless, { thinking: { type: "disabled" } }), "accepted")
      assert.strictEqual(
        yield* replayed(thoughtless, {}, assistant({ text: "ok", type: "text" }), user("and")),
        "accepted"
      )
      assert.match(
        yield* replayed(([first = {}, ...rest]) => [{ ...first, thinking: "x" }, ...rest], {}, user("and")),
        /Invalid `signature`/
      )
    }))

  it.scoped("is wanted of every step of the loop", () =>
    Effect.gen(function*() {
      const ask = (...messages: ReadonlyArray<object>) =>
        post(streaming({ ...adaptive, messages: [user("hi"), ...messages] }))
      const first = message((yield* ask()).text).content
      const begun = [assistant(...first), results(first)]
      const second = message((yield* ask(...begun)).text).content
      const missing = yield* ask(...begun, assistant(...thoughtless(second)), results(second))
      assert.match(missing.text, /messages\.3\.content\.0\.type: Expected/)
      const foreign = yield* ask(...begun, assistant(...first.slice(0, 1), ...second), results(second))
      assert.match(foreign.text, /messages\.3\.content\.0: .*cannot be modified/)
      const early = yield* ask(assistant(...thoughtless(first)), results(first), assistant(...second), results(second))
      assert.match(early.text, /messages\.1\.content\.0\.type: Expected/)
      const whole = yield* ask(...begun, assistant(...second), results(second))
      assert.strictEqual(fold(whole.text).text, "Done.")
    }).pipe(Effect.provide(Simulators.layer({ script: looping }))))
})

describe("Anthropic window", () => {
  const prompt = "the level of the river ".repeat(300)

  const sized = (window: number, enforce: "prompt" | "sum", maxTokens = 1_000) =>
    Effect.map(post(streaming({ max_tokens: maxTokens, messages: [user(prompt)] })), (response) => ({
      finish: response.status === 200 ? message(response.text).finish : undefined,
      message: response.status === 200 ? undefined : at(json(response), "error", "message"),
      status: response.status,
      usage: response.status === 200 ? message(response.text).usage : undefined
    })).pipe(Effect.provide(Simulators.layer({ enforce, script: Script.reply("word ".repeat(300)), window })))

  const tokens = Effect.map(
    count({ messages: [user(prompt)], model: "sim-1" }),
    (response) => Number(at(json(response), "input_tokens"))
  ).pipe(Effect.provide(Simulators.layer({ script: Script.reply("ok") })))

  it.scoped("names the prompt and the limit", () =>
    Effect.gen(function*() {
      const size = yield* tokens
      assert.deepInclude(yield* sized(size - 1, "prompt"), {
        message: `prompt is too long: ${size} tokens > ${size - 1} maximum`,
        status: 400
      })
      assert.deepInclude(yield* sized(size - 1, "sum"), {
        message: `prompt is too long: ${size} tokens > ${size - 1} maximum`
      })
    }))

  it.scoped("names prompt, output and limit when only their sum is too large", () =>
    Effect.gen(function*() {
      const size = yield* tokens
      assert.deepInclude(yield* sized(size + 999, "sum"), {
        message: `input length and \`max_tokens\` exceed context limit: ${size} + 1000 > ${size + 999}, ` +
          "decrease input length or `max_tokens` and try again",
        status: 400
      })
      assert.deepInclude(yield* sized(size + 1_000, "sum"), { finish: "end_turn", status: 200 })
    }))

  it.scoped("ends a reply that fills it, unless max_tokens ends it first", () =>
    Effect.gen(function*() {
      const size = yield* tokens
      const filled = yield* sized(size + 50, "prompt")
      assert.strictEqual(filled.finish, "model_context_window_exceeded")
      assert.strictEqual(at(filled.usage, "output_tokens"), 50)
      assert.strictEqual((yield* sized(size, "prompt")).finish, "model_context_window_exceeded")
      assert.strictEqual((yield* sized(size + 50, "prompt", 40)).finish, "max_tokens")
    }))
})

describe("Anthropic prompt cache", () => {
  const mark = { cache_control: { type: "ephemeral" } }
  const long = (name: string) => `${name} ${"rule of the house ".repeat(400)}`
  const block = (text: string, marked = false) => ({ text, type: "text", ...(marked && mark) })

  /** What a request reads and writes; with what is fresh it must be the whole input. */
  const caching = (body: object) =>
    Effect.gen(function*() {
      const before = (yield* Effect.flatMap(Simulator, ({ requests }) => requests)).length
      const usage = at(json(yield* post(request(body))), "usage")
      const tokens = (yield* Effect.flatMap(Simulator, ({ requests }) => requests))[before]?.tokens ?? 0
      const of = (key: string) => Number(at(usage, key))
      const [fresh, read, write] = [
        of("input_tokens"),
        of("cache_read_input_tokens"),
        of("cache_creation_input_tokens")
      ]
      assert.strictEqual(fresh + read + write, tokens)
      return { fresh, read, write }
    })

  const simulator = Simulators.layer({ script: Script.reply("ok") })

  it.scoped("holds nothing that is not marked", () =>
    Effect.gen(function*() {
      for (let times = 0; times < 2; times += 1) {
        assert.deepInclude(yield* caching({ system: long("a") }), { read: 0, write: 0 })
      }
    }).pipe(Effect.provide(simulator)))

  it.scoped("is written up to the last mark and read from there on", () =>
    Effect.gen(function*() {
      const system = [block(long("a"), true)]
      const first = yield* caching({ messages: [user("one")], system, tools })
      assert.strictEqual(first.read, 0)
      assert.isAbove(first.write, 1_024)
      assert.isBelow(first.fresh, 15)
      const second = yield* caching({ messages: [user("two, longer")], system, tools })
      assert.deepInclude(second, { read: first.write, write: 0 })
      const marked = yield* caching({ messages: [user([block("three", true)])], system, tools })
      assert.strictEqual(marked.read, first.write)
      assert.isAbove(marked.write, 0)
      assert.deepInclude(yield* caching({ messages: [user([block("three", true)])], system, tools }), {
        read: marked.read + marked.write,
        write: 0
      })
    }).pipe(Effect.provide(simulator)))

  it.scoped("grows with a conversation whose newest block is marked", () =>
    Effect.gen(function*() {
      const turn = (text: string) => [assistant(block("ok")), user([block(long(text), true)])]
      const unmarked = (text: string) => [assistant(block("ok")), user([block(long(text))])]
      const first = yield* caching({ messages: [user([block(long("a"), true)])] })
      const second = yield* caching({ messages: [user([block(long("a"))]), ...turn("b")] })
      assert.strictEqual(second.read, first.write)
      const third = yield* caching({ messages: [user([block(long("a"))]), ...unmarked("b"), ...turn("c")] })
      assert.strictEqual(third.read, second.read + second.write)
      const automatic = yield* caching({
        ...mark,
        messages: [user([block(long("a"))]), ...unmarked("b"), ...unmarked("c"), ...unmarked("d")]
      })
      assert.strictEqual(automatic.read, third.read + third.write)
      assert.isAbove(automatic.write, 1_000)
    }).pipe(Effect.provide(simulator)))

  it.scoped("is found 19 blocks before a mark, and not 20", () =>
    Effect.gen(function*() {
      const blocks = (more: number) => [
        block(long("a"), true),
        ...Array.from({ length: more }, (_, index) => block(`b${index}`, index === more - 1))
      ]
      const unmarked = (more: number) => [block(long("a")), ...blocks(more).slice(1)]
      const { write } = yield* caching({ messages: [user(blocks(0))] })
      assert.strictEqual((yield* caching({ messages: [user(unmarked(20))] })).read, 0)
      assert.strictEqual((yield* caching({ messages: [user(unmarked(19))] })).read, write)
    }).pipe(Effect.provide(simulator)))

  it.scoped("holds nothing of less than 1,024 tokens, and nothing of another model or prefix", () =>
    Effect.gen(function*() {
      const short = { system: [block("rule ".repeat(500), true)] }
      for (let times = 0; times < 2; times += 1) assert.deepInclude(yield* caching(short), { read: 0, write: 0 })
      const system = [block(long("a"), true)]
      const { write } = yield* caching({ system })
      assert.strictEqual((yield* caching({ model: "sim-2", system })).read, 0)
      assert.strictEqual((yield* caching({ system: [block(long("b"), true)] })).read, 0)
      assert.strictEqual((yield* caching({ system, tools })).read, 0)
      assert.strictEqual((yield* caching({ system })).read, write)
    }).pipe(Effect.provide(simulator)))

  it.scoped("of messages is lost with another choice of tools or mode of thinking, that of the system is not", () =>
    Effect.gen(function*() {
      const body = { messages: [user([block(long("a"), true)])], system: [block(long("s"), true)], tools }
      const { write } = yield* caching(body)
      assert.strictEqual((yield* caching(body)).read, write)
      const none = yield* caching({ ...body, tool_choice: { type: "none" } })
      assert.isBelow(none.read, write * 0.6)
      assert.isAbove(none.read, write * 0.4)
      assert.strictEqual((yield* caching({ ...body, thinking: { type: "adaptive" } })).read, none.read)
    }).pipe(Effect.provide(simulator)))
})
