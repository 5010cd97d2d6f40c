/** Draws what can be learned of the model's limits from its refusals and answers, for this session and later ones. */
import * as LearnedLimit from "@weir/compaction/LearnedLimit"
import type { Model } from "@weir/model/Model"
import type { ContextWindowExceeded, OutputLimitExceeded } from "@weir/model/ModelError"
import * as Usage from "@weir/model/Usage"
import { InputCounted } from "@weir/session/Record"
import type { TranscriptError } from "@weir/session/TranscriptError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Sending } from "./Boundary.js"
import type { LimitStore } from "./LimitStore.js"
import type { LiveConversation } from "./LiveConversation.js"

export interface WindowLearning {
  readonly refused: (sending: Sending, error: ContextWindowExceeded) => Effect.Effect<void, TranscriptError>
  /** Succeeds with whether there is a lower output limit to ask for. */
  readonly outputRefused: (sending: Sending, error: OutputLimitExceeded) => Effect.Effect<boolean, TranscriptError>
  readonly accepted: (sending: Sending, usage: Usage.Usage) => Effect.Effect<void, TranscriptError>
}

const isCount = Schema.is(InputCounted.fields.tokens)

export const make = (options: {
  readonly model: Model["Type"]
  readonly conversation: LiveConversation
  readonly store: LimitStore["Type"]
}): WindowLearning => {
  const { conversation, model, store } = options

  const learn = (found: Option.Option<LearnedLimit.LearnedLimit>) =>
    Option.match(found, {
      onNone: () => Effect.void,
      onSome: (limit) =>
        conversation.record([{ _tag: "LimitLearned", endpoint: model.endpoint, model: model.id, limit }]).pipe(
          Effect.zipRight(store.set(model, limit))
        )
    })

  return {
    refused: Effect.fn("WindowLearning.refused")(function*(sending, error) {
      const { budget, learned } = yield* conversation.get
      if (isCount(error.input) && sending.pruned === 0) {
        yield* conversation.record([{ _tag: "InputCounted", tokens: error.input }])
      }
      yield* learn(LearnedLimit.fromRefusal(learned, error, {
        window: budget.window,
        estimate: sending.estimate,
        maxBytes: budget.bytes.limit,
        bytes: sending.bytes
      }))
    }),
    outputRefused: Effect.fn("WindowLearning.outputRefused")(function*({ maxOutputTokens }, error) {
      const { learned } = yield* conversation.get
      const found = LearnedLimit.fromOutputRefusal(learned, error, maxOutputTokens)
      yield* learn(found)
      return Option.isSome(found)
    }),
    accepted: Effect.fnUntraced(function*({ bytes }, usage) {
      if (!Usage.isCredible(usage)) return
      const { learned } = yield* conversation.get
      const used = Usage.input(usage) + usage.output
      yield* learn(Option.flatMap(learned, (limit) => LearnedLimit.fromAccepted(limit, { bytes, used })))
    })
  }
}
