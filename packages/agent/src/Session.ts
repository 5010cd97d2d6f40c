/**
 * One conversation between a user, a model and its tools, kept in a transcript. Turns run one at a time; closing the
 * session's scope interrupts its turn, with a compaction inside it, then ends its events.
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import { Compaction, type CompactionRequest } from "@weir/compaction/Compaction"
import { interruptible } from "@weir/compaction/Interruptible"
import { TurnId, type UserMessage } from "@weir/model/Conversation"
import { Model } from "@weir/model/Model"
import * as Redaction from "@weir/model/Redaction"
import type { Tool } from "@weir/model/Tool"
import type { Usage } from "@weir/model/Usage"
import { Transcript } from "@weir/session/Transcript"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberHandle from "effect/FiberHandle"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as PubSub from "effect/PubSub"
import type * as Queue from "effect/Queue"
import * as Random from "effect/Random"
import * as Ref from "effect/Ref"
import type * as Scope from "effect/Scope"
import * as AutoCompaction from "./AutoCompaction.js"
import * as Boundary from "./Boundary.js"
import * as CompactionRun from "./CompactionRun.js"
import * as ContextReport from "./ContextReport.js"
import { LimitStore } from "./LimitStore.js"
import * as LiveConversation from "./LiveConversation.js"
import * as ManualCompaction from "./ManualCompaction.js"
import type { Approval, PermissionMode, Rule } from "./Permission.js"
import type { ManualCompactionEnd, SessionEvent } from "./SessionEvent.js"
import * as StepRequest from "./StepRequest.js"
import * as ToolRunner from "./ToolRunner.js"
import * as Turn from "./Turn.js"
import * as TurnResult from "./TurnResult.js"
import * as Watchdog from "./Watchdog.js"
import * as WindowLearning from "./WindowLearning.js"

export class Session extends Context.Tag("@weir/agent/Session")<Session, {
  readonly id: string
  /** Every event from now on, for a reader of its own; `Stream.fromQueue` makes a stream of it. Subscribe before `prompt`. */
  readonly subscribe: Effect.Effect<Queue.Dequeue<SessionEvent>, never, Scope.Scope>
  /**
   * Runs one turn, after those that were asked for earlier. It never fails: the result says how the turn ended.
   * Interrupting the caller interrupts the turn.
   */
  readonly prompt: (message: UserMessage) => Effect.Effect<TurnResult.TurnResult>
  /**
   * Compacts the conversation now or, while a turn runs, at its next boundary, whatever it weighs and whether or not
   * automatic compaction is on. It never fails: the result says what became of it. `focus`: what the summary should
   * keep in mind. Interrupting the caller cancels it.
   */
  readonly compact: (focus?: string) => Effect.Effect<ManualCompactionEnd>
  /** What fills the window now, and what compacting now would do; nothing is asked for that. */
  readonly context: Effect.Effect<ContextReport.ContextReport>
  /** Esc: cancels the innermost thing that runs, a compaction or else the turn. */
  readonly escape: Effect.Effect<void>
  /** Cancels the compaction that runs, and nothing else. */
  readonly cancelCompaction: Effect.Effect<void>
  /** Interrupts the turn; its `prompt` then says so. Returns when everything the turn started is released. */
  readonly interrupt: Effect.Effect<void>
}>() {}

export interface SessionOptions {
  /** Sent with every request, outside the history: no compaction touches it. */
  readonly systemPrompt: string
  readonly tools: ReadonlyArray<Tool>
  readonly permission: PermissionMode
  /** What has been decided beforehand; wins over the mode. */
  readonly rule?: Rule
  /** Absent: nobody can be asked, and what the mode would ask about does not run. */
  readonly approval?: Approval
  /** The most steps of one turn. */
  readonly maxSteps: number
  /** Off: an overflow ends the turn with a clear error. */
  readonly autoCompact: boolean
  /** What a usage costs, in US dollars; absent where no prices are known. */
  readonly costOf?: (usage: Usage) => number
  /** How summaries are asked for. */
  readonly compactionRequest: CompactionRequest["strategy"]
  /** How long a model may be silent in the middle of a turn before it is asked again. Zero: for ever. */
  readonly idleTimeout: Duration.Duration
  /** The same for a summary, which is waited for however long it takes unless this is set. */
  readonly summaryIdleTimeout: Duration.Duration
  /** Where tool outputs too large to record are kept whole. */
  readonly outputDirectory: string
  /** Of what comes in, from the user and from tools. What the transcript records is redacted there. */
  readonly redaction: Redaction.Redaction
}

export const defaults = {
  permission: "ask",
  maxSteps: 1_000,
  autoCompact: true,
  compactionRequest: "auto",
  idleTimeout: Duration.minutes(5),
  summaryIdleTimeout: Duration.zero,
  redaction: Redaction.none
} as const

/** What was mended in it is told. */
const telling = (
  transcript: Transcript["Type"],
  publish: (event: SessionEvent) => Effect.Effect<void>
): Transcript["Type"] => {
  const { append, mended } = transcript
  if (mended === undefined) return transcript
  const tell = Effect.flatMap(
    mended,
    Effect.forEach((text) => publish({ _tag: "TranscriptMended", text }), { discard: true })
  )
  return { ...transcript, append: (batch, options) => Effect.ensuring(append(batch, options), tell) }
}

/** 12 characters; random is enough: an id is unique within one session. */
const makeId = Effect.map(
  Effect.replicateEffect(Random.nextIntBetween(0, 36), 12),
  (digits) => digits.map((digit) => digit.toString(36)).join("")
)

export const make = Effect.fnUntraced(function*(
  options: SessionOptions
): Effect.fn.Return<
  Session["Type"],
  never,
  Compaction | FileSystem.FileSystem | LimitStore | Model | Path.Path | Scope.Scope | Transcript
> {
  const model = yield* Model
  const { guard, notice, ...watched } = yield* Watchdog.make(model)
  const opened = yield* Transcript
  const compaction = yield* Compaction
  const limits = yield* LimitStore
  const sessionId = opened.start.id
  const fixed = { system: options.systemPrompt, tools: options.tools.map((tool) => tool.spec) }

  // Publishing must never wait: it happens where nothing can be interrupted.
  const bus = yield* Effect.acquireRelease(PubSub.unbounded<SessionEvent>(), PubSub.shutdown)
  const publish = (event: SessionEvent) => Effect.sync(() => void bus.unsafeOffer(event))

  const transcript = telling(opened, publish)
  const queue = yield* Effect.makeSemaphore(1)
  const conversation = yield* LiveConversation.make({ model, transcript, fixed, learned: yield* limits.get(model) })
  const requests = yield* StepRequest.make({ guard: guard(options.idleTimeout), notice, publish })
  const compactions = yield* CompactionRun.make({
    model: watched.model,
    compaction,
    conversation,
    fixed,
    strategy: options.compactionRequest,
    costOf: options.costOf,
    sessionId,
    retry: (request) => requests.retry(guard(options.summaryIdleTimeout)(request)),
    newId: makeId,
    publish
  })
  const manual = yield* ManualCompaction.make({ compactions, whenFree: queue.withPermits(1), publish })
  // Made after the compaction's handle, so that closing the session interrupts the turn, and through it the child.
  const turns = yield* FiberHandle.make<void, never>()
  const turn = Turn.make({
    model,
    sessionId,
    maxSteps: options.maxSteps,
    conversation,
    boundary: Boundary.make({
      model,
      automatic: options.autoCompact,
      fixed,
      conversation,
      compaction: AutoCompaction.make(compactions),
      manual
    }),
    learning: WindowLearning.make({ model, conversation, store: limits }),
    requests,
    tools: yield* ToolRunner.make({ ...options, publish }),
    publish
  })

  // With the turn over, the compaction that may still run is one between turns.
  const interrupt = Effect.zipRight(FiberHandle.clear(turns), Effect.asVoid(compactions.cancel))

  return {
    id: sessionId,
    subscribe: PubSub.subscribe(bus),
    prompt: Effect.fn("Session.prompt")(function*(message): Effect.fn.Return<TurnResult.TurnResult> {
      const result = yield* Ref.make(Option.none<TurnResult.TurnResult>())
      const id = TurnId.make(yield* makeId)
      const { clear, holds } = options.redaction
      const told = holds(message.text) ? { ...message, text: clear(message.text) } : message
      yield* interruptible(turns)(turn.run(id, told, result))
      return Option.getOrElse(yield* Ref.get(result), () => TurnResult.finish(TurnResult.started, "interrupted"))
    }, queue.withPermits(1)),
    compact: (focus = "") => manual.compact(focus),
    context: Effect.map(conversation.get, (live) => ContextReport.of(live, fixed)),
    escape: Effect.flatMap(compactions.cancel, (cancelled) => cancelled ? Effect.void : interrupt),
    cancelCompaction: Effect.asVoid(compactions.cancel),
    interrupt
  }
})

export const layer = (options: SessionOptions) => Layer.scoped(Session, make(options))
