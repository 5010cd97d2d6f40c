/**
 * A file that is appended to for as long as a session is open. Deleted or replaced meanwhile, it would go on being
 * written where nobody can find it: its bytes are still to be had by then, and are put in its place anew.
 */
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Refusal from "@weir/model/Refusal"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as Scope from "effect/Scope"
import { TranscriptError } from "./TranscriptError.js"

/** How much is copied at once. */
const piece = 1 << 20

export type Mishap = "deleted" | "replaced"

/** What took the file's place is kept beside it. */
export const replacedBy = (file: string) => `${file}.replaced`

export const open = Effect.fnUntraced(function*(file: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const scope = yield* Effect.scope
  const openFile = Scope.extend(fs.open(file, { flag: "a+", mode: 0o600 }), scope)
  const ref = yield* Effect.flatMap(openFile, Ref.make)
  /** Some file systems count no names. */
  const counts = Option.exists((yield* Effect.flatMap(Ref.get(ref), ({ stat }) => stat)).nlink, (names) => names > 0)

  const copy = (from: FileSystem.File, to: string, length: number) =>
    Effect.scoped(Effect.gen(function*() {
      const file = yield* fs.open(to, { flag: "w", mode: 0o600 })
      yield* from.seek(0, "start")
      let left = length
      while (left > 0) {
        const bytes = yield* from.readAlloc(Math.min(left, piece))
        if (Option.isNone(bytes)) break
        yield* file.writeAll(bytes.value)
        left -= bytes.value.length
      }
      yield* file.sync
    }))

  const restore = (from: FileSystem.File, length: number): Effect.Effect<Mishap, PlatformError> =>
    Effect.gen(function*() {
      const unfinished = `${file}.new`
      yield* fs.makeDirectory(path.dirname(file), { recursive: true, mode: 0o700 })
      yield* copy(from, unfinished, length)
      const isReplaced = yield* fs.exists(file)
      if (isReplaced) yield* fs.rename(file, replacedBy(file))
      yield* fs.rename(unfinished, file)
      yield* Ref.set(ref, yield* openFile)
      return isReplaced ? "replaced" : "deleted"
    })

  return {
    /** What happened to the file, whose first `length` bytes count, and was mended. */
    keep: (length: number): Effect.Effect<Option.Option<Mishap>, PlatformError | TranscriptError> =>
      Effect.gen(function*() {
        const handle = yield* Ref.get(ref)
        const { nlink, size } = yield* handle.stat
        if (Number(size) < length) {
          const detail = `${size} bytes of ${length} are left`
          return yield* new TranscriptError({ reason: "cut", subject: file, detail })
        }
        if (!counts || !Option.contains(nlink, 0)) return Option.none()
        return Option.some(
          yield* Effect.mapError(
            restore(handle, length),
            (error) => new TranscriptError({ reason: "deleted", subject: file, detail: Refusal.detail(error) })
          )
        )
      }),
    sync: Effect.flatMap(Ref.get(ref), ({ sync }) => sync),
    writeAll: (bytes: Uint8Array) => Effect.flatMap(Ref.get(ref), (handle) => handle.writeAll(bytes))
  }
})
