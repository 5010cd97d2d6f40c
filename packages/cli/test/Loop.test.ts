/** What the loop has to do over every API, through the real SDKs, in one process: the rows that hold for each codec. */
import { assert, describe, it } from "@effect/vitest"
import type { Limits } from "@weir/model/Model"
import * as Fault from "@weir/simulator/Fault"
import type { Options } from "@weir/simulator/Options"
import type { LoggedRequest } from "@weir/simulator/RequestLog"
import * as Script from "@weir/simulator/Script"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type Api, apis, discarded, nativeMarks } from "./Apis.js"
import { type Codec, codecs } from "./Codecs.js"
import { answer, looking, start, steps, system, task } from "./Looking.js"

const toJson = (value: unknown) => JSON.stringify(value)

const inJson = (text: string) => toJson(text).slice(1, -1)

const count = (text: string, part: string) => text.split(part).length - 1

/** Calls whose arguments take room, where no pruning of outputs helps; then the answer. `sizes` in tokens, about. */
const verbose = (sizes: ReadonlyArray<number>): Script.Script =>
  Script.sequence([
    ...sizes.map((size) => Script.calls(Script.call("note", { why: "because ".repeat(size) }))),
    Script.reply(answer)
  ])

/** Some calls at once, then the answer. */
const flood = (calls: number): Script.Script =>
  Script.sequence([
    Script.calls(...Array.from({ length: calls }, (_, number) => Script.call("look", { number }))),
    Script.reply(answer)
  ])

/** A budget of 7,404 tokens of input, however little output is asked for. */
const narrow = { limits: { maxInput: 11_500, outputCap: 6_000, window: 32_768 } }

/** The wrapper around summary and task, in a message by itself. */
const isReplaced = ({ body }: LoggedRequest) =>
  body.includes(
    `"${inJson("<compacted_context>\nThe prior conversation context was compacted automatically to fit the\nmodel's")}`
  ) &&
  body.includes(`${inJson(`authoritative.\n\n${task}\n</last_user_message>`)}"`)

const whole = { window: 200_000 }

const rows = (api: Api, codec: Codec) => {
  const from = (main: number, fault: Fault.Fault) =>
    Fault.when(({ indexOfKind, kind }) => kind === "main" && indexOfKind >= main, fault)
  const once = (main: number, fault: Fault.Fault) => Fault.at(main, fault, "main")

  it.scoped(
    "[F01] [A11] [A12] [A13] [A15] a long turn is compacted on the way, and goes on from a request that holds nothing else",
    () =>
      Effect.gen(function*() {
        const run = yield* start(codec, { simulator: { enforce: "sum" } })
        assert.deepStrictEqual([run.result.reason, run.result.text], ["finished", answer])
        assert.isAtLeast(run.result.compaction.count, 2)
        assert.strictEqual(run.times("AutoCompactionApplied"), run.result.compaction.count)
        assert.deepStrictEqual(run.requests.filter(({ outcome }) => outcome !== "answered").map(({ body }) => body), [])
        const replaced = run.main.filter(isReplaced)
        assert.isAbove(replaced.length, 4)
        for (const { body } of run.main) {
          assert.strictEqual(count(body, inJson(task)), 1)
          assert.strictEqual(count(body, inJson(system)), 1)
          assert.isAtMost(count(body, "<compacted_context>"), 1)
        }
        assert.deepStrictEqual(discarded(run.requests), [])
        assert.isAbove(run.main.flatMap(({ body }) => nativeMarks(body)).length, steps)
        const said = toJson(run.events)
        assert.notMatch(said, /Key Instructions|compacted_context/)
        assert.strictEqual(
          run.events.map((event) => event._tag === "TextDelta" ? event.text : "").join(""),
          answer
        )
      }),
    20_000
  )

  it.scoped(
    "[A05] a request over the whole budget is compacted as it is, unpruned",
    () =>
      Effect.gen(function*() {
        const run = yield* start(codec, { simulator: { script: flood(12) } })
        assert.deepStrictEqual([run.result.reason, run.result.text], ["finished", answer])
        const begun = run.events.flatMap((event) => event._tag === "AutoCompactionStarted" ? [event] : [])
        assert.isTrue(begun.some(({ budget, estimate }) => estimate > budget))
        assert.deepStrictEqual(run.refused, [])
        assert.isTrue(run.main.slice(1).every(isReplaced))
      }),
    20_000
  )

  const recovers = (limits: Partial<Limits>, simulator: Partial<Options>) =>
    Effect.gen(function*() {
      const run = yield* start(codec, { limits, simulator })
      assert.deepStrictEqual([run.result.reason, run.result.text], ["finished", answer])
      assert.isAtLeast(run.times("AutoCompactionApplied"), 1)
      assert.strictEqual(run.times("RetryScheduled"), 0)
      assert.strictEqual(yield* Clock.currentTimeMillis, 0)
      assert.strictEqual(new Set(run.main.map(({ body }) => body)).size, run.main.length)
      return run
    })

  it.scoped(
    "[A06] [A08] an overflow told as an error is recovered from, at once",
    () => recovers(whole, { faults: [once(4, api.overflowWithoutNumber)], script: looking(8), window: 200_000 }),
    20_000
  )

  it.scoped(
    "[A06] [A08] an overflow told in the middle of the stream is recovered from, and what was shown rewound",
    () =>
      Effect.gen(function*() {
        const fault = { _tag: "ErrorFrame", after: 5, ...api.overflowFrame } as const
        const run = yield* recovers(whole, { faults: [once(4, fault)], script: looking(8), window: 200_000 })
        assert.strictEqual(run.times("Rewound"), 1)
      }),
    20_000
  )

  it.scoped(
    "[A06] [A08] an overflow shown only by a stop with nothing said is recovered from, at once",
    () =>
      recovers({ window: 12_000 }, {
        counter: { scale: 2.5 },
        enforce: "accept",
        faults: [once(1, { _tag: "NoOutput" })],
        script: flood(5)
      }),
    20_000
  )

  it.scoped(
    "[A07] [A08] a second overflow ends the turn; nothing is sent twice, and no retry is spent",
    () =>
      Effect.gen(function*() {
        const run = yield* start(codec, {
          limits: whole,
          simulator: { faults: [from(4, api.overflowWithoutNumber)], window: 200_000 }
        })
        assert.strictEqual(run.result.reason, "context_limit")
        assert.match(run.result.error?.message ?? "", /start a new session|larger window/)
        assert.isAtMost(run.refused.length, 3)
        assert.strictEqual(new Set(run.refused.map(({ body }) => body)).size, run.refused.length)
        assert.strictEqual(run.times("RetryScheduled"), 0)
      }),
    20_000
  )

  it.scoped(
    "[A21] its forced compaction failed: at most a pruned copy follows, and the refused request never again",
    () =>
      Effect.gen(function*() {
        const run = yield* start(codec, {
          ...whole,
          simulator: { faults: [from(4, api.overflowWithoutNumber)], summary: "empty", window: 200_000 }
        })
        assert.strictEqual(run.result.reason, "context_limit")
        assert.strictEqual(run.times("AutoCompactionFailed"), 1)
        assert.isAtMost(run.refused.length, 2)
        assert.strictEqual(new Set(run.refused.map(({ body }) => body)).size, run.refused.length)
      }),
    20_000
  )

  it.scoped("[A24] switched off: no summary is asked for, on either path", () =>
    Effect.gen(function*() {
      const settings = { autoCompact: false }
      const refused = yield* start(codec, {
        settings,
        simulator: { faults: [once(4, api.overflowWithoutNumber)], window: 200_000 }
      })
      assert.deepStrictEqual([refused.result.reason, refused.summaries.length], ["context_limit", 0])
      const full = yield* start(codec, {
        ...narrow,
        settings,
        simulator: { script: verbose([3_000, 3_000, 3_000, 3_000]) }
      })
      assert.deepStrictEqual([full.summaries.length, full.times("AutoCompactionStarted")], [0, 0])
    }), 20_000)
}

for (const codec of codecs) {
  const api = apis.find(({ name }) => name === codec.api)
  describe(`the loop over ${codec.api}`, () => {
    it("is one of the command's APIs", () => assert.isDefined(api))
    if (api) rows(api, codec)
  })
}
