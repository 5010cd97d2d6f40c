import { assert, describe, it } from "@effect/vitest"
import * as LiveConversation from "@weir/agent/LiveConversation"
import * as Projection from "@weir/compaction/Projection"
import { exchanges, TurnId, userMessage } from "@weir/model/Conversation"
import * as TestModel from "@weir/model/TestModel"
import * as Fold from "@weir/session/Fold"
import type { Record } from "@weir/session/Record"
import * as SessionStore from "@weir/session/SessionStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { limits } from "./fixture.js"

const output = "The quick brown fox jumps over the lazy dog. ".repeat(200)

const recorded: ReadonlyArray<Record> = [
  { _tag: "TurnStarted", turnId: TurnId.make("turn-1"), user: userMessage("Look."), at: DateTime.unsafeMake(0) },
  {
    _tag: "StepCompleted",
    step: {
      _tag: "Step",
      parts: [{
        _tag: "Exchange",
        call: { _tag: "ToolCall", id: "call-1", name: "look", arguments: "{}" },
        result: { text: output, isError: false, images: [], facts: [] }
      }]
    }
  }
]

describe("LiveConversation", () => {
  it.scoped("[E04] sees outputs cut as a session does that is opened now, however the window's guess has changed", () =>
    Effect.gen(function*() {
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
      const lengths: Array<number> = []
      const windows = [undefined, 6_000, 9_000, 3_000, 100_000]
      for (const window of windows) {
        const more: ReadonlyArray<Record> = window === undefined
          ? recorded
          : [{ _tag: "LimitLearned", endpoint: model.endpoint, model: model.id, limit: { window, guessed: true } }]
        for (const record of more) yield* live.record([record])
        records.push(...more)
        const alive = yield* live.get
        const again = yield* Effect.flatMap(make(Fold.fold(records)), ({ get }) => get)
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
