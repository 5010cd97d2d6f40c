/** Going back: a new session that begins like another one, and compactions taken back. */
import * as Effect from "effect/Effect"
import * as Fold from "./Fold.js"
import type { CompactionApplied, Record } from "./Record.js"
import { SessionStore } from "./SessionStore.js"
import { TranscriptError } from "./TranscriptError.js"

/** A turn that was running where the records were cut ends there. */
const ended = (records: ReadonlyArray<Record>): ReadonlyArray<Record> => {
  const { running } = Fold.fold(records)
  return running ? [...records, { _tag: "TurnFinished", reason: "interrupted", usage: running.usage }] : records
}

/** A new session with the first `count` records of another, or all of them; gives its id. */
export const fork = Effect.fnUntraced(function*(id: string, count?: number) {
  const store = yield* SessionStore
  const { records, start } = yield* store.read(id)
  const first = count ?? records.length
  if (first < 1 || first > records.length) {
    return yield* new TranscriptError({
      reason: "notFound",
      subject: `${start.id} with an event ${first}`,
      detail: `its events are 1 to ${records.length}`
    })
  }
  const { cwd, model, provider } = start
  const forked = yield* store.create(
    { cwd, model, provider, origin: { _tag: "Fork", session: start.id, records: first } },
    ended(records.slice(1, first))
  )
  return forked.start.id
}, Effect.scoped)

/** Takes the newest compaction back that still stands, and gives it; undefined when there is none. */
export const undoCompaction = Effect.fnUntraced(function*(id: string) {
  const store = yield* SessionStore
  const { append, opened, start } = yield* store.open(id)
  const { checkpoint } = opened.projection
  if (checkpoint === undefined) return undefined
  yield* append([{ _tag: "CompactionUndone", checkpoint: checkpoint.id }], { sync: true })
  const { records } = yield* store.read(start.id)
  return records.find((record): record is typeof CompactionApplied.Type =>
    record._tag === "CompactionApplied" && record.checkpoint.id === checkpoint.id
  )
}, Effect.scoped)

/** Gives the session a name; an empty one gives back its first message. */
export const rename = Effect.fnUntraced(function*(id: string, title: string) {
  const { append, start } = yield* Effect.flatMap(SessionStore, (store) => store.open(id))
  yield* append([{ _tag: "SessionRenamed", title }], { sync: true })
  return start.id
}, Effect.scoped)
