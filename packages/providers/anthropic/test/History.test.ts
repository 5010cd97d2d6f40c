import { assert, describe, it } from "@effect/vitest"
import type { Entry, NativeReply, Step } from "@weir/model/Conversation"
import { userMessage } from "@weir/model/Conversation"
import type { Prompt } from "@weir/model/Prompt"
import * as AnthropicThinking from "@weir/simulator/AnthropicThinking"
import * as AnthropicValidator from "@weir/simulator/AnthropicValidator"
import * as Either from "effect/Either"
import * as fc from "fast-check"
import {
  anyConversation,
  anyStep,
  bitmap,
  exchange,
  png,
  said,
  step,
  thought,
  tools
} from "../../transport/test/Conversations.js"
import * as History from "../src/History.js"
import * as Request from "../src/Request.js"

const model = "m"
const native = (payload: unknown, given: Partial<NativeReply> = {}): NativeReply => ({
  codec: "anthropic-messages",
  model,
  payload,
  ...given
})

const encode = (prompt: Partial<Prompt>) =>
  Request.make(model, History.start({ entries: [], system: "", tools, ...prompt }, model), 1000)

interface Plain {
  readonly role: string
  readonly content: ReadonlyArray<object>
}

/** The messages without the marks for the cache. */
const messages = (...entries: ReadonlyArray<Entry>): ReadonlyArray<Plain> =>
  encode({ entries }).messages.map(({ content, role }) => ({
    role,
    content: typeof content === "string" ? [] : content.map((block) => {
      const { cache_control: _, ...rest } = { cache_control: undefined, ...block }
      return rest
    })
  }))

const text = (value: string) => ({ type: "text", text: value })
const user = (...content: ReadonlyArray<object>): Plain => ({ role: "user", content })
const assistant = (...content: ReadonlyArray<object>): Plain => ({ role: "assistant", content })
const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "aGk=" } }
const toolUse = (id: string, input: object = { a: 1 }, name = "read") => ({ type: "tool_use", id, name, input })
const toolResult = (id: string, content: unknown = "ok") => ({ type: "tool_result", tool_use_id: id, content })

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
        step(exchange("d")),
        userMessage("stop"),
        step(said("Done.")),
        userMessage("thanks")
      ),
      [
        user(text("look"), image, text("and this")),
        assistant(text("One."), toolUse("a"), text("Two."), toolUse("b", {}), toolUse("c")),
        user(
          toolResult("a", [text("seen"), image]),
          { ...toolResult("b", "no such file"), is_error: true },
          toolResult("c", [image]),
          image
        ),
        assistant(toolUse("d")),
        user(toolResult("d"), text("stop")),
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

  it("says something for what is empty", () => {
    assert.deepStrictEqual(messages(userMessage(" "), step(exchange("a", { text: "" }))), [
      user(text("(An empty message.)")),
      assistant(toolUse("a")),
      user(toolResult("a", "(No output.)"))
    ])
  })

  it("leaves out images of kinds that the API does not take, with a note", () => {
    assert.deepStrictEqual(messages(userMessage("look", [bitmap, png])), [
      user(text("look"), text("(An image of the type image/bmp was left out.)"), image)
    ])
  })

  it("gives malformed arguments no form, and keeps whole characters only", () => {
    const inputs = ["{\"path\":", "[1]", "null", "{\"a\":\"\\ud83d\",\"\\udc00\":[\"\\ud83d\\ude00\"]}"]
    const [asked] = messages(step(...inputs.map((args, index) => exchange(`c${index}`, { args })))).slice(1)
    assert.deepStrictEqual(
      asked,
      assistant(
        toolUse("c0", {}),
        toolUse("c1", {}),
        toolUse("c2", {}),
        toolUse("c3", { "a": "\uFFFD", "\uFFFD": ["😀"] })
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
    const calls = sent.flatMap(({ content, role }) =>
      role === "assistant" && typeof content !== "string" ? content : []
    )
    const ids = ["functions_read_0", "call", "functions_read_0_2", "x".repeat(64), `${"x".repeat(62)}_2`]
    assert.deepStrictEqual(calls, [
      toolUse("functions_read_0", { a: 1 }, "functions_read"),
      ...ids.slice(1, 4).map((id) => toolUse(id)),
      toolUse(`${"x".repeat(62)}_2`, { a: 1 }, "unknown")
    ])
    const results = sent.flatMap(({ content, role }) => role === "user" ? content : [])
    assert.deepStrictEqual(results.slice(1), ids.map((id) => toolResult(id)))
  })

  const signed = { type: "thinking", thinking: "hm", signature: "s1" }
  const hidden = { type: "redacted_thinking", data: "xyz" }

  it("replays the thinking of this model as it was, and the calls at their places", () => {
    const own: Step = {
      ...step(thought("hm"), said("One."), exchange("a"), exchange("b.c")),
      native: native([
        signed,
        text("One."),
        hidden,
        { type: "tool_use", id: "a" },
        signed,
        { type: "tool_use", id: "b.c" }
      ])
    }
    assert.deepStrictEqual(messages(userMessage("go"), own).slice(1), [
      assistant(signed, text("One."), hidden, toolUse("a"), signed, toolUse("b_c")),
      user(toolResult("a"), toolResult("b_c"))
    ])
  })

  it("drops the thinking of others, and what does not fit the step", () => {
    const call = { type: "tool_use", id: "a" }
    const payload = [signed, call]
    const others = [
      native(payload, { codec: "openai-responses" }),
      native(payload, { model: "another" }),
      native([signed]),
      native([signed, call, call]),
      native([signed, { type: "tool_use", id: "b" }]),
      native([{ type: "thinking", thinking: "hm", signature: "" }, call]),
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
  const mark = { cache_control: { type: "ephemeral" } }

  it("marks the last tool, the system prompt, and the ends of the two newest messages of the user", () => {
    const { messages: sent, system, tools: sentTools } = encode({
      entries: [userMessage("one"), step(exchange("a")), step(exchange("b"), exchange("c"))],
      system: "Be brief.",
      tools: [...tools, ...tools.map((tool) => ({ ...tool, name: "write" }))]
    })
    const isMarked = (value: unknown) => JSON.stringify(value).includes("cache_control")
    assert.deepStrictEqual(system, [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }])
    assert.deepStrictEqual(sentTools?.map(isMarked), [false, true])
    assert.deepStrictEqual(sent.map(isMarked), [false, false, true, false, true])
    const last: unknown = sent.at(-1)?.content
    assert.deepStrictEqual(last, [toolResult("b"), { ...toolResult("c"), ...mark }])
  })

  it("leaves out what there is not, and the history the same", () => {
    const body = encode({ entries: [userMessage("one")], tools: [] })
    assert.notProperty(body, "system")
    assert.notProperty(body, "tools")
    assert.notProperty(body, "thinking")
    const history = History.start({ entries: [userMessage("one")], system: "", tools: [] }, model)
    const before = JSON.stringify(History.messages(history))
    Request.make(model, history, 10)
    assert.strictEqual(JSON.stringify(History.messages(history)), before)
  })

  it("lets the tools that were called stand in for tools that are gone, without letting them be called", () => {
    const { tool_choice, tools: sent } = encode({
      entries: [userMessage("go"), step(exchange("a", { name: "x.y" }), exchange("b"))],
      tools: []
    })
    assert.deepStrictEqual(sent?.map((tool) => "input_schema" in tool ? [tool.name, tool.input_schema] : []), [
      ["x_y", { properties: {}, type: "object" }],
      ["read", { properties: {}, type: "object" }]
    ])
    assert.deepStrictEqual(tool_choice, { type: "none" })
  })
})

/** A reply with thinking, before its step lost or changed anything. */
const anyNative = fc.tuple(anyStep, fc.nat(), fc.constantFrom(model, "another")).map(([plain, reply, author]): Step => {
  const payload = plain.parts.map((part, index) => {
    switch (part._tag) {
      case "Text":
        return text(part.text)
      case "Reasoning":
        return {
          type: "thinking",
          thinking: part.text,
          signature: AnthropicThinking.sign({ part: index, reply: String(reply) }, part.text, author)
        }
      case "Exchange":
        return { type: "tool_use", id: part.call.id }
    }
  })
  return { ...plain, native: native(payload, { model: author }) }
})

const conversation = anyConversation(anyNative)
const someTools = fc.constantFrom([], tools)

const validate = (json: unknown) =>
  AnthropicValidator.validate(
    {
      body: JSON.stringify(json),
      headers: { "anthropic-version": "2023-06-01", "content-type": "application/json" },
      isUtf8: true,
      json: JSON.parse(JSON.stringify(json)),
      method: "POST",
      path: "/v1/messages"
    },
    { maxOutput: 1000 },
    false
  )

describe("History, for any conversation", () => {
  it("alternates, begins and ends with the user, and answers all calls at once and first", () => {
    fc.assert(fc.property(conversation, someTools, (entries, tools) => {
      const { messages } = encode({ entries, system: "s", tools })
      const seen = new Set<string>()
      for (const [index, { content, role }] of messages.entries()) {
        assert.strictEqual(role, index % 2 === 0 ? "user" : "assistant")
        const blocks = typeof content === "string" ? [] : content
        assert.isAbove(blocks.length, 0)
        const next = messages[index + 1]?.content ?? []
        const answers = typeof next === "string" ? [] : next
        const calls = blocks.flatMap((block) => block.type === "tool_use" ? [block.id] : [])
        assert.deepStrictEqual(
          answers.flatMap((block) => block.type === "tool_result" ? [block.tool_use_id] : []),
          role === "assistant" ? calls : []
        )
        assert.isTrue(answers.slice(0, calls.length).every(({ type }) => role === "user" || type === "tool_result"))
        for (const id of calls) {
          assert.match(id, /^[a-zA-Z0-9_-]{1,64}$/)
          assert.isFalse(seen.has(id), `${id} twice`)
          seen.add(id)
        }
        for (const block of blocks) assert.isTrue(block.type !== "text" || block.text.trim() !== "")
      }
      assert.strictEqual(messages.length % 2, 1)
      const marks = JSON.stringify(encode({ entries, system: "s", tools })).split("\"cache_control\":").length - 1
      assert.isAtMost(marks, 4)
    }))
  })

  it("[F03] is accepted by a strict validator", () => {
    fc.assert(fc.property(conversation, someTools, fc.constantFrom("", "s"), (entries, tools, system) => {
      const verdict = validate(encode({ entries, system, tools }))
      assert.isTrue(Either.isRight(verdict), JSON.stringify(verdict))
    }))
  })

  it("grows to the same request entry by entry as at once, and leaves the earlier state alone", () => {
    fc.assert(fc.property(conversation, fc.nat(12), (entries, cut) => {
      const started = History.start({ entries: entries.slice(0, cut), system: "s", tools }, model)
      const before = JSON.stringify(Request.make(model, started, 1000))
      const grown = entries.slice(cut).reduce((history, entry) => History.append(history, entry, model), started)
      assert.deepStrictEqual(Request.make(model, grown, 1000), encode({ entries, system: "s" }))
      assert.strictEqual(JSON.stringify(Request.make(model, started, 1000)), before)
    }))
  })

  it("only ever adds to what was sent, so that the cache holds", () => {
    fc.assert(fc.property(fc.array(anyStep, { maxLength: 6 }), (steps) => {
      const sent = (count: number) =>
        messages(userMessage("go"), ...steps.slice(0, count)).filter((message) =>
          JSON.stringify(message) !== JSON.stringify(user(text("Continue.")))
        )
      const all = JSON.stringify(sent(steps.length).flatMap(({ content }) => content))
      for (const count of steps.keys()) {
        assert.isTrue(all.startsWith(JSON.stringify(sent(count).flatMap(({ content }) => content)).slice(0, -1)))
      }
    }))
  })
})
