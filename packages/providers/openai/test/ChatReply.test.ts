import { assert, describe, it } from "@effect/vitest"
import type { ModelEvent } from "@weir/model/ModelEvent"
import * as Reply from "@weir/model/Reply"
import * as SilentOverflow from "@weir/model/SilentOverflow"
import type { Usage } from "@weir/model/Usage"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as ChatReply from "../src/ChatReply.js"

/** The events of a stream of chunks, or its fault with what was said before. */
const read = (chunks: ReadonlyArray<unknown>) => {
  const said: Array<ModelEvent> = []
  let reading = ChatReply.start("s")
  for (const chunk of chunks) {
    const step = ChatReply.append(reading, chunk)
    if (Either.isLeft(step)) return { fault: step.left, said }
    reading = step.right[0]
    said.push(...step.right[1])
  }
  const end = ChatReply.end(reading)
  return Either.isLeft(end) ? { fault: end.left, said } : { said: [...said, ...end.right] }
}

const delta = (delta: unknown, finish_reason: string | null = null) => ({
  choices: [{ delta, finish_reason, index: 0 }]
})
const finish = (reason: string) => delta({}, reason)
const fragment = (given: { index?: number; id?: string; name?: string; args?: string }) =>
  delta({
    tool_calls: [{
      function: { arguments: given.args, ...(given.name !== undefined && { name: given.name }) },
      id: given.id,
      index: given.index
    }]
  })

const calls = (chunks: ReadonlyArray<unknown>, reason = "tool_calls") =>
  read([...chunks, finish(reason)]).said.flatMap((event) =>
    event._tag === "CallFinished" ? [[event.call.id, event.call.name, event.call.arguments]] : []
  )

const stop = (chunks: ReadonlyArray<unknown>) => {
  const last = read(chunks).said.at(-1)
  return last?._tag === "Finished" ? last.stop : undefined
}

const usage = (counts: unknown): Usage | undefined => {
  const last = read([finish("stop"), { choices: [], usage: counts }]).said.at(-1)
  return last?._tag === "Finished" ? last.usage : undefined
}

describe("ChatReply", () => {
  it("keeps a reply whose usage makes no sense", () => {
    const wanted = { cacheRead: 0, cacheWrite: 0, fresh: 12, output: 0, reasoning: 0 }
    assert.deepStrictEqual(usage({ prompt_tokens: "12", completion_tokens: "" }), wanted)
    assert.deepStrictEqual(usage({ prompt_tokens: 12, completion_tokens: {}, prompt_tokens_details: [] }), wanted)
    assert.deepStrictEqual(usage({ prompt_tokens: 12, completion_tokens: -3, completion_tokens_details: "" }), wanted)
    assert.deepStrictEqual(usage({ prompt_tokens: 12, prompt_tokens_details: { cached_tokens: "none" } }), wanted)
    // What is beyond all measure can still be recorded.
    for (const huge of [1e300, Infinity]) {
      const found = usage({ prompt_tokens: 12, completion_tokens: huge })
      assert.isTrue(found !== undefined && Number.isSafeInteger(found.output))
    }
    for (const nothing of [[], "", "many", true, 7, { prompt_tokens: "many" }, { prompt_tokens: [] }]) {
      const { fault, said } = read([delta({ content: "So" }, "stop"), { choices: [], usage: nothing }])
      assert.isUndefined(fault)
      assert.deepStrictEqual(said.at(-1), { _tag: "Finished", stop: "end" })
    }
  })

  it("takes arguments that are an object in place of its text", () => {
    const said = delta({ tool_calls: [{ function: { arguments: { path: "a" }, name: "read" }, id: "c1", index: 0 }] })
    assert.deepStrictEqual(calls([said]), [["c1", "read", "{\"path\":\"a\"}"]])
  })

  it("gives away windows that were exceeded without a word", () => {
    const overflow = (
      counts: object,
      given: { readonly window: number; readonly estimate?: number; readonly reason?: string; readonly text?: string }
    ) => {
      const { said } = read([delta({ content: given.text ?? "" }), {
        ...finish(given.reason ?? "stop"),
        usage: counts
      }])
      const reply = said.reduce(Reply.append, Reply.empty)
      const asked = { estimate: given.estimate ?? 0, maxOutputTokens: 8192, window: given.window }
      return Option.getOrUndefined(SilentOverflow.detect(reply, asked))
    }
    // A prompt below the estimate proves nothing, and cached tokens are part of the prompt.
    assert.isUndefined(
      overflow({ completion_tokens: 40, prompt_tokens: 12 }, { estimate: 3000, text: "x", window: 8192 })
    )
    assert.isUndefined(overflow(
      { completion_tokens: 300, prompt_tokens: 90000, prompt_tokens_details: { cached_tokens: 80000 } },
      { text: "x", window: 128000 }
    ))
    assert.deepStrictEqual(overflow({ completion_tokens: 0, prompt_tokens: 36000 }, { window: 32768 }), {
      actual: 36000,
      limit: 32768
    })
    assert.deepStrictEqual(overflow({ completion_tokens: 0, prompt_tokens: 32700 }, { window: 32768 }), {
      actual: 32700,
      limit: 32768
    })
    assert.deepStrictEqual(
      overflow({ completion_tokens: 210, prompt_tokens: 4096 }, { estimate: 16101, text: "x", window: 4096 }),
      { actual: 16101, limit: 4096 }
    )
    const cut = { completion_tokens: 1, prompt_tokens: 199990 }
    assert.deepStrictEqual(overflow(cut, { reason: "length", text: "x", window: 200000 }), {
      actual: 199990,
      limit: 200000
    })
    assert.isUndefined(overflow(cut, { reason: "stop", text: "x", window: 200000 }))
    assert.isUndefined(overflow({ completion_tokens: 8192, prompt_tokens: 199990 }, {
      reason: "length",
      text: "x",
      window: 200000
    }))
  })

  it("reads text and reasoning, under whichever name, once", () => {
    assert.deepStrictEqual(
      read([
        delta({ role: "assistant", content: "" }),
        delta({ content: null, reasoning: "b", reasoning_content: "" }),
        delta({ reasoning: "c", reasoning_content: "c" }),
        delta({ content: "", reasoning_text: "d" }),
        delta({ content: "Hi" }),
        delta({
          content: [{ type: "thinking", thinking: [{ type: "text", text: "e" }] }, { type: "text", text: "!" }]
        }),
        finish("stop")
      ]).said,
      [
        { _tag: "ReasoningDelta", text: "b" },
        { _tag: "ReasoningDelta", text: "c" },
        { _tag: "ReasoningDelta", text: "d" },
        { _tag: "TextDelta", text: "Hi" },
        { _tag: "ReasoningDelta", text: "e" },
        { _tag: "TextDelta", text: "!" },
        { _tag: "Finished", stop: "end" }
      ]
    )
  })

  it("announces a call at its first piece and gives it only at the end", () => {
    assert.deepStrictEqual(
      read([
        fragment({ args: "", id: "a", index: 0, name: "read" }),
        fragment({ args: "{\"p\":", index: 0 }),
        fragment({ args: "", id: "b", index: 1, name: "grep" }),
        fragment({ args: "1}", index: 0 }),
        finish("tool_calls")
      ]).said,
      [
        { _tag: "CallStarted", id: "a", name: "read" },
        { _tag: "CallStarted", id: "b", name: "grep" },
        { _tag: "CallFinished", call: { _tag: "ToolCall", id: "a", name: "read", arguments: "{\"p\":1}" } },
        { _tag: "CallFinished", call: { _tag: "ToolCall", id: "b", name: "grep", arguments: "{}" } },
        { _tag: "Finished", stop: "calls" }
      ]
    )
  })

  it("puts fragments together however they are numbered", () => {
    const two = [["a", "read", "{\"p\":1}"], ["b", "grep", "{}"]]
    // No index at all.
    assert.deepStrictEqual(
      calls([
        fragment({ args: "{\"p\":", id: "a", name: "read" }),
        fragment({ args: "1}" }),
        fragment({ args: "{}", id: "b", name: "grep" })
      ]),
      two
    )
    // The same index for all, whole calls.
    assert.deepStrictEqual(
      calls([
        fragment({ args: "{\"p\":1}", id: "a", index: 0, name: "read" }),
        fragment({ args: "{}", id: "b", index: 0, name: "grep" })
      ]),
      two
    )
    // Id and name again in every piece.
    assert.deepStrictEqual(
      calls([
        fragment({ args: "{\"p\":", id: "a", index: 0, name: "read" }),
        fragment({ args: "1}", id: "a", index: 0, name: "read" }),
        fragment({ args: "{", id: "b", index: 1, name: "grep" }),
        fragment({ args: "}", id: "b", index: 1, name: "grep" })
      ]),
      two
    )
    // A new id in every piece, and a name in the second one only.
    assert.deepStrictEqual(
      calls([
        fragment({ args: "", id: "a", index: 0 }),
        fragment({ args: "{\"p\":1}", id: "a9", index: 0, name: "read" }),
        fragment({ args: "", id: "a8", index: 0 }),
        fragment({ args: "{}", id: "b", index: 7, name: "grep" })
      ]),
      two
    )
    // Several in one chunk.
    assert.deepStrictEqual(
      calls([delta({
        tool_calls: [
          { function: { arguments: "{\"p\":1}", name: "read" }, id: "a", index: 0 },
          { function: { name: "grep" }, id: "b", index: 1 }
        ]
      })]),
      two
    )
  })

  it("makes an id where there is none, or the same twice", () => {
    assert.deepStrictEqual(
      calls([
        fragment({ args: "{}", name: "read" }),
        fragment({ args: "{}", id: "", name: "read" }),
        fragment({ args: "{}", id: "a", index: 2, name: "read" }),
        fragment({ args: "{}", id: "a", index: 3, name: "read" })
      ]).map(([id]) => id),
      ["call_s_0", "call_s_1", "a", "call_s_3"]
    )
  })

  it("gives up a call that was cut, and keeps whole ones", () => {
    const whole = fragment({ args: "{\"p\":1}", id: "a", index: 0, name: "read" })
    const cut = fragment({ args: "{\"p\":\"x", id: "b", index: 1, name: "write" })
    const bare = fragment({ id: "c", index: 2, name: "write" })
    assert.deepStrictEqual(calls([cut], "length"), [])
    assert.strictEqual(stop([cut, finish("length")]), "length")
    assert.deepStrictEqual(calls([bare], "length"), [])
    assert.deepStrictEqual(calls([whole, cut, bare], "length"), [["a", "read", "{\"p\":1}"]])
    assert.strictEqual(stop([whole, cut, finish("length")]), "calls")
    assert.deepStrictEqual(calls([whole], "content_filter"), [])
    // Malformed but complete: the tool tells the model.
    assert.deepStrictEqual(calls([cut]), [["b", "write", "{\"p\":\"x"]])
  })

  it("knows the reasons to stop", () => {
    const text = delta({ content: "x" })
    const call = fragment({ args: "{}", id: "a", index: 0, name: "read" })
    const stops = [
      ["stop", "end"],
      ["STOP", "end"],
      ["end", "end"],
      ["length", "length"],
      ["content_filter", "refused"],
      ["sensitive", "refused"],
      ["tool_calls", "end"]
    ] as const
    for (const [reason, wanted] of stops) assert.strictEqual(stop([text, finish(reason)]), wanted, reason)
    assert.strictEqual(stop([call, finish("stop")]), "calls")
    assert.strictEqual(stop([call, finish("function_call")]), "calls")
    assert.strictEqual(stop([delta({ refusal: "I will not." }), finish("stop")]), "refused")
  })

  it("takes an unknown reason for no end, and no reason for a cut", () => {
    assert.deepInclude(read([delta({ content: "x" }), finish("banana")]).fault, { _tag: "Cut" })
    assert.deepInclude(read([finish("constructor")]).fault, { _tag: "Cut" })
    assert.deepInclude(read([delta({ content: "x" })]).fault, { _tag: "Cut" })
    assert.deepInclude(read([]).fault, { _tag: "Cut" })
    assert.deepStrictEqual(read([delta({ content: "x" })]).said, [{ _tag: "TextDelta", text: "x" }])
  })

  it("finds the errors that stand in the place of chunks, and no others", () => {
    const flat = { code: 400, message: "prompt is too long", object: "error" }
    const full = { base_resp: { status_code: 1039, status_msg: "token limit" }, choices: null }
    for (const body of [flat, full, { detail: "no" }, { choices: "none" }, "text", null, 7]) {
      assert.deepStrictEqual(read([body]).fault, { _tag: "Reported", body })
    }
    assert.strictEqual(
      stop([
        { choices: [], object: "", prompt_filter_results: [] },
        { base_resp: { status_code: 0 }, choices: null },
        { type: "ping" },
        finish("stop")
      ]),
      "end"
    )
  })

  it("takes a whole message in place of its pieces, but not after them", () => {
    const tool_calls = [{ function: { arguments: "{}", name: "read" }, id: "c1" }]
    const whole = { choices: [{ finish_reason: "tool_calls", message: { content: "So.", tool_calls } }] }
    assert.deepStrictEqual(calls([whole]), [["c1", "read", "{}"]])
    assert.deepStrictEqual(read([whole]).said[0], { _tag: "TextDelta", text: "So." })
    const after = { choices: [{ finish_reason: "stop", message: { content: "So." } }] }
    const both = { choices: [{ delta: { content: "S" }, message: { content: "S" } }] }
    assert.deepStrictEqual(
      read([both, delta({ content: "o." }), after]).said.filter(({ _tag }) => _tag === "TextDelta"),
      [
        { _tag: "TextDelta", text: "S" },
        { _tag: "TextDelta", text: "o." }
      ]
    )
  })

  it("hears no error in what the model wrote, where that cannot be read", () => {
    const words = "maximum context length is 8192 tokens"
    for (
      const value of [delta({ content: words, tool_calls: [7] }), {
        choices: [{ delta: { content: words, refusal: 7 } }]
      }]
    ) {
      assert.deepInclude(read([value]).fault, { _tag: "Cut" })
    }
  })

  it("counts tokens apart, whichever way they are reported", () => {
    const zero = { cacheRead: 0, cacheWrite: 0, fresh: 0, output: 0, reasoning: 0 }
    assert.deepStrictEqual(
      usage({
        completion_tokens: 50,
        completion_tokens_details: { reasoning_tokens: 30 },
        prompt_tokens: 100,
        prompt_tokens_details: { cache_write_tokens: 15, cached_tokens: 60 },
        total_tokens: 150
      }),
      { cacheRead: 60, cacheWrite: 15, fresh: 25, output: 50, reasoning: 30 }
    )
    assert.deepStrictEqual(usage({ completion_tokens: 5, prompt_cache_hit_tokens: 8, prompt_tokens: 10 }), {
      ...zero,
      cacheRead: 8,
      fresh: 2,
      output: 5
    })
    assert.deepStrictEqual(usage({ cached_tokens: 3, completion_tokens: 5, prompt_tokens: 10 }), {
      ...zero,
      cacheRead: 3,
      fresh: 7,
      output: 5
    })
    // Reasoning beside the completion.
    assert.deepStrictEqual(
      usage({
        completion_tokens: 5,
        completion_tokens_details: { reasoning_tokens: 20 },
        prompt_tokens: 10,
        total_tokens: 35
      }),
      { ...zero, fresh: 10, output: 25, reasoning: 20 }
    )
    // Nonsense gives no negative or broken counts.
    assert.deepStrictEqual(
      usage({ completion_tokens: -1, prompt_tokens: 10.5, prompt_tokens_details: { cached_tokens: 99 } }),
      { ...zero, cacheRead: 10 }
    )
    assert.isUndefined(usage({}))
    assert.isUndefined(usage(null))
    const inChoice = read([{
      choices: [{ delta: {}, finish_reason: "stop", usage: { completion_tokens: 1, prompt_tokens: 2 } }]
    }])
    assert.deepInclude(inChoice.said.at(-1), { usage: { ...zero, fresh: 2, output: 1 } })
    // The last report holds.
    const twice = read([
      { choices: [], usage: { completion_tokens: 0, prompt_tokens: 2 } },
      finish("stop"),
      { choices: [], usage: { completion_tokens: 9, prompt_tokens: 2 } }
    ])
    assert.deepInclude(twice.said.at(-1), { usage: { ...zero, fresh: 2, output: 9 } })
  })

  it("says that the window is full, with its size when usage tells it", () => {
    assert.deepStrictEqual(
      read([{ ...finish("model_length"), usage: { completion_tokens: 0, prompt_tokens: 131072 } }]).fault,
      {
        _tag: "Full",
        detail: "finish_reason model_length",
        usage: { cacheRead: 0, cacheWrite: 0, fresh: 131072, output: 0, reasoning: 0 }
      }
    )
    assert.deepInclude(read([finish("model_context_window_exceeded")]).fault, { _tag: "Full", usage: undefined })
  })
})
