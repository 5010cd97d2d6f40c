import { assert, describe, it } from "@effect/vitest"
import { userMessage } from "@weir/model/Conversation"
import type { Prompt } from "@weir/model/Prompt"
import * as ChatValidator from "@weir/simulator/ChatValidator"
import * as Chunk from "effect/Chunk"
import * as Either from "effect/Either"
import * as fc from "fast-check"
import { anyConversation, exchange, png, step, tools } from "../../transport/test/Conversations.js"
import * as Dialect from "../src/ChatDialect.js"
import * as ChatMessages from "../src/ChatMessages.js"

const plain = Dialect.of("http://localhost/v1")
const encode = (prompt: Partial<Prompt>, dialect = plain) =>
  Chunk.toReadonlyArray(
    ChatMessages.start({ entries: [], system: "", tools: [], ...prompt }, dialect).messages
  )

const toolCall = (id: string, args = "{\"a\":1}", name = "read") => ({
  id,
  type: "function" as const,
  function: { arguments: args, name }
})

describe("ChatMessages", () => {
  it("writes a whole conversation in the API's order", () => {
    assert.deepStrictEqual(
      encode({
        entries: [
          userMessage("look", [png]),
          userMessage("and this"),
          step(
            { _tag: "Reasoning", text: "hm" },
            { _tag: "Text", text: "One." },
            exchange("a", { images: [png] }),
            { _tag: "Text", text: "Two." },
            exchange("b", { args: "", isError: true, text: "no such file" })
          ),
          step({ _tag: "Text", text: "Done." })
        ],
        system: "Be brief."
      }),
      [
        { role: "system", content: "Be brief." },
        {
          role: "user",
          content: [
            { type: "text", text: "look" },
            { type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } }
          ]
        },
        { role: "user", content: "and this" },
        { role: "assistant", content: "One.\n\nTwo.", tool_calls: [toolCall("a"), toolCall("b", "{}")] },
        { role: "tool", tool_call_id: "a", content: "ok" },
        { role: "tool", tool_call_id: "b", content: "Error: no such file" },
        {
          role: "user",
          content: [
            { type: "text", text: "The images of the tool results above, in their order:" },
            { type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } }
          ]
        },
        { role: "assistant", content: "Done." }
      ]
    )
  })

  it("says nothing as an empty string beside calls, and drops a step that says nothing at all", () => {
    assert.deepStrictEqual(
      encode({
        entries: [
          step(),
          step({ _tag: "Text", text: " \n" }),
          step({ _tag: "Reasoning", text: "hm" }),
          step(exchange("a"))
        ]
      }),
      [
        { role: "assistant", content: "", tool_calls: [toolCall("a")] },
        { role: "tool", tool_call_id: "a", content: "ok" }
      ]
    )
  })

  it("leaves malformed arguments as the model wrote them", () => {
    assert.deepInclude(encode({ entries: [step(exchange("a", { args: "{\"path\": " }))] })[0], {
      tool_calls: [toolCall("a", "{\"path\": ")]
    })
  })

  it("makes ids and names legal, and ids unique in the whole history", () => {
    const long = "x".repeat(60)
    const messages = encode({
      entries: [
        step(exchange("functions.read:0", { name: "functions.read" }), exchange("")),
        step(exchange("functions.read:0"), exchange("functions_read_0"), exchange("functions_read_0_2")),
        step(exchange(long), exchange(long + "y"), exchange("call", { name: "" }))
      ]
    })
    const calls = messages.flatMap((message) => message.role === "assistant" ? message.tool_calls ?? [] : [])
    const results = messages.flatMap((message) => message.role === "tool" ? [message.tool_call_id] : [])
    const ids = calls.map(({ id }) => id)
    assert.deepStrictEqual(ids, [
      "functions_read_0",
      "call",
      "functions_read_0_2",
      "functions_read_0_3",
      "functions_read_0_2_2",
      "x".repeat(40),
      `${"x".repeat(38)}_2`,
      "call_2"
    ])
    assert.deepStrictEqual(results, ids)
    assert.deepInclude(calls[0], { function: { arguments: "{\"a\":1}", name: "functions_read" } })
    assert.deepInclude(calls.at(-1), { function: { arguments: "{\"a\":1}", name: "unknown" } })
  })

  it("gives DeepSeek the reasoning of a call back, and nobody else", () => {
    const entries = [
      step({ _tag: "Reasoning", text: "hm" }, exchange("a")),
      step({ _tag: "Reasoning", text: "so" }, { _tag: "Text", text: "Done." })
    ]
    const sent = (baseUrl: string) => JSON.stringify(encode({ entries }, Dialect.of(baseUrl)))
    assert.include(sent("https://api.deepseek.com/v1"), "\"reasoning_content\":\"hm\"")
    assert.notInclude(sent("https://api.deepseek.com/v1"), "so\"")
    assert.notInclude(sent("https://api.openai.com/v1"), "reasoning")
    assert.isTrue(Dialect.weights(Dialect.of("https://api.deepseek.com")).replaysReasoning)
  })
})

const conversation = anyConversation()
const baseUrl = fc.constantFrom("http://localhost/v1", "https://api.openai.com/v1", "https://api.deepseek.com")

describe("ChatMessages, for any conversation", () => {
  it("lets every call be followed by exactly its results, in order, and by nothing else", () => {
    fc.assert(fc.property(conversation, baseUrl, (entries, baseUrl) => {
      const messages = encode({ entries }, Dialect.of(baseUrl))
      const seen = new Set<string>()
      let open: Array<string> = []
      for (const message of messages) {
        if (message.role === "tool") {
          assert.strictEqual(message.tool_call_id, open.shift())
          continue
        }
        assert.deepStrictEqual(open, [], `${message.role} before all results`)
        open = message.role === "assistant" ? (message.tool_calls ?? []).map(({ id }) => id) : []
        for (const id of open) {
          assert.match(id, /^[A-Za-z0-9_-]{1,40}$/)
          assert.isFalse(seen.has(id), `${id} twice`)
          seen.add(id)
        }
      }
      assert.deepStrictEqual(open, [])
      const exchanges = entries.flatMap((entry) =>
        entry._tag === "Step" ? entry.parts.filter((part) => part._tag === "Exchange") : []
      )
      assert.strictEqual(seen.size, exchanges.length)
    }))
  })

  it("grows to the same messages entry by entry as at once, and leaves the earlier state alone", () => {
    fc.assert(fc.property(conversation, fc.nat(12), (entries, cut) => {
      const prefix = entries.slice(0, cut)
      const started = ChatMessages.start({ entries: prefix, system: "s", tools }, plain)
      const before = Chunk.toReadonlyArray(started.messages).slice()
      const grown = entries.slice(cut).reduce<ChatMessages.Messages>(
        (messages, entry) => ChatMessages.append(messages, entry, plain),
        started
      )
      assert.deepStrictEqual(Chunk.toReadonlyArray(grown.messages), encode({ entries, system: "s" }))
      assert.deepStrictEqual(Chunk.toReadonlyArray(started.messages), before)
    }))
  })

  it("is accepted by a strict validator", () => {
    fc.assert(fc.property(conversation, baseUrl, (entries, baseUrl) => {
      const messages = encode({ entries, system: "s" }, Dialect.of(baseUrl))
      const body = JSON.stringify({ messages, model: "m" })
      const verdict = ChatValidator.validate(
        {
          body,
          headers: { "content-type": "application/json" },
          isUtf8: true,
          json: JSON.parse(body),
          method: "POST",
          path: "/"
        },
        { maxOutput: 1000, models: undefined }
      )
      assert.isTrue(Either.isRight(verdict), JSON.stringify(verdict))
    }))
  })
})
