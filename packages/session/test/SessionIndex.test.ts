import * as FileSystem from "@effect/platform/FileSystem"
import { assert, describe, it } from "@effect/vitest"
import { SessionStore } from "@weir/session/SessionStore"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { inDirectory, start, stepped, turn, written } from "./Samples.js"

const overviews = Effect.flatMap(SessionStore, (store) => store.overviews)

const titles = Effect.map(overviews, (all) => all.map(({ title }) => title))

const indexOf = (directory: string) => `${directory}/index.json`

/** As it is made when there is no index. */
const rebuilt = (directory: string) =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    yield* fs.remove(indexOf(directory), { force: true })
    return yield* overviews
  })

const Rows = Schema.parseJson(
  Schema.Struct({
    version: Schema.Number,
    rows: Schema.Array(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
  })
)

/** Changes every row of the index, behind the sessions' back. */
const tampered = (directory: string, fields: { readonly [name: string]: unknown }) =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const { rows, version } = yield* Schema.decode(Rows)(yield* fs.readFileString(indexOf(directory)))
    const changed = { version, rows: rows.map((row) => ({ ...row, ...fields })) }
    yield* fs.writeFileString(indexOf(directory), yield* Schema.encode(Rows)(changed))
  })

describe("SessionIndex", () => {
  it.effect("sessions that have not changed are not read again, and their index is not written again", () =>
    inDirectory((directory) =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        yield* written([turn("t1", "one"), [stepped("Look", "at it")]])
        yield* written([turn("t1", "two")])
        const first = yield* overviews
        const { ino } = yield* fs.stat(indexOf(directory))
        assert.deepStrictEqual(yield* overviews, first)
        assert.deepStrictEqual((yield* fs.stat(indexOf(directory))).ino, ino)
        yield* tampered(directory, { title: "of the index" })
        assert.deepStrictEqual(yield* titles, ["of the index", "of the index"])
        assert.deepStrictEqual(yield* rebuilt(directory), first)
      })
    ))

  it.effect("whatever happens to a session's file is seen by the next listing, a lock left behind or not", () =>
    inDirectory((directory) =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const store = yield* SessionStore
        const [one, two, three] = [
          yield* written([turn("t1", "one")]),
          yield* written([turn("t1", "two")]),
          yield* written([turn("t1", "three")])
        ]
        const fileOf = (id: string) => `${directory}/${id}.jsonl`
        const text = yield* fs.readFileString(fileOf(one))
        const append = Effect.scoped(Effect.flatMap(store.open(two), ({ append }) => append(turn("t2", "more"))))
        yield* fs.writeFileString(`${directory}/${three}.lock`, "of a process that was killed")
        const happenings = {
          appended: append,
          "appended while it stays open": Effect.flatMap(store.open(two), ({ append }) => append(turn("t3", "again"))),
          "written in place": fs.writeFileString(fileOf(one), text.replaceAll("\"one\"", "\"first\"")),
          "in place, of the same length": fs.writeFileString(fileOf(one), text.replaceAll("\"one\"", "\"third\"")).pipe(
            Effect.zipRight(fs.utimes(fileOf(one), 1, 2))
          ),
          "longer, at the same time": fs.writeFileString(fileOf(one), text.replaceAll("\"one\"", "\"fourth\"")).pipe(
            Effect.zipRight(fs.utimes(fileOf(one), 1, 2))
          ),
          cut: fs.truncate(fileOf(two), 10),
          replaced: fs.copyFile(fileOf(three), fileOf(two)),
          copied: fs.copyFile(fileOf(three), fileOf("copy")),
          "no session any more": fs.writeFileString(fileOf("copy"), "garbage"),
          deleted: fs.remove(fileOf(one))
        }
        yield* overviews
        for (const [what, happening] of Object.entries(happenings)) {
          yield* happening
          const seen = yield* overviews
          const index = yield* fs.readFileString(indexOf(directory))
          assert.deepStrictEqual(seen, yield* rebuilt(directory), what)
          assert.strictEqual(index, yield* fs.readFileString(indexOf(directory)), what)
        }
        assert.deepStrictEqual(yield* titles, ["three", "three"])
      }).pipe(Effect.scoped)
    ))

  it.effect("an index that is damaged, foreign or of another version is made again from the sessions", () =>
    inDirectory((directory) =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        yield* written([turn("t1", "one")])
        const first = yield* overviews
        const whole = yield* fs.readFileString(indexOf(directory))
        const damages: ReadonlyArray<{ readonly [name: string]: unknown }> = [
          { title: undefined },
          { title: 1 },
          { tokens: "1" },
          { turns: null },
          { steps: 0.5 },
          { startedAt: 1e300 },
          { cwd: [start.cwd] }
        ]
        for (const fields of damages) {
          yield* tampered(directory, fields)
          assert.deepStrictEqual(yield* overviews, first)
          assert.strictEqual(yield* fs.readFileString(indexOf(directory)), whole)
        }
        const texts = [
          "",
          "null",
          "{}",
          "[]",
          whole.slice(0, -2),
          whole.replace(/\d+/, "1"),
          "{\"version\":3,\"rows\":[null]}"
        ]
        for (const text of texts) {
          yield* fs.writeFileString(indexOf(directory), text)
          assert.deepStrictEqual(yield* overviews, first)
          assert.strictEqual(yield* fs.readFileString(indexOf(directory)), whole)
        }
      })
    ))
})
