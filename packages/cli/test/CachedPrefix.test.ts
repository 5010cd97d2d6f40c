/** What a request for a summary reads from the provider's prompt cache, over every API, in one process. */
import { assert, describe, it } from "@effect/vitest"
import * as Usage from "@weir/model/Usage"
import * as Effect from "effect/Effect"
import { discarded } from "./Apis.js"
import { caching, type Codec } from "./Codecs.js"
import { answer, look, looking, start, steps } from "./Looking.js"

const limits = { outputCap: 4_096, window: 32_768 }

const roomy = { script: looking(steps), window: limits.window }

const strategies = (run: Effect.Effect.Success<ReturnType<typeof start>>) =>
  run.events.flatMap((event) => event._tag === "AutoCompactionApplied" ? [event.strategy] : [])

const rows = (codec: Codec) => {
  it.scoped(
    "[A13] [A14] at least 90 % of a summary's request is read from the cache, and no tool runs for it",
    () =>
      Effect.gen(function*() {
        // In a small conversation the instructions alone are a tenth.
        const window = 49_152
        const run = yield* start(codec, {
          limits: { outputCap: 8_192, window },
          simulator: { enforce: "sum", script: looking(steps + 4), window }
        })
        assert.deepStrictEqual([run.result.reason, run.result.text], ["finished", answer])
        assert.isAtLeast(run.summaries.length, 1)
        const applied = run.events.flatMap((event) => event._tag === "AutoCompactionApplied" ? [event] : [])
        assert.strictEqual(applied.length, run.summaries.length)
        for (const { strategy, usage } of applied) {
          assert.strictEqual(strategy, "cached-prefix")
          assert.isAtLeast(usage.cacheRead, 0.9 * Usage.input(usage))
        }
        assert.deepStrictEqual(discarded(run.requests), [])
        assert.deepStrictEqual(run.requests.filter(({ outcome }) => outcome !== "answered").map(({ body }) => body), [])
      }),
    30_000
  )

  it.scoped("set to isolated, nothing of the conversation's own requests is sent again", () =>
    Effect.gen(function*() {
      const settings = { compactionRequest: "isolated" } as const
      const run = yield* start(codec, { limits, settings, simulator: roomy })
      assert.strictEqual(run.result.reason, "finished")
      assert.isAtLeast(run.summaries.length, 1)
      assert.deepStrictEqual([...new Set(strategies(run))], ["isolated"])
    }), 30_000)

  it.scoped(
    "[A16] a tool that is called in place of a summary does not run; the second request is isolated",
    () =>
      Effect.gen(function*() {
        let ran = 0
        const counted = look()
        const tool = {
          ...counted,
          run: (...given: Parameters<typeof counted.run>) =>
            Effect.zipRight(Effect.sync(() => ran++), counted.run(...given))
        }
        const run = yield* start(codec, {
          limits,
          settings: { tools: [tool] },
          simulator: { ...roomy, script: looking(steps - 2), summary: ["toolCall", "good"] }
        })
        assert.deepStrictEqual([run.result.reason, run.result.text], ["finished", answer])
        assert.strictEqual(ran, steps - 2)
        assert.deepStrictEqual(strategies(run), ["isolated"])
        assert.strictEqual(run.summaries.length, 2)
      }),
    30_000
  )
}

for (const codec of caching) describe(`a summary over ${codec.api}`, () => rows(codec))

describe("a summary that does not fit behind the conversation", () => {
  it.scoped("is asked for in isolation", () =>
    Effect.gen(function*() {
      const [codec] = caching
      assert.isDefined(codec)
      if (!codec) return
      // Little is reserved for a reply, and more for a summary.
      const run = yield* start(codec, { limits: { ...limits, outputCap: 256 }, simulator: roomy })
      assert.deepStrictEqual([run.result.reason, strategies(run)[0]], ["finished", "isolated"])
    }), 30_000)
})
