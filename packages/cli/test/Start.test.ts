import * as NodeContext from "@effect/platform-node/NodeContext"
import * as FileSystem from "@effect/platform/FileSystem"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { command, directory, eventually, run, start } from "./Process.js"

const hello = ["run", "--provider", "offline", "--output-format", "json", "hi"]

/** The command line of a `weir` that stays, out of this command. */
const commandLine = (env: Record<string, string> = {}) =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const { child, output } = yield* start(["simulate"], { cwd: yield* directory(), env })
    yield* eventually(Effect.sync(() => output.stdout + output.stderr), (text) => text.includes("http://"))
    return yield* fs.readFileString(`/proc/${child.pid}/cmdline`)
  })

// Side by side, since much of it is waiting.
describe.concurrent("the start", () => {
  it.live("comes out of the snapshot, through a link and from any directory, with chance and place of its own", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      assert.include(yield* commandLine(), "--snapshot-blob")
      const cwd = yield* directory({ "here.txt": "the needle of this directory\n" })
      yield* fs.symlink(command, `${cwd}/linked`)
      const answers = yield* Effect.forEach(
        ["one", "two"],
        () => run(["--provider", "offline", "Where is the needle?"], { cwd, shell: `shift; exec ./linked run "$@"` })
      )
      for (const { code, stderr, stdout } of answers) {
        assert.strictEqual(code, 0, stderr)
        assert.include(stdout, "here.txt:1")
      }
      const chances = (yield* fs.readDirectory(`${cwd}/.home/sessions`)).map((name) => name.split("-")[1])
      assert.strictEqual(new Set(chances).size, 2, chances.join())
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer)))

  it.live("does without it where Node has other options, or is another one than the snapshot's", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      assert.notInclude(yield* commandLine({ NODE_OPTIONS: "--max-old-space-size=300" }), "--snapshot-blob")
      const cwd = yield* directory()
      yield* fs.copyFile(yield* fs.realPath(process.execPath), `${cwd}/node`)
      yield* fs.chmod(`${cwd}/node`, 0o755)
      const env = { PATH: `${cwd}:/usr/bin:/bin` }
      assert.notInclude(yield* commandLine(env), "--snapshot-blob")
      const { code, stderr } = yield* run(hello, { cwd, env })
      assert.strictEqual(code, 0, stderr)
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer)))
})
