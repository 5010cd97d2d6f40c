import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert, describe, it } from "@effect/vitest"
import { Answer } from "@weir/agent/Permission"
import type { ToolCall } from "@weir/model/Conversation"
import type { Choice } from "@weir/tui/Question"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Asking from "../src/interactive/Asking.js"
import * as PermissionRules from "../src/interactive/PermissionRules.js"
import { directory } from "./Process.js"

const call: ToolCall = { _tag: "ToolCall", arguments: "{\"command\":\"npm test\"}", id: "1", name: "bash" }

const alike: ToolCall = { ...call, arguments: "{\"command\":\"npm test -- --watch\"}", id: "2" }

/** The answer to `call`; what is known of one like it in this session, and in a later one of the project. */
const answered = (choice: Choice, because = "") =>
  Effect.gen(function*() {
    const file = `${yield* directory()}/permissions.json`
    const open = Effect.flatMap(PermissionRules.make({ file, project: "/here" }), Asking.make)
    const asking = yield* open
    assert.isTrue(Option.isNone(yield* asking.approval.decide(call)))
    const asked = yield* Effect.fork(asking.approval.ask(call))
    yield* Effect.yieldNow()
    yield* asking.answer(choice, because)
    return {
      answer: yield* Fiber.join(asked),
      later: Option.isSome(yield* (yield* open).approval.decide(alike)),
      now: Option.isSome(yield* asking.approval.decide(alike))
    }
  }).pipe(Effect.scoped, Effect.provide(NodeContext.layer))

describe("the answer to a question", () => {
  for (
    const [choice, now, later] of [["once", false, false], ["session", true, false], ["project", true, true]] as const
  ) {
    it.effect(`${choice} allows it, and what is alike as long as it says`, () =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* answered(choice), { answer: Answer.Allowed(), later, now })
      }))
  }

  it.effect("no allows nothing, and goes to the model with its reason", () =>
    Effect.gen(function*() {
      const no = { later: false, now: false }
      assert.deepStrictEqual(yield* answered("no"), { answer: Answer.Denied({ because: "" }), ...no })
      const because = "Use pnpm."
      assert.deepStrictEqual(yield* answered("explain", because), { answer: Answer.Denied({ because }), ...no })
    }))

  it.effect("that comes when nothing is asked is no answer to what is asked next", () =>
    Effect.gen(function*() {
      const rules = yield* PermissionRules.make({ file: `${yield* directory()}/permissions.json`, project: "/here" })
      const asking = yield* Asking.make(rules)
      yield* asking.answer("project", "")
      const asked = yield* Effect.fork(asking.approval.ask(call))
      yield* Effect.yieldNow()
      assert.isTrue(Option.isNone(yield* Fiber.poll(asked)))
      assert.deepStrictEqual(yield* rules.all, [])
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer)))
})
