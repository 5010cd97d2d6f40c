import { assert, describe, it } from "@effect/vitest"
import type { Content, Part } from "@google/genai/web"
import type { Entry, NativeReply, Step } from "@weir/model/Conversation"
import { userMessage } from "@weir/model/Conversation"
import type { Prompt } from "@weir/model/Prompt"
import * as GeminiSignature from "@weir/simulator/GeminiSignature"
import * as GeminiValidator from "@weir/simulator/GeminiValidator"
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
import * as Contents from "../src/Contents.js"
import * as Request from "../src/Request.js"

const third = "gemini-3.7-flash"
const second = "gemini-2.5-pro"

const native = (payload: unknown, given: Partial<NativeReply> = {}): NativeReply => ({
  codec: "google-gemini",
  model: third,
  payload,
  ...given
})

const encode = (prompt: Partial<Prompt>, model = third) =>
  Request.make(model, Contents.start({ entries: [], system: "", tools, ...prompt }, model), 1000)

const contents = (model: string, ...entries: ReadonlyArray<Entry>) => encode({ entries }, model).contents

const user = (...parts: Array<Part>): Content => ({ role: "user", parts })
const replied = (...parts: Array<Part>): Content => ({ role: "model", parts })
const text = (value: string): Part => ({ text: value })
const image = { inlineData: { data: "aGk=", mimeType: "image/png" } }
const call = (name = "read", args: Record<string, unknown> = { a: 1 }): Part => ({ functionCall: { name, args } })
const pass = { thoughtSignature: "skip_thought_signature_validator" }
const first = (name?: string, args?: Record<string, unknown>): Part => ({ ...call(name, args), ...pass })
const result = (response: Record<string, unknown> = { output: "ok" }, more: object = {}, name = "read"): Part => ({
  functionResponse: { name, response, ...more }
})

const whole: ReadonlyArray<Entry> = [
  userMessage("look", [png]),
  userMessage("and this"),
  step(
    thought("hm"),
    said("One."),
    exchange("a", { images: [png, bitmap], text: "seen" }),
    said("Two."),
    exchange("b", { args: "", isError: true, text: "no such file" })
  ),
  step(exchange("d")),
  userMessage("stop"),
  step(said("Done.")),
  userMessage("thanks")
]

describe("Contents", () => {
  it("hold a whole conversation in the API's order, images inside of results", () => {
    const omitted = "seen\n(An image of the type image/bmp was left out.)"
    assert.deepEqual(contents(third, ...whole), [
      user(text("look"), image, text("and this")),
      replied(text("One."), first(), text("Two."), call("read", {})),
      user(result({ output: omitted }, { parts: [image] }), result({ error: "no such file" })),
      replied(first()),
      user(result()),
      user(text("stop")),
      replied(text("Done.")),
      user(text("thanks"))
    ])
  })

  it("hold images of results in a content after them for older models, which need no signatures", () => {
    const omitted = "seen\n(An image of the type image/bmp was left out.)"
    assert.deepEqual(contents(second, ...whole).slice(1, 5), [
      replied(text("One."), call(), text("Two."), call("read", {})),
      user(result({ output: omitted }), result({ error: "no such file" })),
      user(image),
      replied(call())
    ])
  })

  it("begin and end with the user, and drop a step that says nothing", () => {
    assert.deepEqual(contents(third, step(said("Hi.")), step(said(" \n")), step(thought("hm")), step(said("You."))), [
      user(text("(The conversation so far follows.)")),
      replied(text("Hi."), text("You.")),
      user(text("Continue."))
    ])
    assert.deepEqual(contents(third), [user(text("Continue."))])
  })

  it("join replies, so that calls follow the user", () => {
    assert.deepEqual(contents(third, userMessage("go"), step(said("Hm.")), step(exchange("a"))), [
      user(text("go")),
      replied(text("Hm."), first()),
      user(result())
    ])
  })

  it("say something for what is empty, and leave images out that the API does not take", () => {
    const gif = { data: "aGk=", mediaType: "image/gif" }
    assert.deepEqual(contents(third, userMessage(" ")), [user(text("(An empty message.)"))])
    assert.deepEqual(contents(third, userMessage("look", [bitmap, gif, png])), [
      user(
        text("look"),
        text("(An image of the type image/bmp was left out.)"),
        text("(An image of the type image/gif was left out.)"),
        image
      )
    ])
  })

  it("give malformed arguments no form, make names legal, and keep whole characters only", () => {
    const inputs = ["{\"path\":", "[1]", "null", "{\"a\":\"\\ud83d\"}"]
    const names = ["functions.read", "2nd", "", "-"]
    const [, asked, answered] = contents(
      third,
      userMessage("go"),
      step(...inputs.map((args, index) => exchange("x", { args, name: names[index] ?? "", text: "\ud83d" })))
    )
    assert.deepEqual(
      asked,
      replied(
        first("functions_read", {}),
        call("_2nd", {}),
        call("_", {}),
        call("_-", { a: "\uFFFD" })
      )
    )
    assert.deepEqual(
      answered,
      user(...["functions_read", "_2nd", "_", "_-"].map((name) => result({ output: "\uFFFD" }, {}, name)))
    )
  })

  it("replay a reply of this model as it was: signatures, ids, empty signed texts", () => {
    const parts = [
      { text: "hm", thought: true, thoughtSignature: "c2ln" },
      { text: "One." },
      { functionCall: { name: "read", args: { a: 1 }, id: "id-1" }, thoughtSignature: "c2lnMg==" },
      { functionCall: { name: "ls" } },
      { text: "", thoughtSignature: "ZW5k" }
    ]
    const own: Step = {
      ...step(thought("hm"), said("One."), exchange("id-1"), exchange("call_7", { name: "ls" })),
      native: native(parts)
    }
    assert.deepEqual(contents(third, userMessage("go"), own).slice(1), [
      replied(...parts),
      user(result({ output: "ok" }, { id: "id-1" }), result({ output: "ok" }, {}, "ls"))
    ])
  })

  it("keep a reply that only its signature makes more than empty out, and one with text in", () => {
    const signature = { text: "", thoughtSignature: "ZW5k" }
    const silent: Step = { ...step(thought("hm")), native: native([{ text: "hm", thought: true }, signature]) }
    const spoken: Step = { ...step(said("Yes.")), native: native([text("Yes."), signature]) }
    assert.deepEqual(contents(third, userMessage("go"), silent), [user(text("go"))])
    assert.deepEqual(contents(third, userMessage("go"), spoken, userMessage("on")), [
      user(text("go")),
      replied(text("Yes."), signature),
      user(text("on"))
    ])
  })

  it("tell replies of others again, and those that do not fit the step, without thoughts and ids", () => {
    const signed = { functionCall: { name: "read", args: {}, id: "id-1" }, thoughtSignature: "c2ln" }
    const others = [
      native([signed], { codec: "anthropic-messages" }),
      native([signed], { model: "gemini-3.6-flash" }),
      native([text("x")]),
      native([signed, signed]),
      native([{ ...signed, functionCall: { name: "write" } }]),
      native("nonsense")
    ]
    for (const foreign of others) {
      const asked = contents(third, userMessage("go"), { ...step(thought("hm"), exchange("a")), native: foreign })
      assert.deepEqual(asked, [user(text("go")), replied(first()), user(result())])
    }
    const illegal = native([{ ...signed, functionCall: { name: "a b" } }])
    const own: Step = { ...step(exchange("a", { name: "a b" })), native: illegal }
    assert.deepEqual(contents(third, userMessage("go"), own)[1], replied(first("a_b")))
  })
})

describe("Request", () => {
  it("leaves out what there is not, and keeps the SDK from acting by itself", () => {
    assert.deepEqual(encode({ entries: [userMessage("one")], tools: [] }), {
      model: third,
      contents: [{ role: "user", parts: [{ text: "one" }] }],
      config: {
        automaticContinuation: false,
        automaticFunctionCalling: { disable: true },
        maxOutputTokens: 1000
      }
    })
  })
})

/** A reply that is signed, before its step lost or changed anything. */
const anyNative = fc.tuple(anyStep, fc.nat(), fc.constantFrom(third, second, "gemini-3.6-flash")).map(
  ([plain, reply, author]): Step => {
    const firstCall = plain.parts.findIndex(({ _tag }) => _tag === "Exchange")
    const payload = plain.parts.map((part, index) => {
      const place = { part: index, reply: String(reply) }
      if (part._tag !== "Exchange") {
        const signature = GeminiSignature.sign(place, part.text, author)
        return {
          text: part.text,
          ...(part._tag === "Reasoning" && { thought: true }),
          ...(index % 2 === 0 && { thoughtSignature: signature })
        }
      }
      const call = { args: { index }, name: part.call.name }
      const id = GeminiSignature.callId(place, firstCall)
      return {
        functionCall: { ...call, ...(author !== second && { id }) },
        ...(index === firstCall && {
          thoughtSignature: GeminiSignature.sign(place, GeminiSignature.sealed(call), author)
        })
      }
    }).filter((part) => !("text" in part) || part.text !== "" || part.thoughtSignature !== undefined)
    // Texts with half a character cannot go back as they were signed.
    const isWhole = plain.parts.every((part) => part._tag === "Exchange" || !/\p{Surrogate}/u.test(part.text))
    return isWhole ? { ...plain, native: native(payload, { model: author }) } : plain
  }
)

const conversation = anyConversation(anyNative)
const someTools = fc.constantFrom([], tools)
const someModel = fc.constantFrom(third, second, "gemini-2.5-flash", "some-model")

/** The body as the SDK makes it of a request. */
const bodyOf = ({ config, contents }: Request.Request) => ({
  contents,
  generationConfig: { maxOutputTokens: config.maxOutputTokens },
  ...(config.systemInstruction !== undefined && { systemInstruction: config.systemInstruction }),
  ...(config.tools && { tools: config.tools })
})

const validate = (request: Request.Request) => {
  const body = JSON.stringify(bodyOf(request))
  return GeminiValidator.validate(
    {
      body,
      headers: {},
      isUtf8: true,
      json: JSON.parse(body),
      method: "POST",
      path: `/v1beta/models/${request.model}:streamGenerateContent`
    },
    { maxOutput: 1000 }
  )
}

describe("Contents, for any conversation", () => {
  it("begin and end with the user, and answer all calls of a reply in the one content after it", () => {
    fc.assert(fc.property(conversation, someModel, (entries, model) => {
      const all = contents(model, ...entries)
      assert.strictEqual(all[0]?.role, "user")
      assert.strictEqual(all.at(-1)?.role, "user")
      for (const [index, { parts = [], role }] of all.entries()) {
        assert.isAbove(parts.length, 0)
        const calls = parts.flatMap(({ functionCall }) => functionCall ? [functionCall.name] : [])
        const results = (all[index + 1]?.parts ?? []).flatMap(({ functionResponse }) =>
          functionResponse ? [functionResponse.name] : []
        )
        assert.deepStrictEqual(results, calls)
        if (calls.length > 0) assert.strictEqual(all[index - 1]?.role, "user")
        if (role === "model") assert.strictEqual(all[index + 1]?.role, "user")
        for (const part of parts) assert.isTrue(part.text !== "" || part.thoughtSignature !== undefined)
      }
    }))
  })

  it("[F03] are accepted by a strict validator", () => {
    fc.assert(
      fc.property(
        conversation,
        someModel,
        someTools,
        fc.constantFrom("", "s"),
        (entries, model, tools, system) => {
          const verdict = validate(encode({ entries, system, tools }, model))
          assert.isTrue(Either.isRight(verdict), JSON.stringify(verdict))
        }
      ),
      { numRuns: 300 }
    )
  })

  it("grow to the same request entry by entry as at once, and leave the earlier state alone", () => {
    fc.assert(fc.property(conversation, fc.nat(12), someModel, (entries, cut, model) => {
      const started = Contents.start({ entries: entries.slice(0, cut), system: "s", tools }, model)
      const before = JSON.stringify(Request.make(model, started, 1000))
      const grown = entries.slice(cut).reduce((state, entry) => Contents.append(state, entry, model), started)
      assert.deepStrictEqual(Request.make(model, grown, 1000), encode({ entries, system: "s" }, model))
      assert.strictEqual(JSON.stringify(Request.make(model, started, 1000)), before)
    }))
  })

  it("only ever add to what was sent, so that the cache holds", () => {
    fc.assert(fc.property(conversation, (entries) => {
      const sent = (count: number) => {
        const all = Contents.all(Contents.start({ entries: entries.slice(0, count), system: "", tools }, third))
        return JSON.stringify(all.flatMap(({ parts, role }) => parts.map((part) => ({ part, role }))))
      }
      const all = sent(entries.length)
      for (const count of entries.keys()) assert.isTrue(all.startsWith(sent(count).slice(0, -1)))
    }))
  })
})
