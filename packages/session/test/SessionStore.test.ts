import * as NodeContext from "@effect/platform-node/NodeContext"
import { SystemError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import { assert, describe, it } from "@effect/vitest"
import * as Fold from "@weir/session/Fold"
import * as SessionFiles from "@weir/session/SessionFiles"
import * as SessionStore from "@weir/session/SessionStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as TestClock from "effect/TestClock"
import { inDirectory, recordsOf, reopened, start, stepped, turn, written } from "./Samples.js"

describe("SessionStore", () => {
  it.effect("a file session holds exactly what was appended, one line a batch, readable by its owner alone", () =>
    inDirectory((directory) =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const store = yield* SessionStore.SessionStore
        const created = yield* store.create(start)
        yield* created.append(turn("t1", "one\n\u2028 «two» 😀"))
        yield* created.append(turn("t2", "three"), { sync: true })
        assert.deepStrictEqual(yield* recordsOf(created.start.id), [
          created.start,
          ...turn("t1", "one\n\u2028 «two» 😀"),
          ...turn("t2", "three")
        ])
        const file = `${directory}/${created.start.id}.jsonl`
        assert.strictEqual((yield* fs.readFileString(file)).split("\n").length, 4)
        assert.strictEqual(Number((yield* fs.stat(file)).mode) & 0o777, 0o600)
        assert.strictEqual(Number((yield* fs.stat(directory)).mode) & 0o777, 0o700)
      })
    ))

  it.effect("a reopened session is appended to", () =>
    inDirectory(() =>
      Effect.gen(function*() {
        const id = yield* written([turn("t1", "one")])
        const again = yield* Effect.flatMap(SessionStore.SessionStore, (store) => store.open(id))
        yield* again.append(turn("t2", "more"))
        assert.deepStrictEqual((yield* recordsOf(id)).slice(1), [...turn("t1", "one"), ...turn("t2", "more")])
      })
    ))

  it.effect("a new session may begin with records", () =>
    inDirectory(() =>
      Effect.gen(function*() {
        const records = [...turn("t1", "one"), ...turn("t2", "two")]
        const store = yield* SessionStore.SessionStore
        const created = yield* store.create(start, records)
        assert.deepStrictEqual(created.opened, Fold.fold([created.start, ...records]))
        yield* created.append(turn("t3", "three"))
        assert.deepStrictEqual(yield* recordsOf(created.start.id), [created.start, ...records, ...turn("t3", "three")])
      })
    ))

  it.effect("an id may be shortened to a unique prefix; unknown and ambiguous ones are refused", () =>
    inDirectory(() =>
      Effect.gen(function*() {
        const one = yield* written([])
        yield* TestClock.adjust("1 second")
        const two = yield* written([])
        assert.strictEqual((yield* reopened(two.slice(0, -3))).start.id, two)
        assert.strictEqual((yield* Effect.flip(reopened("nope"))).reason, "notFound")
        const ambiguous = yield* Effect.flip(reopened(one.slice(0, 8)))
        assert.strictEqual(ambiguous.reason, "ambiguous")
        assert.include(ambiguous.message, two)
      })
    ))

  it.effect("a copy of a session's file is a session of that name", () =>
    inDirectory((directory) =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const store = yield* SessionStore.SessionStore
        const id = yield* written([turn("t1", "one")])
        yield* fs.copyFile(`${directory}/${id}.jsonl`, `${directory}/copy.jsonl`)
        assert.strictEqual((yield* reopened("copy")).start.id, "copy")
        const { records, start } = yield* store.read("copy")
        assert.strictEqual(start.id, "copy")
        assert.deepStrictEqual(records, [start, ...turn("t1", "one")])
        for (const _ of ["read", "from the index"]) {
          assert.deepStrictEqual((yield* store.overviews).map((one) => one.id), [id, "copy"])
        }
      })
    ))

  it.effect("the latest session is the newest of that directory", () =>
    inDirectory(() =>
      Effect.gen(function*() {
        const store = yield* SessionStore.SessionStore
        assert.deepStrictEqual(yield* store.latest("/project"), Option.none())
        yield* store.create(start)
        yield* TestClock.adjust("1 second")
        const newest = yield* store.create(start)
        yield* TestClock.adjust("1 second")
        yield* store.create({ ...start, cwd: "/elsewhere" })
        assert.deepStrictEqual(yield* store.latest("/project"), Option.some(newest.start.id))
      })
    ))

  it.effect("a deleted session leaves nothing behind; an open one is not deleted", () =>
    inDirectory((directory) =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const store = yield* SessionStore.SessionStore
        const id = yield* written([turn("t1", "one"), [stepped("Look", "x".repeat(40_000))]])
        yield* Effect.scoped(Effect.gen(function*() {
          yield* store.open(id)
          assert.strictEqual((yield* Effect.flip(store.remove(id))).reason, "locked")
        }))
        assert.strictEqual(yield* store.remove(id), id)
        assert.deepStrictEqual(yield* fs.readDirectory(directory), [])
      })
    ))

  it.effect("a session is deleted where there is no room for a lock, but an open one is not", () =>
    inDirectory((directory) =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const id = yield* written([turn("t1", "one")])
        const full = new SystemError({ method: "writeFile", module: "FileSystem", reason: "Unknown" })
        const fullDisk = Layer.succeed(FileSystem.FileSystem, { ...fs, writeFileString: () => Effect.fail(full) })
        const remove = Effect.flatMap(SessionStore.SessionStore, (store) => store.remove(id)).pipe(
          Effect.provide(Layer.provide(SessionFiles.layer(directory), Layer.merge(NodeContext.layer, fullDisk)))
        )
        yield* Effect.scoped(Effect.gen(function*() {
          yield* Effect.flatMap(SessionStore.SessionStore, (store) => store.open(id))
          assert.strictEqual((yield* Effect.flip(remove)).reason, "locked")
        }))
        assert.strictEqual(yield* remove, id)
        assert.deepStrictEqual(yield* fs.readDirectory(directory), [])
      })
    ))

  it.effect("a directory that cannot be made says so", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(written([]))
      assert.strictEqual(error.reason, "write")
      assert.include(error.message, "--no-session")
    }).pipe(Effect.provide(Layer.provide(SessionFiles.layer("/dev/null/sessions"), NodeContext.layer))))

  it.effect("a memory session behaves alike", () =>
    Effect.gen(function*() {
      const store = yield* SessionStore.SessionStore
      const created = yield* store.create(start)
      yield* created.append(turn("t1", "one"))
      assert.deepStrictEqual(yield* recordsOf(created.start.id), [created.start, ...turn("t1", "one")])
      assert.deepStrictEqual(
        (yield* store.open(created.start.id)).opened,
        Fold.fold([created.start, ...turn("t1", "one")])
      )
      assert.deepStrictEqual(yield* store.latest("/project"), Option.some(created.start.id))
      assert.strictEqual((yield* Effect.flip(store.open("nope"))).reason, "notFound")
      yield* store.remove(created.start.id)
      assert.strictEqual((yield* Effect.flip(store.read(created.start.id))).reason, "notFound")
    }).pipe(Effect.scoped, Effect.provide(SessionStore.layerMemory)))
})
