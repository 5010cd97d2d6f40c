/**
 * The overviews of a directory's sessions. An index file spares reading what has not changed; it is made from the
 * sessions, so it may be missing, stale or damaged.
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Arr from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Schema from "effect/Schema"
import * as Overview from "./Overview.js"
import * as TranscriptReader from "./TranscriptReader.js"

const Indexed = Schema.Struct({
  /** Of the file that was read: bytes, and milliseconds since the epoch. */
  size: Schema.NonNegativeInt,
  modified: Schema.Number,
  overview: Overview.Overview
})
type Indexed = typeof Indexed.Type

/** Raised when an overview comes to hold something else. */
const version = 2

const Index = Schema.parseJson(Schema.Struct({
  version: Schema.Literal(version),
  sessions: Schema.Array(Indexed)
}))

const readIndex = (file: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => fs.readFileString(file)).pipe(
    Effect.flatMap(Schema.decode(Index)),
    Effect.map(({ sessions }) => sessions),
    Effect.orElseSucceed((): ReadonlyArray<Indexed> => [])
  )

const writeIndex = Effect.fnUntraced(function*(file: string, sessions: ReadonlyArray<Indexed>) {
  const fs = yield* FileSystem.FileSystem
  const temporary = `${file}.${(yield* Random.nextIntBetween(0, 36 ** 6)).toString(36)}`
  yield* fs.writeFileString(temporary, yield* Schema.encode(Index)({ version, sessions }), { mode: 0o600 })
  yield* fs.rename(temporary, file).pipe(Effect.tapError(() => fs.remove(temporary)))
})

/** Files that are looked at side by side. */
const strands = 16

const indexed = Effect.fnUntraced(function*(id: string, file: string, size: number, modified: number) {
  let counted = Overview.empty
  const { start } = yield* TranscriptReader.read(file, (record) => {
    counted = Overview.append(counted, record)
  })
  return {
    size,
    modified,
    overview: Overview.make({ ...start, id }, counted, DateTime.unsafeMake(modified))
  } satisfies Indexed
})

/** A file that is no session has no overview. */
const overviewOf = (fs: FileSystem.FileSystem, id: string, file: string, known: Indexed | undefined) =>
  fs.stat(file).pipe(
    Effect.flatMap((info) => {
      const size = Number(info.size)
      const modified = Option.match(info.mtime, { onNone: () => 0, onSome: (time) => time.getTime() })
      return known?.size === size && known.modified === modified
        ? Effect.succeed(known)
        : indexed(id, file, size, modified)
    }),
    Effect.option
  )

/** Of the sessions with these ids, in their order; `fileOf` names their files. */
export const overviews = Effect.fnUntraced(function*(
  directory: string,
  ids: ReadonlyArray<string>,
  fileOf: (id: string) => string
) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const index = path.join(directory, "index.json")
  const before = yield* readIndex(index)
  const known = new Map(before.map((one) => [one.overview.id, one]))
  // A fiber for each of a thousand files would cost more than looking at them.
  const parts = Arr.chunksOf(ids, Math.ceil(ids.length / strands))
  const found = yield* Effect.forEach(
    parts,
    (part) => Effect.forEach(part, (id) => overviewOf(fs, id, fileOf(id), known.get(id))),
    { concurrency: "unbounded" }
  )
  const sessions = found.flat().flatMap(Option.toArray)
  const isCurrent = sessions.length === before.length && sessions.every((one) => known.get(one.overview.id) === one)
  if (!isCurrent) yield* Effect.ignore(writeIndex(index, sessions))
  return sessions.map(({ overview }) => overview)
})
