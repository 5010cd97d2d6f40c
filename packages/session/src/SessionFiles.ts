/** Sessions as files `ID.jsonl` in a directory; beside each its lock, and what is too large for its lines. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Refusal from "@weir/model/Refusal"
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as HeldFile from "./HeldFile.js"
import * as LockFile from "./LockFile.js"
import type { Record } from "./Record.js"
import * as Redaction from "./Redaction.js"
import * as SessionId from "./SessionId.js"
import * as SessionIndex from "./SessionIndex.js"
import { SessionStore, startRecord } from "./SessionStore.js"
import * as SideFiles from "./SideFiles.js"
import { TranscriptError } from "./TranscriptError.js"
import * as TranscriptFile from "./TranscriptFile.js"
import * as TranscriptReader from "./TranscriptReader.js"

const extension = ".jsonl"

const failing = (reason: "read" | "write", subject: string) => (error: { readonly message: string }) =>
  new TranscriptError({ reason, subject, detail: Refusal.detail(error) })

const linesOf = (path: Path.Path, directory: string, id: string) => `${directory}${path.sep}${id}${extension}`

/** What belongs to the session `id`. */
export const filesOf = (path: Path.Path, directory: string, id: string): TranscriptFile.Files => ({
  lines: linesOf(path, directory, id),
  side: path.join(directory, `${id}.files`),
  lock: path.join(directory, `${id}.lock`)
})

/** The ids of a directory's sessions, oldest first: they sort by time. */
export const idsOf = Effect.fnUntraced(function*(directory: string) {
  const fs = yield* FileSystem.FileSystem
  return yield* fs.readDirectory(directory).pipe(
    Effect.map((names) =>
      names.filter((name) => name.endsWith(extension)).map((name) => name.slice(0, -extension.length)).sort()
    ),
    Effect.catchIf((error) => error._tag === "SystemError" && error.reason === "NotFound", () => Effect.succeed([])),
    Effect.mapError(failing("read", directory))
  )
})

const make = Effect.fnUntraced(function*(directory: string, redact: Redaction.Redaction) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const of = (id: string) => filesOf(path, directory, id)
  const provided = Effect.provide(Context.add(Context.make(FileSystem.FileSystem, fs), Path.Path, path))
  const find = (prefix: string) => Effect.flatMap(idsOf(directory), (ids) => SessionId.resolve(ids, prefix))

  return SessionStore.of({
    create: (options, records = []) =>
      Effect.gen(function*() {
        const start = yield* startRecord(options)
        yield* fs.makeDirectory(directory, { recursive: true, mode: 0o700 }).pipe(
          Effect.mapError(failing("write", directory))
        )
        return yield* TranscriptFile.create(of(start.id), start, redact, records)
      }).pipe(provided),
    open: (prefix) => Effect.flatMap(find(prefix), (id) => TranscriptFile.open(of(id), id, redact)).pipe(provided),
    look: (prefix) => Effect.flatMap(find(prefix), (id) => TranscriptFile.look(of(id), id)).pipe(provided),
    read: (prefix) =>
      Effect.gen(function*() {
        const id = yield* find(prefix)
        const files = of(id)
        const records: Array<Record> = []
        const read = yield* TranscriptReader.read(files.lines, (record) => records.push(record))
        const start = { ...read.start, id }
        const side = yield* SideFiles.make(files.side)
        const loaded = yield* Effect.forEach(records, side.load)
        return {
          start,
          // Also what was recorded before a key was configured.
          records: loaded.flatMap((record) => record._tag === "SessionStarted" ? [start] : redact([record])),
          notices: TranscriptFile.reportDamage(files.lines, read)
        }
      }).pipe(provided),
    remove: (prefix) =>
      Effect.gen(function*() {
        const id = yield* find(prefix)
        const { lines, lock, side } = of(id)
        // A full disk has no room for a lock, and is why sessions are deleted.
        yield* Effect.catchIf(
          LockFile.acquire(lock, id),
          ({ reason }) => reason === "write",
          () => LockFile.check(lock, id)
        )
        // The lines last: as long as they are there, the session can be deleted again.
        const doomed = [side, `${lines}.torn`, HeldFile.replacedBy(lines), lines]
        yield* Effect.forEach(doomed, (file) => fs.remove(file, { force: true, recursive: true }), { discard: true })
          .pipe(
            Effect.mapError(failing("write", id))
          )
        return id
      }).pipe(Effect.scoped, provided),
    overviews: Effect.flatMap(
      idsOf(directory),
      (ids) => SessionIndex.overviews(directory, ids, (id) => linesOf(path, directory, id))
    )
      .pipe(provided),
    latest: (cwd) =>
      Effect.gen(function*() {
        for (const id of Arr.reverse(yield* idsOf(directory))) {
          const start = yield* TranscriptReader.readStart(of(id).lines)
          if (Option.isSome(start) && start.value.cwd === cwd) return Option.some(id)
        }
        return Option.none<string>()
      }).pipe(provided)
  })
})

/** The directory is created with the first session. `redact` sees every batch before it is recorded. */
export const layer = (
  directory: string,
  redact: Redaction.Redaction = Redaction.none
): Layer.Layer<SessionStore, never, FileSystem.FileSystem | Path.Path> =>
  Layer.effect(SessionStore, make(directory, redact))
