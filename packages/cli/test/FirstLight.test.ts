import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert, describe, it } from "@effect/vitest"
import * as Script from "@weir/simulator/Script"
import * as Simulator from "@weir/simulator/Simulator"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { discarded } from "./Apis.js"
import { directory, run } from "./Process.js"

const prompt = "Read every file — «all sixty» — then say:\n\tdone \"😀\" \\ and nothing else."

const answer = "All sixty files are read."

/** About 8 KB of log lines, different in every file. */
const content = (file: number) =>
  Array.from(
    { length: 110 },
    (_, line) =>
      `2026-11-30T10:${file}:${line} worker ${file * line % 97} finished job ${file}-${line} in ${line * 7} ms: ok`
  ).join(
    "\n"
  )

const files = Object.fromEntries(Array.from({ length: 60 }, (_, file) => [`logs/${file}.log`, content(file)]))

const readAll = Script.toolLoop({
  answer,
  args: (index) => ({ path: `logs/${index}.log` }),
  count: 60,
  tool: "read_file"
})

const Result = Schema.parseJson(Schema.Struct({
  text: Schema.String,
  stop_reason: Schema.String,
  steps: Schema.Int,
  compaction: Schema.Struct({ count: Schema.Int })
}))

const model = (url: string) => ["--provider", "openai-compatible", "--base-url", url, "--model", "simulated"]

/** As it stands in a JSON body. */
const inJson = (text: string) => JSON.stringify(text).slice(1, -1)

// Side by side, since much of it is waiting.
describe.concurrent("a long turn through the bundled command", () => {
  for (const scale of [1, 0.8, 1.3]) {
    it.live(
      `[A01] [A09] [A11] [A12] [A13] 60 tool calls of 8 KB in a window of 64,000, counted at ×${scale}`,
      () =>
        Effect.gen(function*() {
          const cwd = yield* directory(files)
          const simulator = yield* Simulator.make({
            counter: { scale },
            enforce: "sum",
            script: readAll,
            window: 64_000
          })
          const { code, stderr, stdout } = yield* run([
            "run",
            ...model(simulator.url),
            ...["--context-window", "64000", "--max-output-tokens", "8192", "--output-format", "json"],
            prompt
          ], { cwd })
          const requests = yield* simulator.requests
          assert.deepStrictEqual(requests.filter(({ status }) => status !== 200).map(({ body }) => body), [], stderr)
          assert.strictEqual(code, 0, stderr)
          const result = yield* Schema.decode(Result)(stdout)
          assert.strictEqual(result.text, answer)
          assert.strictEqual(result.stop_reason, "finished")
          assert.strictEqual(result.steps, 61)
          assert.isAtLeast(result.compaction.count, 2)
          assert.strictEqual(requests.filter(({ kind }) => kind === "compaction").length, result.compaction.count)
          assert.isTrue(requests.every(({ body }) => body.includes(inJson(prompt))))
          for (const { body, kind } of requests) {
            if (kind === "main") assert.isAtMost(body.split("<compacted_context>").length - 1, 1)
          }
          assert.deepStrictEqual(discarded(requests), [])
          assert.notInclude(stdout, "Goal")
          assert.strictEqual(stderr, "")
        }).pipe(Effect.scoped, Effect.provide(NodeContext.layer)),
      120_000
    )
  }
})
