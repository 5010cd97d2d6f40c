/**
 * `weir run` against the simulator and the offline helper. Streams, signals and a first run, a failure and a compaction
 * are those of a real process; what else it says and sends is seen inside this one.
 */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as FileSystem from "@effect/platform/FileSystem"
import { assert, describe, it } from "@effect/vitest"
import * as Fault from "@weir/simulator/Fault"
import * as Script from "@weir/simulator/Script"
import * as Simulator from "@weir/simulator/Simulator"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { directory, run, start } from "./Process.js"
import * as TestHost from "./TestHost.js"

const parse = Schema.decodeSync(Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Unknown })))

const print = (value: unknown) => JSON.stringify(value)

const lines = (stdout: string) => stdout.trimEnd().split("\n").map((line) => parse(line))

/** Arguments for a run against a simulator. */
const against = (simulator: Simulator.Simulator["Type"], ...more: ReadonlyArray<string>) => [
  "run",
  "--base-url",
  simulator.url,
  "--model",
  "sim-1",
  ...more
]

const looking = Script.sequence([
  Script.say({ parts: [Script.text("Let me look."), Script.call("read_file", { path: "notes.txt" })] }),
  Script.reply("It says: remember the milk.")
])

/** A turn that has to compact on its way: 12 calls of 6 kB in a window of 16,384 tokens. */
const long = Script.sequence([
  {
    at: (index) => ({
      parts: [Script.text(`Part ${index}.`), Script.call("read_file", { path: `part${index}.txt` })]
    }),
    length: 12
  },
  Script.reply("Done.")
])

const parts = Object.fromEntries(
  Array.from(
    { length: 12 },
    (_, index) => [`part${index}.txt`, `line of part ${index}, ${"abcdefgh ".repeat(8)}\n`.repeat(60)]
  )
)

// All of it side by side, since much of it is waiting.
describe.concurrent("text", () => {
  it.scopedLive("is the text of all steps, a blank line between, and nothing else", () =>
    Effect.gen(function*() {
      const simulator = yield* Simulator.make({ script: looking })
      const cwd = yield* directory({ "notes.txt": "remember the milk\n" })
      const { code, stderr, stdout } = yield* run(against(simulator, "what do the notes say?"), { cwd })
      assert.strictEqual(stdout, "Let me look.\n\nIt says: remember the milk.\n")
      assert.strictEqual(stderr, "")
      assert.strictEqual(code, 0)
    }).pipe(Effect.provide(NodeContext.layer)))

  it.scopedLive("shows tools under --verbose, on standard error", () =>
    Effect.gen(function*() {
      const simulator = yield* Simulator.make({ script: looking })
      const cwd = yield* directory({ "notes.txt": "remember the milk\n" })
      const { stderr, stdout } = yield* TestHost.run(against(simulator, "--verbose", "look"), { cwd })
      assert.strictEqual(stdout, "Let me look.\n\nIt says: remember the milk.\n")
      assert.match(stderr, /^read_file notes\.txt \(ok, .*\)\n$/)
    }).pipe(Effect.provide(NodeContext.layer)))
})

describe.concurrent("json", () => {
  it.scopedLive("is one object with every field", () =>
    Effect.gen(function*() {
      const simulator = yield* Simulator.make({ script: looking })
      const cwd = yield* directory({ "notes.txt": "remember the milk\n" })
      const { code, stdout } = yield* TestHost.run(against(simulator, "--output-format", "json", "look"), { cwd })
      assert.strictEqual(code, 0)
      assert.match(stdout, /^[^\n]+\n$/)
      const object = parse(stdout)
      assert.deepStrictEqual(Object.keys(object), [
        "session_id",
        "text",
        "stop_reason",
        "usage",
        "compaction",
        "steps",
        "duration_ms"
      ])
      assert.include(object, { steps: 2, stop_reason: "finished", text: "Let me look.\n\nIt says: remember the milk." })
      assert.match(
        print(object.usage),
        /^\{"input_tokens":[1-9]\d*,"output_tokens":[1-9]\d*,"reasoning_tokens":0,"cache_read_tokens":\d+,"cache_write_tokens":0,"total_tokens":[1-9]\d*\}$/
      )
      assert.match(print(object.compaction), /^\{"count":0,"usage":\{"input_tokens":0,/)
    }).pipe(Effect.provide(NodeContext.layer)))

  it.scopedLive("tells a failure: partial text, error with a hint, code 1", () =>
    Effect.gen(function*() {
      const simulator = yield* Simulator.make({
        faults: [Fault.at(1, { _tag: "Http", body: "{\"error\":{\"message\":\"no\"}}", headers: {}, status: 401 })],
        script: looking
      })
      const cwd = yield* directory({ "notes.txt": "remember the milk\n" })
      const { code, stderr, stdout } = yield* run(against(simulator, "--output-format", "json", "look"), { cwd })
      assert.strictEqual(code, 1)
      const object = parse(stdout)
      assert.include(object, { stop_reason: "failed", text: "Let me look." })
      assert.match(print(object.error), /^\{"type":"authentication_failed","message":".+","hint":".+"\}$/)
      assert.match(stderr, /^weir: .*key/)
    }).pipe(Effect.provide(NodeContext.layer)))
})

describe.concurrent("a compaction in the middle of a turn", () => {
  const compacting = (format: string) =>
    Effect.gen(function*() {
      const simulator = yield* Simulator.make({ script: long, window: 16_384 })
      const cwd = yield* directory(parts)
      const finished = yield* (format === "text" ? run : TestHost.run)(
        against(simulator, "--context-window", "16384", "--verbose", "--output-format", format, "read all parts"),
        { cwd }
      )
      return { ...finished, requests: yield* simulator.requests }
    })

  const wholeText = [...Array.from({ length: 12 }, (_, index) => `Part ${index}.`), "Done."].join("\n\n")

  const silent = (stdout: string) => {
    for (const word of ["Compacting", "compacted automatically", "## Goal", "compacted_context"]) {
      assert.notInclude(stdout, word)
    }
  }

  it.scopedLive("[D02] [D03] leaves no trace in text, and no text is lost", () =>
    Effect.gen(function*() {
      const { code, requests, stderr, stdout } = yield* compacting("text")
      assert.strictEqual(stdout, `${wholeText}\n`)
      assert.match(stderr, /^compacted: \d{1,2},\d{3} → \d{1,2},?\d{3} tokens \(cached-prefix\)$/m)
      assert.isTrue(requests.some(({ kind }) => kind === "compaction"))
      assert.strictEqual(code, 0)
      silent(stdout)
    }).pipe(Effect.provide(NodeContext.layer)))

  it.scopedLive("[D02] [D03] is counted in json, its summary is not shown", () =>
    Effect.gen(function*() {
      const { stdout } = yield* compacting("json")
      const object = parse(stdout)
      assert.strictEqual(object.text, wholeText)
      assert.match(print(object.compaction), /^\{"count":[1-9]/)
      silent(stdout)
    }).pipe(Effect.provide(NodeContext.layer)))

  it.scopedLive("[D03] is told by numbers in stream-json", () =>
    Effect.gen(function*() {
      const { stdout } = yield* compacting("stream-json")
      const events = lines(stdout)
      assert.include(events[0], { text: "read all parts", type: "turn_started" })
      assert.include(events.at(-1), { reason: "finished", type: "turn_finished" })
      const applied = events.filter(({ type }) => type === "auto_compaction_applied")
      assert.isAtLeast(applied.length, 1)
      assert.deepStrictEqual(Object.keys(applied[0] ?? {}), [
        "type",
        "phase",
        "reason",
        "usage",
        "millis",
        "strategy",
        "before",
        "after",
        "notes",
        "checkpoint_id",
        "coverage"
      ])
      assert.strictEqual(events.filter(({ type }) => type === "auto_compaction_started").length, applied.length)
      for (const event of events) {
        for (const key of ["type", ...Object.keys(event)]) assert.match(key, /^[a-z_]+$/)
        assert.match(String(event.type), /^[a-z_]+$/)
      }
      silent(stdout)
    }).pipe(Effect.provide(NodeContext.layer)))

  it.scopedLive("[A24] does not happen when it is switched off: code 3", () =>
    Effect.gen(function*() {
      const simulator = yield* Simulator.make({ script: long, window: 16_384 })
      const cwd = yield* directory(parts)
      const { code, stderr, stdout } = yield* TestHost.run(
        against(simulator, "--context-window", "16384", "--auto-compact", "off", "--output-format", "json", "read"),
        { cwd }
      )
      const object = parse(stdout)
      assert.isTrue((yield* simulator.requests).every(({ kind }) => kind === "main"))
      assert.strictEqual(object.stop_reason === "context_limit" ? 3 : 0, code)
      if (code === 3) assert.match(stderr, /^weir: .*context/i)
    }).pipe(Effect.provide(NodeContext.layer)))
})

describe.concurrent("exit codes", () => {
  it.scopedLive("1 when the steps are used up, with the text so far", () =>
    Effect.gen(function*() {
      const simulator = yield* Simulator.make({ script: looking })
      const cwd = yield* directory({ "notes.txt": "milk\n" })
      const { code, stderr, stdout } = yield* TestHost.run(against(simulator, "--max-steps", "1", "look"), { cwd })
      assert.strictEqual(code, 1)
      assert.strictEqual(stdout, "Let me look.\n")
      assert.match(stderr, /stopped after 1 step.*--max-steps/)
    }).pipe(Effect.provide(NodeContext.layer)))

  it.scopedLive("3 when a message alone is larger than the window", () =>
    Effect.gen(function*() {
      const simulator = yield* Simulator.make({ script: looking, window: 8_192 })
      const cwd = yield* directory()
      const { code, stderr, stdout } = yield* run(
        against(simulator, "--context-window", "8192", "--output-format", "json"),
        {
          cwd,
          stdin: "word ".repeat(20_000)
        }
      )
      assert.strictEqual(code, 3)
      assert.include(parse(stdout), { stop_reason: "context_limit" })
      assert.match(stderr, /^weir: .*context limit/)
    }).pipe(Effect.provide(NodeContext.layer)))

  it.scopedLive("1 when nobody listens at the address, without a long wait", () =>
    Effect.gen(function*() {
      const cwd = yield* directory()
      const { code, stderr } = yield* TestHost.run(
        ["run", "--base-url", "http://127.0.0.1:9/v1", "--model", "m", "hi"],
        { cwd }
      )
      assert.strictEqual(code, 1)
      assert.match(stderr, /127\.0\.0\.1:9/)
    }).pipe(Effect.provide(NodeContext.layer)))

  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    it.scopedLive(`130 on ${signal}: partial text is written, the transcript says so, the socket is closed`, () =>
      Effect.gen(function*() {
        const simulator = yield* Simulator.make({
          script: Script.sequence([
            Script.say({ parts: [Script.text("Let me look."), Script.call("read_file", { path: "notes.txt" })] }),
            Script.say({ between: "1 hour", parts: [Script.text("It says: remember the milk, and much more.")] })
          ])
        })
        const cwd = yield* directory({ "notes.txt": "milk\n" })
        const { child, finished } = yield* start(against(simulator, "look"), { cwd })
        yield* simulator.request(1)
        child.kill(signal)
        const { code, stdout } = yield* finished
        assert.strictEqual(code, 130)
        assert.match(stdout, /^Let me look\.\n(\nIt says.*\n)?$/)
        yield* simulator.awaitOpenConnections(0)
        const fs = yield* FileSystem.FileSystem
        const [file = ""] = yield* fs.readDirectory(`${cwd}/.home/sessions`)
        assert.match(yield* fs.readFileString(`${cwd}/.home/sessions/${file}`), /"TurnFinished","reason":"interrupted"/)
      }).pipe(Effect.provide(NodeContext.layer)))
  }

  it.scopedLive("130 while standard input is being waited for", () =>
    Effect.gen(function*() {
      const cwd = yield* directory()
      const { child, finished } = yield* start(["run", "--provider", "offline", "hi"], { cwd, stdin: "open" })
      yield* Effect.async<void>((resume) => {
        child.stderr.once("data", () => resume(Effect.void))
      })
      child.kill("SIGINT")
      assert.strictEqual((yield* finished).code, 130)
    }).pipe(Effect.provide(NodeContext.layer)))

  it.scopedLive("a reader that goes away ends it quietly", () =>
    Effect.gen(function*() {
      const simulator = yield* Simulator.make({ script: looking })
      const cwd = yield* directory({ "notes.txt": "milk\n" })
      const { child, finished } = yield* start(against(simulator, "--output-format", "stream-json", "look"), { cwd })
      child.stdout.destroy()
      const { code, stderr } = yield* finished
      assert.strictEqual(stderr, "")
      assert.strictEqual(code, 0)
    }).pipe(Effect.provide(NodeContext.layer)))
})

describe.concurrent("sessions", () => {
  const said = (requests: ReadonlyArray<{ readonly body: string }>) => requests.at(-1)?.body ?? ""

  it.scopedLive("go on with --continue and --session, and are kept by nobody else", () =>
    Effect.gen(function*() {
      const simulator = yield* Simulator.make({ script: Script.reply("Noted.") })
      const fs = yield* FileSystem.FileSystem
      const cwd = yield* directory()
      const options = { cwd }
      const first = parse(
        (yield* TestHost.run(against(simulator, "--output-format", "json", "my name is Ada"), options)).stdout
      )
      yield* TestHost.run(against(simulator, "--continue", "and my city is Turin"), options)
      assert.include(said(yield* simulator.requests), "my name is Ada")
      yield* TestHost.run(against(simulator, "--session", String(first.session_id).slice(0, 17), "who am I?"), options)
      assert.include(said(yield* simulator.requests), "and my city is Turin")
      yield* TestHost.run(against(simulator, "who am I?"), options)
      assert.notInclude(said(yield* simulator.requests), "Ada")
      assert.strictEqual((yield* fs.readDirectory(`${cwd}/.home/sessions`)).length, 2)
    }).pipe(Effect.provide(NodeContext.layer)))

  it.scopedLive("--no-session leaves nothing behind", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const cwd = yield* directory()
      const { code } = yield* run(["run", "--no-session", "hi"], { cwd, env: { TMPDIR: cwd } })
      assert.strictEqual(code, 0)
      assert.deepStrictEqual(yield* fs.readDirectory(cwd), [])
    }).pipe(Effect.provide(NodeContext.layer)))
})

describe.concurrent("without a provider", () => {
  it.scopedLive("the offline helper answers, and one line says how to get a real model", () =>
    Effect.gen(function*() {
      const cwd = yield* directory({ "a.txt": "the anchor weighs 40 kg\n" })
      const { code, stderr, stdout } = yield* TestHost.run(["run", "How much does the anchor weigh?"], { cwd })
      assert.strictEqual(code, 0)
      assert.match(stdout, /a\.txt:1/)
      assert.match(stderr, /^weir: .*offline.*--provider .*\n$/)
    }).pipe(Effect.provide(NodeContext.layer)))

  it.scopedLive("chosen by name it says nothing", () =>
    Effect.gen(function*() {
      const cwd = yield* directory()
      const { stderr } = yield* TestHost.run(["run", "--provider", "offline", "hi"], { cwd })
      assert.strictEqual(stderr, "")
    }).pipe(Effect.provide(NodeContext.layer)))
})

describe.concurrent("what is sent", () => {
  it.scopedLive("the first request is small, and carries instructions, headers, key and limit", () =>
    Effect.gen(function*() {
      const simulator = yield* Simulator.make({ apiKey: Redacted.make("sk-test"), script: Script.reply("Hi.") })
      const cwd = yield* directory({ "AGENTS.md": "Always answer in rhyme." })
      yield* TestHost.run(
        against(
          simulator,
          "--max-output-tokens",
          "500",
          "--header",
          "x-team=a=b",
          "--append-system-prompt",
          "Be kind.",
          "hi"
        ),
        { cwd, env: { OPENAI_API_KEY: "sk-test" } }
      )
      const [request] = yield* simulator.requests
      assert.include(request?.headers, { "x-team": "a=b" })
      assert.strictEqual(request?.status, 200)
      assert.include(request?.body, "Always answer in rhyme.")
      assert.include(request?.body, "Be kind.")
      assert.match(request?.body ?? "", /"max_(completion_)?tokens":500\b/)
      assert.isAtMost((request?.body.length ?? Infinity) / 4, 1_500)
    }).pipe(Effect.provide(NodeContext.layer)))

  it.scopedLive("no key goes to an address that only the project's file names", () =>
    Effect.gen(function*() {
      const simulator = yield* Simulator.make({ script: Script.reply("Hi.") })
      const cwd = yield* directory({
        ".weir/config.json": print({ baseUrl: simulator.url, model: "sim-1" })
      })
      const env = { OPENAI_API_KEY: "sk-test" }
      const { code, stderr } = yield* TestHost.run(["run", "hi"], { cwd, env })
      assert.strictEqual(code, 0)
      assert.match(stderr, /no key is sent/)
      yield* TestHost.run(["run", "hi"], { cwd, env: { ...env, WEIR_BASE_URL: simulator.url } })
      const [without, withKey] = yield* simulator.requests
      assert.notProperty(without?.headers, "authorization")
      assert.property(withKey?.headers, "authorization")
    }).pipe(Effect.provide(NodeContext.layer)))
})
