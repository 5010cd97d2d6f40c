/** Where sessions are kept: created, found, opened and read. A file of JSON lines each, or in memory. */
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import type * as Scope from "effect/Scope"
import * as Fold from "./Fold.js"
import * as Overview from "./Overview.js"
import { type Record, SessionStarted, version } from "./Record.js"
import * as SessionId from "./SessionId.js"
import type { Transcript } from "./Transcript.js"
import { TranscriptError } from "./TranscriptError.js"

export interface SessionStart extends Pick<SessionStarted, "cwd" | "provider" | "model" | "origin"> {}

/** A session as it is stored. */
export interface Stored {
  readonly start: SessionStarted
  /** All of them, the first being `start`. Their numbers, from 1, name the session's events. */
  readonly records: ReadonlyArray<Record>
  /** What had to be left out, in sentences for the user. */
  readonly notices: ReadonlyArray<string>
}

export class SessionStore extends Context.Tag("@weir/session/SessionStore")<SessionStore, {
  /** A new session; `records` follow its start. */
  readonly create: (
    start: SessionStart,
    records?: ReadonlyArray<Record>
  ) => Effect.Effect<Transcript["Type"], TranscriptError, Scope.Scope>
  /**
   * Opens the session whose id is, or uniquely begins with, `id`, for this process alone, and repairs what a dead one
   * has left unfinished.
   */
  readonly open: (id: string) => Effect.Effect<Transcript["Type"], TranscriptError, Scope.Scope>
  /** The same of a session that may be open elsewhere: what is appended is told to nobody, and nothing is repaired. */
  readonly look: (id: string) => Effect.Effect<Transcript["Type"], TranscriptError>
  /** Reads a session, open elsewhere or not, and changes nothing. */
  readonly read: (id: string) => Effect.Effect<Stored, TranscriptError>
  /** Deletes a session that is open nowhere; gives its id. */
  readonly remove: (id: string) => Effect.Effect<string, TranscriptError>
  /** What a list shows of every session, oldest first. */
  readonly overviews: Effect.Effect<ReadonlyArray<Overview.Overview>, TranscriptError>
  /** The id of the newest session of a directory. */
  readonly latest: (cwd: string) => Effect.Effect<Option.Option<string>, TranscriptError>
}>() {}

export const startRecord = Effect.fnUntraced(function*({ cwd, model, origin, provider }: SessionStart) {
  const id = yield* SessionId.make
  return SessionStarted.make({ version, id, cwd, provider, model, at: yield* DateTime.now, ...(origin && { origin }) })
})

interface Kept extends Pick<Stored, "start" | "records"> {}

const makeMemory = Effect.gen(function*() {
  const sessions = yield* Ref.make<ReadonlyMap<string, Kept>>(new Map())
  const find = Effect.fnUntraced(function*(prefix: string) {
    const all = yield* Ref.get(sessions)
    const id = yield* SessionId.resolve([...all.keys()], prefix)
    const kept = all.get(id)
    return kept ?? (yield* new TranscriptError({ reason: "notFound", subject: id, detail: "" }))
  })
  const extend = (start: SessionStarted, records: ReadonlyArray<Record>) =>
    Ref.update(
      sessions,
      (all) => new Map(all).set(start.id, { start, records: [...(all.get(start.id)?.records ?? []), ...records] })
    )
  const transcript = ({ records, start }: Kept): Transcript["Type"] => ({
    start,
    opened: Fold.fold([start, ...records]),
    notices: [],
    append: (batch) => Effect.as(extend(start, batch), batch),
    sync: Effect.void
  })
  return SessionStore.of({
    create: (options, records = []) =>
      Effect.gen(function*() {
        const start = yield* startRecord(options)
        yield* extend(start, [start, ...records])
        return transcript({ start, records })
      }),
    open: (prefix) => Effect.map(find(prefix), transcript),
    look: (prefix) => Effect.map(find(prefix), (kept) => ({ ...transcript(kept), append: Effect.succeed })),
    read: (prefix) => Effect.map(find(prefix), (kept) => ({ ...kept, notices: [] })),
    remove: (prefix) =>
      Effect.gen(function*() {
        const { start: { id } } = yield* find(prefix)
        yield* Ref.update(sessions, (all) => new Map([...all].filter(([other]) => other !== id)))
        return id
      }),
    overviews: Effect.map(
      Ref.get(sessions),
      (all) =>
        [...all.values()].map(({ records, start }) =>
          Overview.make(start, records.reduce(Overview.append, Overview.empty), start.at)
        )
    ),
    latest: (cwd) =>
      Effect.map(Ref.get(sessions), (all) =>
        Option.map(
          Option.fromNullable([...all.values()].findLast(({ start }) => start.cwd === cwd)),
          ({ start }) => start.id
        ))
  })
})

/** Sessions that last as long as the layer. */
export const layerMemory: Layer.Layer<SessionStore> = Layer.effect(SessionStore, makeMemory)
