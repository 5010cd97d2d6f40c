import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert, describe, it } from "@effect/vitest"
import * as Fault from "@weir/simulator/Fault"
import * as Script from "@weir/simulator/Script"
import * as Simulator from "@weir/simulator/Simulator"
import * as Effect from "effect/Effect"
import { directory, eventually, processes, start } from "./Process.js"

const model = (url: string) => ["--provider", "openai-compatible", "--base-url", url, "--model", "simulated"]

// Side by side, since much of it is waiting.
describe.concurrent("[A19] interrupting the process leaves nothing behind", () => {
  for (const [at, signal] of (["SIGINT", "SIGTERM", "SIGHUP"] as const).entries()) {
    it.live(`${signal}: no process of a shell command, neither one that traps TERM nor one in the background`, () =>
      Effect.gen(function*() {
        const cwd = yield* directory()
        const mark = `98765.${at}${process.pid}`
        const simulator = yield* Simulator.make({
          script: Script.calls(
            Script.call("bash", { command: `trap '' TERM; sleep ${mark} & sleep ${mark}; sleep ${mark}` })
          )
        })
        const { child, finished } = yield* start([
          "run",
          ...model(simulator.url),
          ...["--permission-mode", "full", "Start."]
        ], { cwd })
        const started = yield* eventually(processes(mark), (found) => found.length >= 2)
        assert.isAtLeast(started.length, 2)
        child.kill(signal)
        const { code, stderr } = yield* finished
        assert.strictEqual(code, 130, stderr)
        assert.deepStrictEqual(yield* processes(mark), [])
        yield* simulator.awaitOpenConnections(0)
      }).pipe(Effect.scoped, Effect.provide(NodeContext.layer)))
  }

  for (
    const [title, fault] of [
      ["before the provider answers", { _tag: "Hang" }],
      ["while the provider is silent in the middle of its answer", { _tag: "Stall", after: 2 }]
    ] as const
  ) {
    it.live(`${title}: the socket is closed, the end is told`, () =>
      Effect.gen(function*() {
        const cwd = yield* directory()
        const simulator = yield* Simulator.make({
          faults: [Fault.at(0, fault)],
          script: Script.reply("A rather long answer, which comes in several pieces, of which two arrive.")
        })
        const options = ["--output-format", "stream-json"]
        const { child, finished, output } = yield* start(["run", ...model(simulator.url), ...options, "Go."], { cwd })
        yield* simulator.request(0)
        if (fault._tag === "Stall") {
          yield* eventually(Effect.sync(() => output.stdout), (stdout) => stdout.includes("text_delta"))
        }
        child.kill("SIGINT")
        const { code, stdout } = yield* finished
        assert.strictEqual(code, 130)
        assert.match(stdout, /"type":"turn_finished".*"interrupted"/)
        yield* simulator.awaitOpenConnections(0)
      }).pipe(Effect.scoped, Effect.provide(NodeContext.layer)))
  }

  it.live("while a compaction waits for its summary: 130, the session can be continued", () =>
    Effect.gen(function*() {
      const cwd = yield* directory({ "big.log": "All work and no play makes a dull file.\n".repeat(150) })
      const simulator = yield* Simulator.make({
        faults: [Fault.when(({ indexOfKind, kind }) => kind === "compaction" && indexOfKind === 0, { _tag: "Hang" })],
        script: Script.toolLoop({
          answer: "Done.",
          args: () => ({ path: "big.log" }),
          count: 12,
          tool: "read_file"
        }),
        window: 16_000
      })
      const command = ["run", ...model(simulator.url), "--context-window", "16000"]
      const { child, finished } = yield* start([...command, "Go."], { cwd })
      yield* eventually(simulator.requests, (requests) => requests.some(({ kind }) => kind === "compaction"))
      child.kill("SIGINT")
      assert.strictEqual((yield* finished).code, 130)
      yield* simulator.awaitOpenConnections(0)
      const again = yield* start([...command, "--continue", "Go on."], { cwd })
      const { code, stderr, stdout } = yield* again.finished
      assert.strictEqual(code, 0, stderr)
      assert.strictEqual(stdout, "Done.\n")
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer)))
})
