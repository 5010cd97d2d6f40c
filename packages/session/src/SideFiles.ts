/**
 * What is too large for a line: long tool outputs and images, each in a file named by what it holds, so that nothing
 * is stored twice. In the line stands a reference; a text that looks like one is itself stored in a file.
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import type { Projection } from "@weir/compaction/Projection"
import * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"
import { type Change, mapProjection, mapRecord, some } from "./LargeTexts.js"
import type { Batch, Record } from "./Record.js"

/** Tool outputs of more bytes than this get a file of their own. */
const threshold = 16 * 1_024

const mark = "\0file:"
const reference = /^\0file:([0-9a-f]{64})$/

/** The name of the file that a text refers to. */
const referred = (text: string): string | undefined => reference.exec(text)?.[1]

const digest = (bytes: Uint8Array<ArrayBuffer>) =>
  Effect.map(
    Effect.promise(() => crypto.subtle.digest("SHA-256", bytes)),
    (hash) => Encoding.encodeHex(new Uint8Array(hash))
  )

/** Whether it stays in the line, as its length alone tells. */
const isShort = (text: string, kind: "output" | "image") =>
  kind === "output" && 3 * text.length <= threshold && !text.startsWith(mark)

const decoder = new TextDecoder("utf-8", { ignoreBOM: true })

/** The side files of one session, in a directory of its own that is made when it is needed. */
export const make = Effect.fnUntraced(function*(directory: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const fileOf = (name: string) => path.join(directory, name)
  const known = new Set<string>()

  /** Whole and on disk before its name appears. */
  const write = (name: string, bytes: Uint8Array) =>
    Effect.gen(function*() {
      if (known.has(name) || (yield* fs.exists(fileOf(name)))) return
      yield* fs.makeDirectory(directory, { recursive: true, mode: 0o700 })
      const temporary = fileOf(`.${name}`)
      yield* Effect.scoped(Effect.gen(function*() {
        const file = yield* fs.open(temporary, { flag: "w", mode: 0o600 })
        yield* file.writeAll(bytes)
        yield* file.sync
      })).pipe(Effect.tapError(() => Effect.ignore(fs.remove(temporary))))
      yield* fs.rename(temporary, fileOf(name))
    }).pipe(Effect.tap(() => known.add(name)))

  const put = Effect.fnUntraced(function*(text: string, kind: "output" | "image") {
    if (isShort(text, kind)) return text
    const bytes = new TextEncoder().encode(text)
    if (kind === "output" && bytes.length <= threshold && !text.startsWith(mark)) return text
    // Half of a surrogate pair is no text that a file could hold.
    if (decoder.decode(bytes) !== text) return text
    const name = yield* digest(bytes)
    yield* write(name, bytes)
    return mark + name
  })

  const take: Change<never, never> = (text, kind) => {
    const name = referred(text)
    return name === undefined
      ? Effect.succeed(text)
      : fs.readFile(fileOf(name)).pipe(
        Effect.map((bytes) => decoder.decode(bytes)),
        Effect.orElseSucceed(() => kind === "image" ? "" : `[The file of this output is missing: ${fileOf(name)}]`)
      )
  }

  const isConcerned = (batch: Batch): boolean =>
    batch.some((record) => some(record, (text, kind) => !isShort(text, kind)))

  return {
    /** Its files may be gone. */
    forget: Effect.sync(() => known.clear()),
    /** Whether something of the batch may get a file. */
    isConcerned,
    /** The batch as its line holds it. */
    store: (batch: Batch) => {
      if (!isConcerned(batch)) return Effect.succeed(batch)
      const [first, ...rest] = batch
      return Effect.zipWith(
        mapRecord(first, put),
        Effect.forEach(rest, (record) => mapRecord(record, put)),
        (first, rest): Batch => [first, ...rest]
      )
    },
    load: (record: Record) => mapRecord(record, take),
    loadProjection: (projection: Projection) => mapProjection(projection, take)
  }
})
