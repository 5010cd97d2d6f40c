/**
 * The one loop: a user message, then steps until the model calls no more tools. Every step passes the boundary first
 * and is recorded whole; however the turn ends, its end is recorded and told.
 */
import type { Phase } from "@weir/compaction/Budget"
import type { ToolCall, ToolResult, TurnId, UserMessage } from "@weir/model/Conversation"
import * as Conversation from "@weir/model/Conversation"
import type { Model } from "@weir/model/Model"
import { ContentRefused, ContextWindowExceeded, OutputLimitExceeded } from "@weir/model/ModelError"
import * as Reply from "@weir/model/Reply"
import * as SilentOverflow from "@weir/model/SilentOverflow"
import * as Fold from "@weir/session/Fold"
import type { Batch, Record, TurnEnd } from "@weir/session/Record"
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as Boundary from "./Boundary.js"
import * as LiveConversation from "./LiveConversation.js"
import type { SessionEvent } from "./SessionEvent.js"
import * as StepRequest from "./StepRequest.js"
import * as ToolRunner from "./ToolRunner.js"
import type { TurnError } from "./TurnError.js"
import * as TurnResult from "./TurnResult.js"
import type { WindowLearning } from "./WindowLearning.js"

export interface Turn {
  /** Never fails; the result is set by the time the effect ends, also when it is interrupted. */
  readonly run: (
    id: TurnId,
    message: UserMessage,
    result: Ref.Ref<Option.Option<TurnResult.TurnResult>>
  ) => Effect.Effect<void>
}

const interrupted = ToolRunner.failure("interrupted by the user")

const endOf = (error: TurnError): TurnEnd => {
  switch (error._tag) {
    case "ContextWindowExceeded":
      return "context_limit"
    case "ContentRefused":
      return "refused"
    default:
      return "failed"
  }
}

/** It has come to its end without a word or a call, which sooner is a slip than all that is to be said. */
const isSlip = (reply: Reply.Reply) => (reply.stop === "end" || reply.stop === "calls") && Reply.saysNothing(reply)

export const make = (options: {
  readonly model: Model["Type"]
  readonly sessionId: string
  readonly maxSteps: number
  readonly conversation: LiveConversation.LiveConversation
  readonly boundary: Boundary.Boundary
  readonly learning: WindowLearning
  readonly requests: StepRequest.StepRequest
  readonly tools: ToolRunner.ToolRunner
  readonly publish: (event: SessionEvent) => Effect.Effect<void>
}): Turn => {
  const { boundary, conversation, learning, model, publish, requests, sessionId, tools } = options
  const { unfinished } = requests
  const origin = { provider: model.provider, model: model.id, detail: "" }

  /** A reply that is empty or cut off because the window is full without a word is a refusal like any other. */
  const whole = Effect.fnUntraced(function*(reply: Reply.Reply, { estimate, maxOutputTokens }: Boundary.Sending) {
    const { budget: { window } } = yield* conversation.get
    const full = SilentOverflow.detect(reply, { window, maxOutputTokens, estimate })
    const isUsable = reply.stop !== "length" && !Reply.saysNothing(reply)
    if (isUsable || Option.isNone(full)) return reply
    return yield* new ContextWindowExceeded({ ...origin, ...full.value, kind: "tokens" })
  })

  /** Of a reply that is not kept only its price counts. */
  const discard = ({ usage }: Reply.Reply, progress: Ref.Ref<TurnResult.Progress>) =>
    Effect.gen(function*() {
      yield* requests.rewind
      if (usage === undefined) return
      yield* Ref.update(progress, TurnResult.addReply({ parts: [], usage }))
      yield* publish({ _tag: "UsageReported", usage })
    }).pipe(Effect.uninterruptible)

  /** The reply of the next request, whichever of its attempts is accepted. */
  const ask = (
    phase: Phase,
    step: number,
    progress: Ref.Ref<TurnResult.Progress>,
    refusals: Boundary.Refusals = Boundary.noRefusals
  ): Effect.Effect<{ readonly reply: Reply.Reply; readonly sending: Boundary.Sending }, TurnError> =>
    Effect.gen(function*() {
      const sending = yield* boundary.prepare(phase, refusals, progress)
      const { budget, estimate, maxOutputTokens } = sending
      yield* publish({ _tag: "StepStarted", step, estimate, budget })
      return yield* requests.send(sending.request, { maxOutputTokens, sessionId }).pipe(
        Effect.flatMap((reply) => whole(reply, sending)),
        Effect.flatMap((reply) =>
          isSlip(reply) && !refusals.nudged
            ? Effect.zipRight(discard(reply, progress), ask(phase, step, progress, { ...refusals, nudged: true }))
            : Effect.succeed({ reply, sending })
        ),
        // Together: what comes of the next request is not this one's to catch.
        Effect.catchTags({
          ContextWindowExceeded: (error) =>
            Effect.gen(function*() {
              yield* requests.rewind
              yield* learning.refused(sending, error)
              return yield* ask(phase, step, progress, Boundary.refuse(refusals, sending, error))
            }),
          OutputLimitExceeded: (error) =>
            Effect.flatMap(
              learning.outputRefused(sending, error),
              (isLower) =>
                isLower && !refusals.clamped ? ask(phase, step, progress, { ...refusals, clamped: true }) : error
            )
        })
      )
    })

  const finishCall = (call: ToolCall, result: ToolResult) =>
    Ref.update(unfinished, (self) => ({ ...self, results: new Map(self.results).set(call, result) }))

  const complete = Effect.fnUntraced(function*(sending: Boundary.Sending, progress: Ref.Ref<TurnResult.Progress>) {
    const { reply, results } = yield* Ref.get(unfinished)
    const step = Reply.toStep(reply, (call) => results.get(call) ?? interrupted)
    yield* conversation.record([{ _tag: "StepCompleted", step, ...(sending.pruned > 0 && { pruned: true }) }])
    yield* Ref.set(unfinished, StepRequest.nothing)
    yield* Ref.update(progress, TurnResult.addStep(step))
    if (step.usage === undefined) return
    yield* publish({ _tag: "UsageReported", usage: step.usage })
    yield* learning.accepted(sending, step.usage)
  }, Effect.uninterruptible)

  const modelChange = Effect.map(
    conversation.get,
    (live): Array<Record> =>
      Fold.isLedBy(live, model) ? [] : [{ _tag: "ModelChanged", provider: model.provider, model: model.id }]
  )

  const loop = Effect.fnUntraced(function*(
    id: TurnId,
    message: UserMessage,
    progress: Ref.Ref<TurnResult.Progress>
  ): Effect.fn.Return<TurnEnd, TurnError> {
    const context = LiveConversation.context(yield* conversation.get)
    const started: Record = { _tag: "TurnStarted", turnId: id, user: message, at: yield* DateTime.now, context }
    yield* conversation.record(Arr.append(yield* modelChange, started))
    yield* publish({ _tag: "TurnStarted", turnId: id, text: message.text })
    for (let step = 1; step <= options.maxSteps; step++) {
      const { reply, sending } = yield* ask(step === 1 ? "turn-boundary" : "in-turn", step, progress)
      const calls = Reply.calls(reply)
      const { budget } = yield* conversation.get
      // What led to it is on disk before anything in the world is changed.
      if (!tools.onlyLook(calls)) yield* conversation.sync
      yield* tools.run(calls, budget.caps.toolOutput, finishCall)
      yield* complete(sending, progress)
      if (calls.length > 0) continue
      if (reply.stop === "refused") return yield* new ContentRefused(origin)
      if (reply.stop === "length") {
        return yield* new OutputLimitExceeded({ ...origin, cutAfter: sending.maxOutputTokens })
      }
      return "finished"
    }
    return "max_steps"
  })

  /** What is kept of a step that was cut off: all of it when its reply was whole, else its text for the screen. */
  const salvage = (self: StepRequest.Unfinished): Batch | [] => {
    const { reply, results } = self
    if (reply.parts.length === 0) return []
    const partialText = Conversation.text(reply)
    return reply.stop === undefined
      ? [{ _tag: "StepInterrupted", partialText }]
      : [{
        _tag: "StepInterrupted",
        step: Reply.toStep(reply, (call) => results.get(call) ?? interrupted),
        partialText
      }]
  }

  const settle = Effect.fnUntraced(function*(
    exit: Exit.Exit<TurnEnd, TurnError>,
    progress: Ref.Ref<TurnResult.Progress>
  ): Effect.fn.Return<TurnResult.TurnResult> {
    const cut = yield* Ref.getAndSet(unfinished, StepRequest.nothing)
    yield* Ref.update(progress, TurnResult.addReply(cut.reply))
    const failure = Exit.isFailure(exit) ? Cause.failureOption(exit.cause) : Option.none()
    const reason = Exit.isSuccess(exit)
      ? exit.value
      : Option.match(failure, { onNone: (): TurnEnd => "interrupted", onSome: endOf })
    const { usage } = yield* Ref.get(progress)
    const end: Batch = Arr.append(salvage(cut), { _tag: "TurnFinished", reason, usage })
    const unwritten = yield* Effect.flip(conversation.record(end, { sync: true })).pipe(Effect.option)
    const error = Option.getOrUndefined(Option.orElse(failure, () => unwritten))
    const told = error !== undefined && Option.isNone(failure) ? "failed" : reason
    yield* publish({ _tag: "TurnFinished", reason: told, usage, ...(error && { error }) })
    return TurnResult.finish(yield* Ref.get(progress), told, error)
  })

  return {
    run: Effect.fn("Turn.run")(function*(id, message, result) {
      const progress = yield* Ref.make(TurnResult.started)
      yield* Effect.uninterruptibleMask((restore) =>
        Effect.gen(function*() {
          const exit = yield* Effect.exit(restore(loop(id, message, progress)))
          yield* Ref.set(result, Option.some(yield* settle(exit, progress)))
          // A typed failure is in the result; an interruption or a defect is the caller's as well.
          const rest = Exit.isFailure(exit) ? Cause.stripFailures(exit.cause) : Cause.empty
          if (!Cause.isEmpty(rest)) return yield* Effect.failCause(rest)
        })
      )
    })
  }
}
