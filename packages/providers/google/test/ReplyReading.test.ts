import { assert, describe, it } from "@effect/vitest"
import { userMessage } from "@weir/model/Conversation"
import type { ModelEvent } from "@weir/model/ModelEvent"
import * as Reply from "@weir/model/Reply"
import type { Usage } from "@weir/model/Usage"
import * as Either from "effect/Either"
import * as Contents from "../src/Contents.js"
import * as ReplyReading from "../src/ReplyReading.js"

const reader = ReplyReading.reader("m", "s")

/** The events of a stream, or its fault with what was said before. */
const read = (chunks: ReadonlyArray<unknown>) => {
  const said: Array<ModelEvent> = []
  let reading = reader.start
  for (const chunk of chunks) {
    const step = reader.append(reading, chunk)
    if (Either.isLeft(step)) return { fault: step.left, said }
    reading = step.right[0]
    said.push(...step.right[1])
  }
  const end = reader.end(reading)
  return Either.isLeft(end) ? { fault: end.left, said } : { said: [...said, ...end.right] }
}

const chunk = (parts: ReadonlyArray<unknown>, finishReason?: unknown, usageMetadata?: unknown) => ({
  candidates: [{
    content: { parts, role: "model" },
    index: 0,
    ...(finishReason !== undefined && { finishReason })
  }],
  ...(usageMetadata !== undefined && { usageMetadata })
})
const text = (value: string, more: object = {}) => ({ text: value, ...more })
const thought = (value: string, more: object = {}) => ({ text: value, thought: true, ...more })
const call = (given: object, more: object = {}) => ({ functionCall: given, ...more })

const last = (reading: ReturnType<typeof read>) => {
  const event = reading.said.at(-1)
  return event?._tag === "Finished" ? event : undefined
}

const calls = ({ said }: ReturnType<typeof read>) =>
  said.flatMap((event) => event._tag === "CallFinished" ? [[event.call.id, event.call.name, event.call.arguments]] : [])

const usage = (...counts: ReadonlyArray<unknown>): Usage | undefined =>
  last(read(counts.map((one, index) => chunk([], index === counts.length - 1 ? "STOP" : undefined, one))))?.usage

describe("ReplyReading", () => {
  it("keeps a reply whose usage makes no sense", () => {
    const wanted = { cacheRead: 0, cacheWrite: 0, fresh: 7, output: 9, reasoning: 0 }
    assert.deepStrictEqual(usage({ candidatesTokenCount: "9", promptTokenCount: "7" }), wanted)
    assert.deepStrictEqual(
      usage({ cachedContentTokenCount: [], candidatesTokenCount: 9, promptTokenCount: 7, thoughtsTokenCount: "" }),
      wanted
    )
    assert.isTrue(Number.isSafeInteger(usage({ candidatesTokenCount: 1e300, promptTokenCount: 7 })?.output))
    for (const nothing of [[], "", "many", true, 7, { promptTokenCount: [] }]) {
      const { fault, said } = read([chunk([text("So")], "STOP", nothing)])
      assert.isUndefined(fault)
      assert.deepStrictEqual(said.at(-1), { _tag: "Finished", stop: "end" })
    }
  })

  it("[F02] tells thoughts, text and calls as they come, and takes STOP with a call for a call", () => {
    const { said } = read([
      chunk([thought("Hm")]),
      chunk([thought("."), text("Look")]),
      chunk([text("ing.")]),
      chunk([call({ args: { a: 1, b: [null] }, id: "c1", name: "read" }, { thoughtSignature: "c2ln" })]),
      chunk([text("")], "STOP")
    ])
    assert.deepStrictEqual(said.slice(0, -1), [
      { _tag: "ReasoningDelta", text: "Hm" },
      { _tag: "ReasoningDelta", text: "." },
      { _tag: "TextDelta", text: "Look" },
      { _tag: "TextDelta", text: "ing." },
      { _tag: "CallStarted", id: "c1", name: "read" },
      {
        _tag: "CallFinished",
        call: { _tag: "ToolCall", arguments: "{\"a\":1,\"b\":[null]}", id: "c1", name: "read" }
      }
    ])
    assert.deepStrictEqual(said.at(-1), {
      _tag: "Finished",
      native: {
        codec: "google-gemini",
        model: "m",
        payload: [
          thought("Hm."),
          text("Looking."),
          call({ args: { a: 1, b: [null] }, id: "c1", name: "read" }, { thoughtSignature: "c2ln" })
        ]
      },
      stop: "calls"
    })
  })

  it("keeps every signed part apart, and the empty one at the end", () => {
    const parts = [
      thought("a", { thoughtSignature: "MQ==" }),
      thought("b", { thoughtSignature: "Mg==" }),
      thought("c"),
      text("d"),
      text("e", { thoughtSignature: "Mw==" }),
      text("f"),
      text("", { thoughtSignature: "NA==" })
    ]
    assert.deepStrictEqual(
      last(read([...parts.map((part) => chunk([part])), chunk([], "STOP")]))?.native?.payload,
      parts
    )
    const bare = read([chunk([text("Yes.")]), chunk([{ thoughtSignature: "NA==" }], "STOP")])
    assert.deepStrictEqual(last(bare)?.native?.payload, [text("Yes."), text("", { thoughtSignature: "NA==" })])
  })

  it("keeps nothing to replay of a reply without a signature", () => {
    const reading = read([chunk([thought("Hm."), text("Yes.", { thoughtSignature: "" })], "STOP")])
    assert.deepStrictEqual(last(reading), { _tag: "Finished", stop: "end" })
  })

  it("makes ids for calls that have none, or another's", () => {
    const reading = read([
      chunk([call({ name: "a" }), call({ args: null, id: "", name: "b" }), call({ id: "x", name: "c" })]),
      chunk([call({ args: {}, id: "x", name: "d" }), call({ args: {} })], "STOP")
    ])
    assert.deepStrictEqual(calls(reading), [
      ["call_s_0", "a", "{}"],
      ["call_s_1", "b", "{}"],
      ["x", "c", "{}"],
      ["call_s_3", "d", "{}"],
      ["call_s_4", "", "{}"]
    ])
  })

  it("sends made ids never, and given ones back with the results", () => {
    const { said } = read([
      chunk([
        call({ args: {}, name: "a" }, { thoughtSignature: "c2ln" }),
        call({ args: {}, id: "x", name: "b" })
      ], "STOP")
    ])
    const reply = said.reduce(Reply.append, Reply.empty)
    const step = Reply.toStep(reply, ({ name }) => ({ facts: [], images: [], isError: false, text: name }))
    const sent = Contents.start({ entries: [userMessage("go"), step], system: "", tools: [] }, "m")
    assert.deepEqual(Contents.all(sent).slice(1), [
      {
        parts: [
          { functionCall: { args: {}, name: "a" }, thoughtSignature: "c2ln" },
          { functionCall: { args: {}, id: "x", name: "b" } }
        ],
        role: "model"
      },
      {
        parts: [
          { functionResponse: { name: "a", response: { output: "a" } } },
          { functionResponse: { id: "x", name: "b", response: { output: "b" } } }
        ],
        role: "user"
      }
    ])
  })

  it("[F02] counts cached input apart, and thoughts with the output", () => {
    assert.deepStrictEqual(
      usage({ cachedContentTokenCount: 60, candidatesTokenCount: 20, promptTokenCount: 100, thoughtsTokenCount: 7 }),
      { cacheRead: 60, cacheWrite: 0, fresh: 40, output: 27, reasoning: 7 }
    )
    assert.deepStrictEqual(
      usage({ promptTokenCount: 100, thoughtsTokenCount: 3 }, null, {
        candidatesTokenCount: 20,
        thoughtsTokenCount: 7
      }),
      { cacheRead: 0, cacheWrite: 0, fresh: 100, output: 27, reasoning: 7 }
    )
    assert.deepStrictEqual(
      usage({ cachedContentTokenCount: 500, promptTokenCount: 100.5, thoughtsTokenCount: -1 }),
      { cacheRead: 100, cacheWrite: 0, fresh: 0, output: 0, reasoning: 0 }
    )
    assert.isUndefined(usage({ candidatesTokenCount: 3 }))
  })

  const stops = [
    ["STOP", "end"],
    ["MAX_TOKENS", "length"],
    ["SAFETY", "refused"],
    ["RECITATION", "refused"],
    ["BLOCKLIST", "refused"],
    ["PROHIBITED_CONTENT", "refused"],
    ["SPII", "refused"]
  ] as const

  for (const [reason, stop] of stops) {
    it(`[F02] reads the end ${reason} as ${stop}`, () => {
      assert.strictEqual(last(read([chunk([text("So")]), chunk([], reason)]))?.stop, stop)
    })
  }

  it("keeps calls that came before the output limit", () => {
    assert.strictEqual(last(read([chunk([call({ args: {}, name: "a" })], "MAX_TOKENS")]))?.stop, "calls")
  })

  it("takes a refusal after a call back", () => {
    assert.strictEqual(read([chunk([call({ args: {}, name: "a" })], "SAFETY")]).fault?._tag, "Refused")
  })

  const others = [
    "MALFORMED_FUNCTION_CALL",
    "UNEXPECTED_TOOL_CALL",
    "TOO_MANY_TOOL_CALLS",
    "CONTINUATION",
    "OTHER",
    "LANGUAGE",
    "FINISH_REASON_UNSPECIFIED",
    "SOMETHING_NEW"
  ]
  for (const reason of others) {
    it(`takes the end ${reason} for an error that may pass`, () => {
      const { fault } = read([chunk([text("So")]), chunk([call({ args: {}, name: "a" })]), {
        candidates: [{ finishReason: reason }]
      }])
      assert.strictEqual(fault?._tag, "Cut")
      assert.include(fault?._tag === "Cut" ? fault.detail : "", reason)
      assert.strictEqual(
        fault?._tag === "Cut" ? fault.retries : 0,
        reason === "MALFORMED_FUNCTION_CALL" ? 1 : undefined
      )
    })
  }

  it("[F04] takes a stream without a reason for cut", () => {
    for (
      const chunks of [[], [chunk([text("So")])], [{}], [{ candidates: [] }], [{ candidates: null, usageMetadata: {} }]]
    ) {
      assert.strictEqual(read(chunks).fault?._tag, "Cut")
    }
  })

  it("takes a blocked prompt for a refusal, whatever else there is", () => {
    const blocked = read([{
      promptFeedback: { blockReason: "PROHIBITED_CONTENT" },
      usageMetadata: { promptTokenCount: 3 }
    }])
    assert.deepInclude(blocked.fault, { _tag: "Refused", detail: "the prompt was blocked: PROHIBITED_CONTENT" })
    const rated = read([{ ...chunk([text("ok")], "STOP"), promptFeedback: { safetyRatings: [] } }])
    assert.strictEqual(last(rated)?.stop, "end")
  })

  it("takes what is no chunk for an error", () => {
    for (const value of ["text", null, { candidates: "none" }]) {
      assert.strictEqual(read([value]).fault?._tag, "Reported")
    }
  })

  it("hears no error in what the model wrote, where that cannot be read", () => {
    const chunks = [chunk([{ text: 5 }]), chunk([text("maximum context length is 8192 tokens", { thought: 1 })])]
    for (const value of chunks) assert.strictEqual(read([value]).fault?._tag, "Cut")
  })
})
