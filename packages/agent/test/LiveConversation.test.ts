import { assert, describe, it } from "@effect/vitest"
import * as LiveConversation from "@weir/agent/LiveConversation"
import * as Projection from "@weir/compaction/Projection"
import { exchanges, type Step, TurnId, userMessage } from "@weir/model/Conversation"
import * as TestModel from "@weir/model/TestModel"
import * as Usage from "@weir/model/Usage"
import * as Fold from "@weir/session/Fold"
import type { Record } from "@weir/session/Record"
import * as SessionStore from "@weir/session/SessionStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { limits } from "./fixture.js"

const output = "The quick brown fox jumps over the lazy dog. ".repeat(200)

const turn: Record = {
  _tag: "TurnStarted",
  turnId: TurnId.make("turn-1"),
  user: userMessage("Look."),
  at: DateTime.unsafeMake(0)
}

const step: Step = {
  _tag: "Step",
  parts: [{
    _tag: "Exchange",
    call: { _tag: "ToolCall", id: "call-1", name: "look", arguments: "{}" },
    result: { text: output, isError: false, images: [], facts: [] }
  }]
}

/** The conversation of a new session, and the one that would be opened from what that has recorded. */
const conversations = Effect.gen(function*() {
  const { model } = TestModel.make(limits({ window: 200_000 }), () => TestModel.reply({ text: "Yes." }))
  const store = yield* SessionStore.SessionStore
  const transcript = yield* store.create({ cwd: "/", model: model.id, provider: model.provider })
  const make = (opened: Fold.Folded) =>
    LiveConversation.make({
      model,
      transcript: { ...transcript, opened },
      fixed: { system: "You are an agent.", tools: [] },
      learned: Option.none()
    })
  const records: Array<Record> = [transcript.start]
  const live = yield* make(transcript.opened)
  const record = (record: Record) => Effect.tap(live.record([record]), () => void records.push(record))
  const reopened = Effect.suspend(() => Effect.flatMap(make(Fold.fold(records)), ({ get }) => get))
  return { live, model, record, reopened }
})

describe("LiveConversation", () => {
  it.scoped("[E04] estimates as a session that is opened now, whatever was counted", () =>
    Effect.gen(function*() {
      const { live, record, reopened } = yield* conversations
      const counted = (input: number, pruned: boolean): Record => ({
        _tag: "StepCompleted",
        step: { ...step, usage: { ...Usage.zero, fresh: input, output: 20 } },
        ...(pruned && { pruned: true })
      })
      const history: ReadonlyArray<Record> = [
        turn,
        { _tag: "InputCounted", tokens: 40 },
        { _tag: "StepCompleted", step },
        counted(2_500, false),
        { _tag: "InputCounted", tokens: 5_700 },
        { _tag: "InputCounted", tokens: 5_900 },
        counted(300, true),
        { _tag: "InputCounted", tokens: 1 },
        turn,
        { _tag: "InputCounted", tokens: 8_800 }
      ]
      const anchors = yield* Effect.forEach(history, (one) =>
        Effect.gen(function*() {
          yield* record(one)
          const { estimate } = yield* live.get
          assert.deepStrictEqual((yield* reopened).estimate, estimate)
          return estimate.anchor?.tokens
        }))
      assert.deepStrictEqual(anchors, [undefined, 40, undefined, 2_520, 5_700, 5_900, 5_900, 5_900, 5_900, 8_800])
    }).pipe(Effect.provide(SessionStore.layerMemory)))

  it.scoped("[E04] sees outputs cut as a session does that is opened now, however the window's guess has changed", () =>
    Effect.gen(function*() {
      const { live, model, record, reopened } = yield* conversations
      const lengths: Array<number> = []
      const windows = [undefined, 6_000, 9_000, 3_000, 100_000]
      for (const window of windows) {
        const more: ReadonlyArray<Record> = window === undefined
          ? [turn, { _tag: "StepCompleted", step }]
          : [{ _tag: "LimitLearned", endpoint: model.endpoint, model: model.id, limit: { window, guessed: true } }]
        yield* Effect.forEach(more, record)
        const alive = yield* live.get
        const again = yield* reopened
        assert.deepStrictEqual(alive.seen, again.seen)
        assert.deepStrictEqual(alive.estimate, again.estimate)
        lengths.push(
          Projection.entries(alive.seen).reduce(
            (sum, entry) =>
              entry._tag === "Step" ? exchanges(entry).reduce((all, { result }) => all + result.text.length, sum) : sum,
            0
          )
        )
      }
      const [whole = 0, cut = 0, less = 0, more = 0, again = 0] = lengths
      assert.strictEqual(whole, output.length)
      assert.isTrue(more < cut && cut < less && less < whole && again === whole, lengths.join(", "))
    }).pipe(Effect.provide(SessionStore.layerMemory)))
})
