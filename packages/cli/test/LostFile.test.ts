/** A session whose file vanishes while the agent works is kept, and its user is told. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as FileSystem from "@effect/platform/FileSystem"
import { assert, describe, it } from "@effect/vitest"
import * as Script from "@weir/simulator/Script"
import * as Simulator from "@weir/simulator/Simulator"
import * as Effect from "effect/Effect"
import { chat } from "./Apis.js"
import { directory } from "./Process.js"
import * as TestHost from "./TestHost.js"

const script = Script.sequence([
  Script.calls(Script.call("bash", { command: "rm -r .home/sessions" })),
  Script.reply("Done.")
])

const told =
  /The file of this session was deleted while it was open\. It has been written anew, and the session goes on:/

describe.concurrent("a session whose file is deleted by what the agent runs", () => {
  for (const format of ["text", "stream-json"]) {
    it.live(`is kept whole, goes on, and that is said: ${format}`, () =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const simulator = yield* Simulator.make({ script })
        const cwd = yield* directory()
        const options = [...chat.options(simulator), "--permission-mode", "full"]
        const { code, stderr, stdout } = yield* TestHost.run(
          ["run", ...options, "--output-format", format, "Begin."],
          { cwd, env: chat.env("sk-lost-1") }
        )
        assert.strictEqual(code, 0, stderr)
        assert.match(stderr, told)
        if (format === "text") assert.strictEqual(stdout, "Done.\n")
        else assert.match(stdout, /^\{"type":"transcript_mended","text":"The file of this session was deleted/m)
        const [name = ""] = yield* fs.readDirectory(`${cwd}/.home/sessions`)
        assert.match(name, /\.jsonl$/)
        const lines = yield* fs.readFileString(`${cwd}/.home/sessions/${name}`)
        assert.match(lines, /"SessionStarted"[^]*"TurnStarted"[^]*"StepCompleted"[^]*"StepCompleted"[^]*"TurnFinished"/)
      }).pipe(Effect.scoped, Effect.provide(NodeContext.layer)))
  }
})
