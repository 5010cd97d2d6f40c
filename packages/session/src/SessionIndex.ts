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
import * as Predicate from "effect/Predicate"
import * as Random from "effect/Random"
import * as Schema from "effect/Schema"
import * as Overview from "./Overview.js"
import * as TranscriptReader from "./TranscriptReader.js"

const texts = ["id", "cwd", "provider", "model", "title", "last"] as const
const numbers = ["startedAt", "turns", "steps", "compactions", "tokens", "size", "modified"] as const

/** An overview, and what tells that its file has changed: bytes, and milliseconds since the epoch. */
type Row =
  & { readonly [Name in typeof texts[number]]: string }
  & {
    readonly [Name in typeof numbers[number]]: number
  }

/** Whole, and a time if it has to be one. */
const isNumber = (value: unknown) => Number.isInteger(value) && Math.abs(Number(value)) <= 8.64e15

const isRow = (value: unknown): value is Row =>
  Predicate.isRecord(value) &&
  texts.every((name) => typeof value[name] === "string") &&
  numbers.every((name) => isNumber(value[name]))

/** Raised when a row comes to hold something else. */
const version = 3

/** A schema of rows would take a short process more time than all else that listing does. */
const Index = Schema.parseJson(Schema.Struct({
  version: Schema.Literal(version),
  rows: Schema.declare((value): value is ReadonlyArray<Row> => Array.isArray(value) && value.every(isRow))
}))

const readIndex = (file: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => fs.readFileString(file)).pipe(
    Effect.flatMap(Schema.decode(Index)),
    Effect.map(({ rows }) => rows),
    Effect.orElseSucceed((): ReadonlyArray<Row> => [])
  )

const writeIndex = Effect.fnUntraced(function*(file: string, rows: ReadonlyArray<Row>) {
  const fs = yield* FileSystem.FileSystem
  const temporary = `${file}.${(yield* Random.nextIntBetween(0, 36 ** 6)).toString(36)}`
  yield* fs.writeFileString(temporary, yield* Schema.encode(Index)({ version, rows }), { mode: 0o600 })
  yield* fs.rename(temporary, file).pipe(Effect.tapError(() => fs.remove(temporary)))
})

const overviewOf = (row: Row): Overview.Overview => ({
  ...row,
  startedAt: DateTime.unsafeMake(row.startedAt),
  changedAt: DateTime.unsafeMake(row.modified)
})

const readRow = Effect.fnUntraced(function*(id: string, file: string, size: number, modified: number) {
  let counted = Overview.empty
  const { start: { at, cwd, model, provider } } = yield* TranscriptReader.read(file, (record) => {
    counted = Overview.append(counted, record)
  })
  return { id, cwd, provider, model, startedAt: at.epochMillis, ...counted, size, modified } satisfies Row
})

/** A file that is no session has no row. */
const rowOf = (fs: FileSystem.FileSystem, id: string, file: string, known: Row | undefined) =>
  fs.stat(file).pipe(
    Effect.flatMap((info) => {
      const size = Number(info.size)
      const modified = Option.match(info.mtime, { onNone: () => 0, onSome: (time) => time.getTime() })
      return known?.size === size && known.modified === modified
        ? Effect.succeed(known)
        : readRow(id, file, size, modified)
    }),
    Effect.option
  )

/** Files that are looked at side by side: a fiber for each of a thousand would cost more than looking at them. */
const strands = 16

/** Of the sessions with these ids, in their order; `fileOf` names their files. */
export const overviews = Effect.fnUntraced(function*(
  directory: string,
  ids: ReadonlyArray<string>,
  fileOf: (id: string) => string
) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const index = path.join(directory, "index.json")
  const known = new Map((yield* readIndex(index)).map((row) => [row.id, row]))
  const found = yield* Effect.forEach(
    Arr.chunksOf(ids, Math.ceil(ids.length / strands)),
    (part) => Effect.forEach(part, (id) => rowOf(fs, id, fileOf(id), known.get(id))),
    { concurrency: "unbounded" }
  )
  const rows = found.flat().flatMap(Option.toArray)
  const isSame = rows.length === known.size && rows.every((row) => known.get(row.id) === row)
  if (!isSame) yield* Effect.ignore(writeIndex(index, rows))
  return rows.map(overviewOf)
})
