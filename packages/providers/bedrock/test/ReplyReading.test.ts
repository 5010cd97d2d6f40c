import { assert, describe, it } from "@effect/vitest"
import type { ModelEvent } from "@weir/model/ModelEvent"
import * as Either from "effect/Either"
import * as ReplyReading from "../src/ReplyReading.js"

const reader = ReplyReading.reader("m", "s")

/** The events of a stream, or its fault with what was said before. */
const read = (...events: ReadonlyArray<unknown>) => {
  const said: Array<ModelEvent> = []
  let reading = reader.start
  for (const event of events) {
    const step = reader.append(reading, event)
    if (Either.isLeft(step)) return { fault: step.left, said }
    reading = step.right[0]
    said.push(...step.right[1])
  }
  const end = reader.end(reading)
  return Either.isLeft(end) ? { fault: end.left, said } : { said: [...said, ...end.right] }
}

const delta = (contentBlockIndex: number, delta: object) => ({ contentBlockDelta: { contentBlockIndex, delta } })
const stop = (contentBlockIndex: number) => ({ contentBlockStop: { contentBlockIndex } })
const text = (index: number, ...pieces: ReadonlyArray<string>) => [
  ...pieces.map((text) => delta(index, { text })),
  stop(index)
]
const thought = (index: number, ...pieces: ReadonlyArray<object>) => [
  ...pieces.map((reasoningContent) => delta(index, { reasoningContent })),
  stop(index)
]
const call = (index: number, toolUseId: string | undefined, ...pieces: ReadonlyArray<string>) => [
  { contentBlockStart: { contentBlockIndex: index, start: { toolUse: { name: "read", toolUseId } } } },
  ...pieces.map((input) => delta(index, { toolUse: { input } })),
  stop(index)
]
const end = (stopReason: unknown, usage?: object) => [
  { messageStop: { stopReason } },
  { metadata: { metrics: { latencyMs: 1 }, ...(usage && { usage }) } }
]

const last = ({ said }: ReturnType<typeof read>) => {
  const event = said.at(-1)
  return event?._tag === "Finished" ? event : undefined
}

const begun = { messageStart: { role: "assistant" } }

describe("ReplyReading", () => {
  it("keeps a reply whose usage makes no sense", () => {
    const wanted = { cacheRead: 0, cacheWrite: 0, fresh: 7, output: 9, reasoning: 0 }
    const finished = (usage: object) => last(read(begun, ...text(0, "So"), ...end("end_turn", usage)))
    assert.deepStrictEqual(finished({ inputTokens: "7", outputTokens: "9" })?.usage, wanted)
    assert.deepStrictEqual(finished({ cacheReadInputTokens: [], inputTokens: 7, outputTokens: 9 })?.usage, wanted)
    for (const nothing of [[], { inputTokens: [] }, { inputTokens: "many" }]) {
      assert.deepStrictEqual(finished(nothing), { _tag: "Finished", stop: "end" })
    }
  })

  it("[F02] tells text, thinking and calls as they come, and the end", () => {
    const { said } = read(
      begun,
      ...thought(0, { text: "Hm" }, { text: "." }, { signature: "sig" }),
      ...thought(1, { redactedContent: Uint8Array.of(0, 255) }, { redactedContent: Uint8Array.of(16) }),
      ...text(2, "Look", "ing."),
      ...call(3, "t1", "{\"a\"", ":1}"),
      ...call(4, "t2"),
      ...end("tool_use", {
        cacheReadInputTokens: 20,
        cacheWriteInputTokens: 3,
        inputTokens: 7,
        outputTokens: 9,
        totalTokens: 39
      })
    )
    assert.deepStrictEqual(said, [
      { _tag: "ReasoningDelta", text: "Hm" },
      { _tag: "ReasoningDelta", text: "." },
      { _tag: "TextDelta", text: "Look" },
      { _tag: "TextDelta", text: "ing." },
      { _tag: "CallStarted", id: "t1", name: "read" },
      { _tag: "CallFinished", call: { _tag: "ToolCall", arguments: "{\"a\":1}", id: "t1", name: "read" } },
      { _tag: "CallStarted", id: "t2", name: "read" },
      { _tag: "CallFinished", call: { _tag: "ToolCall", arguments: "{}", id: "t2", name: "read" } },
      {
        _tag: "Finished",
        native: {
          codec: "bedrock-converse",
          model: "m",
          payload: [
            { signature: "sig", thinking: "Hm.", type: "thinking" },
            { data: "00ff10", type: "redacted_thinking" },
            { text: "Looking.", type: "text" },
            { id: "t1", type: "tool_use" },
            { id: "t2", type: "tool_use" }
          ]
        },
        stop: "calls",
        usage: { cacheRead: 20, cacheWrite: 3, fresh: 7, output: 9, reasoning: 0 }
      }
    ])
  })

  it("takes text and thinking under one number apart", () => {
    const { said } = read(
      delta(0, { reasoningContent: { text: "Hm." } }),
      delta(0, { reasoningContent: { signature: "sig" } }),
      delta(0, { text: "So." }),
      stop(0),
      ...end("end_turn")
    )
    assert.deepStrictEqual(said.slice(0, -1), [
      { _tag: "ReasoningDelta", text: "Hm." },
      { _tag: "TextDelta", text: "So." }
    ])
    assert.deepStrictEqual(last({ said })?.native?.payload, [
      { signature: "sig", thinking: "Hm.", type: "thinking" },
      { text: "So.", type: "text" }
    ])
  })

  it("gives calls without an id, or with the same one, ids of their own, and passes over nameless ones", () => {
    const { said } = read(
      ...call(0, "a"),
      ...call(1, undefined),
      ...call(2, "a"),
      delta(3, { toolUse: { input: "{}" } }),
      ...end("tool_use")
    )
    const ids = said.flatMap((event) => event._tag === "CallFinished" ? [event.call.id] : [])
    assert.deepStrictEqual(ids, ["a", "tooluse_s_1", "tooluse_s_2"])
  })

  it("gives up a call that the output limit cut, and tells one that the model wrote so", () => {
    const cut = read(...text(0, "So"), ...call(1, "a", "{\"p\""), ...end("max_tokens"))
    assert.strictEqual(last(cut)?.stop, "length")
    assert.notInclude(JSON.stringify(cut.said), "CallFinished")
    assert.strictEqual(last(read(...call(0, "a", "{\"p\""), ...end("tool_use")))?.stop, "calls")
  })

  it("[F02] maps every reason to stop", () => {
    const reasons = {
      content_filtered: "refused",
      end_turn: "end",
      guardrail_intervened: "refused",
      max_tokens: "length",
      stop_sequence: "end",
      tool_use: "end"
    }
    for (const [reason, stop] of Object.entries(reasons)) {
      assert.strictEqual(last(read(...text(0, "So"), ...end(reason)))?.stop, stop, reason)
    }
    for (const reason of ["malformed_tool_use", "malformed_model_output", "a_new_reason", undefined, null]) {
      assert.deepInclude(read(...text(0, "So"), ...end(reason)).fault, { _tag: "Cut" }, String(reason))
    }
    assert.deepInclude(read(...call(0, "a"), ...end("guardrail_intervened")).fault, { _tag: "Refused" })
    const usage = { inputTokens: 100, outputTokens: 9, totalTokens: 109 }
    assert.deepStrictEqual(read(...text(0, "So"), ...end("model_context_window_exceeded", usage)).fault, {
      _tag: "Full",
      detail: "stop reason model_context_window_exceeded",
      usage: { cacheRead: 0, cacheWrite: 0, fresh: 100, output: 9, reasoning: 0 }
    })
  })

  it("does without usage, and ignores events and deltas that it does not know", () => {
    const { said } = read(
      begun,
      { aNewEvent: { a: 1 } },
      delta(0, { image: { source: {} } }),
      ...text(1, "So"),
      { messageStop: { additionalModelResponseFields: {}, stopReason: "end_turn" } }
    )
    assert.deepStrictEqual(said, [{ _tag: "TextDelta", text: "So" }, { _tag: "Finished", stop: "end" }])
  })

  it("takes what is no event for an error, and wants the last word", () => {
    for (const value of ["no event", null, { contentBlockDelta: "none" }, { messageStop: { stopReason: 7 } }]) {
      assert.deepInclude(read(begun, value).fault, { _tag: "Reported" })
    }
    // It holds the model's words, which say nothing of errors.
    const unreadable = { contentBlockDelta: { contentBlockIndex: "0", delta: { text: "maximum context length is 1" } } }
    assert.deepInclude(read(begun, unreadable).fault, { _tag: "Cut" })
    for (const events of [[], [begun], text(0, "So"), [{ metadata: {} }]]) {
      assert.deepInclude(read(...events).fault, { _tag: "Cut" })
    }
  })

  it("keeps no thinking that cannot go back: unsigned, or at the end of what was cut", () => {
    assert.isUndefined(last(read(...thought(0, { text: "Hm." }), ...text(1, "So."), ...end("end_turn")))?.native)
    const cut = thought(0, { text: "Hm." }, { signature: "s" })
    assert.isUndefined(last(read(...cut, ...end("max_tokens")))?.native)
  })
})
