/** One process at a time: whoever creates the lock file holds the lock until it removes the file. */
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** Somebody else holds the lock, and does not let go of it. */
export class Locked extends Schema.TaggedError<Locked>("@weir/cli/FileLock/Locked")("Locked", {
  lock: Schema.String
}) {
  override get message() {
    return `another process holds ${this.lock}`
  }
}

/** Nobody holds a lock for longer, in milliseconds; an older file was left behind by a process that died. */
const longest = 60_000

const isTaken = (error: PlatformError) => error._tag === "SystemError" && error.reason === "AlreadyExists"

/** Removes what a dead process has left. */
const clear = Effect.fnUntraced(function*(fs: FileSystem.FileSystem, lock: string) {
  const { mtime } = yield* fs.stat(lock)
  const now = yield* Clock.currentTimeMillis
  if (Option.exists(mtime, (since) => now - since.getTime() > longest)) yield* fs.remove(lock)
}, Effect.ignore)

/** Only the waiting can be interrupted, so that no lock is left behind. */
const acquire = (
  fs: FileSystem.FileSystem,
  lock: string,
  until: number
): Effect.Effect<void, Locked | PlatformError> =>
  fs.writeFileString(lock, "", { flag: "wx", mode: 0o600 }).pipe(
    Effect.catchIf(isTaken, () =>
      Effect.gen(function*() {
        yield* clear(fs, lock)
        if ((yield* Clock.currentTimeMillis) > until) return yield* new Locked({ lock })
        yield* Effect.interruptible(Effect.sleep("50 millis"))
        return yield* acquire(fs, lock, until)
      }))
  )

/** Runs this while nobody else holds `lock`, a file in a directory that exists; waits for up to a minute. */
export const holding =
  (lock: string) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E | Locked | PlatformError, FileSystem.FileSystem | R> =>
    Effect.flatMap(FileSystem.FileSystem, (fs) =>
      Effect.acquireUseRelease(
        Effect.flatMap(Clock.currentTimeMillis, (now) => acquire(fs, lock, now + longest)),
        () => self,
        () => Effect.ignore(fs.remove(lock))
      ))
