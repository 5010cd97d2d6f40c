/** Windows that our own system prompt and tools nearly fill: a long task comes to its end on each. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert, describe, it } from "@effect/vitest"
import * as Script from "@weir/simulator/Script"
import * as CodingTools from "@weir/tools/CodingTools"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SystemPrompt from "../src/SystemPrompt.js"
import { codecs } from "./Codecs.js"
import { start } from "./Looking.js"
import { directory } from "./Process.js"
import * as TestHost from "./TestHost.js"

const steps = 30

/** 1 KB, different for each. */
const content = (number: number) =>
  Array.from({ length: 20 }, (_, line) => `  const value${line} = compute(${number}, "${line % 7}") // checked\n`)
    .join("").slice(0, 1_024)

const files = Object.fromEntries(Array.from({ length: steps }, (_, number) => [`file-${number}.ts`, content(number)]))

const answer = "All thirty files are read."

const reading = Script.sequence([
  { at: (number) => ({ parts: [Script.call("read_file", { path: `file-${number}.ts` })] }), length: steps },
  Script.reply(answer)
])

/** Compactions on each window. */
const expected: ReadonlyArray<readonly [window: number, compactions: number]> = [[8_192, 4], [16_384, 1], [32_768, 0]]

describe("a small window, with our own system prompt and tools", () => {
  for (const codec of codecs.filter(({ api }) => api === "Chat Completions")) {
    for (const [window, compactions] of expected) {
      it.scoped(
        `${codec.api}: ${steps} steps of 1 KB on ${window} tokens take ${compactions} compactions`,
        () =>
          Effect.gen(function*() {
            const cwd = yield* directory(files)
            const run = yield* start(codec, {
              limits: { outputCap: 8_192, window },
              prompt: "Read all files and say what they have in common.",
              settings: {
                outputDirectory: `${cwd}/outputs`,
                systemPrompt: yield* SystemPrompt.make({ cwd }),
                tools: yield* CodingTools.make({ cwd })
              },
              simulator: { enforce: "sum", script: reading, window }
            })
            assert.deepStrictEqual([run.result.reason, run.result.text], ["finished", answer])
            assert.strictEqual(run.result.steps, steps + 1)
            assert.strictEqual(run.result.compaction.count, compactions)
            assert.deepStrictEqual(
              run.requests.filter(({ outcome }) => outcome !== "answered").map(({ body }) => body),
              []
            )
            assert.strictEqual(run.main.length, steps + 1)
          }).pipe(Effect.provide(Layer.merge(TestHost.layer(), NodeContext.layer))),
        60_000
      )
    }
  }
})
