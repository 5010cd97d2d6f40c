import { assert, describe, it } from "@effect/vitest"
import type { EventOf, SessionEvent } from "@weir/agent/SessionEvent"
import * as TurnResult from "@weir/agent/TurnResult"
import { ModelUnavailable } from "@weir/model/ModelError"
import * as Usage from "@weir/model/Usage"
import { mainArgument } from "@weir/tui/MainArgument"
import { visible } from "@weir/tui/Visible"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import * as Progress from "../src/Progress.js"
import * as Report from "../src/Report.js"
import * as TestHost from "./TestHost.js"

const said = (text: string): SessionEvent => ({ _tag: "TextDelta", text })
const step = (number: number): SessionEvent => ({ _tag: "StepStarted", budget: 1_000, estimate: 10, step: number })
const finished = (reason: EventOf<"TurnFinished">["reason"] = "finished"): SessionEvent => ({
  _tag: "TurnFinished",
  reason,
  usage: Usage.zero
})

const result = (texts: ReadonlyArray<string>, reason: TurnResult.TurnResult["reason"] = "finished") =>
  TurnResult.finish({ ...TurnResult.started, texts }, reason)

const report = (
  format: Report.Format,
  events: ReadonlyArray<SessionEvent>,
  end: TurnResult.TurnResult,
  isTerminal = false
) =>
  Effect.gen(function*() {
    const stdout = yield* TestHost.output(isTerminal)
    const { onEvent, onResult } = yield* Report.make(format, stdout.output, "s1")
    yield* Effect.forEach(events, onEvent)
    const before = yield* stdout.text
    yield* onResult(end, 5)
    return { before, text: yield* stdout.text }
  })

describe("text", () => {
  it.effect("voids what a rewind took back", () =>
    Effect.gen(function*() {
      const { text } = yield* report(
        "text",
        [step(1), said("One."), step(2), said("Tw"), { _tag: "Rewound" }, step(2), said("Two"), said("."), finished()],
        result(["One.", "Two."])
      )
      assert.strictEqual(text, "One.\n\nTwo.\n")
    }))

  it.effect("writes a step as soon as it is complete", () =>
    Effect.gen(function*() {
      const { before } = yield* report(
        "text",
        [step(1), said("One."), { _tag: "ToolCallStarted", arguments: "{}", callId: "1", name: "bash" }],
        result(["One."])
      )
      assert.strictEqual(before, "One.")
    }))

  it.effect("writes partial text of an interrupted turn", () =>
    Effect.gen(function*() {
      const { text } = yield* report(
        "text",
        [step(1), said("Half an"), finished("interrupted")],
        result(["Half an"], "interrupted")
      )
      assert.strictEqual(text, "Half an\n")
    }))

  it.effect("is empty when nothing was said", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* report("text", [step(1), finished("failed")], result([], "failed"))).text, "")
    }))

  it.effect("cannot steer a terminal, and is untouched in a pipe", () =>
    Effect.gen(function*() {
      const evil = "a\u001b[2Jb\u009bc\rd\te\n"
      const events = [step(1), said(evil), finished()]
      assert.strictEqual((yield* report("text", events, result([evil]))).text, `${evil}\n`)
      assert.strictEqual((yield* report("text", events, result([evil]), true)).text, "a␛[2Jb\\x9bc␍d\te\n\n")
    }))
})

describe("stream-json", () => {
  it.effect("is one event a line, errors with a hint", () =>
    Effect.gen(function*() {
      const error = new ModelUnavailable({ detail: "", model: "m", provider: "p", reason: "overloaded" })
      const { text } = yield* report(
        "stream-json",
        [
          { _tag: "TurnStarted", turnId: "t1", text: "hi\nthere" },
          said("x"),
          {
            _tag: "AutoCompactionFailed",
            error,
            millis: 5,
            phase: "in-turn",
            reason: "in-turn-trigger",
            usage: Usage.zero
          },
          {
            _tag: "TurnFinished",
            reason: "failed",
            usage: { ...Usage.zero, cacheRead: 2, fresh: 1, output: 4 },
            error
          }
        ],
        result([], "failed")
      )
      const lines = text.split("\n")
      assert.strictEqual(
        lines[0],
        "{\"type\":\"turn_started\",\"session_id\":\"s1\",\"turn_id\":\"t1\",\"text\":\"hi\\nthere\"}"
      )
      assert.strictEqual(lines[1], "{\"type\":\"text_delta\",\"text\":\"x\"}")
      assert.match(lines[2] ?? "", /^\{"type":"auto_compaction_failed","error":\{"type":"model_unavailable","message":/)
      assert.match(
        lines[3] ?? "",
        /^\{"type":"turn_finished","reason":"failed","usage":\{"input_tokens":3,"output_tokens":4,.*"total_tokens":7\},"error":\{.*"hint":/
      )
      assert.strictEqual(lines.length, 5)
    }))
})

describe("progress", () => {
  it.effect("names tools with argument, state and time, retries, and compactions with numbers", () =>
    Effect.gen(function*() {
      const stderr = yield* TestHost.output()
      const observe = yield* Progress.make(stderr.output)
      yield* observe({
        _tag: "ToolCallStarted",
        arguments: "{\"timeout\":5,\"command\":\"npm\\n test\"}",
        callId: "1",
        name: "bash"
      })
      yield* TestClock.adjust("1200 millis")
      yield* observe({ _tag: "ToolCallFinished", callId: "1", isError: true, name: "bash", text: "secret output" })
      yield* observe({ _tag: "RetryScheduled", attempt: 1, delayMillis: 2_000, reason: "overloaded" })
      yield* observe({
        _tag: "AutoCompactionApplied",
        after: 1_412,
        before: 1_007_990,
        checkpointId: "c",
        coverage: { steps: 3, turns: 1 },
        millis: 5,
        notes: [],
        phase: "in-turn",
        reason: "in-turn-trigger",
        strategy: "isolated",
        usage: Usage.zero
      })
      assert.deepStrictEqual((yield* stderr.text).split("\n"), [
        "bash npm test (failed, 1s 200ms)",
        "retry 1 in 2s: overloaded",
        "compacted: 1,007,990 → 1,412 tokens (isolated)",
        ""
      ])
    }))

  it("shows control characters of arguments", () => {
    assert.strictEqual(visible(mainArgument("{\"path\":\"a\\u001b[31mb\"}")), "a␛[31mb")
    assert.strictEqual(mainArgument("no json"), "no json")
    assert.strictEqual(mainArgument("{\"n\":1}"), "")
    assert.strictEqual(mainArgument(JSON.stringify({ q: "y".repeat(200) })).length, 100)
  })
})
