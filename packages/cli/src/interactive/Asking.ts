/** The user as the one who is asked whether a tool may run. The session tells the screen of the question itself. */
import { Answer, type Approval } from "@weir/agent/Permission"
import type { ToolCall } from "@weir/model/Conversation"
import type { Choice } from "@weir/tui/Question"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import type { PermissionRules } from "./PermissionRules.js"

export interface Asking {
  readonly approval: Approval
  /** Answers the question that is open, if one is. */
  readonly answer: (choice: Choice, because: string) => Effect.Effect<void>
}

interface Open {
  readonly call: ToolCall
  readonly answer: Deferred.Deferred<Answer>
}

export const make = Effect.fnUntraced(function*(rules: PermissionRules) {
  const open = yield* Ref.make(Option.none<Open>())

  const remember = (call: ToolCall, choice: Choice) =>
    choice === "session" ? rules.forSession(call) : choice === "project" ? rules.forProject(call) : Effect.void

  return {
    answer: Effect.fnUntraced(function*(choice, because) {
      const asked = yield* Ref.getAndSet(open, Option.none())
      if (Option.isNone(asked)) return
      const { answer, call } = asked.value
      yield* remember(call, choice)
      const isNo = choice === "no" || choice === "explain"
      yield* Deferred.succeed(answer, isNo ? Answer.Denied({ because }) : Answer.Allowed())
    }),
    approval: {
      ask: (call) =>
        Effect.gen(function*() {
          const answer = yield* Deferred.make<Answer>()
          yield* Ref.set(open, Option.some({ answer, call }))
          return yield* Deferred.await(answer)
        }),
      decide: (call) =>
        Effect.map(rules.allows(call), (allowed) => allowed ? Option.some(Answer.Allowed()) : Option.none())
    }
  } satisfies Asking
})
