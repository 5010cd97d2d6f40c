import { assert, describe, it } from "@effect/vitest"
import { Session } from "@weir/agent/Session"
import type { SessionEvent } from "@weir/agent/SessionEvent"
import * as TurnResult from "@weir/agent/TurnResult"
import { userMessage } from "@weir/model/Conversation"
import * as Usage from "@weir/model/Usage"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as PubSub from "effect/PubSub"
import * as Ref from "effect/Ref"
import { converse } from "../src/Conversing.js"

/** A session whose turn says something and then waits until it is interrupted. */
const endless = Layer.scoped(
  Session,
  Effect.gen(function*() {
    const bus = yield* PubSub.unbounded<SessionEvent>()
    const stopped = yield* Deferred.make<void>()
    return {
      compact: () => Effect.succeed({ _tag: "Unchanged", because: "nothing-to-compact", usage: Usage.zero } as const),
      cancelCompaction: Effect.void,
      context: Effect.never,
      escape: Effect.void,
      id: "s1",
      interrupt: Effect.asVoid(Deferred.succeed(stopped, undefined)),
      prompt: () =>
        Effect.gen(function*() {
          yield* PubSub.publish(bus, { _tag: "TextDelta", text: "Half an ans" })
          yield* Deferred.await(stopped)
          yield* PubSub.publish(bus, { _tag: "TurnFinished", reason: "interrupted", usage: Usage.zero })
          return TurnResult.finish({ ...TurnResult.started, texts: ["Half an ans"] }, "interrupted")
        }),
      subscribe: PubSub.subscribe(bus)
    }
  })
)

describe("converse", () => {
  it.scoped("lets an interrupted turn settle, and reports it to the end", () =>
    Effect.gen(function*() {
      const seen = yield* Ref.make<ReadonlyArray<string>>([])
      const begun = yield* Deferred.make<void>()
      const note = (what: string) => Ref.update(seen, (all) => [...all, what])
      const fiber = yield* Effect.fork(converse({
        message: userMessage("hi"),
        observers: [({ _tag }) => Effect.zipRight(note(`observed ${_tag}`), Deferred.succeed(begun, undefined))],
        report: {
          onEvent: ({ _tag }) => note(_tag),
          onResult: ({ reason, text }) => note(`${reason}: ${text}`)
        },
        startedAt: 0
      }))
      yield* Deferred.await(begun)
      const exit = yield* Fiber.interrupt(fiber)
      assert.isTrue(Exit.isInterrupted(exit))
      assert.deepStrictEqual(yield* Ref.get(seen), [
        "TextDelta",
        "observed TextDelta",
        "TurnFinished",
        "observed TurnFinished",
        "interrupted: Half an ans"
      ])
    }).pipe(Effect.provide(endless)))
})
