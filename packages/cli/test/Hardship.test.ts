/**
 * The tasks that wear an agent out, through the command. Processes are dear: inside this one all of them run over one
 * API, and as the bundled command what is learned from a refusal, over each.
 */
import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert, describe, it } from "@effect/vitest"
import * as Simulator from "@weir/simulator/Simulator"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type Api, apis, chat, login } from "./Apis.js"
import { hurried } from "./Hurried.js"
import { directory, run } from "./Process.js"
import { believing, files, half, judge, logs, prompt, type Scenario, scenarios } from "./Scenarios.js"
import * as TestHost from "./TestHost.js"

const key = "sk-simulated"

const Result = Schema.parseJson(Schema.Struct({
  text: Schema.String,
  stop_reason: Schema.String,
  compaction: Schema.Struct({ count: Schema.Int })
}))

const options = (api: Api, simulator: Simulator.Simulator["Type"], window: number) => [
  "run",
  ...api.options(simulator),
  ...["--context-window", String(window), "--max-output-tokens", "8192", "--output-format", "json"]
]

const survives = (api: Api, scenario: Scenario, runs: typeof TestHost.run = TestHost.run) =>
  Effect.gen(function*() {
    const { window = 64_000 } = scenario
    const simulator = yield* Simulator.make({ script: logs, window, ...scenario.simulator() })
    const cwd = yield* directory({ ...files, ...login(api, key, simulator) })
    const running = runs([...options(api, simulator, window), prompt], { cwd, env: api.env(key) })
    const { code, stderr, stdout } = yield* scenario.waits ? hurried(running) : running
    assert.strictEqual(code, 0, stderr)
    const { compaction, stop_reason: reason, text } = yield* Schema.decode(Result)(stdout)
    judge(scenario, { compactions: compaction.count, reason, text }, yield* simulator.requests)
  }).pipe(Effect.scoped, Effect.provide(NodeContext.layer))

// Side by side, since some of it is waiting.
describe.concurrent("hardship", () => {
  for (const scenario of scenarios) it.live(`${chat.name}: ${scenario.title}`, () => survives(chat, scenario), 120_000)

  it.live(`${chat.name}: [A06] half the declared window, told without a number`, () =>
    survives(chat, {
      title: "",
      simulator: () => ({ faults: [half(chat.overflowWithoutNumber)] })
    }), 120_000)

  it.live(`${chat.name}: [A06] half the declared window, told in the middle of the stream`, () =>
    survives(chat, {
      title: "",
      simulator: () => ({ faults: [half({ _tag: "ErrorFrame", after: 2, ...chat.overflowFrame })] })
    }), 120_000)

  it.live(
    `${chat.name}: [A06] half the declared window, shown only by stops with nothing said`,
    () => survives(chat, { title: "", simulator: () => ({ enforce: "truncate", window: 32_000 }) }),
    120_000
  )

  it.live(
    `${chat.name}: [A06] [A07] half the declared window: recovered, learned, and known to the next run`,
    () =>
      Effect.gen(function*() {
        const simulator = yield* Simulator.make({ script: logs, window: 32_000 })
        const cwd = yield* directory({ ...files, ...login(chat, key, simulator) })
        const command = [...options(chat, simulator, 64_000), prompt]
        const first = yield* run(command, { cwd, env: chat.env(key) })
        assert.strictEqual(first.code, 0, first.stderr)
        const refusals = (yield* simulator.requests).filter(({ outcome }) => outcome === "refused").length
        assert.strictEqual(refusals, 1)
        const second = yield* run(command, { cwd, env: chat.env(key) })
        assert.strictEqual(second.code, 0, second.stderr)
        assert.strictEqual((yield* simulator.requests).filter(({ outcome }) => outcome === "refused").length, 1)
      }).pipe(Effect.scoped, Effect.provide(NodeContext.layer)),
    120_000
  )

  for (const api of apis) {
    it.live(`${api.name}, bundled: ${believing.title}`, () => survives(api, believing, run), 120_000)
  }
})
