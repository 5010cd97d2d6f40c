import { assert, describe, it } from "@effect/vitest"
import { userMessage } from "@weir/model/Conversation"
import type { ModelEvent } from "@weir/model/ModelEvent"
import * as Reply from "@weir/model/Reply"
import * as SilentOverflow from "@weir/model/SilentOverflow"
import type { Usage } from "@weir/model/Usage"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as History from "../src/History.js"
import * as ReplyReading from "../src/ReplyReading.js"

const reader = ReplyReading.reader("m", "s")

/** The events of a stream, or its fault with what was said before. */
const read = (events: ReadonlyArray<unknown>) => {
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

const messageStart = (usage: unknown = { input_tokens: 7, output_tokens: 1 }) => ({
  type: "message_start",
  message: { id: "msg_1", type: "message", role: "assistant", content: [], usage }
})
const start = (index: number, content_block: unknown) => ({ type: "content_block_start", index, content_block })
const delta = (index: number, delta: unknown) => ({ type: "content_block_delta", index, delta })
const stop = (index: number) => ({ type: "content_block_stop", index })
const end = (stop_reason: unknown, usage: unknown = { output_tokens: 9 }) => [
  { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage },
  { type: "message_stop" }
]

const block = (index: number, block: unknown, ...deltas: ReadonlyArray<unknown>) => [
  start(index, block),
  ...deltas.map((one) => delta(index, one)),
  stop(index)
]
const text = (index: number, ...pieces: ReadonlyArray<string>) =>
  block(index, { type: "text", text: "" }, ...pieces.map((text) => ({ type: "text_delta", text })))
const call = (index: number, id: string, ...pieces: ReadonlyArray<string>) =>
  block(
    index,
    { type: "tool_use", id, name: "read", input: {} },
    ...pieces.map((partial_json) => ({ type: "input_json_delta", partial_json }))
  )
const thinking = (index: number, signature: string, ...pieces: ReadonlyArray<string>) =>
  block(
    index,
    { type: "thinking", thinking: "", signature: "" },
    ...pieces.map((thinking) => ({ type: "thinking_delta", thinking })),
    { type: "signature_delta", signature }
  )

const all = (reason: unknown, ...events: ReadonlyArray<unknown>) => read([messageStart(), ...events, ...end(reason)])

const last = (reading: ReturnType<typeof read>) => {
  const event = reading.said.at(-1)
  return event?._tag === "Finished" ? event : undefined
}

const calls = ({ said }: ReturnType<typeof read>) =>
  said.flatMap((event) => event._tag === "CallFinished" ? [[event.call.id, event.call.arguments]] : [])

const usage = (before: unknown, after: unknown): Usage | undefined =>
  last(read([messageStart(before), ...end("end_turn", after)]))?.usage

describe("ReplyReading", () => {
  it("keeps what a host does not say is complete, once the reply has ended by itself", () => {
    const open = (events: ReadonlyArray<unknown>) => events.slice(0, -1)
    const begun = [...open(text(0, "So")), ...open(call(1, "t1", "{\"a\":1}")), ...open(call(2, "t2", "{\"a\""))]
    const { said } = read([messageStart(), ...begun, ...end("tool_use")])
    assert.deepStrictEqual(said.flatMap((event) => event._tag === "CallFinished" ? [event.call.arguments] : []), [
      "{\"a\":1}",
      "{\"a\""
    ])
    assert.strictEqual(last({ said })?.stop, "calls")
    const signed = read([...open(thinking(0, "sig", "Hm")), ...open(text(1, "So")), ...end("end_turn")])
    assert.deepStrictEqual(last(signed)?.native?.payload, [
      { type: "thinking", thinking: "Hm", signature: "sig" },
      { type: "text", text: "So" }
    ])
    // What the limit has cut is not whole.
    assert.strictEqual(last(read([messageStart(), ...begun, ...end("max_tokens")]))?.stop, "length")
  })

  it("keeps a reply whose usage makes no sense", () => {
    const wanted = { fresh: 7, cacheRead: 0, cacheWrite: 0, output: 9, reasoning: 0 }
    assert.deepStrictEqual(usage({ input_tokens: "7" }, { output_tokens: "9" }), wanted)
    assert.deepStrictEqual(usage({ input_tokens: 7, cache_read_input_tokens: "" }, { output_tokens: 9 }), wanted)
    assert.deepStrictEqual(usage({ input_tokens: 7 }, { output_tokens: 9, output_tokens_details: [] }), wanted)
    assert.isTrue(Number.isSafeInteger(usage({ input_tokens: 7 }, { output_tokens: 1e300 })?.output))
    for (const nothing of [[], "", "many", true, 7, { input_tokens: [] }]) {
      const { fault, said } = read([messageStart(nothing), ...text(0, "So"), ...end("end_turn", nothing)])
      assert.isUndefined(fault)
      assert.deepStrictEqual(said.at(-1), { _tag: "Finished", stop: "end" })
    }
  })

  it("tells text, thinking and calls as they come, and the end", () => {
    const { said } = all(
      "tool_use",
      ...thinking(0, "sig", "Hm", "."),
      ...text(1, "Look", "ing."),
      ...call(2, "t1", "{\"a\"", ":1}")
    )
    assert.deepStrictEqual(said.slice(0, -1), [
      { _tag: "ReasoningDelta", text: "Hm" },
      { _tag: "ReasoningDelta", text: "." },
      { _tag: "TextDelta", text: "Look" },
      { _tag: "TextDelta", text: "ing." },
      { _tag: "CallStarted", id: "t1", name: "read" },
      { _tag: "CallFinished", call: { _tag: "ToolCall", id: "t1", name: "read", arguments: "{\"a\":1}" } }
    ])
    assert.deepStrictEqual(said.at(-1), {
      _tag: "Finished",
      stop: "calls",
      usage: { fresh: 7, cacheRead: 0, cacheWrite: 0, output: 9, reasoning: 0 },
      native: {
        codec: "anthropic-messages",
        model: "m",
        payload: [
          { type: "thinking", thinking: "Hm.", signature: "sig" },
          { type: "text", text: "Looking." },
          { type: "tool_use", id: "t1" }
        ]
      }
    })
  })

  it("keeps what others send whole at the start of a block, and blocks that arrive at the same time", () => {
    const { said } = all(
      "tool_use",
      start(0, { type: "text", text: "All at once." }),
      start(1, { type: "tool_use", id: "a", name: "read", input: { path: "x" } }),
      start(2, { type: "tool_use", id: "b", name: "read", input: {} }),
      delta(2, { type: "input_json_delta", partial_json: "{\"path\":" }),
      stop(1),
      delta(2, { type: "input_json_delta", partial_json: "\"y\"}" }),
      stop(0),
      stop(2)
    )
    assert.deepStrictEqual(said[0], { _tag: "TextDelta", text: "All at once." })
    assert.deepStrictEqual(calls({ said }), [["a", "{\"path\":\"x\"}"], ["b", "{\"path\":\"y\"}"]])
  })

  it("takes no arguments as an empty object", () => {
    assert.deepStrictEqual(calls(all("tool_use", ...call(0, "a"), ...call(1, "b", "", " "))), [["a", "{}"], [
      "b",
      "{}"
    ]])
  })

  it("gives calls without an id, or with the same one, ids of their own", () => {
    const { said } = all("tool_use", ...call(0, ""), ...call(1, "x"), ...call(2, "x"), ...call(3, ""), ...call(0, ""))
    const ids = calls({ said }).map(([id]) => id)
    assert.strictEqual(new Set(ids).size, 5)
    assert.strictEqual(ids[1], "x")
    assert.deepStrictEqual(said.flatMap((event) => event._tag === "CallStarted" ? [event.id] : []), ids)
  })

  it("gives up a call that the output limit cut, and tells one that the model wrote so", () => {
    const cut = all("max_tokens", ...text(0, "So"), ...call(1, "a", "{}"), ...call(2, "b", "{\"path\": \"x"))
    assert.deepStrictEqual(calls(cut), [["a", "{}"]])
    assert.strictEqual(last(cut)?.stop, "calls")
    const alone = all("max_tokens", ...thinking(0, "sig", "Hm"), ...call(1, "b", "{\"path\""))
    assert.deepStrictEqual(calls(alone), [])
    assert.deepInclude(last(alone), { stop: "length" })
    assert.isUndefined(last(alone)?.native)
    const open = all("max_tokens", start(0, { type: "tool_use", id: "c", name: "read" }))
    assert.deepStrictEqual([calls(open), last(open)?.stop], [[], "length"])
    const malformed = all("tool_use", ...call(0, "a", "{\"path\""), ...call(1, "b", "[1]"), ...call(2, "c", "{}"))
    assert.sameDeepMembers(calls(malformed), [["a", "{\"path\""], ["b", "[1]"], ["c", "{}"]])
  })

  it("[F02] maps every reason to stop", () => {
    const stopOf = (reason: unknown, ...events: ReadonlyArray<unknown>) => last(all(reason, ...events))?.stop
    assert.deepStrictEqual(
      ["end_turn", "stop_sequence", "max_tokens", "refusal", "sensitive", "tool_use"].map((reason) =>
        stopOf(reason, ...text(0, "So."))
      ),
      ["end", "end", "length", "refused", "refused", "end"]
    )
    assert.strictEqual(stopOf("end_turn", ...call(0, "a", "{}")), "calls")
    assert.strictEqual(stopOf("pause_turn", ...call(0, "a", "{}")), "calls")
    for (const reason of ["pause_turn", "something_new", null]) {
      assert.strictEqual(all(reason, ...text(0, "So.")).fault?._tag, "Cut", String(reason))
    }
  })

  it("takes back calls when the model then refuses", () => {
    assert.deepInclude(all("refusal", ...call(0, "a", "{}")).fault, { _tag: "Refused" })
    const malformed = all("refusal", ...call(0, "a", "{"))
    assert.deepStrictEqual([calls(malformed), last(malformed)?.stop], [[], "refused"])
  })

  it("reports a window that was full, with its size", () => {
    const counts = { input_tokens: 100, cache_read_input_tokens: 150_000, cache_creation_input_tokens: 49_000 }
    assert.deepStrictEqual(
      read([messageStart(counts), ...text(0, "So"), ...end("model_context_window_exceeded", { output_tokens: 900 })])
        .fault,
      {
        _tag: "Full",
        detail: "stop reason model_context_window_exceeded",
        usage: { fresh: 100, cacheRead: 150_000, cacheWrite: 49_000, output: 900, reasoning: 0 }
      }
    )
  })

  it("counts the parts of the input apart; what a later event leaves out or sends as null stays", () => {
    const before = {
      input_tokens: 20,
      cache_read_input_tokens: 150_000,
      cache_creation_input_tokens: 2_000,
      output_tokens: 1
    }
    const wanted = { fresh: 20, cacheRead: 150_000, cacheWrite: 2_000, output: 10, reasoning: 0 }
    const none = { input_tokens: null, cache_read_input_tokens: null, cache_creation_input_tokens: null }
    assert.deepStrictEqual(usage(before, { output_tokens: 10 }), wanted)
    assert.deepStrictEqual(usage(before, { ...none, output_tokens: 10 }), wanted)
    assert.deepStrictEqual(usage(before, { input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 10 }), wanted)
    assert.deepStrictEqual(usage({ input_tokens: 0, output_tokens: 0 }, { ...before, output_tokens: 10 }), wanted)
    assert.deepStrictEqual(usage({}, { ...before, output_tokens: 10 }), wanted)
    assert.deepStrictEqual(usage(before, null), { ...wanted, output: 1 })
    assert.deepStrictEqual(
      usage(before, { output_tokens: 10, output_tokens_details: { thinking_tokens: 8 } }),
      { ...wanted, reasoning: 8 }
    )
    assert.deepStrictEqual(usage({ input_tokens: 0, cache_read_input_tokens: 9 }, null)?.cacheRead, 9)
    assert.isUndefined(usage(null, null))
    assert.isUndefined(usage({}, { output_tokens: 3 }))
  })

  it("ignores events, blocks and deltas that it does not know", () => {
    const { fault, said } = all(
      "end_turn",
      { type: "ping" },
      { type: "something_new", data: 1 },
      ...block(0, { type: "server_tool_use", id: "s", name: "web" }, { type: "input_json_delta", partial_json: "{}" }),
      ...block(1, { type: "text", text: "" }, { type: "citations_delta", citation: {} }, {
        type: "text_delta",
        text: "So."
      }),
      delta(9, { type: "text_delta", text: "lost" }),
      stop(9)
    )
    assert.isUndefined(fault)
    assert.deepStrictEqual(said.map(({ _tag }) => _tag), ["TextDelta", "Finished"])
  })

  it("takes what is no event for an error", () => {
    for (
      const value of [
        { type: "error", error: { type: "overloaded_error" } },
        { error: { message: "no" } },
        { type: "content_block_delta" },
        "text",
        null
      ]
    ) {
      assert.deepStrictEqual(read([messageStart(), value]).fault, { _tag: "Reported", body: value })
    }
    // It holds the model's words, which say nothing of errors.
    for (const words of [{ type: "text_delta", text: "rate limit" }, { text: "maximum context length is 8192" }]) {
      assert.deepInclude(read([{ type: "content_block_delta", delta: words, index: "0" }]).fault, { _tag: "Cut" })
      assert.deepInclude(read([{ type: "content_block_start", content_block: words }]).fault, { _tag: "Cut" })
    }
  })

  it("wants the last word", () => {
    assert.deepInclude(read([]).fault, { _tag: "Cut" })
    assert.deepInclude(read([messageStart(), ...text(0, "So.")]).fault, { _tag: "Cut" })
    assert.deepInclude(read([messageStart(), ...end("end_turn").slice(0, 1)]).fault, { _tag: "Cut" })
  })

  it("keeps no thinking that cannot go back: unsigned, or at the end of what was cut", () => {
    assert.isUndefined(last(all("end_turn", ...thinking(0, "", "Hm"), ...text(1, "So.")))?.native)
    const cut = last(all("max_tokens", ...thinking(0, "s1", "Hm"), ...text(1, "So."), ...thinking(2, "s2", "More")))
    assert.deepStrictEqual(cut?.native?.payload, [
      { type: "thinking", thinking: "Hm", signature: "s1" },
      { type: "text", text: "So." }
    ])
  })

  it("keeps hidden thinking and thinking without text", () => {
    const { native } = last(all(
      "end_turn",
      ...block(0, { type: "redacted_thinking", data: "xyz" }),
      ...thinking(1, "s1"),
      ...text(2, "So.")
    )) ?? {}
    assert.deepStrictEqual(native?.payload, [
      { type: "redacted_thinking", data: "xyz" },
      { type: "thinking", thinking: "", signature: "s1" },
      { type: "text", text: "So." }
    ])
  })

  it("gives a reply that goes back block by block as it came, calls in doubt among them", () => {
    const { said } = all(
      "tool_use",
      ...thinking(0, "s1", "Hm"),
      ...call(1, "a", "{\"path\""),
      ...thinking(2, "s2", "So"),
      ...call(3, "b", "{}")
    )
    const step = Reply.toStep(said.reduce(Reply.append, Reply.empty), () => ({
      facts: [],
      images: [],
      isError: false,
      text: "ok"
    }))
    const history = History.start({ entries: [userMessage("go"), step], system: "", tools: [] }, "m")
    assert.deepStrictEqual(History.messages(history)[1]?.content, [
      { type: "thinking", thinking: "Hm", signature: "s1" },
      { type: "tool_use", id: "a", name: "read", input: {} },
      { type: "thinking", thinking: "So", signature: "s2" },
      { type: "tool_use", id: "b", name: "read", input: {} }
    ])
  })

  it("gives away windows that were exceeded without a word", () => {
    const overflow = (reason: string, counts: object, output: number, ...events: ReadonlyArray<unknown>) => {
      const { said } = read([messageStart(counts), ...events, ...end(reason, { output_tokens: output })])
      const asked = { estimate: 150_000, maxOutputTokens: 8_192, window: 200_000 }
      return Option.getOrUndefined(SilentOverflow.detect(said.reduce(Reply.append, Reply.empty), asked))
    }
    assert.deepStrictEqual(overflow("max_tokens", { input_tokens: 199_990 }, 1), { actual: 199_990, limit: 200_000 })
    const fine = { input_tokens: 20, cache_read_input_tokens: 150_000, cache_creation_input_tokens: 2_000 }
    assert.isUndefined(overflow("end_turn", fine, 10, ...text(0, "So.")))
  })
})
