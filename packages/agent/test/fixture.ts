/** A session on a scripted model, with everything it says and writes at hand. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as LimitStore from "@weir/agent/LimitStore"
import * as Session from "@weir/agent/Session"
import type { SessionEvent } from "@weir/agent/SessionEvent"
import * as Compaction from "@weir/compaction/Compaction"
import type { ToolResult } from "@weir/model/Conversation"
import { type Limits, Model } from "@weir/model/Model"
import * as TestModel from "@weir/model/TestModel"
import type { Tool } from "@weir/model/Tool"
import type { Usage } from "@weir/model/Usage"
import * as Fold from "@weir/session/Fold"
import type { Batch, Record } from "@weir/session/Record"
import { Transcript } from "@weir/session/Transcript"
import type { TranscriptError } from "@weir/session/TranscriptError"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"

export const limits = (options: Partial<Limits> = {}): Limits => ({
  window: 1_000_000,
  source: "declared",
  outputCap: 8_192,
  ...options
})

/** Limits whose in-turn trigger is exactly `trigger` tokens, in a window so large that nothing else matters. */
export const triggeringAt = (trigger: number): Limits => limits({ maxInput: 50_000 + Math.floor(10 * trigger / 9) })

export const usage = (fresh: number, output = 10): Usage => ({
  fresh,
  cacheRead: 0,
  cacheWrite: 0,
  output,
  reasoning: 0
})

export const isSummaryRequest = (asked: TestModel.Asked) => asked.prompt.tools.length === 0

export const summary = `## Goal
Finish the task.

## Key Instructions
Keep it exact.

## Discoveries
The first half works.

## Accomplished
Done: reading. Remaining: writing. Next: write.

## Relevant Files
src/a.ts`

/** A tool that answers with `output`, whatever it is asked. */
export const tool = (
  name: string,
  run: (args: string, call: number) => Effect.Effect<string>,
  access: Tool["access"] = "read"
): Tool => {
  let calls = 0
  return {
    spec: { name, description: `The tool ${name}.`, parameters: { type: "object", properties: {} } },
    access,
    run: (args) =>
      Effect.map(run(args, calls++), (text): ToolResult => ({ text, isError: false, images: [], facts: [] }))
  }
}

export interface Fixture {
  readonly session: Session.Session["Type"]
  readonly events: ReadonlyArray<SessionEvent>
  readonly records: ReadonlyArray<Record>
  readonly asked: ReadonlyArray<TestModel.Asked>
  /** Tags of the events that are not deltas. */
  readonly story: () => ReadonlyArray<string>
  /** Those of the requests that are not for a summary. */
  readonly turns: () => ReadonlyArray<TestModel.Asked>
}

export const start = Effect.fnUntraced(function*(options: {
  readonly limits?: Limits
  readonly answer: (asked: TestModel.Asked, index: number) => TestModel.Answer
  readonly tools?: ReadonlyArray<Tool>
  readonly settings?: Partial<Session.SessionOptions>
  readonly opened?: ReadonlyArray<Record>
  readonly model?: string
  /** Runs before a batch is kept; its failure is the append's. */
  readonly onAppend?: (batch: Batch) => Effect.Effect<void, TranscriptError>
  readonly onEvent?: (event: SessionEvent) => Effect.Effect<void>
}) {
  const { asked, model } = TestModel.make(options.limits ?? limits(), options.answer, {
    ...(options.model !== undefined && { id: options.model })
  })
  const first: Record = {
    _tag: "SessionStarted",
    version: 1,
    id: "session-1",
    cwd: "/",
    provider: "test",
    model: "test-model",
    at: DateTime.unsafeMake(0)
  }
  const records: Array<Record> = [...(options.opened ?? [first])]
  const transcript: Transcript["Type"] = {
    start: first,
    opened: Fold.fold(records),
    notices: [],
    append: (batch) =>
      (options.onAppend?.(batch) ?? Effect.void).pipe(
        Effect.zipRight(Effect.sync(() => {
          records.push(...batch)
          return batch
        }))
      ),
    sync: Effect.void
  }
  const session = yield* Session.make({
    ...Session.defaults,
    systemPrompt: "You are an agent.",
    tools: options.tools ?? [],
    outputDirectory: "/outputs",
    ...options.settings
  }).pipe(
    Effect.provide(Layer.mergeAll(
      Compaction.layer,
      LimitStore.layerMemory,
      Layer.succeed(Model, model),
      Layer.succeed(Transcript, transcript),
      FileSystem.layerNoop({ makeDirectory: () => Effect.void, writeFileString: () => Effect.void }),
      Path.layer
    ))
  )
  const events: Array<SessionEvent> = []
  const told = yield* session.subscribe
  yield* Stream.fromQueue(told).pipe(
    Stream.runForEach((event) =>
      Effect.zipRight(Effect.sync(() => void events.push(event)), options.onEvent?.(event) ?? Effect.void)
    ),
    Effect.forkScoped
  )
  const fixture: Fixture = {
    session,
    events,
    records,
    asked,
    story: () => events.map((event) => event._tag).filter((tag) => !tag.endsWith("Delta")),
    turns: () => asked.filter((one) => !isSummaryRequest(one))
  }
  return fixture
})
