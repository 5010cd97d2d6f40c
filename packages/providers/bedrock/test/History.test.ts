import { assert, describe, it } from "@effect/vitest"
import type { Step } from "@weir/model/Conversation"
import { userMessage } from "@weir/model/Conversation"
import * as Script from "@weir/simulator/Script"
import * as Simulator from "@weir/simulator/Simulator"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as fc from "fast-check"
import { anyStep, bitmap, exchange, png, said, step, thought, tools } from "../../transport/test/Conversations.js"
import * as BedrockConverse from "../src/BedrockConverse.js"
import { Credentials } from "../src/Credentials.js"
import * as History from "../src/History.js"
import * as Request from "../src/Request.js"
import { conversation, encode, json, messages, model, native, validate } from "./Wire.js"

const text = (value: string) => ({ text: value })
const user = (...content: ReadonlyArray<object>) => ({ content, role: "user" })
const assistant = (...content: ReadonlyArray<object>) => ({ content, role: "assistant" })
const image = { image: { format: "png", source: { bytes: "aGk=" } } }
const toolUse = (toolUseId: string, input: object = { a: 1 }, name = "read") => ({
  toolUse: { input, name, toolUseId }
})
const toolResult = (toolUseId: string, content: ReadonlyArray<object> = [text("ok")], more: object = {}) => ({
  toolResult: { content, toolUseId, ...more }
})

describe("History", () => {
  it("[F02] writes a whole conversation in the API's order", () => {
    assert.deepStrictEqual(
      messages(
        userMessage("look", [png]),
        userMessage("and this"),
        step(
          thought("hm"),
          said("One."),
          exchange("a", { images: [png], text: "seen" }),
          said("Two."),
          exchange("b", { args: "", images: [png], isError: true, text: "no such file" }),
          exchange("c", { images: [png], text: " " })
        ),
        step(exchange("d", { isError: true, text: "" })),
        userMessage("stop"),
        step(said("Done.")),
        userMessage("thanks")
      ),
      [
        user(text("look"), image, text("and this")),
        assistant(text("One."), toolUse("a"), text("Two."), toolUse("b", {}), toolUse("c")),
        user(
          toolResult("a", [text("seen"), image]),
          toolResult("b", [text("no such file")], { status: "error" }),
          toolResult("c", [image]),
          image
        ),
        assistant(toolUse("d")),
        user(toolResult("d", [text("(No output.)")], { status: "error" }), text("stop")),
        assistant(text("Done.")),
        user(text("thanks"))
      ]
    )
  })

  it("begins and ends with the user, and drops a step that says nothing", () => {
    assert.deepStrictEqual(messages(step(said("Hi.")), step(said(" \n")), step(thought("hm")), step(said("You."))), [
      user(text("(The conversation so far follows.)")),
      assistant(text("Hi."), text("You.")),
      user(text("Continue."))
    ])
    assert.deepStrictEqual(messages(), [user(text("Continue."))])
  })

  it("leaves out images of kinds that the API does not take, and data that is none, with a note", () => {
    const broken = { data: "no base64", mediaType: "image/png" }
    assert.deepStrictEqual(messages(userMessage("look", [bitmap, png, broken, { ...broken, data: "" }])), [
      user(
        text("look"),
        text("(An image of the type image/bmp was left out.)"),
        image,
        text("(An image of the type image/png was left out.)"),
        text("(An image of the type image/png was left out.)")
      )
    ])
  })

  it("gives malformed arguments no form, and keeps whole characters only", () => {
    const inputs = ["{\"path\":", "[1]", "null", "{\"a\":\"\\ud83d\",\"n\":1e999,\"\\udc00\":[\"\\ud83d\\ude00\"]}"]
    const [asked] = messages(step(...inputs.map((args, index) => exchange(`c${index}`, { args })))).slice(1)
    assert.deepStrictEqual(
      asked,
      assistant(
        toolUse("c0", {}),
        toolUse("c1", {}),
        toolUse("c2", {}),
        toolUse("c3", { "a": "\uFFFD", "n": null, "\uFFFD": ["😀"] })
      )
    )
  })

  it("makes ids and names legal, and ids unique in the whole history", () => {
    const long = "x".repeat(70)
    const sent = messages(
      userMessage("go"),
      step(exchange("functions.read:0", { name: "functions.read" }), exchange("")),
      step(exchange("functions.read:0"), exchange(long), exchange(`${long}y`, { name: "" }))
    )
    assert.deepStrictEqual(sent.flatMap(({ content, role }) => role === "assistant" ? content : []), [
      toolUse("functions_read_0", { a: 1 }, "functions_read"),
      toolUse("call"),
      toolUse("functions_read_0_2"),
      toolUse("x".repeat(64)),
      toolUse(`${"x".repeat(62)}_2`, { a: 1 }, "unknown")
    ])
  })

  const signed = { signature: "s1", thinking: "hm", type: "thinking" }
  const thinking = { reasoningContent: { reasoningText: { signature: "s1", text: "hm" } } }

  it("replays the thinking of this model as it was, hidden bytes and calls at their places", () => {
    const own: Step = {
      ...step(thought("hm"), said("One."), exchange("a"), exchange("b.c")),
      native: native([
        signed,
        { text: "One.", type: "text" },
        { data: "00ff10", type: "redacted_thinking" },
        { id: "a", type: "tool_use" },
        signed,
        { id: "b.c", type: "tool_use" }
      ])
    }
    assert.deepStrictEqual(messages(userMessage("go"), own).slice(1), [
      assistant(
        thinking,
        text("One."),
        { reasoningContent: { redactedContent: "AP8Q" } },
        toolUse("a"),
        thinking,
        toolUse("b_c")
      ),
      user(toolResult("a"), toolResult("b_c"))
    ])
  })

  it("drops the thinking of others, and what does not fit the step", () => {
    const call = { id: "a", type: "tool_use" }
    const payload = [signed, call]
    const others = [
      native(payload, { codec: "anthropic-messages" }),
      native(payload, { model: "another" }),
      native([signed]),
      native([signed, { id: "b", type: "tool_use" }]),
      native([{ ...signed, signature: "" }, call]),
      native("nonsense")
    ]
    for (const foreign of others) {
      assert.deepStrictEqual(messages(userMessage("go"), { ...step(thought("hm"), exchange("a")), native: foreign }), [
        user(text("go")),
        assistant(toolUse("a")),
        user(toolResult("a"))
      ])
    }
  })
})

describe("Request", () => {
  const isMarked = (value: unknown) => JSON.stringify(value).endsWith("{\"cachePoint\":{\"type\":\"default\"}}]")

  it("marks the tools, the system prompt, and the ends of the two newest messages of the user", () => {
    const { messages: sent, system, toolConfig } = encode({
      entries: [userMessage("one"), step(exchange("a")), step(exchange("b"), exchange("c"))],
      system: "Be brief."
    })
    assert.isTrue(isMarked(system))
    assert.isTrue(isMarked(toolConfig?.tools))
    assert.deepStrictEqual(sent?.map(({ content }) => isMarked(content)), [false, false, true, false, true])
  })

  it("leaves out what there is not, and the history the same", () => {
    const body = encode({ entries: [userMessage("one")], tools: [] })
    for (const field of ["system", "toolConfig", "additionalModelRequestFields"]) assert.notProperty(body, field)
    const history = History.start({ entries: [userMessage("one")], system: "", tools: [] }, model)
    const before = JSON.stringify(History.messages(history))
    Request.make(model, history, 10, undefined)
    assert.strictEqual(JSON.stringify(History.messages(history)), before)
  })

  it("lets the tools that were called stand in for tools that are gone", () => {
    const { toolConfig } = encode({
      entries: [userMessage("go"), step(exchange("a", { name: "x.y" }), exchange("b"))],
      tools: []
    })
    assert.deepStrictEqual(toolConfig?.tools?.slice(0, 2), [
      { toolSpec: { inputSchema: { json: { properties: {}, type: "object" } }, name: "x_y" } },
      { toolSpec: { inputSchema: { json: { properties: {}, type: "object" } }, name: "read" } }
    ])
  })

  it("does not take up thinking in the middle of calls that were begun without", () => {
    const began = [userMessage("go"), step(exchange("a"))]
    assert.deepStrictEqual(encode({ entries: began }, "low").additionalModelRequestFields, {
      thinking: { type: "disabled" }
    })
    const done = [...began, step(said("Done.")), userMessage("And now?")]
    assert.deepStrictEqual(encode({ entries: done }, "low").additionalModelRequestFields, {
      thinking: { budget_tokens: 2000, type: "enabled" }
    })
  })
})

const someTools = fc.constantFrom([], tools)
const someThinking = fc.constantFrom(undefined, "off" as const, "high" as const)

describe("[F03] History, for any conversation", () => {
  it("is accepted by a strict validator", () => {
    fc.assert(
      fc.property(conversation, someTools, fc.constantFrom("", "s"), someThinking, (entries, tools, system, level) => {
        const verdict = validate(encode({ entries, system, tools }, level))
        assert.isTrue(Either.isRight(verdict), JSON.stringify(verdict))
      })
    )
  })

  it.scoped("is accepted when the SDK has written it", () =>
    Effect.gen(function*() {
      const simulator = yield* Simulator.make({ maxOutput: 4000, script: Script.reply("ok") })
      const codec = BedrockConverse.make({
        baseUrl: simulator.origin,
        credentials: Credentials.ApiKey({ key: Redacted.make("k") }),
        limits: { outputCap: 4000, source: "declared", window: 1_000_000 },
        model,
        provider: "sim",
        region: "us-east-1"
      })
      const samples = fc.sample(conversation, 40)
      for (const entries of samples) {
        const request = codec.start({ entries, system: "s", tools })
        yield* Stream.runDrain(request.stream({ maxOutputTokens: 4000, sessionId: "s" }))
      }
      for (const [index, logged] of (yield* simulator.requests).entries()) {
        assert.deepStrictEqual(logged.json, json(encode({ entries: samples[index] ?? [], system: "s" })))
      }
    }))

  it("grows to the same request entry by entry as at once, and leaves the earlier state alone", () => {
    fc.assert(fc.property(conversation, fc.nat(12), (entries, cut) => {
      const started = History.start({ entries: entries.slice(0, cut), system: "s", tools }, model)
      const before = JSON.stringify(Request.make(model, started, 4000, undefined))
      const grown = entries.slice(cut).reduce((history, entry) => History.append(history, entry, model), started)
      assert.deepStrictEqual(Request.make(model, grown, 4000, undefined), encode({ entries, system: "s" }))
      assert.strictEqual(JSON.stringify(Request.make(model, started, 4000, undefined)), before)
    }))
  })

  it("only ever adds to what was sent, so that the cache holds", () => {
    fc.assert(fc.property(fc.array(anyStep, { maxLength: 6 }), (steps) => {
      const sent = (count: number) => {
        const all = messages(userMessage("go"), ...steps.slice(0, count)).flatMap(({ content }) => content)
        return JSON.stringify(all).replace(/,\{"text":"Continue\."\}\]$/, "]")
      }
      const all = sent(steps.length)
      for (const count of steps.keys()) assert.isTrue(all.startsWith(sent(count).slice(0, -1)))
    }))
  })
})
