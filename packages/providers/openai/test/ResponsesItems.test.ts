import { assert, describe, it } from "@effect/vitest"
import type { Entry, NativeReply, Step } from "@weir/model/Conversation"
import { userMessage } from "@weir/model/Conversation"
import type { Prompt } from "@weir/model/Prompt"
import * as Reasoning from "@weir/simulator/ResponsesReasoning"
import * as ResponsesValidator from "@weir/simulator/ResponsesValidator"
import { isWellFormed } from "@weir/transport/WellFormed"
import * as Either from "effect/Either"
import * as fc from "fast-check"
import type { ResponseInputItem } from "openai/resources/responses/responses"
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
import * as ResponsesItems from "../src/ResponsesItems.js"
import * as ResponsesRequest from "../src/ResponsesRequest.js"

const reader = "gpt-5.6"

const authorOf = (model: string) => ({ codec: "openai-responses", model })

const encode = (prompt: Partial<Prompt>, model = reader) =>
  ResponsesRequest.make(ResponsesItems.start({ entries: [], system: "", tools, ...prompt }, authorOf(model)), {
    model,
    sessionId: "s-1",
    thinking: undefined
  })

const items = (...entries: ReadonlyArray<Entry>) =>
  ResponsesItems.all(ResponsesItems.start({
    entries,
    system: "",
    tools
  }, authorOf(reader)))

const inputText = (text: string) => ({ type: "input_text", text })
const image = { type: "input_image", detail: "auto", image_url: "data:image/png;base64,aGk=" }
const omitted = inputText("(An image of the type image/bmp was left out.)")
const user = (...content: ReadonlyArray<object>) => ({ type: "message", role: "user", content })
const outputText = (text: string) => ({ type: "output_text", annotations: [], text })
const message = (id: string, text: string, more: object = {}) => ({
  type: "message",
  id,
  role: "assistant",
  status: "completed",
  content: [outputText(text)],
  ...more
})
const call = (callId: string, more: object = {}) => ({
  type: "function_call",
  call_id: callId,
  name: "read",
  arguments: "{\"a\":1}",
  ...more
})
const output = (callId: string, output: unknown = "ok") => ({ type: "function_call_output", call_id: callId, output })

const native = (payload: unknown, more: Partial<NativeReply> = {}): NativeReply => ({
  codec: "openai-responses",
  model: reader,
  payload,
  ...more
})

const reasoning = (id = "rs_1") => ({
  type: "reasoning",
  id,
  summary: [{ type: "summary_text", text: "Hm." }],
  encrypted_content: "sealed"
})
const kept = (text: string, more: object = {}) => ({
  type: "message",
  id: "msg_a",
  content: [{ type: "output_text", text }],
  ...more
})
const place = (callId: string, id = `fc_${callId}`) => ({ type: "function_call", id, call_id: callId })

describe("Items", () => {
  it("hold each kind of entry in the API's form, the outputs of a step together", () => {
    assert.deepStrictEqual<ReadonlyArray<unknown>>(
      items(
        userMessage("look", [png, bitmap]),
        step(
          thought("hm"),
          said("One."),
          exchange("a", { images: [png, bitmap], text: "seen" }),
          said("Two."),
          exchange("b", { args: "", isError: true, text: "no such file" })
        ),
        userMessage(" ")
      ),
      [
        user(inputText("look"), image, omitted),
        message("msg_1", "One."),
        call("a"),
        message("msg_3", "Two."),
        call("b", { arguments: "{}" }),
        output("a", [inputText("seen"), image, omitted]),
        output("b", "Error: no such file"),
        user(inputText("(An empty message.)"))
      ]
    )
  })

  it("are never none", () => {
    assert.lengthOf(items(), 1)
    assert.lengthOf(items(step(said(" "))), 1)
  })

  it("have ids that are legal and unique, the same for call and output", () => {
    const long = "x".repeat(90)
    const ids = items(step(exchange(long), exchange(long)), step(exchange("functions.read:0"), exchange("")))
      .flatMap((item) => item.type === "function_call" ? [item.call_id] : [])
    assert.deepStrictEqual(ids, ["x".repeat(64), `${"x".repeat(62)}_2`, "functions_read_0", "call"])
  })

  it("replay a reply of this model verbatim, with the arguments just as they were written", () => {
    const reply: Step = {
      ...step(thought("Hm."), said("So."), exchange("c1", { args: "{ \"a\" : 1 }" })),
      native: native([reasoning(), kept("So.", { phase: "commentary" }), reasoning("rs_2"), place("c1")])
    }
    assert.deepStrictEqual<ReadonlyArray<unknown>>(items(reply), [
      reasoning(),
      message("msg_a", "So.", { phase: "commentary" }),
      reasoning("rs_2"),
      call("c1", { id: "fc_c1", arguments: "{ \"a\" : 1 }" }),
      output("c1")
    ])
  })

  it("replay a refusal, and a message that lost its id with its reasoning", () => {
    const refusal = { type: "refusal", refusal: "No." }
    const { id, ...unnamed } = kept("So.", { phase: "final_answer" })
    const replies = [
      { ...step(said("No.")), native: native([reasoning(), { ...kept(""), content: [refusal] }]) },
      { ...step(said("So.")), native: native([unnamed]) }
    ]
    assert.deepStrictEqual<ReadonlyArray<unknown>>(items(...replies), [
      reasoning(),
      message("msg_a", "", { content: [refusal] }),
      message("msg_2", "So.", { phase: "final_answer" })
    ])
  })

  const untold: ReadonlyArray<readonly [string, NativeReply]> = [
    ["another model", native([reasoning(), place("c1")], { model: "gpt-5.5" })],
    ["another codec", native([reasoning(), place("c1")], { codec: "openai-chat" })],
    ["a payload of another form", native({ thinking: "Hm." })],
    ["reasoning without content", native([{ ...reasoning(), encrypted_content: "" }, place("c1")])],
    ["half a character in what is sealed", native([{ ...reasoning(), encrypted_content: "\uD83D" }, place("c1")])],
    ["reasoning that nothing follows", native([place("c1"), reasoning()])],
    ["other calls", native([reasoning(), place("c2")])],
    ["a call too many", native([reasoning(), place("c1"), place("c1", "fc_2")])],
    ["no call", native([reasoning(), kept("So.")])],
    ["an id of another kind", native([reasoning(), place("c1", "call_1")])],
    ["one id twice", native([reasoning(), reasoning(), place("c1")])]
  ]
  for (const [name, payload] of untold) {
    it(`tell a reply again, without reasoning and ids, that is of ${name}`, () => {
      assert.deepStrictEqual<ReadonlyArray<unknown>>(
        items({ ...step(thought("Hm."), exchange("c1")), native: payload }),
        [call("c1"), output("c1")]
      )
    })
  }

  it("replay a reply once: what stands there again is told", () => {
    const reply: Step = { ...step(exchange("c1")), native: native([reasoning(), place("c1")]) }
    assert.deepStrictEqual<ReadonlyArray<unknown>>(items(reply, reply), [
      reasoning(),
      call("c1", { id: "fc_c1" }),
      output("c1"),
      call("c1_2"),
      output("c1_2")
    ])
  })
})

/** A reply as the simulator's model would have given it: the reasoning stands before parts that it led to. */
const toNative = (given: Step, reply: number, model: string, ledBy: ReadonlyArray<boolean>): Step => {
  const payload: Array<object> = []
  const parts = given.parts.filter(({ _tag }) => _tag !== "Reasoning")
  for (const [index, part] of parts.entries()) {
    const isLed = ledBy[index] ?? false
    if (isLed) {
      const at = { index: payload.length, reply: String(reply) }
      payload.push({
        ...reasoning(Reasoning.reasoningId(at)),
        encrypted_content: Reasoning.encrypt(at, ["Hm."], model)
      })
    }
    const at = { index: payload.length, reply: String(reply) }
    payload.push(
      part._tag === "Exchange"
        ? place(part.call.id, Reasoning.itemId("fc", at, isLed))
        : { ...kept(part.text, { phase: "commentary" }), id: Reasoning.itemId("msg", at, isLed) }
    )
  }
  return { ...step(...parts), native: native(payload, { model }) }
}

const models = [reader, "o4-mini"]
const someModel = fc.constantFrom(...models)

const ownStep = fc.tuple(anyStep, fc.nat(5), someModel, fc.array(fc.boolean(), { maxLength: 6 }))
  .map(([given, reply, model, ledBy]) => toNative(given, reply, model, ledBy))

const oddStep = fc.tuple(anyStep, fc.constantFrom<unknown>(null, [], [reasoning()], [place("a")], { a: 1 }))
  .map(([given, payload]) => ({ ...given, native: native(payload) }))

const conversation = anyConversation(fc.oneof(ownStep, oddStep))

const validate = (request: object) => {
  const body = JSON.stringify(request)
  return ResponsesValidator.validate({
    body,
    headers: { "content-type": "application/json" },
    isUtf8: true,
    json: JSON.parse(body),
    method: "POST",
    path: "/v1/responses"
  }, { maxOutput: 1000 })
}

const kinds = (input: ReadonlyArray<ResponseInputItem>) => input.map(({ type }) => type)

describe("Items, for any conversation", () => {
  it("[F03] are accepted by a strict validator", () => {
    fc.assert(
      fc.property(conversation, someModel, fc.constantFrom(tools, []), (entries, model, tools) => {
        const verdict = validate(encode({ entries, tools }, model))
        assert.isTrue(Either.isRight(verdict), JSON.stringify(verdict))
      }),
      { numRuns: 300 }
    )
  })

  it("bring reasoning back to the model that thought it, and to no other", () => {
    fc.assert(
      fc.property(ownStep, someModel, (own, model) => {
        const wanted = own.native?.model === model && Array.isArray(own.native.payload) ? own.native.payload : []
        const given = kinds(
          ResponsesItems.all(ResponsesItems.start({ entries: [own], system: "", tools }, authorOf(model)))
        )
        const isVerbatim = own.parts.every((part) => part._tag !== "Text" || isWellFormed(part.text))
        const count = (types: ReadonlyArray<unknown>) => types.filter((type) => type === "reasoning").length
        assert.strictEqual(count(given), isVerbatim ? count(wanted.map(({ type }) => type)) : 0)
      }),
      { numRuns: 200 }
    )
  })

  it("grow to the same request entry by entry as at once, and leave the earlier state alone", () => {
    fc.assert(fc.property(conversation, fc.nat(12), (entries, cut) => {
      const started = ResponsesItems.start({ entries: entries.slice(0, cut), system: "s", tools }, authorOf(reader))
      const before = JSON.stringify(ResponsesItems.all(started))
      const grown = entries.slice(cut).reduce(
        (state, entry) => ResponsesItems.append(state, entry, authorOf(reader)),
        started
      )
      assert.deepStrictEqual(ResponsesItems.all(grown), encode({ entries }).input)
      assert.strictEqual(JSON.stringify(ResponsesItems.all(started)), before)
    }))
  })

  it("only ever add to what was sent, so that the cache holds", () => {
    fc.assert(fc.property(conversation, (entries) => {
      const sent = (count: number) =>
        JSON.stringify([
          ...ResponsesItems.start({ entries: entries.slice(0, count), system: "", tools }, authorOf(reader)).items
        ])
      const all = sent(entries.length)
      for (const count of entries.keys()) assert.isTrue(all.startsWith(sent(count).slice(0, -1)))
    }))
  })
})
