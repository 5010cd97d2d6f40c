import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert, describe, it } from "@effect/vitest"
import * as Script from "@weir/simulator/Script"
import * as Simulator from "@weir/simulator/Simulator"
import * as Effect from "effect/Effect"
import { apis } from "./Apis.js"
import { directory, run } from "./Process.js"

describe("a shell command", () => {
  it.live("has weir's own environment, and never runs the user's start-up file, also where no shell has started the process", () =>
    Effect.gen(function*() {
      const [api] = apis
      assert.isDefined(api)
      // The launcher sets this one for Node alone.
      const tunables = "glibc.malloc.check=0"
      const cwd = yield* directory({ ".bashrc": "echo rc-was-read" })
      const simulator = yield* Simulator.make({
        script: Script.sequence([
          Script.calls(Script.call("bash", { command: "echo one; echo $GLIBC_TUNABLES" })),
          Script.reply("Done.")
        ])
      })
      const options = ["run", ...(api?.options(simulator) ?? []), "--permission-mode", "full", "Go."]
      const { code, stderr } = yield* run(options, { cwd, env: { GLIBC_TUNABLES: tunables, HOME: cwd } })
      assert.strictEqual(code, 0, stderr)
      const { body } = yield* simulator.request(1)
      assert.include(body, `one\\n${tunables}\\nexit code 0`)
      assert.notInclude(body, "rc-was-read")
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer)))
})
