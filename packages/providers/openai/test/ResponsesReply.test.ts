import { assert, describe, it } from "@effect/vitest"
import type { NativeReply } from "@weir/model/Conversation"
import type { ModelEvent } from "@weir/model/ModelEvent"
import * as Either from "effect/Either"
import { reader } from "../src/ResponsesReply.js"

const author = { codec: "openai-responses", model: "m-1" }

/** What the events say, or the fault that they end in. */
const read = (...events: ReadonlyArray<unknown>): ReadonlyArray<ModelEvent> | object => {
  const { append, end, start } = reader(author, "x")
  let reading = start
  const said: Array<ModelEvent> = []
  for (const event of events) {
    const next = append(reading, event)
    if (Either.isLeft(next)) return next.left
    reading = next.right[0]
    said.push(...next.right[1])
  }
  return Either.match(end(reading), { onLeft: (fault) => fault, onRight: (last) => [...said, ...last] })
}

const added = (index: number, item: object) => ({ type: "response.output_item.added", output_index: index, item })
const done = (index: number, item: object) => ({ type: "response.output_item.done", output_index: index, item })
const text = (index: number, delta: string, part = 0) => ({
  type: "response.output_text.delta",
  output_index: index,
  content_index: part,
  delta
})
const summary = (index: number, part: number, delta: string) => ({
  type: "response.reasoning_summary_text.delta",
  output_index: index,
  summary_index: part,
  delta
})
const completed = (more: object = {}) => ({ type: "response.completed", response: { status: "completed", ...more } })
const incomplete = (reason: string) => ({
  type: "response.incomplete",
  response: { status: "incomplete", incomplete_details: { reason } }
})
const message = (said: string, more: object = {}) => ({
  type: "message",
  id: "msg_1",
  content: [{ type: "output_text", text: said }],
  ...more
})
const call = (id: string | undefined, more: object = {}) => ({
  type: "function_call",
  id: "fc_1",
  call_id: id,
  name: "read",
  arguments: "{\"a\":1}",
  status: "completed",
  ...more
})
const reasoning = (more: object = {}) => ({
  type: "reasoning",
  id: "rs_1",
  summary: [],
  encrypted_content: "sealed",
  ...more
})

const toText = (value: string) => ({ _tag: "TextDelta", text: value })
const toThought = (value: string) => ({ _tag: "ReasoningDelta", text: value })
const started = (id: string) => ({ _tag: "CallStarted", id, name: "read" })
const finishedCall = (id: string, args = "{\"a\":1}") => ({
  _tag: "CallFinished",
  call: { _tag: "ToolCall", id, name: "read", arguments: args }
})
const finished = (stop: string, more: object = {}) => ({ _tag: "Finished", stop, ...more })
const native = (...payload: ReadonlyArray<object>): { native: NativeReply } => ({
  native: { codec: "openai-responses", model: "m-1", payload }
})
const place = (id: string, more: object = {}) => ({ type: "function_call", id: "fc_1", call_id: id, ...more })
const cut = (detail: RegExp) => (fault: object) => {
  assert.propertyVal(fault, "_tag", "Cut")
  assert.match(String(Reflect.get(fault, "detail")), detail)
}

describe("A reply", () => {
  it("is told as it comes, and nothing of it twice", () => {
    assert.deepStrictEqual(
      read(
        { type: "response.created", response: {} },
        added(0, { type: "message", content: [] }),
        text(0, "Hel"),
        text(0, "lo"),
        done(0, message("Hello")),
        completed()
      ),
      [toText("Hel"), toText("lo"), finished("end")]
    )
  })

  it("sets apart what is said in different places", () => {
    assert.deepStrictEqual(
      read(
        summary(0, 0, "One"),
        summary(0, 0, "."),
        summary(0, 1, "Two."),
        text(1, "So."),
        text(2, "And"),
        text(2, " so."),
        added(3, call("c1")),
        text(4, "Then."),
        completed()
      ),
      [
        toThought("One"),
        toThought("."),
        toThought("\n\nTwo."),
        toText("So."),
        toText("\n\nAnd"),
        toText(" so."),
        started("c1"),
        toText("Then."),
        finished("end")
      ]
    )
  })

  it("is told at its end where it did not come in pieces", () => {
    assert.deepStrictEqual(
      read(
        done(0, reasoning({ encrypted_content: undefined, summary: [{ type: "summary_text", text: "Hm." }] })),
        done(1, message("Hello")),
        done(2, call("c1")),
        completed()
      ),
      [toThought("Hm."), toText("Hello"), started("c1"), finishedCall("c1"), finished("calls")]
    )
  })

  it("may think aloud", () => {
    const delta = { type: "response.reasoning_text.delta", output_index: 0, content_index: 0, delta: "Hm." }
    assert.deepStrictEqual(read(delta, completed()), [toThought("Hm."), finished("end")])
  })

  it("may hold what nobody knows", () => {
    assert.deepStrictEqual(
      read(
        { type: "response.new_thing", delta: { a: 1 }, item: 1 },
        added(0, { type: "web_search_call", id: "ws_1" }),
        done(0, { type: "web_search_call", id: "ws_1" }),
        completed()
      ),
      [finished("end")]
    )
  })

  it("may come as a whole, without a stream", () => {
    const output = [message("Looking."), call("c1"), call("c2", { arguments: "{\"a\"", status: "incomplete" })]
    assert.deepStrictEqual(read(completed({ output })), [
      toText("Looking."),
      started("c1"),
      finishedCall("c1"),
      started("c2"),
      finished("calls")
    ])
    // What was streamed is not said again, nor a call run that never came to its end.
    assert.deepStrictEqual(read(text(0, "Looking."), completed({ output })), [toText("Looking."), finished("end")])
    assert.deepStrictEqual(read(added(1, call("c1")), completed({ output })), [started("c1"), finished("end")])
  })

  it("is no reply without a type, and without an event", () => {
    assert.deepInclude(read({ message: "prompt is too long" }), { _tag: "Reported" })
    assert.deepInclude(read({ type: "error", code: "server_error", message: "no" }), { _tag: "Reported" })
    cut(/single event/)(read())
  })
})

describe("Calls", () => {
  it("have empty arguments, and malformed ones", () => {
    assert.deepStrictEqual(
      read(done(0, call("c1", { arguments: "" })), done(1, call("c2", { arguments: "{\"a\"" })), completed()),
      [started("c1"), finishedCall("c1", "{}"), started("c2"), finishedCall("c2", "{\"a\""), finished("calls")]
    )
  })

  it("have an id of their own each", () => {
    assert.deepStrictEqual(
      read(
        added(0, call(undefined)),
        done(0, call(undefined)),
        done(1, call("c1")),
        done(2, call("c1")),
        completed()
      ),
      [
        started("call_x_0"),
        finishedCall("call_x_0"),
        started("c1"),
        finishedCall("c1"),
        started("call_x_2"),
        finishedCall("call_x_2"),
        finished("calls")
      ]
    )
  })

  it("that the output limit cut are given up, and so are those that never came to their end", () => {
    assert.deepStrictEqual(
      read(
        done(0, call("c1")),
        added(1, call("c2")),
        done(1, call("c2", { status: "incomplete", arguments: "{\"a\":" })),
        incomplete("max_output_tokens")
      ),
      [started("c1"), finishedCall("c1"), started("c2"), finished("calls")]
    )
    assert.deepStrictEqual(read(added(0, call("c1")), incomplete("max_output_tokens")), [
      started("c1"),
      finished("length")
    ])
  })

  it("are not run in a reply that is taken back", () => {
    assert.deepInclude(read(done(0, call("c1")), incomplete("content_filter")), { _tag: "Refused" })
  })
})

describe("The end of a reply", () => {
  it("is a limit, a filter, or a refusal", () => {
    assert.deepStrictEqual(read(text(0, "So"), incomplete("max_output_tokens")), [toText("So"), finished("length")])
    assert.deepStrictEqual(read(text(0, "So"), incomplete("content_filter")), [toText("So"), finished("refused")])
    const refusal = { type: "response.refusal.delta", output_index: 0, content_index: 0, delta: "No." }
    const whole = message("", { content: [{ type: "refusal", refusal: "No." }] })
    assert.deepStrictEqual(read(refusal, done(0, whole), completed()), [toText("No."), finished("refused")])
    assert.deepStrictEqual(read(done(0, whole), completed()), [toText("No."), finished("refused")])
  })

  it("must come", () => {
    cut(/before the response was completed/)(read(done(0, message("Hello"))))
    cut(/unknown reason: boredom/)(read(incomplete("boredom")))
    cut(/nobody said why/)(read({ type: "response.failed", response: { error: null } }))
  })

  it("may be a failure in the provider's words", () => {
    assert.deepStrictEqual(
      read(text(0, "So"), { type: "response.failed", response: { error: { code: "server_error", message: "No." } } }),
      { _tag: "Reported", body: { error: { code: "server_error", message: "No." } } }
    )
  })
})

it("A reply that cannot be read is no error of which its words may speak", () => {
  const unreadable = { ...done(0, message("maximum context length is 8192 tokens")), output_index: "0" }
  assert.deepInclude(read(unreadable), { _tag: "Cut" })
  assert.deepInclude(read({ ...text(0, "rate limit"), item_id: 7 }), { _tag: "Cut" })
})

describe("Usage", () => {
  it("of no sense spoils no reply", () => {
    const wanted = { fresh: 7, cacheRead: 0, cacheWrite: 0, output: 9, reasoning: 0 }
    const finished = (usage: unknown) => {
      const said = read(text(0, "So"), completed({ usage }))
      return Array.isArray(said) ? said.at(-1) : said
    }
    for (
      const usage of [
        { input_tokens: "7", output_tokens: "9" },
        { input_tokens: 7, output_tokens: 9, input_tokens_details: [], output_tokens_details: "" },
        { input_tokens: 7, output_tokens: 9, input_tokens_details: { cached_tokens: "none" } }
      ]
    ) {
      assert.deepStrictEqual(finished(usage), { _tag: "Finished", stop: "end", usage: wanted })
    }
    for (const nothing of [[], "", "many", true, 7, { input_tokens: [] }]) {
      assert.deepStrictEqual(finished(nothing), { _tag: "Finished", stop: "end" })
    }
  })

  const counted = (usage: object) => {
    const events = read(completed({ usage }))
    return Array.isArray(events) ? events.at(-1).usage : undefined
  }

  it("[F02] tells what was fresh, read from and written to the cache, and reasoning", () => {
    assert.deepStrictEqual(
      counted({
        input_tokens: 100,
        input_tokens_details: { cached_tokens: 60, cache_write_tokens: 30 },
        output_tokens: 20,
        output_tokens_details: { reasoning_tokens: 15 }
      }),
      { fresh: 10, cacheRead: 60, cacheWrite: 30, output: 20, reasoning: 15 }
    )
  })

  it("stays sound when the counts are not", () => {
    assert.deepStrictEqual(
      counted({
        input_tokens: 10.5,
        input_tokens_details: { cached_tokens: 60, cache_write_tokens: 30 },
        output_tokens: null,
        output_tokens_details: { reasoning_tokens: 15 }
      }),
      { fresh: 0, cacheRead: 10, cacheWrite: 0, output: 0, reasoning: 0 }
    )
    assert.isUndefined(counted({ output_tokens: 3 }))
  })
})

describe("What is kept of a reply", () => {
  const keptOf = (...events: ReadonlyArray<unknown>) => {
    const all = read(...events)
    const last = Array.isArray(all) ? all.at(-1) : all
    return "native" in last ? { native: last.native } : {}
  }

  it("is every item in its place, when there is reasoning", () => {
    const content = [{ type: "output_text", text: "So." }]
    assert.deepStrictEqual(
      keptOf(
        done(0, reasoning()),
        done(1, message("So.", { phase: "commentary" })),
        done(2, reasoning({ id: "rs_2", summary: [{ type: "summary_text", text: "Hm." }] })),
        done(3, call("c1")),
        completed()
      ),
      native(
        reasoning(),
        { type: "message", id: "msg_1", content, phase: "commentary" },
        reasoning({ id: "rs_2", summary: [{ type: "summary_text", text: "Hm." }] }),
        place("c1")
      )
    )
  })

  it("is nothing where the step tells it all", () => {
    assert.deepStrictEqual(keptOf(done(0, message("So.")), done(1, call("c1")), completed()), {})
  })

  it("is no reasoning that leads nowhere, and no call that was cut", () => {
    assert.deepStrictEqual(keptOf(done(0, reasoning()), incomplete("max_output_tokens")), {})
    assert.deepStrictEqual(
      keptOf(done(0, reasoning()), done(1, call("c1", { status: "incomplete" })), incomplete("max_output_tokens")),
      {}
    )
  })

  it("is what the whole response brings for reasoning that came without its content", () => {
    assert.deepStrictEqual(
      keptOf(
        done(0, reasoning({ encrypted_content: null })),
        done(1, call("c1")),
        completed({ output: [reasoning(), call("c1")] })
      ),
      native(reasoning(), place("c1"))
    )
  })

  it("is the phase alone, without any id, where the reasoning cannot go back", () => {
    assert.deepStrictEqual(
      keptOf(
        done(0, reasoning({ encrypted_content: "" })),
        done(1, message("So.", { phase: "final_answer" })),
        completed()
      ),
      native({ type: "message", phase: "final_answer", content: [{ type: "output_text", text: "So." }] })
    )
  })
})
