/** A session lives through a world, in virtual time; all that happens is written down in the order it happens. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as LimitStore from "@weir/agent/LimitStore"
import * as Session from "@weir/agent/Session"
import type { ManualCompactionEnd, SessionEvent } from "@weir/agent/SessionEvent"
import type { TurnResult } from "@weir/agent/TurnResult"
import * as Compaction from "@weir/compaction/Compaction"
import { type ToolResult, type UserMessage, userMessage } from "@weir/model/Conversation"
import { type Limits, Model, type Weights } from "@weir/model/Model"
import type { Prompt } from "@weir/model/Prompt"
import * as TestModel from "@weir/model/TestModel"
import type { Tool } from "@weir/model/Tool"
import * as Fold from "@weir/session/Fold"
import { type Batch, Line, type Record } from "@weir/session/Record"
import { Transcript } from "@weir/session/Transcript"
import { TranscriptError } from "@weir/session/TranscriptError"
import * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Queue from "effect/Queue"
import * as Runtime from "effect/Runtime"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as VirtualTime from "../../model/test/VirtualTime.js"
import * as ScriptedProvider from "./ScriptedProvider.js"
import { images, marks, text } from "./Texts.js"
import type { Act, ByteLimit, ModelKind, Output, Press, World } from "./World.js"

/** One thing that happened, at a time in milliseconds. */
export type Moment =
  & { readonly at: number }
  & (
    | { readonly _tag: "Opened"; readonly leader: Leader }
    | { readonly _tag: "Told"; readonly event: SessionEvent }
    | { readonly _tag: "Recorded"; readonly record: Record }
    | { readonly _tag: "NotRecorded"; readonly batch: Batch }
    | {
      readonly _tag: "Asked"
      readonly index: number
      readonly asked: TestModel.Asked
      readonly isSummary: boolean
      /** What it holds, in tokens of ours. */
      readonly scan: number
      /** The fold of all that was recorded so far. */
      readonly folded: Fold.Folded
      readonly leader: Leader
    }
    | { readonly _tag: "Answered"; readonly index: number; readonly how: "whole" | "refused" | "failed" | "cut" }
    | { readonly _tag: "Pressed"; readonly act: Act }
    | { readonly _tag: "Compacted"; readonly end: ManualCompactionEnd }
    | { readonly _tag: "Returned"; readonly turn: number; readonly exit: Exit.Exit<TurnResult> }
  )

/** The model that is asked. */
export interface Leader {
  readonly endpoint: string
  readonly model: string
  readonly limits: Limits
  /** Whether another model came before it. */
  readonly hasFollowed: boolean
}

export interface Story {
  readonly world: World
  /** The first one. */
  readonly leader: Leader
  readonly weights: Weights
  /** Of every request of a turn. */
  readonly fixed: Pick<Prompt, "system" | "tools">
  readonly messages: ReadonlyArray<UserMessage>
  readonly moments: ReadonlyArray<Moment>
  readonly end: Exit.Exit<void>
}

const shares: { readonly [kind in ModelKind]: number } = { larger: 3, smaller: 1 / 3, usual: 1 }

const maxBytesOf = (bytes: ByteLimit | undefined): Pick<Limits, "maxBytes"> =>
  bytes?.declared === undefined
    ? {}
    : { maxBytes: { limit: Math.floor(bytes.limit * bytes.declared / 100), guessed: false } }

/** In bytes. */
const imageSize = ({ provider: { bytes } }: World) => bytes ? Math.floor(bytes.limit * bytes.image / 100) : 0

const limitsOf = (world: World, window: number): Limits => ({
  window,
  source: world.source,
  outputCap: world.outputCap,
  ...(world.maxInput !== undefined && { maxInput: Math.floor(window * world.maxInput / 100) }),
  ...(world.maxOutput !== undefined && { maxOutput: world.maxOutput }),
  ...maxBytesOf(world.provider.bytes)
})

const leaderOf = (world: World, kind: ModelKind, hasFollowed: boolean): Leader => ({
  endpoint: "test",
  model: kind === "usual" ? "test-model" : `${kind}-model`,
  limits: limitsOf(world, Math.max(4_000, Math.floor(world.window * shares[kind]))),
  hasFollowed
})

const weightsOf = (world: World): Weights => ({
  perEntry: 4,
  perCall: 10,
  perImage: Math.max(50, Math.floor(world.window / 12)),
  replaysReasoning: world.replaysReasoning
})

const Wanted = Schema.parseJson(Schema.Struct({
  stuff: Schema.Literal("prose", "code", "cjk", "emoji", "spaces", "tags"),
  tokens: Schema.Int,
  images: Schema.Int
}))

const resultOf = (world: World, wanted: Output): ToolResult => ({
  text: wanted.tokens === 0 ? "" : `${marks.output}\n${text(wanted)}`,
  isError: false,
  images: images(wanted.images, imageSize(world)),
  facts: [{ _tag: "File", path: `src/${wanted.stuff}-${wanted.tokens}.ts`, action: "read" }]
})

const toolsOf = (world: World): ReadonlyArray<Tool> =>
  (["look", "run", "broken"] as const).map((name) => ({
    spec: { name, description: `The tool ${name}.`, parameters: { type: "object", properties: {} } },
    access: name === "look" ? "read" : "execute",
    run: (args) =>
      name === "broken"
        ? Effect.die("a bug in a tool")
        : Schema.decode(Wanted)(args).pipe(
          Effect.orDie,
          Effect.map((wanted) => resultOf(world, wanted)),
          Effect.delay(name === "look" ? 0 : 100)
        )
  }))

export const first: Record & { readonly _tag: "SessionStarted" } = {
  _tag: "SessionStarted",
  version: 1,
  id: "session-1",
  cwd: "/",
  provider: "test",
  model: "test-model",
  at: DateTime.unsafeMake(0)
}

const diskFull = new TranscriptError({ reason: "write", subject: "session-1", detail: "no space" })

/** The records as a file gives them back. */
const throughAFile = (records: ReadonlyArray<Record>): ReadonlyArray<Record> =>
  records.flatMap((record) => Schema.decodeSync(Line)(Schema.encodeSync(Line)([record])))

export const tell = (world: World): Story => {
  const weights = weightsOf(world)
  const tools = toolsOf(world)
  const fixed = { system: "You are an agent.", tools: tools.map(({ spec }) => spec) }
  const moments: Array<Moment> = []
  const count = ScriptedProvider.counter(weights)
  const provider = ScriptedProvider.make(world, count)
  const messages = world.turns.map(({ user }, index) =>
    userMessage(`${index}. ${text(user)}`, images(user.images, imageSize(world)))
  )

  let leader = leaderOf(world, "usual", false)
  let requests = 0
  let records: Array<Record> = [first]
  let folded = Fold.fold(records)
  let appends = 0
  let begun = 0
  let now = () => 0
  let told: Option.Option<Queue.Dequeue<SessionEvent>> = Option.none()
  let press = (_: Press) => {}
  const heard = new Map<string, number>()

  /** Writes down what was told so far; keys are pressed on hearing it. */
  const listen = () => {
    if (Option.isNone(told) || told.value.unsafeSize().pipe(Option.contains(0))) return
    const events = Effect.runSync(Queue.takeAll(told.value))
    for (const event of events) moments.push({ _tag: "Told", at: now(), event })
    for (const event of events) {
      const nth = (heard.get(event._tag) ?? 0) + 1
      heard.set(event._tag, nth)
      for (const one of world.presses) if (one.on === event._tag && one.nth === nth) press(one)
    }
  }

  const note = (moment: Moment) => {
    listen()
    moments.push(moment)
  }

  const answer = (asked: TestModel.Asked): TestModel.Opening => {
    const index = requests++
    const answered = (exit: Exit.Exit<unknown, unknown>) =>
      Effect.sync(() => {
        const error = Exit.isFailure(exit) ? Cause.failureOption(exit.cause) : Option.none()
        const how = Exit.isSuccess(exit)
          ? "whole"
          : Exit.isInterrupted(exit)
          ? "cut"
          : Option.exists(error, Predicate.isTagged("ContextWindowExceeded"))
          ? "refused"
          : "failed"
        note({ _tag: "Answered", at: now(), index, how })
      })
    const witnessed = Effect.flatMap(Effect.scope, (scope) => {
      const isSummary = ScriptedProvider.isSummary(asked)
      note({ _tag: "Asked", at: now(), index, asked, isSummary, scan: count(asked.prompt), folded, leader })
      return Scope.addFinalizerExit(scope, answered)
    })
    return Effect.zipRight(Effect.uninterruptible(witnessed), Effect.suspend(() => provider.answer(asked)))
  }

  const modelOf = ({ limits, model: id }: Leader) =>
    TestModel.make(limits, answer, { cachesPrompts: world.provider.caches, id, weights }).model

  const append: Transcript["Type"]["append"] = (batch) =>
    Effect.gen(function*() {
      if (world.disk.delay > 0) yield* Effect.sleep(world.disk.delay)
      if (world.disk.fails.includes(appends++)) {
        note({ _tag: "NotRecorded", at: now(), batch })
        return yield* diskFull
      }
      for (const record of batch) {
        note({ _tag: "Recorded", at: now(), record })
        folded = Fold.append(folded, record)
        if (record._tag === "TurnStarted") {
          const turn = messages.findIndex((message) => message === record.user)
          begun = Math.max(begun, turn + 1)
          provider.turnStarts(world.turns[turn]?.replies ?? [])
        }
      }
      records.push(...batch)
      return batch
    })

  const program = Effect.gen(function*() {
    const clock = yield* Effect.clock
    now = () => clock.unsafeCurrentTimeMillis()
    const runFork = Runtime.runFork(yield* Effect.runtime<never>())
    const store = yield* Layer.build(LimitStore.layerMemory)

    const open = Effect.gen(function*() {
      const scope = yield* Scope.make()
      const session = yield* Session.make({
        ...Session.defaults,
        systemPrompt: fixed.system,
        tools,
        outputDirectory: "/outputs",
        permission: "full",
        maxSteps: world.maxSteps,
        autoCompact: world.automatic,
        compactionRequest: world.strategy
      }).pipe(
        Scope.extend(scope),
        Effect.provide(Layer.mergeAll(
          Compaction.layer,
          Layer.succeedContext(store),
          Layer.succeed(Model, modelOf(leader)),
          Layer.succeed(Transcript, { start: first, opened: folded, notices: [], append, sync: Effect.void }),
          FileSystem.layerNoop({ makeDirectory: () => Effect.void, writeFileString: () => Effect.void }),
          Path.layer
        ))
      )
      told = Option.some(yield* Scope.extend(session.subscribe, scope))
      provider.leads(leader.limits.window)
      note({ _tag: "Opened", at: now(), leader })
      return { scope, session }
    })

    let { scope, session } = yield* open
    let waiting: Array<Fiber.RuntimeFiber<TurnResult>> = []
    const asks: Array<Fiber.RuntimeFiber<void>> = []

    const acts: { readonly [act in Act]: Effect.Effect<void> } = {
      esc: Effect.suspend(() => session.escape),
      interrupt: Effect.suspend(() => session.interrupt),
      abandon: Effect.suspend(() => {
        const fiber = waiting.find((fiber) => fiber.unsafePoll() === null)
        return fiber ? Effect.asVoid(Fiber.interrupt(fiber)) : Effect.void
      }),
      compact: Effect.suspend(() => {
        const focus = asks.length % 2 === 0 ? "" : "the parser"
        const asking = Effect.map(session.compact(focus), (end) => note({ _tag: "Compacted", at: now(), end }))
        return Effect.map(Effect.forkDaemon(asking), (fiber) => void asks.push(fiber))
      })
    }
    press = ({ act, after }) => {
      const acting = Effect.suspend(() => {
        note({ _tag: "Pressed", at: now(), act })
        return acts[act]
      })
      runFork(after === 0 ? acting : Effect.delay(acting, after))
    }

    const settle = Effect.suspend(() => Fiber.awaitAll([...waiting, ...asks]))
    for (const [turn, { begins, model }] of world.turns.entries()) {
      const message = messages[turn]
      if (message === undefined) continue
      if (begins !== "queued") yield* settle
      if (begins === "resumed") {
        listen()
        told = Option.none()
        yield* Scope.close(scope, Exit.void)
        records = [...throughAFile(records)]
        folded = Fold.fold(records)
        leader = leaderOf(world, model, leader.hasFollowed || model !== "usual")
        const opened = yield* open
        scope = opened.scope
        session = opened.session
      }
      waiting = [
        ...waiting,
        yield* Effect.forkDaemon(
          Effect.onExit(
            session.prompt(message),
            (exit) => Effect.sync(() => note({ _tag: "Returned", at: now(), turn, exit }))
          )
        )
      ]
    }
    yield* settle
    listen()
    told = Option.none()
    yield* Scope.close(scope, Exit.void)
  }).pipe(Effect.scoped)

  const end = VirtualTime.run(program, { seed: world.seed, settled: listen })
  return { world, leader: leaderOf(world, "usual", false), weights, fixed, messages, moments, end }
}
