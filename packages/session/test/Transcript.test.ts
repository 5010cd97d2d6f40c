import * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import { assert, describe, it } from "@effect/vitest"
import * as Usage from "@weir/model/Usage"
import * as Fold from "@weir/session/Fold"
import * as Outline from "@weir/session/Outline"
import { Batch, type Record } from "@weir/session/Record"
import * as Redaction from "@weir/session/Redaction"
import * as SessionFiles from "@weir/session/SessionFiles"
import { SessionStore } from "@weir/session/SessionStore"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Redacted from "effect/Redacted"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import { began, compacted, end, inDirectory, recordsOf, reopened, start, stepped, turn, written } from "./Samples.js"

const image = { mediaType: "image/png", data: "iVBORw0KGgo=".repeat(2_000) }

const fileOf = (directory: string, id: string) => `${directory}/${id}.jsonl`

const long = "é".repeat(20_000)

describe("side files", () => {
  it.effect("long outputs and images are kept beside the lines, each once, and come back byte for byte", () =>
    inDirectory((directory) =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const records: ReadonlyArray<Record> = [
          began("t1", "look", [image, image]),
          stepped("one", long, [image]),
          stepped("two", long),
          stepped("short", "x".repeat(16_384)),
          stepped("a lie", `\0file:${"0".repeat(64)}`),
          stepped("half a pair", `\ud83d${"x".repeat(20_000)}`)
        ]
        const id = yield* written(records.map((record): Batch => [record]))
        assert.deepStrictEqual((yield* recordsOf(id)).slice(1), records)
        assert.deepStrictEqual((yield* reopened(id)).opened.projection, Fold.fold(records).projection)
        const side = yield* fs.readDirectory(`${directory}/${id}.files`)
        assert.strictEqual(side.length, 3)
        for (const name of side) {
          assert.strictEqual(Number((yield* fs.stat(`${directory}/${id}.files/${name}`)).mode) & 0o777, 0o600)
        }
        assert.isBelow((yield* fs.readFile(fileOf(directory, id))).length, 50_000)
      })
    ))

  it.effect("however many compactions there are, no image and no output is stored again", () =>
    inDirectory((directory) =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const records: Array<Record> = [began("t1", "look", [image])]
        for (let index = 0; index < 12; index++) {
          records.push(stepped(`step ${index}`, long, [image]))
          records.push(compacted(`c${index}`, Fold.fold(records).projection, true, index + 1))
        }
        const id = yield* written(records.map((record): Batch => [record]))
        assert.strictEqual((yield* fs.readDirectory(`${directory}/${id}.files`)).length, 2)
        const { opened } = yield* reopened(id)
        assert.deepStrictEqual(opened.projection, Fold.fold(records).projection)
        assert.deepStrictEqual(opened.projection.turns[0]?.user.images, [image])
      })
    ))

  it.effect("a missing one is said in its place", () =>
    inDirectory((directory) =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const id = yield* written([[began("t1", "look")], [stepped("one", long)]])
        yield* fs.remove(`${directory}/${id}.files`, { recursive: true })
        const shown = Schema.encodeSync(Schema.parseJson(Schema.Array(Batch.value)))(yield* recordsOf(id))
        assert.include(shown, "[The file of this output is missing:")
      })
    ))
})

/** A disk on which a write of more bytes than are left stops half-way. */
const smallDisk = (room: Ref.Ref<number>) =>
  Effect.map(FileSystem.FileSystem, (fs): FileSystem.FileSystem => {
    const full = new PlatformError.SystemError({
      description: "ENOSPC: no space left on device",
      method: "write",
      module: "FileSystem",
      reason: "Unknown"
    })
    const limited = (file: FileSystem.File): FileSystem.File =>
      Object.create(file, {
        writeAll: {
          value: (bytes: Uint8Array) =>
            Effect.gen(function*() {
              const left = yield* Ref.get(room)
              yield* Ref.set(room, Math.max(0, left - bytes.length))
              yield* file.writeAll(bytes.subarray(0, left))
              if (left < bytes.length) return yield* full
            })
        }
      })
    return {
      ...fs,
      open: (path, options) => Effect.map(fs.open(path, options), limited),
      truncate: (path, length) =>
        Effect.flatMap(Ref.get(room), (left) => left < 0 ? Effect.fail(full) : fs.truncate(path, length))
    }
  })

describe("writing", () => {
  it.effect("a full disk leaves the file as it was, says so, and the next append goes on", () =>
    inDirectory((directory) =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const room = yield* Ref.make(1_000)
        yield* Effect.scoped(Effect.gen(function*() {
          const store = yield* SessionStore
          const transcript = yield* store.create(start)
          yield* transcript.append(turn("t1", "kept"))
          const before = yield* fs.readFile(fileOf(directory, transcript.start.id))
          const error = yield* Effect.flip(transcript.append([stepped("lost", "x".repeat(5_000))], { sync: true }))
          assert.strictEqual(error.reason, "write")
          assert.match(error.message, /nothing recorded before is lost.*ENOSPC/)
          assert.deepStrictEqual(yield* fs.readFile(fileOf(directory, transcript.start.id)), before)
          yield* Ref.set(room, 10_000)
          yield* transcript.append(turn("t2", "after"))
          assert.deepStrictEqual((yield* recordsOf(transcript.start.id)).slice(1), [
            ...turn("t1", "kept"),
            ...turn("t2", "after")
          ])
        })).pipe(
          Effect.provide(SessionFiles.layer(directory)),
          Effect.provideServiceEffect(FileSystem.FileSystem, smallDisk(room))
        )
      })
    ))

  it.effect("what could not be cut back at once is cut back before the next append", () =>
    inDirectory((directory) =>
      Effect.gen(function*() {
        const room = yield* Ref.make(1_000)
        yield* Effect.scoped(Effect.gen(function*() {
          const transcript = yield* Effect.flatMap(SessionStore, (store) => store.create(start))
          const lost = [stepped("lost", "x".repeat(5_000))] as const
          yield* Effect.flip(transcript.append(lost))
          yield* Ref.set(room, -1)
          yield* Effect.flip(transcript.append(lost))
          yield* Ref.set(room, 10_000)
          yield* transcript.append(turn("t1", "after"))
          assert.deepStrictEqual((yield* recordsOf(transcript.start.id)).slice(1), [...turn("t1", "after")])
        })).pipe(
          Effect.provide(SessionFiles.layer(directory)),
          Effect.provideServiceEffect(FileSystem.FileSystem, smallDisk(room))
        )
      })
    ))

  it.effect("configured keys are nowhere in what is recorded, nor in what is folded", () => {
    const key = "sk-live-0123456789+/="
    return inDirectory((directory) =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const store = yield* SessionStore
        const transcript = yield* store.create(start)
        const recorded = yield* transcript.append([
          began("t1", `use ${key}`),
          stepped(key, `KEY=${key}\n${"y".repeat(20_000)}`),
          {
            _tag: "StepCompleted",
            step: { _tag: "Step", parts: [], native: { codec: "c", model: "m", payload: { key } } }
          },
          end("finished")
        ])
        for (const name of yield* fs.readDirectory(directory, { recursive: true })) {
          const { type } = yield* fs.stat(`${directory}/${name}`)
          if (type === "File") assert.notInclude(yield* fs.readFileString(`${directory}/${name}`), key, name)
        }
        assert.deepStrictEqual((yield* recordsOf(transcript.start.id)).slice(1), [...recorded])
        assert.deepInclude(recorded[0], { user: { _tag: "UserMessage", text: "use [redacted]", images: [] } })
        assert.deepInclude(recorded[2], { step: { _tag: "Step", parts: [] } })
      }), Redaction.of([Redacted.make(key), Redacted.make("short")]))
  })
})

describe("foreign and damaged files", () => {
  const cases: ReadonlyArray<readonly [string, string, "corrupt" | "newer", RegExp]> = [
    ["garbage", "\u0000\u0001nonsense", "corrupt", /first line does not start a session/],
    [
      "another program's lines",
      "{\"type\":\"session\"}\n{\"type\":\"message\"}\n",
      "corrupt",
      /no session that Weir can read/
    ],
    ["nothing", "", "corrupt", /first line does not start/],
    [
      "a newer format",
      "[{\"_tag\":\"SessionStarted\",\"version\":7,\"more\":1}]\n[{\"_tag\":\"New\"}]\n",
      "newer",
      /format 7; .* up to 1/
    ]
  ]
  for (const [name, text, reason, says] of cases) {
    it.effect(`${name}: a clear error, and not a byte is changed`, () =>
      inDirectory((directory) =>
        Effect.gen(function*() {
          const fs = yield* FileSystem.FileSystem
          yield* fs.makeDirectory(directory, { recursive: true })
          yield* fs.writeFileString(`${directory}/a.jsonl`, text)
          const error = yield* Effect.flip(reopened("a"))
          assert.strictEqual(error.reason, reason)
          assert.match(error.message, says)
          assert.strictEqual(yield* fs.readFileString(`${directory}/a.jsonl`), text)
          assert.deepStrictEqual(yield* fs.readDirectory(directory), ["a.jsonl"])
        })
      ))
  }

  it.effect("a bad line in the middle is left out and reported; the rest counts", () =>
    inDirectory((directory) =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const id = yield* written([turn("t1", "one")])
        const file = fileOf(directory, id)
        yield* fs.writeFileString(file, "{nonsense\n[{\"_tag\":\"Unknown\"}]\n", { flag: "a" })
        const { notices } = yield* Effect.scoped(Effect.gen(function*() {
          const transcript = yield* Effect.flatMap(SessionStore, (store) => store.open(id))
          yield* transcript.append(turn("t2", "two"))
          return transcript
        }))
        assert.strictEqual(notices.length, 1)
        assert.match(notices[0] ?? "", /damaged in line 3, 4: left out/)
        assert.deepStrictEqual((yield* recordsOf(id)).slice(1), [...turn("t1", "one"), ...turn("t2", "two")])
        assert.include(yield* fs.readFileString(file), "{nonsense")
      })
    ))

  it.effect("a step that no summary covers is left out and reported when a part of it is no part", () =>
    inDirectory((directory) =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const id = yield* written([[began("t1", "go")], [stepped("one", "a")]])
        const file = fileOf(directory, id)
        const odd = "[{\"_tag\":\"StepCompleted\",\"step\":{\"_tag\":\"Step\",\"parts\":[{\"_tag\":\"Odd\"}]}}]\n"
        yield* fs.writeFileString(file, odd, { flag: "a" })
        const { notices, opened } = yield* reopened(id)
        assert.match(notices[0] ?? "", /damaged in line 4: left out/)
        assert.deepStrictEqual(opened.projection, Fold.fold([began("t1", "go"), stepped("one", "a")]).projection)
      })
    ))

  it.prop(
    "a step's usage is looked into as its schema says",
    [FastCheck.record({
      cacheRead: FastCheck.oneof(FastCheck.nat(), FastCheck.double(), FastCheck.constant("1")),
      fresh: FastCheck.oneof(FastCheck.nat(), FastCheck.integer(), FastCheck.constant(null))
    }, { requiredKeys: [] })],
    ([part]) => {
      const usage = { ...Usage.zero, ...part }
      const line = JSON.stringify([{ _tag: "StepCompleted", step: { _tag: "Step", parts: [], usage } }])
      assert.strictEqual(Outline.decode(line) !== undefined, Schema.is(Usage.Usage)(JSON.parse(JSON.stringify(usage))))
    }
  )

  it.effect("a directory that cannot be written: the session is refused, can be read, and stays as it is", () =>
    inDirectory((directory) =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const id = yield* written([turn("t1", "one")])
        const before = yield* fs.readFile(fileOf(directory, id))
        const denied = new PlatformError.SystemError({
          description: "EACCES: permission denied",
          method: "open",
          module: "FileSystem",
          reason: "PermissionDenied"
        })
        const readOnly: FileSystem.FileSystem = {
          ...fs,
          link: () => Effect.fail(denied),
          open: (path, options) => options?.flag === "r" ? fs.open(path, options) : Effect.fail(denied),
          writeFile: () => Effect.fail(denied),
          writeFileString: () => Effect.fail(denied)
        }
        yield* Effect.gen(function*() {
          const error = yield* Effect.flip(reopened(id))
          assert.strictEqual(error.reason, "write")
          assert.match(error.message, /permissions.*EACCES/)
          assert.strictEqual((yield* recordsOf(id)).length, 3)
        }).pipe(
          Effect.provide(SessionFiles.layer(directory)),
          Effect.provideService(FileSystem.FileSystem, readOnly)
        )
        assert.deepStrictEqual(yield* fs.readFile(fileOf(directory, id)), before)
      })
    ))
})
