import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert, describe, it } from "@effect/vitest"
import * as Fault from "@weir/simulator/Fault"
import * as Script from "@weir/simulator/Script"
import * as Simulator from "@weir/simulator/Simulator"
import * as Effect from "effect/Effect"
import { apis, login } from "./Apis.js"
import { directory, run } from "./Process.js"

const key = "sk-simulated"

const silences = [
  ...apis.map((api) => ({ api, fault: { _tag: "Stall", after: 4 }, place: "in the middle of its answer" }) as const),
  ...apis.slice(0, 1).map((api) => ({ api, fault: { _tag: "Hang" }, place: "before its answer" }) as const)
]

// Side by side, since most of it is waiting.
describe.concurrent("--idle-timeout", () => {
  for (const { api, fault, place } of silences) {
    it.live(`gives up a ${api.name} server that is silent ${place}, and asks again`, () =>
      Effect.gen(function*() {
        const simulator = yield* Simulator.make({
          faults: [Fault.at(0, fault)],
          script: Script.reply("A long answer, in several pieces, one after the other.")
        })
        const { code, stderr, stdout } = yield* run(
          ["run", ...api.options(simulator), "--idle-timeout", "2", "--verbose", "Begin."],
          { cwd: yield* directory(login(api, key, simulator)), env: api.env(key) }
        )
        assert.include(stdout, "one after the other.")
        assert.match(stderr, /retry 1 in .*nothing for 2s/)
        assert.strictEqual(code, 0)
        const requests = yield* simulator.requests
        assert.deepStrictEqual(requests.map(({ outcome }) => outcome), ["aborted", "answered"])
        yield* simulator.awaitOpenConnections(0)
      }).pipe(Effect.scoped, Effect.provide(NodeContext.layer)), 30_000)
  }
})
