/** Sessions for tests: a directory of its own, and records of every kind. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import type * as Account from "@weir/compaction/Account"
import { CheckpointId } from "@weir/compaction/Checkpoint"
import type * as Projection from "@weir/compaction/Projection"
import { type Image, type Step, TurnId, userMessage } from "@weir/model/Conversation"
import * as Usage from "@weir/model/Usage"
import * as Fold from "@weir/session/Fold"
import type { Batch, Record, TurnEnd } from "@weir/session/Record"
import * as Redaction from "@weir/session/Redaction"
import * as SessionFiles from "@weir/session/SessionFiles"
import { SessionStore } from "@weir/session/SessionStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"

export const start = { cwd: "/project", provider: "test", model: "m" }

/** What a session comes to that holds nothing yet. */
export const beginning: Fold.Folded = { ...Fold.empty, model: { provider: start.provider, model: start.model } }

export const began = (id: string, text: string, images: ReadonlyArray<Image> = []): Record => ({
  _tag: "TurnStarted",
  turnId: TurnId.make(id),
  user: userMessage(text, images),
  at: DateTime.unsafeMake(0)
})

export const end = (reason: TurnEnd): Record => ({ _tag: "TurnFinished", reason, usage: Usage.zero })

export const turn = (id: string, text: string): Batch => [began(id, text), end("finished")]

export const usage = (fresh: number): Usage.Usage => ({ ...Usage.zero, fresh, output: 7 })

/** A step that says something and reads `output`. */
export const step = (text: string, output: string, images: ReadonlyArray<Image> = []): Step => ({
  _tag: "Step",
  parts: [
    { _tag: "Text", text },
    {
      _tag: "Exchange",
      call: { _tag: "ToolCall", id: "call", name: "read_file", arguments: "{\"path\":\"a\"}" },
      result: { text: output, isError: false, images, facts: [{ _tag: "File", path: "a", action: "read" }] }
    }
  ],
  usage: usage(output.length)
})

export const stepped = (text: string, output: string, images: ReadonlyArray<Image> = []): Record => ({
  _tag: "StepCompleted",
  step: step(text, output, images)
})

/** What a compaction took. */
export const attempt: Account.Attempt = {
  phase: "in-turn",
  reason: "in-turn-trigger",
  usage: usage(1_000),
  millis: 2_500
}

/** A compaction of all but the newest turn's message, or of all finished turns. */
export const compacted = (id: string, { turns }: Projection.Projection, inTurn: boolean, covered: number): Record => {
  const newest = turns.at(-1)
  return {
    _tag: "CompactionApplied",
    checkpoint: {
      id: CheckpointId.make(id),
      kind: inTurn ? "in-turn" : "turn-boundary",
      summary: `Summary ${id}`,
      ledger: { facts: [], instructions: [] },
      coverage: {
        turns: (inTurn ? turns.slice(0, -1) : turns).map((turn) => turn.id),
        ...(inTurn && newest && { partial: { turn: newest.id, steps: covered } })
      },
      ...(inTurn && newest && { task: newest.id }),
      unread: inTurn
    },
    ...attempt,
    before: 1_000,
    after: 100,
    strategy: "isolated",
    notes: []
  }
}

export const inDirectory = <A, E, R>(
  body: (directory: string) => Effect.Effect<A, E, R>,
  redact: Redaction.Redaction = Redaction.none
) =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const directory = path.join(yield* fs.makeTempDirectoryScoped(), "sessions")
    return yield* body(directory).pipe(Effect.provide(SessionFiles.layer(directory, redact)))
  }).pipe(Effect.scoped, Effect.provide(NodeContext.layer))

/** A new session with these batches, closed again; gives its id. */
export const written = (batches: ReadonlyArray<Batch>) =>
  Effect.gen(function*() {
    const transcript = yield* Effect.flatMap(SessionStore, (store) => store.create(start))
    yield* Effect.forEach(batches, (batch) => transcript.append(batch), { discard: true })
    return transcript.start.id
  }).pipe(Effect.scoped)

/** What a session comes to when it is opened, and closed at once. */
export const reopened = (id: string) => Effect.scoped(Effect.flatMap(SessionStore, (store) => store.open(id)))

export const recordsOf = (id: string) =>
  Effect.map(Effect.flatMap(SessionStore, (store) => store.read(id)), ({ records }) => records)
