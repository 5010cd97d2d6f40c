import * as FileSystem from "@effect/platform/FileSystem"
import { assert, describe, it } from "@effect/vitest"
import type { Record } from "@weir/session/Record"
import { SessionStore } from "@weir/session/SessionStore"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { began, end, inDirectory, recordsOf, start, stepped } from "./Samples.js"

const long = "é".repeat(20_000)

const before: ReadonlyArray<Record> = [began("t1", "look"), stepped("one", long)]
const after: ReadonlyArray<Record> = [stepped("two", "after it"), stepped("three", long), end("finished")]

/**
 * A session to which something happens between two of its records; what was told of it, and what is in its place. What
 * has to be on the disk is written to a file that has been looked after.
 */
const meets = (
  happens: (fs: FileSystem.FileSystem, directory: string, file: string) => Effect.Effect<void, Error>,
  mustBeThere: (record: Record) => boolean = ({ _tag }) => _tag === "TurnFinished"
) =>
(directory: string) =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const transcript = yield* Effect.flatMap(SessionStore, (store) => store.create(start))
    const { id } = transcript.start
    const file = `${directory}/${id}.jsonl`
    for (const record of before) yield* transcript.append([record])
    yield* happens(fs, directory, file)
    const told: Array<string> = []
    for (const record of after) {
      yield* transcript.append([record], { sync: mustBeThere(record) })
      if (transcript.mended) told.push(...(yield* transcript.mended))
    }
    return { file, fs, id, told }
  })

describe("the file of a session that is open", () => {
  it.scoped("deleted, it is written anew with all that it held, and that is told once", () =>
    inDirectory((directory) =>
      Effect.gen(function*() {
        const { file, fs, id, told } = yield* meets((fs, _, file) => fs.remove(file))(directory)
        assert.deepStrictEqual((yield* recordsOf(id)).slice(1), [...before, ...after])
        assert.strictEqual(Number((yield* fs.stat(file)).mode) & 0o777, 0o600)
        assert.deepStrictEqual(told, [
          `The file of this session was deleted while it was open. It has been written anew, and the session goes on: ${file}`
        ])
      })
    ))

  it.scoped("deleted, that is noticed within a second, and what was written by then is there", () =>
    inDirectory((directory) =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const transcript = yield* Effect.flatMap(SessionStore, (store) => store.create(start))
        const { id } = transcript.start
        const file = `${directory}/${id}.jsonl`
        const records = [began("t1", "look"), stepped("one", "a"), stepped("two", "b")] as const
        yield* transcript.append([records[0]])
        yield* fs.remove(file)
        yield* transcript.append([records[1]])
        assert.isFalse(yield* fs.exists(file))
        yield* TestClock.adjust("1 seconds")
        yield* transcript.append([records[2]])
        assert.deepStrictEqual((yield* recordsOf(id)).slice(1), [...records])
      })
    ))

  it.scoped("deleted with its whole directory, it comes back with its lock, and new outputs are kept", () =>
    inDirectory((directory) =>
      Effect.gen(function*() {
        const { fs, id } = yield* meets((fs) => fs.remove(directory, { recursive: true }))(directory)
        const found = yield* recordsOf(id)
        assert.deepStrictEqual(found.slice(-3), [...after])
        assert.strictEqual(found.length, 6)
        assert.isTrue(yield* fs.exists(`${directory}/${id}.lock`))
        const store = yield* SessionStore
        assert.strictEqual((yield* Effect.flip(Effect.scoped(store.open(id)))).reason, "locked")
      })
    ))

  it.scoped("replaced, it is written anew, and what had replaced it is kept until the session is deleted", () =>
    inDirectory((directory) =>
      Effect.gen(function*() {
        const { file, fs, id, told } = yield* Effect.scoped(
          meets((fs, directory, file) =>
            Effect.zipRight(
              fs.writeFileString(`${directory}/other`, "other\n"),
              fs.rename(`${directory}/other`, file)
            )
          )(directory)
        )
        assert.deepStrictEqual((yield* recordsOf(id)).slice(1), [...before, ...after])
        assert.strictEqual(yield* fs.readFileString(`${file}.replaced`), "other\n")
        assert.strictEqual(told.length, 1)
        assert.include(told[0], `(what had replaced it: ${file}.replaced)`)
        yield* Effect.flatMap(SessionStore, (store) => store.remove(id))
        assert.deepStrictEqual(yield* fs.readDirectory(directory), [])
      })
    ))

  it.scoped("moved, it goes on where it is", () =>
    inDirectory((directory) =>
      Effect.gen(function*() {
        const { file, fs, told } = yield* meets((fs, directory, file) => fs.rename(file, `${directory}/moved`))(
          directory
        )
        assert.deepStrictEqual(told, [])
        assert.isFalse(yield* fs.exists(file))
        assert.include(yield* fs.readFileString(`${directory}/moved`), "after it")
      })
    ))

  it.scoped("cut short, nothing more is written to it, and that is an error", () =>
    inDirectory((directory) =>
      Effect.gen(function*() {
        const error = yield* Effect.flip(meets((fs, _, file) => fs.truncate(file, 10), () => true)(directory))
        assert.match(
          error.message,
          /was cut short by another program .* Start a new session\. \(10 bytes of \d+ are left\)$/
        )
      })
    ))

  it.scoped("deleted, and not to be written anew: an error until it can be", () =>
    inDirectory((directory) =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const transcript = yield* Effect.flatMap(SessionStore, (store) => store.create(start))
        const { id } = transcript.start
        for (const record of before) yield* transcript.append([record])
        yield* fs.remove(directory, { recursive: true })
        yield* fs.writeFileString(directory, "")
        const error = yield* Effect.flip(transcript.append([end("finished")], { sync: true }))
        assert.match(
          error.message,
          /was deleted while its session was open, and cannot be written anew\. Check free disk/
        )
        yield* fs.remove(directory)
        yield* transcript.append([end("finished")])
        assert.strictEqual((yield* recordsOf(id)).length, 4)
      })
    ))
})
