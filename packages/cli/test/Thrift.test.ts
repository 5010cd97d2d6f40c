/** What a long turn costs: 60 results of 8 KB on a window of 64,000 tokens, over every API, in one process. */

import { assert, describe, it } from "@effect/vitest"
import * as Budget from "@weir/compaction/Budget"
import * as Usage from "@weir/model/Usage"
import * as Script from "@weir/simulator/Script"
import * as CodingTools from "@weir/tools/CodingTools"
import * as Effect from "effect/Effect"
import * as SystemPrompt from "../src/SystemPrompt.js"
import { caching, type Codec } from "./Codecs.js"
import { answer, start } from "./Looking.js"
import { directory } from "./Process.js"
import * as TestHost from "./TestHost.js"

const calls = 60
const window = 64_000
const outputCap = 8_192

/** 8 KB of prose-like log, different in every file. */
const content = (file: number) => {
  const lines = Array.from(
    { length: 200 },
    (_, line) => `worker ${file * line % 97} finished its job, number ${line}: ok`
  )
  return lines.join("\n").slice(0, 8_000)
}

const files = Object.fromEntries(Array.from({ length: calls }, (_, file) => [`logs/${file}.log`, content(file)]))

const script = Script.toolLoop({
  answer,
  args: (index) => ({ path: `logs/${index}.log` }),
  count: calls,
  tool: "read_file"
})

const measure = (codec: Codec) =>
  Effect.gen(function*() {
    const cwd = yield* directory(files)
    const run = yield* start(codec, {
      limits: { outputCap, window },
      settings: {
        outputDirectory: `${cwd}/outputs`,
        systemPrompt: yield* SystemPrompt.make({ appended: "", cwd }),
        tools: yield* CodingTools.make({ cwd })
      },
      simulator: { script, window }
    })
    const applied = run.events.flatMap((event) => event._tag === "AutoCompactionApplied" ? [event] : [])
    return { ...run, applied, sent: run.requests.reduce((sum, { body }) => sum + body.length / 4, 0) }
  }).pipe(Effect.scoped, Effect.provide(TestHost.layer()))

/** Compactions that arithmetic asks for, each as late as it may be: one step beyond the trigger. */
const fewest = ({ applied, main }: Effect.Effect.Success<ReturnType<typeof measure>>) => {
  const [first = 0, second = 0] = main.map(({ tokens }) => tokens)
  const step = second - first
  const latest = Budget.of({ outputCap, source: "declared", window }).trigger + step
  const after = Math.min(...applied.map((event) => event.after))
  return Math.ceil((first + calls * step - latest) / (latest - after))
}

for (const codec of caching) {
  describe(`60 results of 8 KB over ${codec.api}`, () => {
    it.live(
      "cost at most 1.6M tokens of input, and no more than one compaction over the fewest",
      () =>
        Effect.gen(function*() {
          const run = yield* measure(codec)
          assert.deepStrictEqual([run.result.reason, run.result.text], ["finished", answer])
          assert.deepStrictEqual(run.refused.length, 0)
          assert.isAtMost(run.sent, 1_600_000)
          assert.isAtMost(run.applied.length, fewest(run) + 1)
          for (const { usage } of run.applied) assert.isAtLeast(usage.cacheRead, 0.9 * Usage.input(usage))
        }),
      60_000
    )
  })
}
