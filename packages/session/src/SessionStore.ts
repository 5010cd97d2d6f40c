/** Where sessions are kept: created, found and opened. A file of JSON lines each, or in memory. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Ref from "effect/Ref"
import type * as Scope from "effect/Scope"
import { type Record, SessionStarted, version } from "./Record.js"
import type { Transcript } from "./Transcript.js"
import { TranscriptError } from "./TranscriptError.js"
import * as TranscriptFile from "./TranscriptFile.js"

export interface SessionStart {
  readonly cwd: string
  readonly provider: string
  readonly model: string
}

export class SessionStore extends Context.Tag("@weir/session/SessionStore")<SessionStore, {
  readonly create: (start: SessionStart) => Effect.Effect<Transcript["Type"], TranscriptError, Scope.Scope>
  /** Opens the session whose id is, or uniquely begins with, `id`. */
  readonly open: (id: string) => Effect.Effect<Transcript["Type"], TranscriptError, Scope.Scope>
  /** The id of the newest session of a directory. */
  readonly latest: (cwd: string) => Effect.Effect<Option.Option<string>, TranscriptError>
}>() {}

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

/** Ids sort by their time: `20261130T011502-4k9z2m`. */
const makeId = Effect.gen(function*() {
  const now = DateTime.formatIso(yield* DateTime.now)
  const time = now.slice(0, 19).replaceAll(/[-:]/g, "")
  const letters = yield* Effect.replicateEffect(Random.nextIntBetween(0, alphabet.length), 6)
  return `${time}-${letters.map((at) => alphabet[at]).join("")}`
})

const startRecord = Effect.fnUntraced(function*(start: SessionStart) {
  return SessionStarted.make({ ...start, version, id: yield* makeId, at: yield* DateTime.now })
})

const resolve = (ids: ReadonlyArray<string>, prefix: string): Effect.Effect<string, TranscriptError> => {
  const matches = ids.includes(prefix) ? [prefix] : ids.filter((id) => id.startsWith(prefix))
  const [id, ...others] = matches
  if (id === undefined) return new TranscriptError({ reason: "notFound", subject: prefix, detail: "" })
  if (others.length > 0) {
    return new TranscriptError({ reason: "ambiguous", subject: prefix, detail: matches.slice(0, 5).join(", ") })
  }
  return Effect.succeed(id)
}

const makeMemory = Effect.gen(function*() {
  const sessions = yield* Ref.make<ReadonlyMap<string, ReadonlyArray<Record>>>(new Map())
  const extend = (id: string, records: ReadonlyArray<Record>) =>
    Ref.update(sessions, (all) => new Map(all).set(id, [...(all.get(id) ?? []), ...records]))
  const transcript = (start: SessionStarted, opened: ReadonlyArray<Record>): Transcript["Type"] => ({
    start,
    opened,
    append: (batch) => extend(start.id, batch)
  })
  return SessionStore.of({
    create: (options) =>
      Effect.gen(function*() {
        const start = yield* startRecord(options)
        yield* extend(start.id, [start])
        return transcript(start, [start])
      }),
    open: (prefix) =>
      Effect.gen(function*() {
        const all = yield* Ref.get(sessions)
        const id = yield* resolve([...all.keys()], prefix)
        const records = all.get(id) ?? []
        return transcript(yield* TranscriptFile.startOf(records, id), records)
      }),
    latest: (cwd) =>
      Effect.map(
        Ref.get(sessions),
        (all) =>
          Arr.findLast([...all.entries()], ([, [first]]) => first?._tag === "SessionStarted" && first.cwd === cwd).pipe(
            Option.map(([id]) => id)
          )
      )
  })
})

export const layerMemory: Layer.Layer<SessionStore> = Layer.effect(SessionStore, makeMemory)

const extension = ".jsonl"

const makeFile = Effect.fnUntraced(function*(directory: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const fileOf = (id: string) => path.join(directory, id + extension)
  /** Oldest first: ids sort by time. */
  const ids = fs.readDirectory(directory).pipe(
    Effect.map((names) =>
      names.filter((name) => name.endsWith(extension)).map((name) => name.slice(0, -extension.length)).sort()
    ),
    Effect.catchIf((error) => error._tag === "SystemError" && error.reason === "NotFound", () => Effect.succeed([])),
    Effect.mapError((error) => new TranscriptError({ reason: "read", subject: directory, detail: error.message }))
  )
  const provided = Effect.provideService(FileSystem.FileSystem, fs)
  return SessionStore.of({
    create: (options) =>
      Effect.gen(function*() {
        const start = yield* startRecord(options)
        yield* fs.makeDirectory(directory, { recursive: true, mode: 0o700 }).pipe(
          Effect.mapError((error) =>
            new TranscriptError({ reason: "write", subject: directory, detail: error.message })
          )
        )
        return yield* TranscriptFile.create(fileOf(start.id), start)
      }).pipe(provided),
    open: (prefix) =>
      Effect.gen(function*() {
        return yield* TranscriptFile.open(fileOf(yield* resolve(yield* ids, prefix)))
      }).pipe(provided),
    latest: (cwd) =>
      Effect.gen(function*() {
        for (const id of (yield* ids).toReversed()) {
          const start = yield* TranscriptFile.readStart(fileOf(id))
          if (Option.isSome(start) && start.value.cwd === cwd) return Option.some(id)
        }
        return Option.none()
      }).pipe(provided)
  })
})

/** Sessions as files `ID.jsonl` in a directory, which is created with the first session. */
export const layerFile = (directory: string): Layer.Layer<SessionStore, never, FileSystem.FileSystem | Path.Path> =>
  Layer.effect(SessionStore, makeFile(directory))
