/** The policy before a turn, and by hand, through the command: what of one giant turn stays. */
import { assert, describe, it } from "@effect/vitest"
import * as Script from "@weir/simulator/Script"
import * as Simulator from "@weir/simulator/Simulator"
import * as Effect from "effect/Effect"
import { directory } from "./Process.js"
import * as TestHost from "./TestHost.js"

/** About 1,500 tokens each. */
const files = Object.fromEntries(
  Array.from({ length: 5 }, (_, page) => [
    `${page}.txt`,
    Array.from({ length: 100 }, (_, line) => `page ${page}, line ${line}: the lamps are lit, the river is quiet`)
      .join("\n")
  ])
)

const read = (page: number) => Script.call("read_file", { path: `${page}.txt` })

/** A turn of two steps, the second of four calls, and the answer to another. */
const story = Effect.gen(function*() {
  const cwd = yield* directory(files)
  const simulator = yield* Simulator.make({
    script: Script.sequence([
      Script.calls(read(0)),
      Script.calls(read(1), read(2), read(3), read(4)),
      Script.reply("All is quiet.")
    ])
  })
  const options = ["--base-url", simulator.url, "--model", "sim-1", "--context-window", "16384"]
  const weir = (...args: ReadonlyArray<string>) => TestHost.command(`${cwd}/home`, args)
  const run = (...args: ReadonlyArray<string>) =>
    weir("run", ...options, "--max-output-tokens", "1024", "--cwd", cwd, "--output-format", "stream-json", ...args)
  yield* run("--max-steps", "2", "Read the pages.")
  const asked = Effect.map(simulator.requests, (all) => all.filter(({ kind }) => kind !== "count"))
  return { asked, options, run, weir }
})

const holds = (body: string | undefined, text: string): number => (body ?? "").split(text).length - 1

describe("a history of one giant turn, through the command", () => {
  it.scopedLive("[B05] [B06] before the next turn keeps its newest step, with all its calls and results", () =>
    Effect.gen(function*() {
      const { asked, run } = yield* story
      const { code, stdout } = yield* run("--continue", "And now?")
      assert.strictEqual(code, 0)
      assert.include(stdout, "turn-boundary-trigger")
      assert.deepStrictEqual((yield* asked).map(({ kind }) => kind), ["main", "main", "compaction", "main"])
      const body = (yield* asked).at(-1)?.body
      assert.deepStrictEqual([0, 1, 2, 3, 4].map((page) => holds(body, `page ${page}, line 9:`)), [0, 1, 1, 1, 1])
      assert.strictEqual(holds(body, "<compacted_context>"), 1)
      assert.include(body, "Read the pages.")
      assert.include(body, "And now?")
    }).pipe(Effect.provide(TestHost.layer())))

  it.scopedLive("[B08] is compacted when the user asks for it", () =>
    Effect.gen(function*() {
      const { asked, options, run, weir } = yield* story
      const [id = ""] = /\d{8}T\d{6}-\w{6}/.exec((yield* weir("sessions")).stdout) ?? []
      assert.strictEqual((yield* weir("compact", id, ...options)).code, 0)
      yield* run("--continue", "And now?")
      assert.deepStrictEqual((yield* asked).map(({ kind }) => kind), ["main", "main", "compaction", "main"])
      const body = (yield* asked).at(-1)?.body
      assert.strictEqual(holds(body, "page 0, line 9:"), 0)
      assert.strictEqual(holds(body, "<compacted_context>"), 1)
      assert.include(body, "Read the pages.")
    }).pipe(Effect.provide(TestHost.layer())))
})
