/** What holds on the screen when one session follows another, and what is told of the place that it works in. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as FileSystem from "@effect/platform/FileSystem"
import { assert, describe, it } from "@effect/vitest"
import * as Script from "@weir/simulator/Script"
import * as Simulator from "@weir/simulator/Simulator"
import * as Effect from "effect/Effect"
import { directory } from "./Process.js"
import { keys, start } from "./Pty.js"

const model = (url: string) => ["--provider", "openai-compatible", "--base-url", url, "--model", "simulated"]

const script = Script.sequence([
  Script.calls(Script.call("bash", { command: "echo made > made.txt" })),
  Script.reply("That is all.")
])

describe.concurrent("the interactive command", () => {
  it.live("what was chosen holds when another session could not be opened", () =>
    Effect.gen(function*() {
      const cwd = yield* directory()
      const simulator = yield* Simulator.make({ script })
      const terminal = yield* start([...model(simulator.url), "--permission-mode", "full"], { cwd, rows: 30 })
      yield* terminal.until(/simulated · /)
      yield* terminal.type("/permissions\r")
      yield* terminal.until(/^❯ full +everything runs unasked$/m)
      yield* terminal.type("read-only\r")
      yield* terminal.until(/^read-only: tools look and nothing else$/m)
      yield* terminal.type("/resume nowhere\r")
      yield* terminal.until(/There is no session nowhere\.[^]*simulated · /)
      yield* terminal.type("Make it.\r")
      yield* terminal.until(/✗ bash [^]*That is all\.\n\n─/)
      const fs = yield* FileSystem.FileSystem
      assert.isFalse(yield* fs.exists(`${cwd}/made.txt`))
      yield* terminal.type(keys.ctrlD)
      assert.strictEqual(yield* terminal.exited, 0)
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer)))

  it.live("an export to a file that is there, or cannot be, says what to do", () =>
    Effect.gen(function*() {
      const cwd = yield* directory({ "there.md": "mine" })
      const terminal = yield* start(["--provider", "offline"], {
        columns: 200,
        cwd,
        rows: 30
      })
      yield* terminal.until(/offline/)
      yield* terminal.type("/export there.md\r")
      yield* terminal.until(/\/there\.md exists already\. Name another file: \/export FILE/)
      yield* terminal.type("/export nowhere/a.md\r")
      yield* terminal.until(
        /\/nowhere\/a\.md cannot be written: its directory does not exist\. Name another file: \/export FILE/
      )
      yield* terminal.type(keys.ctrlD)
      assert.strictEqual(yield* terminal.exited, 0)
      const fs = yield* FileSystem.FileSystem
      assert.strictEqual(yield* fs.readFileString(`${cwd}/there.md`), "mine")
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer)))

  it.live("a call that is allowed for the session is, with whatever model it goes on, and not in a new one", () =>
    Effect.gen(function*() {
      const cwd = yield* directory()
      const simulator = yield* Simulator.make({ script })
      const terminal = yield* start(model(simulator.url), { cwd, rows: 30 })
      yield* terminal.until(/simulated · /)
      yield* terminal.type("Make it.\r")
      yield* terminal.until(/May bash run\?/)
      yield* Effect.sleep("300 millis")
      yield* terminal.type("2")
      yield* terminal.until(/That is all\.\n\n─/)
      yield* terminal.type("/model another\r")
      yield* terminal.until(/another · /)
      yield* terminal.type("Once more.\r")
      yield* terminal.until(/Once more\.\n\n✓ bash [^]*That is all\.\n/)
      yield* terminal.type("/new\r")
      yield* terminal.until(/A new session\./)
      yield* terminal.type("For the last time.\r")
      yield* terminal.until(/May bash run\?/)
      yield* terminal.type(keys.ctrlD)
      assert.strictEqual(yield* terminal.exited, 0)
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer)))

  it.live("a new session begins where the one that is open is there no more", () =>
    Effect.gen(function*() {
      const cwd = yield* directory()
      const simulator = yield* Simulator.make({ script: Script.reply("Here I am.") })
      const terminal = yield* start(model(simulator.url), { cwd, rows: 30 })
      yield* terminal.until(/simulated · /)
      yield* terminal.type("Hello.\r")
      yield* terminal.until(/Here I am\.\n\n─/)
      const fs = yield* FileSystem.FileSystem
      yield* fs.remove(`${cwd}/.home/sessions`, { recursive: true })
      yield* terminal.type("/thinking\r")
      yield* terminal.until(/How much the model reasons/)
      yield* terminal.type(keys.enter)
      yield* terminal.until(/There is no session <id>\.[^]*A new session\.[^]*simulated · /)
      yield* terminal.type("And again.\r")
      yield* terminal.until(/And again\.\n\nHere I am\.\n\n─/)
      yield* terminal.type(keys.ctrlD)
      assert.strictEqual(yield* terminal.exited, 0)
      assert.strictEqual((yield* terminal.all).split("There is no session").length, 2)
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer)))

  it.live("the status line follows a limit that was learned, and the branch", () =>
    Effect.gen(function*() {
      const cwd = yield* directory({
        ".git/HEAD": "ref: refs/heads/main\n",
        "big.log": "All work and no play makes a dull file.\n".repeat(150)
      })
      const simulator = yield* Simulator.make({
        script: Script.sequence([
          Script.calls(Script.call("bash", { command: "echo 'ref: refs/heads/other' > .git/HEAD" })),
          Script.toolLoop({ answer: "Done.", args: () => ({ path: "big.log" }), count: 12, tool: "read_file" })
        ]),
        window: 16_000
      })
      const command = [...model(simulator.url), "--context-window", "64000", "--permission-mode", "full"]
      const terminal = yield* start(command, { columns: 120, cwd, rows: 30 })
      yield* terminal.until(/simulated · \S+ · main +░+╎ \d%$/)
      yield* terminal.type("Read it often.\r")
      const bar = /simulated · \S+ · other .* (█+░*╎ [2-9]\d%)$/
      yield* terminal.until(/^Done\./m)
      yield* terminal.until(bar)
      yield* terminal.type(keys.ctrlD)
      assert.strictEqual(yield* terminal.exited, 0)
      const again = yield* start(["resume", ...command], { columns: 120, cwd, rows: 30 })
      yield* again.until(/simulated · \S+ · other +█+░*╎ [2-9]\d%$/)
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer)))

  it.live("shows what has changed as it is, whatever git is set up to do with it", () =>
    Effect.gen(function*() {
      const cwd = yield* directory({ "poem.txt": "The river\nis wide.\n" })
      const simulator = yield* Simulator.make({
        script: Script.sequence([
          Script.calls(Script.call("bash", {
            command: "git init -q && git add poem.txt && git -c user.name=a -c user.email=a@b.c commit -qm first && " +
              "git config color.ui always && git config diff.external false && echo 'is deep.' >> poem.txt"
          })),
          Script.reply("Changed.")
        ])
      })
      const terminal = yield* start([...model(simulator.url), "--permission-mode", "full"], { cwd, rows: 30 })
      yield* terminal.until(/simulated · /)
      yield* terminal.type("Change it.\r")
      yield* terminal.until(/Changed\.\n\n─/)
      yield* terminal.type("/diff\r")
      yield* terminal.until(/git diff HEAD\n[^]*\n The river\n is wide\.\n\+is deep\.\n/)
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer)))

  it.live("says when a compaction that is asked for in a turn comes", () =>
    Effect.gen(function*() {
      const cwd = yield* directory()
      const simulator = yield* Simulator.make({ script })
      const terminal = yield* start(model(simulator.url), { cwd, rows: 30 })
      yield* terminal.until(/simulated · /)
      yield* terminal.type("Make it.\r")
      yield* terminal.until(/May bash run\?/)
      yield* terminal.type("/compact\r")
      yield* terminal.until(/^It is compacted before the turn's next step\.$/m)
      yield* Effect.sleep("300 millis")
      yield* terminal.type("4")
      yield* terminal.until(/(Compacted \S+ to|The compaction failed|There is nothing)[^]*That is all\.\n\n─/)
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer)))
})
