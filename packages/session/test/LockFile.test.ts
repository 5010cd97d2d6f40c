import * as FileSystem from "@effect/platform/FileSystem"
import { assert, describe, it } from "@effect/vitest"
import { SessionStore } from "@weir/session/SessionStore"
import { ThisProcess } from "@weir/session/ThisProcess"
import * as Effect from "effect/Effect"
import { inDirectory, reopened, turn, written } from "./Samples.js"

/** As another process of the same machine. */
const as = (pid: number, alive: ReadonlyArray<number>) =>
  Effect.provideService(ThisProcess, { host: "here", isRunning: (other) => alive.includes(other), pid })

const content = (pid: number, host: string, started = "") =>
  `{"pid":${pid},"host":"${host}","since":"2026-11-30T01:02:03.000Z"${started}}`

const lockOf = (directory: string, id: string) => `${directory}/${id}.lock`

const withLock = <E>(
  text: string,
  body: (id: string, lock: string) => Effect.Effect<void, E, SessionStore | FileSystem.FileSystem>
) =>
  inDirectory((directory) =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const id = yield* written([turn("t1", "one")])
      yield* fs.writeFileString(lockOf(directory, id), text)
      yield* body(id, lockOf(directory, id))
    })
  )

describe("LockFile", () => {
  it.effect("while a session is open, nobody else opens it, and the error names the holder", () =>
    inDirectory((directory) =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const id = yield* written([turn("t1", "one")])
        yield* Effect.scoped(Effect.gen(function*() {
          yield* Effect.flatMap(SessionStore, (store) => store.open(id))
          assert.strictEqual(Number((yield* fs.stat(lockOf(directory, id))).mode) & 0o777, 0o600)
          const error = yield* Effect.flip(reopened(id))
          assert.strictEqual(error.reason, "locked")
          assert.match(error.message, new RegExp(`process ${process.pid} on \\S+, since 1970-01-01T00:00:00`))
          // Reading needs no lock.
          yield* Effect.flatMap(SessionStore, (store) => store.read(id))
          const before = yield* fs.readFileString(`${directory}/${id}.jsonl`)
          const looked = yield* Effect.flatMap(SessionStore, (store) => store.look(id))
          assert.strictEqual(looked.opened.projection.turns.length, 1)
          yield* looked.append(turn("t2", "two"))
          assert.strictEqual(yield* fs.readFileString(`${directory}/${id}.jsonl`), before)
        }))
        yield* reopened(id)
        assert.deepStrictEqual((yield* fs.readDirectory(directory)).sort(), [`${id}.jsonl`])
      })
    ))

  it.effect("a number that was given to a later process does not keep the lock alive", () =>
    withLock(
      content(process.pid, "here", ",\"started\":\"1\""),
      (id) => reopened(id).pipe(as(42, [42, process.pid]), Effect.asVoid)
    ))

  it.effect("another machine's lock is left alone, and the error says what to do", () =>
    withLock(content(41, "elsewhere"), (id, lock) =>
      Effect.gen(function*() {
        const error = yield* Effect.flip(reopened(id).pipe(as(42, [42])))
        assert.include(error.message, `process 41 on elsewhere`)
        assert.include(error.message, `if it no longer runs, remove ${lock}`)
      })))

  it.effect("a lock that names nobody is nobody's", () =>
    withLock("nonsense", (id) => Effect.asVoid(reopened(id).pipe(as(42, [42])))))

  it.effect("of many that take over a dead one's lock, exactly one gets it", () =>
    withLock(content(41, "here"), (id) =>
      Effect.gen(function*() {
        const pids = Array.from({ length: 20 }, (_, index) => 100 + index)
        const store = yield* SessionStore
        const outcomes = yield* Effect.scoped(
          Effect.forEach(pids, (pid) => Effect.either(store.open(id).pipe(as(pid, pids))), { concurrency: "unbounded" })
        )
        assert.deepStrictEqual(outcomes.map(({ _tag }) => _tag).filter((tag) => tag === "Right"), ["Right"])
      })))

  it.effect("also when one has died while it took over", () =>
    withLock(content(41, "here"), (id, lock) =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        yield* fs.writeFileString(`${lock}.stale`, content(43, "here"))
        yield* reopened(id).pipe(as(42, [42]))
      })))
})
