/** The tasks that wear an agent out, and what must hold of each over every API. */
import { assert } from "@effect/vitest"
import * as Fault from "@weir/simulator/Fault"
import type { Options } from "@weir/simulator/Options"
import type { Arrival, LoggedRequest } from "@weir/simulator/RequestLog"
import * as Script from "@weir/simulator/Script"

export const prompt = "Read the logs — «all of them» — and say:\n\tdone \"😀\" \\ then stop."

export const answer = "All the logs are read."

/** Few steps of much: what a scenario costs is its steps, what it needs is its tokens. */
const steps = 7
const beside = 3

/** About 16 KB of log lines, different in every file. */
const content = (file: number) =>
  Array.from(
    { length: 220 },
    (_, line) =>
      `2026-11-30T10:${file}:${line} worker ${file * line % 97} finished job ${file}-${line} in ${line} ms: ok`
  ).join("\n")

export const files = {
  ...Object.fromEntries(Array.from({ length: steps * beside }, (_, file) => [`logs/${file}.log`, content(file)])),
  "huge.log": Array.from(
    { length: 16_000 },
    (_, line) => `line ${line} of a very long and very dull log file, all of it`
  )
    .join("\n"),
  "tiny.txt": "one\n"
}

const reading = (count: number, path: (index: number) => string) =>
  Script.toolLoop({ answer, args: (index) => ({ path: path(index) }), count, tool: "read_file" })

export const logs = Script.sequence([
  {
    at: (step) => ({
      parts: Array.from(
        { length: beside },
        (_, index) => Script.call("read_file", { path: `logs/${step * beside + index}.log` })
      )
    }),
    length: steps
  },
  Script.reply(answer)
])

/** From the main request with number `from` on the window is `share` of what that one held. */
const shrinking = (from: number, share: number, compactionToo: boolean): Options["window"] => {
  let window = 200_000
  return ({ indexOfKind, kind, tokens }: Arrival) => {
    if (kind === "main" && indexOfKind === from) window = Math.floor(share * tokens)
    return kind === "compaction" && !compactionToo ? 200_000 : window
  }
}

export interface Scenario {
  readonly title: string
  /** Whether the command alone runs it. */
  readonly byCommand?: true
  /** Whether most of it is waiting to try again. */
  readonly waits?: true
  /** Made anew for each run: a window may depend on what came before. */
  readonly simulator: () => Omit<Options, "script"> & { readonly script?: Script.Script }
  readonly window?: number
  readonly holds?: (run: {
    readonly requests: ReadonlyArray<LoggedRequest>
    readonly compactions: number
    readonly overflows: number
  }) => void
}

/** Runs as the bundled command over every API, and so nowhere else. */
export const believing: Scenario = {
  title: "c2: the client believes in 200,000 tokens, the provider has 64,000",
  simulator: () => ({ window: 64_000 }),
  window: 200_000,
  holds: ({ compactions, overflows }) => {
    assert.strictEqual(overflows, 1)
    assert.isAtLeast(compactions, 1)
  }
}

export const scenarios: ReadonlyArray<Scenario> = [
  {
    title: "h: every summary request meets an error of the server",
    simulator: () => ({ summary: "httpError" }),
    waits: true
  },
  { title: "a: one answer", simulator: () => ({ script: Script.reply(answer) }) },
  { byCommand: true, title: "b: 100 tiny tool calls", simulator: () => ({ script: reading(100, () => "tiny.txt") }) },
  { title: "d: a file of 1 MB", simulator: () => ({ script: reading(1, () => "huge.log") }) },
  {
    title: "e: from call 6 on the window is 70 % of what was sent, for summaries too",
    simulator: () => ({ window: shrinking(2, 0.7, true) }),
    holds: ({ overflows }) => assert.isAtMost(overflows, 2)
  },
  { title: "e1: the same, but summaries are not limited", simulator: () => ({ window: shrinking(2, 0.7, false) }) },
  {
    title: "e2: from call 6 on the window is 40 % of what was sent",
    simulator: () => ({ window: shrinking(2, 0.4, true) })
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

/** Refuses every request over half of the window that the client was told. */
export const half = (fault: Fault.Fault, kind: Arrival["kind"] = "main") =>
  Fault.when((arrival) => arrival.kind === kind && arrival.tokens > 32_000, fault)

/** What a run of a scenario came to, as the command tells it. */
export interface Outcome {
  readonly reason: string
  readonly text: string
  readonly compactions: number
}

const inJson = (text: string) => JSON.stringify(text).slice(1, -1)

/** The agent reached its answer, with the user's words in every request, and sent no refused request again. */
export const judge = (
  { holds }: Scenario,
  { compactions, reason, text }: Outcome,
  requests: ReadonlyArray<LoggedRequest>
) => {
  assert.deepStrictEqual([reason, text], ["finished", answer])
  assert.isTrue(requests.every(({ body }) => body.includes(inJson(prompt))))
  const refused = requests.filter(({ kind, outcome }) => outcome === "refused" && kind === "main")
  const sent = refused.map(({ body }) => body)
  assert.strictEqual(new Set(sent).size, sent.length)
  holds?.({ compactions, overflows: refused.length, requests })
}
