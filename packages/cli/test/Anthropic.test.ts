import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert, describe, it } from "@effect/vitest"
import * as Script from "@weir/simulator/Script"
import * as Simulator from "@weir/simulator/Simulator"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { discarded } from "./Apis.js"
import { directory, run } from "./Process.js"
import * as TestHost from "./TestHost.js"

const key = "sk-ant-not-to-be-seen"

const answer = "All sixty files are read."

const content = (file: number) =>
  Array.from({ length: 110 }, (_, line) => `2026-11-30T10:${file}:${line} worker ${file * line % 97} finished a job`)
    .join("\n")

const files = Object.fromEntries(Array.from({ length: 60 }, (_, file) => [`logs/${file}.log`, content(file)]))

/** Two files a step, with thinking before the first, and hidden thinking between them. */
const thinking = Script.sequence([
  {
    at: (index) => ({
      parts: [
        Script.reasoning(`Now number ${2 * index} is due.`),
        Script.call("read_file", { path: `logs/${2 * index}.log` }),
        Script.redacted,
        Script.call("read_file", { path: `logs/${2 * index + 1}.log` })
      ]
    }),
    length: 30
  },
  Script.reply(answer)
])

const Result = Schema.parseJson(Schema.Struct({
  text: Schema.String,
  stop_reason: Schema.String,
  usage: Schema.Struct({ input_tokens: Schema.Number, cache_read_tokens: Schema.Number }),
  compaction: Schema.Struct({ count: Schema.Int })
}))

const Body = Schema.parseJson(Schema.Struct({ max_tokens: Schema.Int }))

const model = (simulator: Simulator.Simulator["Type"], id: string) => [
  "run",
  ...["--provider", "anthropic", "--base-url", simulator.origin, "--model", id, "--output-format", "json"]
]

describe("the command over Anthropic Messages", () => {
  it.live(
    "[A01] [A13] bundled: 60 calls with signed thinking in a window of 64,000, compacted on the way, mostly read from the cache",
    () =>
      Effect.gen(function*() {
        const cwd = yield* directory(files)
        const simulator = yield* Simulator.make({
          apiKey: Redacted.make(key),
          enforce: "sum",
          script: thinking,
          window: 64_000
        })
        const { code, stderr, stdout } = yield* run(
          [...model(simulator, "simulated"), "--context-window", "64000", "Read all sixty files."],
          { cwd, env: { ANTHROPIC_API_KEY: key } }
        )
        const requests = yield* simulator.requests
        assert.deepStrictEqual(requests.filter(({ status }) => status !== 200).map(({ body }) => body), [], stderr)
        assert.strictEqual(code, 0, stderr)
        const { compaction, stop_reason, text, usage } = yield* Schema.decode(Result)(stdout)
        assert.deepStrictEqual([text, stop_reason, stderr], [answer, "finished", ""])
        assert.isAtLeast(compaction.count, 2)
        assert.isAbove(usage.cache_read_tokens / usage.input_tokens, 0.7)
        const main = requests.filter(({ kind }) => kind === "main")
        assert.lengthOf(main, 31)
        assert.deepStrictEqual(discarded(requests), [])
        assert.isAbove(main.filter(({ body }) => body.includes("\"redacted_thinking\"")).length, 20)
      }).pipe(Effect.scoped, Effect.provide(NodeContext.layer)),
    120_000
  )

  it.live(
    "asks for 64,000 tokens of output where the window has room, and finds the address in its variable",
    () =>
      Effect.gen(function*() {
        const cwd = yield* directory()
        const simulator = yield* Simulator.make({ script: Script.reply("Hello."), window: 200_000 })
        const env = { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: simulator.origin }
        const command = ["run", "--provider", "anthropic", "--output-format", "json", "hi", "--model"]
        const limits = [["sim-1"], ["sim-1", "--context-window", "128000"], ["sim-1", "--max-output-tokens", "5000"]]
        for (const given of limits) {
          assert.strictEqual((yield* TestHost.run([...command, ...given], { cwd, env })).code, 0)
        }
        const bodies = yield* Effect.forEach(yield* simulator.requests, ({ body }) => Schema.decode(Body)(body))
        assert.deepStrictEqual(bodies.map(({ max_tokens }) => max_tokens), [64_000, Math.floor(128_000 / 3), 5_000])
      }).pipe(Effect.scoped, Effect.provide(NodeContext.layer)),
    60_000
  )

  it.live("says what to do about a wrong key, and does not show it", () =>
    Effect.gen(function*() {
      const cwd = yield* directory()
      const simulator = yield* Simulator.make({ apiKey: Redacted.make("another"), script: Script.reply("Hello.") })
      const { code, stderr, stdout } = yield* TestHost.run([...model(simulator, "simulated"), "hi"], {
        cwd,
        env: { ANTHROPIC_API_KEY: key }
      })
      assert.strictEqual(code, 1)
      assert.match(stderr, /^weir: anthropic does not accept the key\. /)
      assert.notInclude(stdout + stderr, key)
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer)), 60_000)
})
