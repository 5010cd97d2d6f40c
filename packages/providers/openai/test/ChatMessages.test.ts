import { assert, describe, it } from "@effect/vitest"
import type { Step } from "@weir/model/Conversation"
import { userMessage } from "@weir/model/Conversation"
import type { Prompt } from "@weir/model/Prompt"
import * as ChatValidator from "@weir/simulator/ChatValidator"
import * as Either from "effect/Either"
import * as fc from "fast-check"
import {
  anyConversation,
  anyStep,
  exchange,
  png,
  said,
  step,
  thought,
  tools
} from "../../transport/test/Conversations.js"
import * as Dialect from "../src/ChatDialect.js"
import * as ChatMessages from "../src/ChatMessages.js"

const as = (dialect: Dialect.Name): ChatMessages.Reader => ({ dialect: Dialect.of("", dialect), model: "m" })

const common = as("common")

const encode = (prompt: Partial<Prompt>, reader = common) =>
  ChatMessages.toRequest(ChatMessages.start({ entries: [], system: "", tools: [], ...prompt }, reader), reader).messages

/** A step of that model, made over this API. */
const by = (model: string, ...parts: Step["parts"]): Step => ({ ...step(...parts), native: ChatMessages.author(model) })

const toolCall = (id: string, args = "{\"a\":1}", name = "read") => ({
  id,
  type: "function" as const,
  function: { arguments: args, name }
})

describe("ChatMessages", () => {
  it("[F02] writes a whole conversation in the API's order", () => {
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

  it("leaves malformed arguments as the model wrote them, but not to servers that read them again", () => {
    const sent = (args: string, dialect: Dialect.Name) =>
      encode({ entries: [step(exchange("a", { args }))] }, as(dialect))[0]
    const calling = (args: string) => ({ tool_calls: [toolCall("a", args)] })
    for (const malformed of ["{\"path\": ", "path", "[1]", "null", "\"a\"", "7"]) {
      for (const dialect of ["openai", "azure"] as const) {
        assert.deepInclude(sent(malformed, dialect), calling(malformed))
      }
      for (const dialect of ["common", "vllm", "llama.cpp", "ollama", "sglang"] as const) {
        assert.deepInclude(sent(malformed, dialect), calling("{}"))
      }
    }
    const spaced = "{ \"b\" : 1.0,\n\"a\": \"\\ud83d\\ude00\" }"
    assert.deepInclude(sent("{ \"b\" : 1.0 }", "common"), calling("{ \"b\" : 1.0 }"))
    assert.deepInclude(sent(spaced, "common"), calling("{\"b\":1,\"a\":\"😀\"}"))
    assert.deepInclude(sent("{\"a\":\"\\ud83d\"}", "common"), calling("{\"a\":\"\uFFFD\"}"))
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

  it("gives the reasoning of a call back under the host's name for it, to the model whose it is", () => {
    const entries = [
      by("m", thought("hm"), exchange("a")),
      by("n", thought("foreign"), exchange("b")),
      step(thought("nobody's"), exchange("c")),
      by("m", thought("so"), said("Done."))
    ]
    const sent = (dialect: Dialect.Name) =>
      encode({ entries }, as(dialect)).flatMap((message) =>
        message.role === "assistant"
          ? [Object.entries(message).flatMap(([name, text]) => /^reasoning/.test(name) ? [`${name}: ${text}`] : [])]
          : []
      )
    const names = {
      deepseek: [["reasoning_content: hm"], ["reasoning_content: "], ["reasoning_content: "], []],
      moonshot: [["reasoning_content: hm"], ["reasoning_content: "], ["reasoning_content: "], []],
      fireworks: [["reasoning_content: hm"], [], [], []],
      "llama.cpp": [["reasoning_content: hm"], [], [], []],
      sglang: [["reasoning_content: hm"], [], [], []],
      zai: [["reasoning_content: hm"], [], [], []],
      groq: [["reasoning: hm"], [], [], []],
      ollama: [["reasoning: hm"], [], [], []],
      openrouter: [["reasoning: hm"], [], [], []],
      vllm: [["reasoning: hm"], [], [], []]
    }
    for (const name of Dialect.names) {
      const wanted: ReadonlyArray<ReadonlyArray<string>> = new Map<string, Array<Array<string>>>(Object.entries(names))
        .get(name) ?? [[], [], [], []]
      assert.deepStrictEqual(sent(name), wanted, name)
      assert.strictEqual(Dialect.weights(as(name).dialect).replaysReasoning, wanted.flat().length > 0, name)
    }
  })

  it("says nothing beside calls as each host takes it", () => {
    const content = (dialect: Dialect.Name) =>
      encode({ entries: [step(exchange("a"))] }, as(dialect)).map(({ content }) => content)[0]
    assert.deepStrictEqual(Dialect.names.filter((name) => content(name) === null), ["litellm", "openrouter"])
    assert.deepStrictEqual(Dialect.names.filter((name) => content(name) === "").length, Dialect.names.length - 2)
    assert.strictEqual(encode({ entries: [step(said("So."), exchange("a"))] }, as("litellm"))[0]?.content, "So.")
  })

  it("lets Mistral answer results before the user speaks, and end with the user", () => {
    const entries = [
      step(exchange("a", { images: [png] })),
      userMessage("Stop."),
      step(exchange("b")),
      userMessage("Go on."),
      step(said("Done."))
    ]
    const roles = (dialect: Dialect.Name) => encode({ entries }, as(dialect)).map(({ role }) => role).join(" ")
    const strict = "assistant tool assistant user user assistant tool assistant user assistant user"
    const usual = "assistant tool user user assistant tool user assistant"
    for (const name of Dialect.names) assert.strictEqual(roles(name), name === "mistral" ? strict : usual, name)
  })

  it("gives Mistral ids of nine letters and digits, its own unchanged", () => {
    const entries = [
      step(exchange("D681PevKs"), exchange("call_1"), exchange("000000001")),
      step(exchange("D681PevKs"), exchange(""), exchange("functions.read:0"))
    ]
    const ids = encode({ entries }, as("mistral")).flatMap((message) =>
      message.role === "tool" ? [message.tool_call_id] : []
    )
    assert.strictEqual(ids[0], "D681PevKs")
    assert.strictEqual(new Set(ids).size, 6)
    for (const id of ids) assert.match(id, /^[A-Za-z0-9]{9}$/)
  })

  it("lets tools that were called stand in where a history with calls needs tools", () => {
    const request = (dialect: Dialect.Name, given = tools.slice(0, 0)) => {
      const entries = [step(exchange("a"), exchange("b", { name: "grep" })), step(exchange("c"))]
      return ChatMessages.toRequest(ChatMessages.start({ entries, system: "", tools: given }, as(dialect)), as(dialect))
    }
    const parameters = { properties: {}, type: "object" }
    const { tool_choice, tools: standIns } = request("litellm")
    assert.strictEqual(tool_choice, "none")
    assert.deepStrictEqual(
      standIns,
      ["read", "grep"].map((name) => ({ function: { description: "", name, parameters }, type: "function" }))
    )
    for (const name of Dialect.names) {
      if (name !== "litellm") assert.notProperty(request(name), "tools", name)
      assert.notProperty(request(name, tools), "tool_choice", name)
      assert.lengthOf(request(name, tools).tools ?? [], 1, name)
    }
    assert.notProperty(
      ChatMessages.toRequest(ChatMessages.start({ entries: [], system: "", tools: [] }, common), common),
      "tools"
    )
  })
})

describe("ChatDialect", () => {
  it("is known from the host", () => {
    const hosts: Record<string, Dialect.Name> = {
      "https://api.openai.com/v1": "openai",
      "https://my-resource.openai.azure.com/openai/v1": "azure",
      "https://my-resource.services.ai.azure.com/openai/v1": "azure",
      "https://my-resource.cognitiveservices.azure.com/openai/v1": "azure",
      "https://api.cerebras.ai/v1": "cerebras",
      "https://api.deepseek.com": "deepseek",
      "https://api.fireworks.ai/inference/v1": "fireworks",
      "https://api.groq.com/openai/v1": "groq",
      "https://api.mistral.ai/v1": "mistral",
      "https://codestral.mistral.ai/v1": "mistral",
      "https://api.moonshot.ai/v1": "moonshot",
      "https://api.moonshot.cn/v1": "moonshot",
      "https://api.kimi.com/coding/v1": "moonshot",
      "https://integrate.api.nvidia.com/v1": "nvidia",
      "https://ollama.com/v1": "ollama",
      "https://openrouter.ai/api/v1": "openrouter",
      "https://dashscope-intl.aliyuncs.com/compatible-mode/v1": "qwen",
      "https://token-plan.maas.qwencloudapi.com/compatible-mode/v1": "qwen",
      "https://api.together.xyz/v1": "together",
      "https://api.together.ai/v1": "together",
      "https://api.x.ai/v1": "xai",
      "https://us-east-1.api.x.ai/v1": "xai",
      "https://api.z.ai/api/paas/v4": "zai",
      "https://open.bigmodel.cn/api/paas/v4": "zai",
      "http://localhost:11434/v1": "common",
      "https://max.ai/v1": "common",
      "https://api.openai.com.evil.example/v1": "common",
      "https://notopenrouter.ai/v1": "common",
      "nonsense": "common"
    }
    for (const [address, name] of Object.entries(hosts)) {
      assert.strictEqual(Dialect.nameOf(address), name, address)
      assert.strictEqual(Dialect.of(address), Dialect.of("", name))
    }
    assert.strictEqual(Dialect.of("https://api.openai.com/v1", "vllm"), Dialect.of("", "vllm"))
    const known = new Set([...Object.values(hosts), ...locals])
    assert.deepStrictEqual(Dialect.names.filter((name) => !known.has(name)), [])
  })

  const locals: ReadonlyArray<Dialect.Name> = ["litellm", "llama.cpp", "lm-studio", "sglang", "vllm"]
})

const anyOwnStep = anyStep.map((made): Step => ({ ...made, native: ChatMessages.author("m") }))
const conversation = anyConversation(anyOwnStep)
const reader = fc.constantFrom(...Dialect.names).map(as)

describe("ChatMessages, for any conversation", () => {
  it("lets every call be followed by exactly its results, in order, and by nothing else", () => {
    fc.assert(fc.property(conversation, reader, (entries, reader) => {
      const messages = encode({ entries }, reader)
      const id = reader.dialect.callIds === "nine" ? /^[A-Za-z0-9]{9}$/ : /^[A-Za-z0-9_-]{1,40}$/
      const seen = new Set<string>()
      let open: Array<string> = []
      for (const message of messages) {
        if (message.role === "tool") {
          assert.strictEqual(message.tool_call_id, open.shift())
          continue
        }
        assert.deepStrictEqual(open, [], `${message.role} before all results`)
        open = message.role === "assistant" ? (message.tool_calls ?? []).map(({ id }) => id) : []
        for (const one of open) {
          assert.match(one, id)
          assert.isFalse(seen.has(one), `${one} twice`)
          seen.add(one)
        }
      }
      assert.deepStrictEqual(open, [])
      const exchanges = entries.flatMap((entry) =>
        entry._tag === "Step" ? entry.parts.filter((part) => part._tag === "Exchange") : []
      )
      assert.strictEqual(seen.size, exchanges.length)
    }))
  })

  it("speaks in the order that Mistral wants", () => {
    fc.assert(fc.property(conversation, (entries) => {
      const roles = encode({ entries, system: "s" }, as("mistral")).map(({ role }) => role)
      roles.forEach((role, index) => {
        if (role === "user") assert.notStrictEqual(roles[index - 1], "tool")
      })
      assert.notStrictEqual(roles.at(-1), "assistant")
    }))
  })

  it("grows to the same messages entry by entry as at once, and leaves the earlier state alone", () => {
    fc.assert(fc.property(conversation, fc.nat(12), reader, (entries, cut, reader) => {
      const prefix = entries.slice(0, cut)
      const started = ChatMessages.start({ entries: prefix, system: "s", tools }, reader)
      const before = ChatMessages.toRequest(started, reader)
      const grown = entries.slice(cut).reduce<ChatMessages.Messages>(
        (messages, entry) => ChatMessages.append(messages, entry, reader),
        started
      )
      assert.deepStrictEqual(ChatMessages.toRequest(grown, reader).messages, encode({ entries, system: "s" }, reader))
      assert.deepStrictEqual(ChatMessages.toRequest(started, reader), before)
    }))
  })

  it("[F03] is accepted by a strict validator", () => {
    fc.assert(fc.property(conversation, reader, (entries, reader) => {
      const messages = ChatMessages.start({ entries, system: "s", tools: [] }, reader)
      const body = JSON.stringify({ ...ChatMessages.toRequest(messages, reader), model: "m" })
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
