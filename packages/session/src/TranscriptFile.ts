/** A transcript as a file of JSON lines that this process alone may write: one batch, one line, one write. */
import * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Refusal from "@weir/model/Refusal"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as Fold from "./Fold.js"
import * as HeldFile from "./HeldFile.js"
import * as LockFile from "./LockFile.js"
import { type Batch, Line, type Record, type SessionStarted } from "./Record.js"
import type { Redaction } from "./Redaction.js"
import * as SideFiles from "./SideFiles.js"
import type { Transcript } from "./Transcript.js"
import { TranscriptError } from "./TranscriptError.js"
import * as TranscriptReader from "./TranscriptReader.js"

const encode = Schema.encode(Line)

/** How often the file is looked after at most, in milliseconds. */
const keepGap = 1_000

export interface Files {
  /** The lines. */
  readonly lines: string
  /** The directory of what is too large for a line. */
  readonly side: string
  readonly lock: string
}

interface Written {
  /** Bytes that were acknowledged. */
  readonly length: number
  /** Whether bytes may follow them that were not. */
  readonly excess: boolean
  readonly synced: boolean
}

const isOurs = Schema.is(TranscriptError)

const writing = (subject: string) => (error: { readonly message: string }) =>
  isOurs(error) ? error : new TranscriptError({ reason: "write", subject, detail: Refusal.detail(error) })

const told = (file: string, mishap: HeldFile.Mishap) =>
  `The file of this session was ${mishap} while it was open. It has been written anew, and the session goes on: ` +
  file + (mishap === "replaced" ? ` (what had replaced it: ${HeldFile.replacedBy(file)})` : "")

/** Appends behind the first `length` bytes of the file of the session `id`. */
const writer = Effect.fnUntraced(function*(files: Files, id: string, length: number, redact: Redaction) {
  const fs = yield* FileSystem.FileSystem
  const file = files.lines
  const side = yield* SideFiles.make(files.side)
  const scope = yield* Effect.scope
  const handle = yield* Effect.mapError(HeldFile.open(file), writing(file))
  const mishaps = yield* Ref.make<ReadonlyArray<string>>([])
  const written = yield* Ref.make<Written>({ length, excess: false, synced: true })

  const keptAt = yield* Ref.make(-Infinity)

  /** The lock and large texts may have gone the same way. */
  const keep = Effect.gen(function*() {
    const mishap = yield* handle.keep((yield* Ref.get(written)).length)
    if (Option.isNone(mishap)) return
    yield* Ref.update(mishaps, (before) => [...before, told(file, mishap.value)])
    yield* Ref.update(written, (self) => ({ ...self, excess: false }))
    yield* side.forget
    if (!(yield* fs.exists(files.lock))) yield* Scope.extend(LockFile.acquire(files.lock, id), scope)
  }).pipe(Effect.provideService(FileSystem.FileSystem, fs))

  /** Not before every line of many: what is written meanwhile is to be had all the same. */
  const keepNowAndThen = Effect.fnUntraced(function*(isWanted: boolean) {
    const now = yield* Clock.currentTimeMillis
    if (!isWanted && now - (yield* Ref.get(keptAt)) < keepGap) return
    yield* Ref.set(keptAt, -Infinity)
    yield* keep
    yield* Ref.set(keptAt, now)
  })

  const cutBack = Effect.gen(function*() {
    const { excess, length } = yield* Ref.get(written)
    if (!excess) return
    yield* fs.truncate(file, length)
    yield* Ref.update(written, (self) => ({ ...self, excess: false }))
  })

  const sync = Effect.gen(function*() {
    if ((yield* Ref.get(written)).synced) return
    yield* handle.sync
    yield* Ref.update(written, (self) => ({ ...self, synced: true }))
  }).pipe(Effect.mapError(writing(file)), Effect.uninterruptible)

  const append: Transcript["Type"]["append"] = (given, options) =>
    Effect.gen(function*() {
      const batch = redact(given)
      // The files of large texts are not to be had again.
      yield* keepNowAndThen(options?.sync === true || side.isConcerned(batch))
      const line = new TextEncoder().encode((yield* encode(yield* side.store(batch))) + "\n")
      yield* cutBack
      yield* Ref.update(written, (self) => ({ ...self, excess: true, synced: false }))
      yield* handle.writeAll(line)
      if (options?.sync) yield* handle.sync
      yield* Ref.update(written, ({ length }) => ({
        length: length + line.length,
        excess: false,
        synced: options?.sync === true
      }))
      return batch
    }).pipe(
      Effect.tapError(() => Effect.ignore(cutBack)),
      Effect.mapError(writing(file)),
      Effect.uninterruptible
    )

  return {
    append,
    length: Effect.map(Ref.get(written), ({ length }) => length),
    mended: Ref.getAndSet(mishaps, []),
    sync
  }
})

/** A new session; `records` follow its start. Its file appears whole: without its first line it would be no session. */
export const create = Effect.fnUntraced(function*(
  files: Files,
  start: SessionStarted,
  redact: Redaction,
  records: ReadonlyArray<Record>
): Effect.fn.Return<Transcript["Type"], TranscriptError, FileSystem.FileSystem | Path.Path | Scope.Scope> {
  const fs = yield* FileSystem.FileSystem
  yield* LockFile.acquire(files.lock, start.id)
  const unfinished = `${files.lines}.new`
  const begin = Effect.gen(function*() {
    const { append, length } = yield* writer({ ...files, lines: unfinished }, start.id, 0, redact)
    const batches = yield* Effect.forEach([start, ...records], (record) => append([record]))
    return { length: yield* length, records: batches.flat() }
  })
  const begun = yield* Effect.scoped(begin).pipe(
    Effect.tap(() => Effect.mapError(fs.rename(unfinished, files.lines), writing(files.lines))),
    Effect.tapError(() => Effect.ignore(fs.remove(unfinished)))
  )
  const { append, mended, sync } = yield* writer(files, start.id, begun.length, redact)
  return { start, opened: Fold.fold(begun.records), notices: [], append, mended, sync }
})

/**
 * A line without its newline was being written when the process died: nobody was told that it is kept,
 * so it is cut off and saved beside the file.
 */
const cutTornLine = Effect.fnUntraced(function*(file: string, { length, torn }: TranscriptReader.Read) {
  if (torn.length === 0) return []
  const fs = yield* FileSystem.FileSystem
  const beside = `${file}.torn`
  yield* fs.writeFile(beside, torn, { flag: "a", mode: 0o600 }).pipe(
    Effect.zipRight(fs.truncate(file, length)),
    Effect.mapError(writing(file))
  )
  return [`The last record of this session had not been written whole; what there was of it is in ${beside}`]
})

export const reportDamage = (file: string, { damaged }: TranscriptReader.Read) =>
  damaged.length === 0
    ? []
    : [`${file} is damaged in line ${damaged.slice(0, 5).join(", ")}${damaged.length > 5 ? ", …" : ""}: left out`]

/** The process that ran this turn, and perhaps a compaction inside it, has died. */
const settle = (append: Transcript["Type"]["append"], folded: Fold.Folded) => {
  const { running } = folded
  if (running === undefined) return Effect.succeed(folded)
  const end: Batch = [{ _tag: "TurnFinished", reason: "interrupted", usage: running.usage }]
  return Effect.map(append(end, { sync: true }), (batch) => batch.reduce(Fold.append, folded))
}

/** What `open` would give, without a lock; what is appended goes nowhere. */
export const look = Effect.fnUntraced(function*(
  files: Files,
  id: string
): Effect.fn.Return<Transcript["Type"], TranscriptError, FileSystem.FileSystem | Path.Path> {
  const { folded, ...read } = yield* TranscriptReader.fold(files.lines)
  const side = yield* SideFiles.make(files.side)
  const projection = yield* side.loadProjection(folded.projection)
  return {
    start: { ...read.start, id },
    opened: yield* settle(Effect.succeed, { ...folded, projection }),
    notices: reportDamage(files.lines, read),
    append: Effect.succeed,
    sync: Effect.void
  }
})

/** Repairs what a dead process has left unfinished. Its file's name is its id, also where that was copied or renamed. */
export const open = Effect.fnUntraced(function*(
  files: Files,
  id: string,
  redact: Redaction
): Effect.fn.Return<Transcript["Type"], TranscriptError, FileSystem.FileSystem | Path.Path | Scope.Scope> {
  const file = files.lines
  yield* LockFile.acquire(files.lock, id)
  const { folded, ...read } = yield* TranscriptReader.fold(file)
  const notices = [...(yield* cutTornLine(file, read)), ...reportDamage(file, read)]
  const { append, mended, sync } = yield* writer(files, id, read.length, redact)
  const side = yield* SideFiles.make(files.side)
  const projection = yield* side.loadProjection(folded.projection)
  return {
    start: { ...read.start, id },
    opened: yield* settle(append, { ...folded, projection }),
    notices,
    append,
    mended,
    sync
  }
})
