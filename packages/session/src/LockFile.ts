/**
 * An advisory lock: a file that names its holder. It is created whole, by linking a finished file to its name, and one
 * whose holder has died is taken over.
 */
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Refusal from "@weir/model/Refusal"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { ThisProcess } from "./ThisProcess.js"
import { TranscriptError } from "./TranscriptError.js"

export const Holder = Schema.Struct({
  pid: Schema.Int,
  host: Schema.String,
  since: Schema.DateTimeUtc,
  /** When the process began, as the system tells it: a later process may have the same number. */
  started: Schema.optionalWith(Schema.String, { exact: true })
})
export type Holder = typeof Holder.Type

const Json = Schema.parseJson(Holder)

/** Field 22 of its status, where there is a /proc. */
const startOf = (pid: number) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => fs.readFileString(`/proc/${pid}/stat`)).pipe(
    Effect.map((text) => Option.fromNullable(text.slice(text.lastIndexOf(")") + 2).split(" ")[19])),
    Effect.orElseSucceed(() => Option.none<string>())
  )

/** A holder on another machine cannot be asked: it counts as alive. */
const isAlive = Effect.fnUntraced(function*(holder: Holder) {
  const self = yield* ThisProcess
  if (holder.host !== self.host) return true
  if (!self.isRunning(holder.pid)) return false
  const started = yield* startOf(holder.pid)
  return holder.started === undefined || Option.isNone(started) || started.value === holder.started
})

/** A lock that does not say who holds it counts as nobody's. */
const read = (file: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => fs.readFileString(file)).pipe(
    Effect.flatMap(Schema.decode(Json)),
    Effect.option
  )

/** Who holds a lock, whether they still run, and on this machine; none where there is no lock, or nobody's. */
export const look = Effect.fnUntraced(function*(file: string) {
  const { host } = yield* ThisProcess
  return yield* Effect.transposeMapOption(
    yield* read(file),
    (holder) => Effect.map(isAlive(holder), (alive) => ({ ...holder, alive, isHere: holder.host === host }))
  )
})

const locked = Effect.fnUntraced(function*(holder: Holder, file: string, subject: string) {
  const { host } = yield* ThisProcess
  return yield* new TranscriptError({
    reason: "locked",
    subject,
    detail: `process ${holder.pid} on ${holder.host}, since ${DateTime.formatIso(holder.since)}` +
      (holder.host === host ? "" : `; if it no longer runs, remove ${file}`)
  })
})

/** Fails when the lock is held, without taking it. */
export const check = Effect.fnUntraced(function*(
  file: string,
  subject: string
): Effect.fn.Return<void, TranscriptError, FileSystem.FileSystem> {
  const holder = yield* look(file)
  if (Option.isSome(holder) && holder.value.alive) return yield* locked(holder.value, file, subject)
})

const isTaken = (error: PlatformError) => error._tag === "SystemError" && error.reason === "AlreadyExists"

/** How often a lock that vanishes while it is looked at is tried again. */
const attempts = 5

/** Holds the lock until the scope is closed; `subject` is the session it protects. */
export const acquire = Effect.fnUntraced(function*(
  file: string,
  subject: string
): Effect.fn.Return<void, TranscriptError, FileSystem.FileSystem | Scope.Scope> {
  const fs = yield* FileSystem.FileSystem
  const { host, pid } = yield* ThisProcess
  const since = yield* DateTime.now
  const started = yield* startOf(pid)
  const mark = (yield* Random.nextIntBetween(0, 36 ** 6)).toString(36)
  const own = `${file}.${pid}-${mark}`
  const failed = (error: { readonly message: string }) =>
    new TranscriptError({ reason: "write", subject, detail: Refusal.detail(error) })

  const held = (holder: Holder) => locked(holder, file, subject)

  const holder: Holder = { pid, host, since, ...(Option.isSome(started) && { started: started.value }) }
  const text = yield* Effect.mapError(Schema.encode(Json)(holder), failed)

  /** Fails when the name is taken. A file system without links has to do with a moment in which the file is empty. */
  const claim = (name: string) =>
    fs.link(own, name).pipe(
      Effect.catchIf((error) => !isTaken(error), () => fs.writeFileString(name, text, { flag: "wx", mode: 0o600 }))
    )

  /** One process at a time replaces the lock of a dead one: whoever claims the guard. */
  const takeOver = Effect.gen(function*() {
    const guard = `${file}.stale`
    const replace = Effect.gen(function*() {
      const now = yield* read(file)
      if (Option.isSome(now) && (yield* isAlive(now.value))) return false
      yield* fs.rename(own, file)
      return true
    }).pipe(Effect.ensuring(Effect.ignore(fs.remove(guard))))
    return yield* claim(guard).pipe(
      Effect.zipRight(replace),
      Effect.catchIf(isTaken, () =>
        Effect.gen(function*() {
          const other = yield* read(guard)
          if (Option.isSome(other) && (yield* isAlive(other.value))) return yield* held(other.value)
          yield* Effect.ignore(fs.remove(guard))
          return false
        }))
    )
  })

  const attempt = (left: number): Effect.Effect<void, PlatformError | TranscriptError, FileSystem.FileSystem> =>
    claim(file).pipe(Effect.catchIf(isTaken, () =>
      Effect.gen(function*() {
        const other = yield* read(file)
        if (Option.isSome(other) && (yield* isAlive(other.value))) return yield* held(other.value)
        if (yield* takeOver) return
        if (left > 1) return yield* attempt(left - 1)
        return yield* new TranscriptError({ reason: "locked", subject, detail: `remove ${file} if no process runs` })
      })))

  const take = Effect.mapError(fs.writeFileString(own, text, { flag: "wx", mode: 0o600 }), failed).pipe(
    Effect.zipRight(attempt(attempts)),
    Effect.ensuring(Effect.ignore(fs.remove(own))),
    Effect.mapError((error) => error._tag === "TranscriptError" ? error : failed(error))
  )
  /** Unless somebody has taken it for a dead one's. */
  const release = Effect.gen(function*() {
    const now = yield* read(file)
    if (Option.isSome(now) && now.value.pid === pid && DateTime.Equivalence(now.value.since, since)) {
      yield* Effect.ignore(fs.remove(file))
    }
  })
  yield* Effect.acquireRelease(take, () => release)
})
