import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert, describe, it } from "@effect/vitest"
import * as Fault from "@weir/simulator/Fault"
import type { Options } from "@weir/simulator/Options"
import type { Arrival, LoggedRequest } from "@weir/simulator/RequestLog"
import * as Script from "@weir/simulator/Script"
import * as Simulator from "@weir/simulator/Simulator"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type Api, apis } from "./Apis.js"
import { directory, run } from "./Process.js"

const prompt = "Read the logs — «all of them» — and say:\n\tdone \"😀\" \\ then stop."

const answer = "All the logs are read."

const calls = 40

/** About 8 KB of log lines, different in every file. */
const content = (file: number) =>
  Array.from(
    { length: 110 },
    (_, line) =>
      `2026-11-30T10:${file}:${line} worker ${file * line % 97} finished job ${file}-${line} in ${line} ms: ok`
  ).join("\n")

const files = {
  ...Object.fromEntries(Array.from({ length: calls }, (_, file) => [`logs/${file}.log`, content(file)])),
  "huge.log": Array.from(
    { length: 16_000 },
    (_, line) => `line ${line} of a very long and very dull log file, all of it`
  )
    .join("\n"),
  "tiny.txt": "one\n"
}

const reading = (count: number, path: (index: number) => string) =>
  Script.toolLoop({ answer, args: (index) => ({ path: path(index) }), count, tool: "read_file" })

const logs = reading(calls, (index) => `logs/${index}.log`)

const Result = Schema.parseJson(Schema.Struct({
  text: Schema.String,
  stop_reason: Schema.String,
  compaction: Schema.Struct({ count: Schema.Int })
}))

const inJson = (text: string) => JSON.stringify(text).slice(1, -1)

/** From the main request with number `from` on the window is `share` of what that one held. */
const shrinking = (from: number, share: number, compactionToo: boolean): Options["window"] => {
  let window = 200_000
  return ({ indexOfKind, kind, tokens }: Arrival) => {
    if (kind === "main" && indexOfKind === from) window = Math.floor(share * tokens)
    return kind === "compaction" && !compactionToo ? 200_000 : window
  }
}

interface Scenario {
  readonly title: string
  /** Made anew for each run: a window may depend on what came before. */
  readonly simulator: () => Omit<Options, "script"> & { readonly script?: Script.Script }
  readonly window?: number
  readonly holds?: (run: {
    readonly requests: ReadonlyArray<LoggedRequest>
    readonly compactions: number
    readonly overflows: number
  }) => void
}

const scenarios: ReadonlyArray<Scenario> = [
  // First, because most of it is waiting.
  { title: "h: every summary request meets an error of the server", simulator: () => ({ summary: "httpError" }) },
  { title: "a: one answer", simulator: () => ({ script: Script.reply(answer) }) },
  { title: "b: 100 tiny tool calls", simulator: () => ({ script: reading(100, () => "tiny.txt") }) },
  {
    title: "c2: the client believes in 200,000 tokens, the provider has 64,000",
    simulator: () => ({ window: 64_000 }),
    window: 200_000,
    holds: ({ compactions, overflows }) => {
      assert.strictEqual(overflows, 1)
      assert.isAtLeast(compactions, 1)
    }
  },
  { title: "d: a file of 1 MB", simulator: () => ({ script: reading(1, () => "huge.log") }) },
  {
    title: "e: from call 25 on the window is 70 % of what was sent, for summaries too",
    simulator: () => ({ window: shrinking(25, 0.7, true) }),
    holds: ({ overflows }) => assert.isAtMost(overflows, 2)
  },
  { title: "e1: the same, but summaries are not limited", simulator: () => ({ window: shrinking(25, 0.7, false) }) },
  {
    title: "e2: from call 25 on the window is 40 % of what was sent",
    simulator: () => ({ window: shrinking(25, 0.4, true) })
  },
  {
    title: "f: summary requests over 32,000 tokens are refused",
    simulator: () => ({ window: ({ kind }) => kind === "compaction" ? 32_000 : 64_000 }),
    holds: ({ compactions }) => assert.isAtLeast(compactions, 1)
  },
  {
    title: "g: every summary is empty",
    simulator: () => ({ summary: "empty" }),
    holds: ({ requests }) => assert.isAtMost(requests.filter(({ kind }) => kind === "compaction").length, 4)
  },
  {
    title: "i: every summary has 160 KB",
    simulator: () => ({ summary: "inflated" }),
    holds: ({ requests }) => assert.isAtMost(requests.filter(({ kind }) => kind === "compaction").length, 4)
  }
]

const options = (api: Api, simulator: Simulator.Simulator["Type"], window: number) => [
  "run",
  ...api.options(simulator),
  ...["--context-window", String(window), "--max-output-tokens", "8192", "--output-format", "json"]
]

/** The agent reaches its answer, in one clean run, with the user's words in every request. */
const survives = (api: Api, { holds, simulator: given, window = 64_000 }: Scenario) =>
  Effect.gen(function*() {
    const cwd = yield* directory(files)
    const simulator = yield* Simulator.make({ script: logs, window, ...given() })
    const { code, stderr, stdout } = yield* run([...options(api, simulator, window), prompt], {
      cwd,
      env: api.env("sk-simulated")
    })
    const requests = yield* simulator.requests
    assert.strictEqual(code, 0, stderr)
    const result = yield* Schema.decode(Result)(stdout)
    assert.strictEqual(result.text, answer)
    assert.strictEqual(result.stop_reason, "finished")
    assert.isTrue(requests.every(({ body }) => body.includes(inJson(prompt))))
    const refused = requests.filter(({ kind, outcome }) => outcome === "refused" && kind === "main")
    const sent = refused.map(({ body }) => body)
    assert.strictEqual(new Set(sent).size, sent.length)
    holds?.({ compactions: result.compaction.count, overflows: refused.length, requests })
  }).pipe(Effect.scoped, Effect.provide(NodeContext.layer))

/** Refuses every request over half of the window that the client was told. */
const half = (fault: Fault.Fault, kind: Arrival["kind"] = "main") =>
  Fault.when((arrival) => arrival.kind === kind && arrival.tokens > 32_000, fault)

// Side by side, since some of it is waiting.
describe.concurrent("hardship", () => {
  for (const api of apis) {
    for (const scenario of scenarios) it.live(`${api.name}: ${scenario.title}`, () => survives(api, scenario), 120_000)

    it.live(
      `${api.name}: [A06] [A07] half the declared window: recovered, learned, and known to the next run`,
      () =>
        Effect.gen(function*() {
          const cwd = yield* directory(files)
          const simulator = yield* Simulator.make({ script: logs, window: 32_000 })
          const command = [...options(api, simulator, 64_000), prompt]
          const first = yield* run(command, { cwd, env: api.env("sk-simulated") })
          assert.strictEqual(first.code, 0, first.stderr)
          const refusals = (yield* simulator.requests).filter(({ outcome }) => outcome === "refused").length
          assert.strictEqual(refusals, 1)
          const second = yield* run(command, { cwd, env: api.env("sk-simulated") })
          assert.strictEqual(second.code, 0, second.stderr)
          assert.strictEqual((yield* simulator.requests).filter(({ outcome }) => outcome === "refused").length, 1)
        }).pipe(Effect.scoped, Effect.provide(NodeContext.layer)),
      120_000
    )

    it.live(`${api.name}: [A06] half the declared window, told without a number`, () =>
      survives(api, {
        title: "",
        simulator: () => ({ faults: [half({ _tag: "Http", ...api.overflowWithoutNumber, headers: json })] })
      }), 120_000)

    it.live(`${api.name}: [A06] half the declared window, told in the middle of the stream`, () =>
      survives(api, {
        title: "",
        simulator: () => ({ faults: [half({ _tag: "ErrorFrame", after: 2, ...api.overflowFrame })] })
      }), 120_000)

    it.live(
      `${api.name}: [A06] half the declared window, shown only by stops with nothing said`,
      () => survives(api, { title: "", simulator: () => ({ enforce: "truncate", window: 32_000 }) }),
      120_000
    )
  }
})

const json = { "content-type": "application/json" }
