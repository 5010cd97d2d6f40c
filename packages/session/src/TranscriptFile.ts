/** A transcript as a file of JSON lines: one line, one write. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { type Batch, Line, type Record, type SessionStarted } from "./Record.js"
import type { Transcript } from "./Transcript.js"
import { TranscriptError } from "./TranscriptError.js"

const encode = Schema.encode(Line)
const decode = Schema.decode(Line)

const newline = 0x0a

/** The records of a session begin with how it started. */
export const startOf = (
  records: ReadonlyArray<Record>,
  subject: string
): Effect.Effect<SessionStarted, TranscriptError> => {
  const first = records[0]
  return first?._tag === "SessionStarted"
    ? Effect.succeed(first)
    : new TranscriptError({ reason: "corrupt", subject, detail: "line 1 does not start a session" })
}

const writer = Effect.fnUntraced(function*(file: string) {
  const fs = yield* FileSystem.FileSystem
  const failed = (error: { readonly message: string }) =>
    new TranscriptError({ reason: "write", subject: file, detail: error.message })
  const handle = yield* fs.open(file, { flag: "a", mode: 0o600 }).pipe(Effect.mapError(failed))
  return (batch: Batch, options?: { readonly sync?: boolean }): Effect.Effect<void, TranscriptError> =>
    Effect.gen(function*() {
      const line = new TextEncoder().encode((yield* encode(batch)) + "\n")
      const length = (yield* handle.stat).size
      yield* handle.writeAll(line).pipe(Effect.tapError(() => Effect.ignore(fs.truncate(file, length))))
      if (options?.sync) yield* handle.sync
    }).pipe(Effect.mapError(failed), Effect.uninterruptible)
})

export const create = Effect.fnUntraced(function*(
  file: string,
  start: SessionStarted
): Effect.fn.Return<Transcript["Type"], TranscriptError, FileSystem.FileSystem | Scope.Scope> {
  const fs = yield* FileSystem.FileSystem
  const append = yield* writer(file)
  // A session without its first line would be no session.
  yield* append([start]).pipe(Effect.tapError(() => Effect.ignore(fs.remove(file))))
  return { start, opened: [start], append }
})

/**
 * A line without its newline was being written when the process died: nobody was told that it is kept,
 * so it is cut off and saved beside the file.
 */
const cutTornLine = Effect.fnUntraced(function*(file: string, bytes: Uint8Array) {
  const end = bytes.lastIndexOf(newline) + 1
  if (end === bytes.length) return bytes
  const fs = yield* FileSystem.FileSystem
  yield* fs.writeFile(`${file}.torn`, bytes.slice(end), { mode: 0o600 })
  yield* fs.truncate(file, end)
  return bytes.slice(0, end)
})

export const open = Effect.fnUntraced(function*(
  file: string
): Effect.fn.Return<Transcript["Type"], TranscriptError, FileSystem.FileSystem | Scope.Scope> {
  const fs = yield* FileSystem.FileSystem
  const bytes = yield* fs.readFile(file).pipe(
    Effect.flatMap((all) => cutTornLine(file, all)),
    Effect.mapError((error) => new TranscriptError({ reason: "read", subject: file, detail: error.message }))
  )
  const lines = new TextDecoder().decode(bytes).split("\n").slice(0, -1)
  const batches = yield* Effect.forEach(lines, (line, at) =>
    decode(line).pipe(
      Effect.mapError(() => new TranscriptError({ reason: "corrupt", subject: file, detail: `line ${at + 1}` }))
    ))
  const opened = batches.flat()
  return { start: yield* startOf(opened, file), opened, append: yield* writer(file) }
})

/** How the session of a file started; none when the file does not say. Reads its first line alone. */
export const readStart = Effect.fnUntraced(function*(file: string) {
  const fs = yield* FileSystem.FileSystem
  const first = yield* fs.stream(file).pipe(
    Stream.decodeText(),
    Stream.splitLines,
    Stream.take(1),
    Stream.runCollect,
    Effect.mapError((error) => new TranscriptError({ reason: "read", subject: file, detail: error.message }))
  )
  const batch = yield* Effect.option(decode(Option.getOrElse(Chunk.head(first), () => "")))
  return Option.flatMap(
    batch,
    ([record]) => record._tag === "SessionStarted" ? Option.some<SessionStarted>(record) : Option.none()
  )
})
