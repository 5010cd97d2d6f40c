/**
 * What users of coding agents report of their compaction, as cases for `weir run`: each a kind of fault. Most run as
 * the bundled command; those of several turns, and bad summaries but the first, inside this process.
 */
import { assert } from "@effect/vitest"
import * as Fault from "@weir/simulator/Fault"
import type { Options } from "@weir/simulator/Options"
import type { LoggedRequest } from "@weir/simulator/RequestLog"
import * as Script from "@weir/simulator/Script"
import * as Simulator from "@weir/simulator/Simulator"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { apis } from "./Apis.js"
import * as Process from "./Process.js"
import * as TestHost from "./TestHost.js"

export const answer = "All of it is read."

export const window = 16_384

/** About 1,600 tokens, different in every file. */
const page = (file: number) =>
  Array.from({ length: 110 }, (_, line) => `job ${file}-${line} on worker ${line % 7}: done in ${line * 13} ms, ok`)
    .join("\n")

/** As many of them as any case reads. */
export const pages = Object.fromEntries(Array.from({ length: 40 }, (_, file) => [`logs/${file}.log`, page(file)]))

/** Reads `count` pages, one a step, and answers. */
export const reading = (count: number): Script.Script =>
  Script.toolLoop({ answer, args: (index) => ({ path: `logs/${index}.log` }), count, tool: "read_file" })

/** The same, `width` pages a step. */
export const readingBeside = (steps: number, width: number): Script.Script =>
  Script.sequence([
    ...Array.from({ length: steps }, (_, step) =>
      Script.calls(
        ...Array.from(
          { length: width },
          (_, one) => Script.call("read_file", { path: `logs/${step * width + one}.log` })
        )
      )),
    Script.reply(answer)
  ])

/** The same, with a thought before each page. */
export const thinking = (count: number): Script.Script =>
  Script.sequence([
    {
      at: (index) => ({
        parts: [
          Script.reasoning(`Page ${index} is next.`),
          Script.call("read_file", { path: `logs/${index}.log` })
        ]
      }),
      length: count
    },
    Script.reply(answer)
  ])

const Event = Schema.parseJson(Schema.Struct({
  type: Schema.String,
  text: Schema.optional(Schema.String),
  reason: Schema.optional(Schema.String),
  after: Schema.optional(Schema.Number)
}))

export interface Turn {
  readonly code: number
  readonly stderr: string
  readonly reason: string | undefined
  readonly text: string
  readonly times: (type: string) => number
  /** Why each compaction began. */
  readonly begun: ReadonlyArray<string | undefined>
  /** Tokens of the conversation after each compaction that was applied. */
  readonly after: ReadonlyArray<number>
}

const toTurn = ({ code, stderr, stdout }: { code: number; stderr: string; stdout: string }): Turn => {
  const events = stdout.split("\n").filter((line) => line !== "").map((line) => Schema.decodeSync(Event)(line))
  const of = (type: string) => events.filter((event) => event.type === type)
  return {
    after: of("auto_compaction_applied").flatMap(({ after }) => after === undefined ? [] : [after]),
    begun: of("auto_compaction_started").map(({ reason }) => reason),
    code,
    reason: of("turn_finished")[0]?.reason,
    stderr,
    text: of("text_delta").map(({ text }) => text ?? "").join(""),
    times: (type) => of(type).length
  }
}

export interface Ran {
  readonly turns: ReadonlyArray<Turn>
  readonly last: Turn
  readonly requests: ReadonlyArray<LoggedRequest>
  readonly main: ReadonlyArray<LoggedRequest>
  readonly summaries: ReadonlyArray<LoggedRequest>
  readonly refused: ReadonlyArray<LoggedRequest>
  readonly cwd: string
  /** How often an event of this type came, in all turns. */
  readonly times: (type: string) => number
}

export interface Kind {
  readonly title: string
  readonly api?: string
  /** The script is six pages by default, the window the declared one. */
  readonly simulator?: Partial<Options>
  /** Besides the pages. */
  readonly files?: { readonly [name: string]: string | Uint8Array }
  readonly options?: ReadonlyArray<string>
  /** Whether an option tells the window, as it does by default. */
  readonly tellsWindow?: false
  /** A prompt, or one with options of its own, for each turn; one by default. */
  readonly turns?: ReadonlyArray<string | { readonly prompt: string; readonly options: ReadonlyArray<string> }>
  /** The exit code of the last turn; 0, and the answer, by default. */
  readonly code?: number
  /** Whether it needs no process: another kind shows the command in the same light. */
  readonly inside?: true
  readonly holds: (ran: Ran) => void
}

export const prompt = "Read every page, and say when you are done."

/** Runs the turns one after another, in one session, and judges them. */
export const check = (kind: Kind) =>
  Effect.gen(function*() {
    const api = apis.find(({ name }) => name === (kind.api ?? "Chat Completions"))
    assert.isDefined(api)
    if (!api) return
    const cwd = yield* Process.directory({ ...pages, ...kind.files })
    const simulator = yield* Simulator.make({ script: reading(6), window, ...kind.simulator })
    const shared = [
      ...(kind.tellsWindow === false ? [] : ["--context-window", String(window)]),
      ...["--max-output-tokens", "1024", "--output-format", "stream-json"],
      ...(kind.options ?? [])
    ]
    const run = kind.inside || (kind.turns ?? []).length > 1 ? TestHost.run : Process.run
    const turns = yield* Effect.forEach(kind.turns ?? [prompt], (turn, index) => {
      const { options, prompt } = typeof turn === "string" ? { options: [], prompt: turn } : turn
      const command = ["run", ...api.options(simulator), ...shared, ...options, ...(index === 0 ? [] : ["--continue"])]
      return Effect.map(run([...command, prompt], { cwd, env: api.env("sk-simulated") }), toTurn)
    })
    const requests = (yield* simulator.requests).filter(({ kind }) => kind !== "count")
    const main = requests.filter(({ kind }) => kind === "main")
    const last = turns.at(-1)
    assert.isDefined(last)
    if (!last) return
    const { code = 0 } = kind
    assert.strictEqual(last.code, code, last.stderr)
    if (code === 0) assert.deepStrictEqual([last.reason, last.text], ["finished", answer])
    kind.holds({
      cwd,
      last,
      main,
      refused: main.filter(({ outcome }) => outcome === "refused"),
      requests,
      summaries: requests.filter(({ kind }) => kind === "compaction"),
      times: (type) => turns.reduce((sum, turn) => sum + turn.times(type), 0),
      turns
    })
    const sent = main.filter(({ outcome }) => outcome === "refused").map(({ body }) => body)
    assert.strictEqual(new Set(sent).size, sent.length, "a refused request was sent again")
  }).pipe(Effect.scoped)

const json = { "content-type": "application/json" }

/** An error of HTTP with this body, for turn requests from the given number on. */
export const errorFrom = (number: number, status: number, body: unknown, until = Infinity): Fault.FaultRule =>
  Fault.when(({ indexOfKind, kind }) => kind === "main" && indexOfKind >= number && indexOfKind < until, {
    _tag: "Http",
    body: JSON.stringify(body),
    headers: json,
    status
  })

/** The same for one request. */
export const errorAt = (number: number, status: number, body: unknown): Fault.FaultRule =>
  errorFrom(number, status, body, number + 1)

/** Nothing was refused, and at least `count` compactions were applied. */
export const calm = (count = 1) => ({ refused, times }: Ran) => {
  assert.deepStrictEqual(refused.map(({ body }) => body.slice(0, 200)), [])
  assert.isAtLeast(times("auto_compaction_applied"), count)
}

/** One refusal, cured by one forced compaction, with no retry spent. */
export const recovered = ({ main, times }: Ran) => {
  assert.isAtLeast(times("auto_compaction_applied"), 1)
  assert.strictEqual(times("retry_scheduled"), 0)
  assert.isAtMost(main.length, 9)
}

/** It came to an end after a handful of requests, and said what to do. */
export const ended = ({ last, main, summaries }: Ran) => {
  assert.strictEqual(last.reason, "context_limit")
  assert.match(last.stderr, /Shorten|start a new session|larger window/)
  assert.isAtMost(main.length, 9)
  assert.isAtMost(summaries.length, 4)
}
