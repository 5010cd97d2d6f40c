/** The interactive command, end to end: its process, a pseudo-terminal, the simulator. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as FileSystem from "@effect/platform/FileSystem"
import { assert, describe, it } from "@effect/vitest"
import * as Fault from "@weir/simulator/Fault"
import * as Script from "@weir/simulator/Script"
import * as Simulator from "@weir/simulator/Simulator"
import * as Effect from "effect/Effect"
import { directory } from "./Process.js"
import { golden, keys, line, start } from "./Pty.js"

/** A line of a golden text. */
const read = "✓ read_file big.log (#s)\n"

const model = (url: string) => ["--provider", "openai-compatible", "--base-url", url, "--model", "simulated"]

// Side by side, since much of it is waiting.
describe.concurrent("the interactive command", () => {
  it.live("answers, shows a tool's line, sends what was queued, folds anew when the window changes, and leaves", () =>
    Effect.gen(function*() {
      const cwd = yield* directory({ "notes.txt": "The weir was built in 1901.\n" })
      const simulator = yield* Simulator.make({
        script: Script.sequence([
          Script.calls(Script.call("read_file", { path: "notes.txt" })),
          Script.calls(Script.call("bash", { command: "printf 'a\\033]0;title\\007b' > made.txt" })),
          Script.calls(Script.call("write_file", { path: "denied.txt", content: "x" })),
          Script.say({
            between: "150 millis",
            parts: [Script.text("The weir was built in **1901**.\n\n```js\nconst year = 1901\n```\n\nThat is all.")]
          }),
          Script.reply("Second answer.")
        ])
      })
      const terminal = yield* start(model(simulator.url), { columns: 60, cwd, rows: 32 })
      yield* terminal.until(/simulated/)
      yield* terminal.type("When was it built?\r")
      const question = yield* terminal.until(/5\. No, and say why[^]*Waiting/)
      assert.include(
        question,
        golden(`
      May bash run?
        command: printf 'a\\033]0;title\\007b' > made.txt
      ❯ 1. Yes, this once
        2. Yes, and calls like it for this session
        3. Yes, and calls like it always in this project
        4. No
        5. No, and say why
      `)
      )
      yield* Effect.sleep("300 millis")
      yield* terminal.type("1")
      yield* terminal.until(/May write_file run\?/)
      yield* Effect.sleep("300 millis")
      yield* terminal.type("5")
      yield* terminal.until(/Say why not/)
      yield* terminal.type("Not here.\r")
      yield* terminal.until(/Writing/)
      yield* terminal.type("And then?\r")
      yield* terminal.until(/next: And then\?/)
      // The last frame of the turn: one that comes while the window changes is folded at both widths.
      const end = yield* terminal.until(
        new RegExp(`Second answer\\.\n\n${line(60)}\n\n${line(60)}\nsimulated .*╎ [1-9]`)
      )
      assert.include(
        end,
        golden(`
      ❯ When was it built?

      ✓ read_file notes.txt (#s)
      ✓ bash printf 'a\\033]0;title\\007b' > made.txt (#s)
      ✗ write_file denied.txt (failed, #s)
        write_file was not run: the user does not allow it, and
        says: Not here.

      The weir was built in 1901.

        const year = 1901

      That is all.

      ❯ And then?

      Second answer.
      `)
      )
      yield* terminal.resize(40, 32)
      yield* terminal.resize(30, 32)
      // Painted anew: the old frame, folded by the terminal, has the directory too.
      const narrow = yield* terminal.until(new RegExp(`Second answer\\.\n+${line(30)}\n\n${line(30)}\nsimulated +░`))
      assert.strictEqual(narrow.split("Second answer.").length, 2, narrow)
      // As high as before, yet this terminal has cut the lines under the cursor away.
      yield* terminal.resize(30, 10)
      yield* terminal.resize(30, 32)
      yield* terminal.until(new RegExp(`Second answer\\.\n+${line(30)}\n\n${line(30)}\nsimulated +░`))
      yield* terminal.resize(60, 32)
      yield* terminal.until(new RegExp(`^${line(60)}\n\n${line(60)}\nsimulated ·`, "m"))
      yield* terminal.type(keys.ctrlC)
      yield* terminal.until(/Press Ctrl\+C again to quit/)
      yield* terminal.type(keys.ctrlC)
      assert.strictEqual(yield* terminal.exited, 0)
      const all = yield* terminal.all
      assert.match(all, /Second answer\.\s+Go on with: weir resume <id>$/)
      assert.strictEqual(all.split("That is all.").length, 2, all)
      assert.match(yield* terminal.raw, /\u001b\[\?2004l\u001b\[\?25h/)
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer)))

  it.live("[C01] [C02] [C03] [C04] [C05] compacts in the middle of a turn, calmly; Escape cancels that alone", () =>
    Effect.gen(function*() {
      const cwd = yield* directory({ "big.log": "All work and no play makes a dull file.\n".repeat(150) })
      const simulator = yield* Simulator.make({
        faults: [Fault.when(({ indexOfKind, kind }) => kind === "compaction" && indexOfKind === 0, { _tag: "Hang" })],
        script: Script.toolLoop({
          answer: "All twelve are read.",
          args: () => ({ path: "big.log" }),
          count: 12,
          tool: "read_file"
        }),
        window: 16_000
      })
      const command = [...model(simulator.url), "--context-window", "16000"]
      const terminal = yield* start([...command, "Read it often."], { columns: 70, cwd, rows: 40 })
      const during = yield* terminal.until(/Compacting\.\.\./)
      assert.match(during, /\* Compacting\.\.\. #s · Esc cancels the compaction/)
      yield* terminal.type("typed meanwhile")
      const typed = yield* terminal.until(/typed meanwhile/)
      assert.include(
        typed,
        golden(`
      ❯ Read it often.

      ${read.repeat(6)}
      * Compacting... #s · Esc cancels the compaction
      ${line(70)}
      typed meanwhile
      ${line(70)}
      simulated · /tmp/weir-cli-XXXXXX`)
      )
      yield* terminal.type(keys.escape)
      const after = yield* terminal.until(/Context compacted automatically\./)
      assert.match(
        after,
        /\n\* (Thinking|Writing|Running read_file) #s · Esc interrupts\nContext compacted automatically\.\n─+\ntyped meanwhile\n/
      )
      yield* terminal.until(/All twelve are read\.[^]*typed meanwhile/)
      const end = yield* terminal.until(/^(?![^]*compacted automatically)(?![^]*Esc interrupts)/)
      assert.include(
        end,
        golden(`
      ❯ Read it often.

      ${read.repeat(12)}
      All twelve are read.

      ${line(70)}
      typed meanwhile
      ${line(70)}
      simulated · /tmp/weir-cli-XXXXXX`)
      )
      assert.notInclude(yield* terminal.all, "compacted automatically")
      yield* terminal.type(keys.ctrlC + keys.ctrlC + keys.ctrlC)
      assert.strictEqual(yield* terminal.exited, 0)
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer)))

  it.live("Ctrl+C interrupts a turn; SIGTERM and SIGHUP restore the terminal and keep the session", () =>
    Effect.gen(function*() {
      const cwd = yield* directory()
      const simulator = yield* Simulator.make({
        faults: [Fault.when(() => true, { _tag: "Stall", after: 2 })],
        script: Script.reply("A rather long answer, of which two pieces arrive.")
      })
      const terminal = yield* start([...model(simulator.url), "Go."], { cwd })
      yield* terminal.until(/Writing/)
      yield* terminal.type(keys.ctrlC)
      yield* terminal.until(/Interrupted\./)
      yield* terminal.type("\u001b[200~pasted\nlines\u001b[201~")
      yield* terminal.until(/pasted\s+lines/)
      yield* terminal.kill("SIGTERM")
      assert.strictEqual(yield* terminal.exited, 130)
      assert.match(yield* terminal.raw, /\u001b\[\?2004l\u001b\[\?25h\u001b\[0m$/)
      const again = yield* start(["resume", ...model(simulator.url)], { columns: 60, cwd })
      const resumed = yield* again.until(/❯ Go\.[^]*A rather[^]*Interrupted\.[^]*simulated/)
      assert.strictEqual(
        resumed,
        golden(`
      ❯ Go.

      A rather long an

      Interrupted.

      ${line(60)}

      ${line(60)}
      simulated · /tmp/weir-cli-XXXXXX             ░░░░░░░░░░░╎ 1%
      `)
      )
      yield* again.type("Once more.\r")
      yield* again.until(/Writing/)
      yield* again.type("typed")
      yield* again.until(/typed/)
      yield* again.kill("SIGHUP")
      assert.strictEqual(yield* again.exited, 130)
      assert.match(yield* again.raw, /\u001b\[\?2004l\u001b\[\?25h\u001b\[0m$/)
      const fs = yield* FileSystem.FileSystem
      const sessions = `${cwd}/.home/sessions`
      const [file] = (yield* fs.readDirectory(sessions)).filter((name) => name.endsWith(".jsonl"))
      const stored = yield* fs.readFileString(`${sessions}/${file}`)
      assert.match(stored, /Go\.[^]*"reason":"interrupted"[^]*Once more\.[^]*"reason":"interrupted"[^\n]*\n$/)
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer)))

  it.live("Escape ends the wait for a retry; Ctrl+Z gives the terminal to the shell, and fg comes back", () =>
    Effect.gen(function*() {
      const cwd = yield* directory()
      const simulator = yield* Simulator.make({
        faults: [Fault.at(0, { _tag: "Http", body: "{}", headers: { "retry-after": "40" }, status: 429 })],
        script: Script.reply("Here I am.")
      })
      const terminal = yield* start(model(simulator.url), { columns: 60, cwd, isJob: true, rows: 30 })
      yield* terminal.until(/simulated · /)
      yield* terminal.type("Go.\r")
      yield* terminal.until(/Trying again in \S+ s \(attempt \d\)/)
      yield* terminal.type("after it\r")
      yield* terminal.until(/next: after it/)
      yield* terminal.type(keys.escape)
      const interrupted = yield* terminal.until(/Interrupted\.\n\n─+\nafter it\n─+\n/)
      assert.include(
        interrupted,
        golden(`
      ❯ Go.

      Interrupted.

      ${line(60)}
      after it
      ${line(60)}
      `)
      )
      yield* terminal.type(keys.ctrlZ)
      const stopped = yield* terminal.until(/Stopped[^]*\n\$$/)
      assert.notInclude(stopped, "after it")
      yield* terminal.type("echo in the shell\r")
      yield* terminal.until(/\nin the shell\n\$$/)
      yield* terminal.type("fg\r")
      yield* terminal.until(/─\nafter it\n─/)
      yield* terminal.type(keys.enter)
      yield* terminal.until(/❯ after it\n\nHere I am\.\n\n─/)
      yield* terminal.type(keys.ctrlD)
      const end = yield* terminal.until(/weir resume <id>\n\$$/)
      assert.match(end, /❯ after it\n\nHere I am\.\s+Go on with/)
      yield* terminal.type("echo code $?; exit\r")
      yield* terminal.until(/code 0/)
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer)))

  it.live("Ctrl+Z in a window of its own leaves all as it is: nobody could continue it", () =>
    Effect.gen(function*() {
      const cwd = yield* directory()
      const simulator = yield* Simulator.make({ script: Script.reply("Here I am.") })
      const terminal = yield* start(model(simulator.url), { columns: 60, cwd, rows: 20 })
      yield* terminal.until(/simulated · /)
      yield* terminal.type(`Hello${keys.ctrlZ}`)
      yield* terminal.until(/─\nHello\n─/)
      yield* terminal.type(" there")
      yield* terminal.until(/─\nHello there\n─/)
      yield* terminal.type(keys.enter)
      yield* terminal.until(/❯ Hello there\n\nHere I am\.\n\n─/)
      yield* terminal.type(keys.ctrlC)
      yield* terminal.until(/Press Ctrl\+C again to quit/)
      yield* terminal.type(keys.ctrlD)
      assert.strictEqual(yield* terminal.exited, 0)
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer)))

  it.live("reads keys one by one again when others have stopped it, and fg comes back", () =>
    Effect.gen(function*() {
      const cwd = yield* directory()
      const simulator = yield* Simulator.make({ script: Script.reply("Here I am.") })
      const terminal = yield* start(model(simulator.url), { columns: 60, cwd, isJob: true, rows: 30 })
      yield* terminal.until(/simulated · /)
      yield* terminal.type(keys.ctrlZ)
      yield* terminal.until(/Stopped[^]*\n\$$/)
      yield* terminal.type("p=$(jobs -p %1); (sleep 0.5; kill -STOP $p) & fg %1\r")
      yield* terminal.until(/Stopped[^]*Stopped[^]*\n\$$/)
      yield* terminal.type("fg %1\r")
      yield* terminal.until(/simulated · \S+ +░+╎ \d%$/)
      yield* terminal.type(`ab${keys.left}c`)
      yield* terminal.until(/─\nacb\n─/)
      yield* terminal.type(`${keys.ctrlC}${keys.ctrlD}`)
      yield* terminal.until(/weir resume <id>\n\$$/)
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer)))

  it.live("adds lines where nothing can be drawn: no control sequence, prompts and answers by the line", () =>
    Effect.gen(function*() {
      const cwd = yield* directory()
      const simulator = yield* Simulator.make({
        script: Script.sequence([
          Script.calls(Script.call("bash", { command: "printf 'ok\\n'" })),
          Script.reply("It **says** ok. 世界 👩‍👩‍👧 שלום")
        ])
      })
      const terminal = yield* start(model(simulator.url), { columns: 40, cwd, env: { TERM: "dumb" }, rows: 40 })
      yield* terminal.until(/simulated[^]*\n>$/)
      yield* terminal.type("Ask it.\r")
      yield* terminal.until(/Type a number from 1 to 5\.\n>$/)
      yield* Effect.sleep("300 millis")
      yield* terminal.type("1\r")
      yield* terminal.until(/שלום\n>$/)
      yield* terminal.type("/output\r")
      yield* terminal.until(/\(ok\)\nok\nexit code 0\n>$/)
      yield* terminal.type("/output 2\r")
      yield* terminal.until(/up to 1\.\n>$/)
      yield* terminal.type(keys.ctrlC)
      const end = yield* terminal.until(/again to quit\.\n>$/)
      assert.include(
        end,
        golden(`
      > Ask it.
      May bash run?
        command: printf 'ok\\n'
      1. Yes, this once
      2. Yes, and calls like it for this
      session
      3. Yes, and calls like it always in this
      project
      4. No
      5. No, and say why
      Type a number from 1 to 5.
      > 1

      ✓ bash printf 'ok\\n' (#s)

      It says ok. 世界 👩‍👩‍👧 שלום
      > /output
      bash printf 'ok\\n' (ok)
      ok
      exit code 0
      > /output 2

      Which one? /output is the newest,
      /output 2 the one before it, up to 1.
      > ^C
      Press Ctrl+C again to quit.
      `)
      )
      yield* terminal.type(keys.ctrlD)
      assert.strictEqual(yield* terminal.exited, 0)
      assert.notInclude(yield* terminal.raw, "\u001b")
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer)))
})
