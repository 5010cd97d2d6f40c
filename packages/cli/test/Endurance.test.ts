/** The tasks that wear an agent out, in one process, over all APIs but the one that the command runs them over. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, it } from "@effect/vitest"
import * as CodingTools from "@weir/tools/CodingTools"
import * as Effect from "effect/Effect"
import { chat } from "./Apis.js"
import { type Codec, codecs } from "./Codecs.js"
import { hurried } from "./Hurried.js"
import { start } from "./Looking.js"
import { directory } from "./Process.js"
import { files, judge, logs, prompt, type Scenario, scenarios } from "./Scenarios.js"

const survives = (codec: Codec, scenario: Scenario) =>
  Effect.gen(function*() {
    const { window = 64_000 } = scenario
    const cwd = yield* directory(files)
    const running = start(codec, {
      limits: { outputCap: 8_192, window },
      prompt,
      settings: { outputDirectory: `${cwd}/outputs`, tools: yield* CodingTools.make({ cwd }) },
      simulator: { script: logs, window, ...scenario.simulator() }
    })
    const { requests, result } = yield* scenario.waits ? hurried(running) : running
    judge(scenario, { ...result, compactions: result.compaction.count }, requests)
  }).pipe(Effect.scoped, Effect.provide(NodeContext.layer))

// Side by side, since some of it is waiting.
describe.concurrent("endurance", () => {
  for (const scenario of scenarios.filter(({ byCommand }) => byCommand !== true)) {
    for (const codec of codecs.filter(({ api }) => api !== chat.name)) {
      it.live(`${codec.api}: ${scenario.title}`, () => survives(codec, scenario), 120_000)
    }
  }
})
