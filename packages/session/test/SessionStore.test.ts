import * as NodeContext from "@effect/platform-node/NodeContext"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import { assert, describe, it } from "@effect/vitest"
import { TurnId, userMessage } from "@weir/model/Conversation"
import * as Usage from "@weir/model/Usage"
import type { Batch } from "@weir/session/Record"
import * as SessionStore from "@weir/session/SessionStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as TestClock from "effect/TestClock"

const start = { cwd: "/project", provider: "test", model: "m" }

const turn = (id: string, text: string): Batch => [
  { _tag: "TurnStarted", turnId: TurnId.make(id), user: userMessage(text), at: DateTime.unsafeMake(0) },
  { _tag: "TurnFinished", reason: "finished", usage: Usage.zero }
]

const inDirectory = <A, E, R>(body: (directory: string) => Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const directory = path.join(yield* fs.makeTempDirectoryScoped(), "sessions")
    return yield* body(directory).pipe(Effect.provide(SessionStore.layerFile(directory)))
  }).pipe(Effect.scoped, Effect.provide(NodeContext.layer))

const onlyFile = (directory: string) =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const names = yield* fs.readDirectory(directory)
    return `${directory}/${names.find((name) => name.endsWith(".jsonl"))}`
  })

describe("SessionStore", () => {
  it.effect("a file session holds exactly what was appended, one line a batch, readable by its owner alone", () =>
    inDirectory((directory) =>
      Effect.gen(function*() {
        const store = yield* SessionStore.SessionStore
        const created = yield* store.create(start)
        yield* created.append(turn("t1", "one\n\u2028 «two» 😀"))
        yield* created.append(turn("t2", "three"), { sync: true })
        const opened = yield* store.open(created.start.id)
        assert.deepStrictEqual(opened.opened, [
          created.start,
          ...turn("t1", "one\n\u2028 «two» 😀"),
          ...turn("t2", "three")
        ])
        const fs = yield* FileSystem.FileSystem
        const file = yield* onlyFile(directory)
        assert.strictEqual((yield* fs.readFileString(file)).split("\n").length, 4)
        assert.strictEqual(Number((yield* fs.stat(file)).mode) & 0o777, 0o600)
      })
    ))

  it.effect("a reopened session is appended to", () =>
    inDirectory(() =>
      Effect.gen(function*() {
        const store = yield* SessionStore.SessionStore
        const { start: { id } } = yield* store.create(start)
        const again = yield* store.open(id)
        yield* again.append(turn("t1", "more"))
        assert.strictEqual((yield* store.open(id)).opened.length, 3)
      })
    ))

  it.effect("an id may be shortened to a unique prefix; unknown and ambiguous ones are refused", () =>
    inDirectory(() =>
      Effect.gen(function*() {
        const store = yield* SessionStore.SessionStore
        const one = yield* store.create(start)
        yield* TestClock.adjust("1 second")
        const two = yield* store.create(start)
        assert.strictEqual((yield* store.open(two.start.id.slice(0, -3))).start.id, two.start.id)
        assert.strictEqual((yield* Effect.flip(store.open("nope"))).reason, "notFound")
        const ambiguous = yield* Effect.flip(store.open(one.start.id.slice(0, 8)))
        assert.strictEqual(ambiguous.reason, "ambiguous")
        assert.include(ambiguous.message, two.start.id)
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

  it.effect("a torn last line is cut back and saved beside, wherever it was torn", () =>
    inDirectory((directory) =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const store = yield* SessionStore.SessionStore
        const created = yield* store.create(start)
        const { id } = created.start
        yield* created.append(turn("t1", "kept"))
        const file = yield* onlyFile(directory)
        const whole = yield* fs.readFile(file)
        yield* created.append(turn("t2", "torn 😀"))
        const all = yield* fs.readFile(file)
        for (let length = whole.length + 1; length < all.length; length += 5) {
          yield* fs.writeFile(file, all.slice(0, length))
          const opened = yield* store.open(id)
          assert.strictEqual(opened.opened.length, 3)
          assert.deepStrictEqual(yield* fs.readFile(file), whole)
          assert.deepStrictEqual(yield* fs.readFile(`${file}.torn`), all.slice(whole.length, length))
        }
      })
    ))

  it.effect("a damaged line names itself", () =>
    inDirectory((directory) =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const store = yield* SessionStore.SessionStore
        const { start: { id } } = yield* store.create(start)
        yield* fs.writeFileString(yield* onlyFile(directory), "{nonsense\n", { flag: "a" })
        const error = yield* Effect.flip(store.open(id))
        assert.strictEqual(error.reason, "corrupt")
        assert.include(error.message, "line 2")
      })
    ))

  it.effect("a directory that cannot be made says so", () =>
    Effect.gen(function*() {
      const store = yield* SessionStore.SessionStore
      const error = yield* Effect.flip(store.create(start))
      assert.strictEqual(error.reason, "write")
      assert.include(error.message, "--no-session")
    }).pipe(
      Effect.scoped,
      Effect.provide(Layer.provide(SessionStore.layerFile("/dev/null/sessions"), NodeContext.layer))
    ))

  it.effect("a memory session behaves alike", () =>
    Effect.gen(function*() {
      const store = yield* SessionStore.SessionStore
      const created = yield* store.create(start)
      yield* created.append(turn("t1", "one"))
      assert.deepStrictEqual((yield* store.open(created.start.id)).opened, [created.start, ...turn("t1", "one")])
      assert.deepStrictEqual(yield* store.latest("/project"), Option.some(created.start.id))
      assert.strictEqual((yield* Effect.flip(store.open("nope"))).reason, "notFound")
    }).pipe(Effect.scoped, Effect.provide(SessionStore.layerMemory)))
})
