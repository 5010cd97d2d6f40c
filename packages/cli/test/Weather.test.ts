/** What the command does when people, disks, terminals and providers do not behave. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import { assert, describe, it } from "@effect/vitest"
import type { Fault } from "@weir/simulator/Fault"
import * as Faults from "@weir/simulator/Fault"
import type { Options } from "@weir/simulator/Options"
import * as Script from "@weir/simulator/Script"
import * as Simulator from "@weir/simulator/Simulator"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { type Api, apis, chat, login } from "./Apis.js"
import { directory, eventually, type Options as ProcessOptions, processes, put, run, start } from "./Process.js"
import * as TestHost from "./TestHost.js"

/** What was said but for the line that tells the first retry. */
const withoutRetry = (stderr: string) => stderr.replace(/^weir: [^\n]* \(Trying again, up to 3 times\.\)\n/, "")

const key = "sk-weather-0123456789"

const env = { OPENAI_API_KEY: key }

const answer = "A rather long answer, which comes in several pieces, one after the other, " +
  "so that every API has something of it to show when only six of its events have arrived."

const parse = Schema.decodeSync(Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Unknown })))

const test = <E>(title: string, self: () => Effect.Effect<void, E, NodeContext.NodeContext>) =>
  it.live(title, () => Effect.provide(self(), NodeContext.layer), 60_000)

/** All that the sessions of a directory hold. */
const stored = (cwd: string) =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const sessions = `${cwd}/.home/sessions`
    const names = (yield* Effect.orElseSucceed(fs.readDirectory(sessions), () => [])).filter((name) =>
      name.endsWith(".jsonl")
    )
    return yield* Effect.forEach(names, (name) => fs.readFileString(`${sessions}/${name}`))
  })

/** A session of the one may go on with the other. What codecs make of each other's history, their own tests say. */
const another = apis.find(({ name }) => name === "Anthropic Messages") ?? chat

/** The newest session goes on with a provider that is well. */
const resumes = (api: Api, cwd: string) =>
  Effect.gen(function*() {
    const simulator = yield* Simulator.make({ script: Script.reply(answer) })
    yield* put(cwd, login(api, key, simulator))
    const { code, stderr, stdout } = yield* TestHost.run(["run", ...api.options(simulator), "--continue", "Go on."], {
      cwd,
      env: api.env(key)
    })
    assert.strictEqual(stdout, `${answer}\n`, stderr)
    assert.strictEqual(code, 0)
    const [request] = yield* simulator.requests
    assert.include(request?.body, "Begin.")
  }).pipe(Effect.scoped)

interface Weather {
  readonly title: string
  readonly simulator: Omit<Options, "script">
  readonly says: RegExp
  readonly code?: number
  readonly stdout?: RegExp
  /** How many requests it takes to give up; 1 is at once. */
  readonly requests?: number
  readonly options?: ReadonlyArray<string>
  readonly stdin?: string
  /** Whether it runs over every API. How another codec reads the rest, its own tests say. */
  readonly everywhere?: true
  /** Whether the bundled command runs it, in a process of its own. */
  readonly bundled?: true
}

const always = (fault: Fault): Omit<Options, "script"> => ({ faults: [Faults.when(() => true, fault)] })

const http = (status: number, type: string, body: string) =>
  always({ _tag: "Http", body, headers: { "content-type": type }, status })

const echo = `Authorization: Bearer ${key} is not for us`

const weathers: ReadonlyArray<Weather> = [
  // First, because most of it is waiting.
  {
    bundled: true,
    everywhere: true,
    requests: 4,
    says: /stopped in the middle of its answer/,
    simulator: always({ _tag: "Eof", after: 6 }),
    stdout: /^A rather .*\n$/,
    title: "half a stream, again and again"
  },
  {
    everywhere: true,
    says: /does not accept the key\. Set the right one/,
    simulator: { apiKey: Redacted.make("another") },
    title: "a wrong key"
  },
  {
    says: /rejects the request\. Check the model name \(simulated\)/,
    simulator: { models: ["other"] },
    title: "an unknown model"
  },
  {
    says: /Check .*the address.* Please log in/,
    simulator: http(200, "text/html", `<!doctype html><html><p>Please log in</p>${echo}</html>`),
    title: "a page with status 200"
  },
  {
    says: /does not accept the key.*Forbidden/,
    simulator: http(403, "text/html", `<html><h1>Forbidden</h1>${echo}</html>`),
    title: "a page with status 403"
  },
  {
    says: /does not accept the key/,
    simulator: http(200, "application/json", `{"error":{"type":"authentication_error","message":"${echo}"}}`),
    title: "an error in JSON with status 200"
  },
  {
    says: /Check .*the address/,
    simulator: always({ _tag: "Http", body: "", headers: {}, status: 204 }),
    title: "204"
  },
  {
    says: /Check .*the address/,
    simulator: http(404, "text/plain", "x".repeat(3_000_000)),
    title: "an error of 3 MB"
  },
  {
    code: 3,
    options: ["--context-window", "8192", "--output-format", "json"],
    requests: 0,
    says: /exceeds the context limit.*your message \d+\. Shorten/,
    simulator: { window: 8_192 },
    stdin: "word ".repeat(20_000),
    stdout: /"error":\{"type":"context_window_exceeded","message":".+","hint":".+"\}/,
    title: "a prompt larger than the window"
  }
]

const meets = (api: Api, weather: Weather) =>
  Effect.gen(function*() {
    const { code = 1, options = [], requests = 1, says, stdout: shown = /^$/ } = weather
    const simulator = yield* Simulator.make({ script: Script.reply(answer), ...weather.simulator })
    const cwd = yield* directory(login(api, key, simulator))
    const runs = weather.bundled ? run : TestHost.run
    const finished = yield* runs(["run", ...api.options(simulator), ...options, "Begin."], {
      cwd,
      env: api.env(key),
      stdin: weather.stdin ?? ""
    })
    assert.match(withoutRetry(finished.stderr), /^weir: [^\n]+\n$/)
    assert.match(finished.stderr, says)
    assert.match(finished.stdout, shown)
    assert.strictEqual(finished.code, code)
    assert.strictEqual((yield* simulator.requests).length, requests)
    assert.notInclude([finished.stderr, finished.stdout, ...(yield* stored(cwd))].join("\n"), key)
    if (weather.everywhere && api === chat) yield* resumes(api, cwd)
  }).pipe(Effect.scoped)

/** A moment at which a signal may come. */
interface Moment {
  readonly title: string
  readonly everywhere?: true
  /** A shell command's `mark` is in the command lines of its processes. */
  readonly simulator: (mark: string) => Options
  /** Of the last event, besides its reason. */
  readonly ends?: RegExp
  readonly reached: (
    simulator: Simulator.Simulator["Type"],
    output: { readonly stdout: string },
    mark: string
  ) => Effect.Effect<boolean, PlatformError, FileSystem.FileSystem>
}

const reply = Script.reply(answer)

const reading = Script.toolLoop({ answer: "Done.", args: () => ({ path: "big.log" }), count: 12, tool: "read_file" })

const moments: ReadonlyArray<Moment> = [
  {
    reached: ({ requests }) => Effect.map(requests, (all) => all.length === 1),
    simulator: () => ({ ...always({ _tag: "Hang" }), script: reply }),
    title: "a request waits"
  },
  {
    everywhere: true,
    reached: (_, { stdout }) => Effect.succeed(stdout.includes("text_delta")),
    simulator: () => ({ ...always({ _tag: "Stall", after: 6 }), script: reply }),
    title: "text streams"
  },
  {
    ends: /"output_tokens":[1-9]/,
    reached: (_, __, mark) => Effect.map(processes(mark), (found) => found.length >= 2),
    simulator: (mark) => ({
      script: Script.calls(Script.call("bash", { command: `trap '' HUP INT TERM; sleep ${mark} & sleep ${mark}` }))
    }),
    title: "a shell command runs"
  },
  {
    reached: ({ requests }) => Effect.map(requests, (all) => all.some(({ kind }) => kind === "compaction")),
    simulator: () => ({ script: reading, summary: "hang", window: 16_000 }),
    title: "a summary is made"
  },
  {
    reached: (_, { stdout }) => Effect.succeed(stdout.includes("retry_scheduled")),
    simulator: () => ({ ...http(503, "application/json", "{}"), script: reply }),
    title: "a retry is waited for"
  }
]

const interrupts = (
  api: Api,
  { ends = /./, reached, simulator: options }: Moment,
  signals: ReadonlyArray<NodeJS.Signals>
) =>
  Effect.gen(function*() {
    const mark = `${yield* Random.nextIntBetween(1e6, 1e9)}.${process.pid}`
    const simulator = yield* Simulator.make(options(mark))
    const cwd = yield* directory({
      "big.log": "All work and no play makes a dull file.\n".repeat(150),
      ...login(api, key, simulator)
    })
    const more = ["--context-window", "16000", "--permission-mode", "full", "--output-format", "stream-json", "Begin."]
    const { child, finished, output } = yield* start(["run", ...api.options(simulator), ...more], {
      cwd,
      env: api.env(key)
    })
    yield* eventually(Effect.suspend(() => reached(simulator, output, mark)), (yes) => yes)
    for (const signal of signals) child.kill(signal)
    const { code, stderr, stdout } = yield* finished
    assert.strictEqual(withoutRetry(stderr), "")
    assert.strictEqual(code, 130)
    assert.match(stdout, /"type":"turn_finished".*"interrupted"[^\n]*\n$/)
    assert.match(stdout.trimEnd().split("\n").at(-1) ?? "", ends)
    assert.deepStrictEqual(yield* processes(mark), [])
    yield* simulator.awaitOpenConnections(0)
    yield* resumes(api, cwd)
  }).pipe(Effect.scoped)

// All of it side by side, since much of it is waiting.
describe.concurrent("weather at the provider", () => {
  for (const weather of weathers) {
    for (const api of apis) {
      if (api === chat || weather.everywhere) test(`${api.name}: ${weather.title}`, () => meets(api, weather))
    }
  }

  test("a closed port", () =>
    Effect.gen(function*() {
      const gone = yield* Effect.scoped(Simulator.make({ script: reply }))
      const cwd = yield* directory(login(chat, key, gone))
      const { code, stderr } = yield* TestHost.run(["run", ...chat.options(gone), "Begin."], {
        cwd,
        env: chat.env(key)
      })
      assert.match(stderr, /^weir: [^\n]*could not be reached: check the address[^\n]*127\.0\.0\.1:\d+[^\n]*\n$/)
      assert.strictEqual(code, 1)
      yield* resumes(chat, cwd)
    }).pipe(Effect.scoped))
})

for (const api of apis) {
  describe.concurrent(`${api.name}: a signal`, () => {
    for (const moment of moments) {
      if (api !== chat && !moment.everywhere) continue
      test(`SIGHUP while ${moment.title}`, () => interrupts(api, moment, ["SIGHUP"]))
    }
  })
}

describe.concurrent("a signal", () => {
  const [, , shell] = moments
  if (shell) {
    test("all of them at once, twice: still nothing is left behind", () =>
      interrupts(chat, shell, ["SIGINT", "SIGTERM", "SIGHUP", "SIGINT", "SIGTERM", "SIGHUP"]))
  }

  test("before there is a session: 130, and none is made", () =>
    Effect.gen(function*() {
      const cwd = yield* directory()
      const { child, finished, output } = yield* start(["run", "--provider", "offline", "hi"], { cwd, stdin: "open" })
      yield* eventually(Effect.sync(() => output.stderr), (stderr) => stderr.includes("standard input"))
      child.kill("SIGHUP")
      assert.strictEqual((yield* finished).code, 130)
      assert.deepStrictEqual(yield* stored(cwd), [])
    }).pipe(Effect.scoped))

  test("ends the command within seconds although nobody reads what it writes", () =>
    Effect.gen(function*() {
      const cwd = yield* directory()
      const simulator = yield* Simulator.make({ script: Script.reply("word ".repeat(100_000)) })
      const { child, finished } = yield* start(
        ["run", "--base-url", simulator.url, "--model", "simulated", "Begin."],
        { cwd, env }
      )
      child.stdout.pause()
      yield* simulator.settled(0)
      child.kill("SIGTERM")
      yield* Effect.async<void>((resume) => {
        child.once("exit", () => resume(Effect.void))
      })
      child.stdout.resume()
      assert.strictEqual((yield* finished).code, 130)
    }).pipe(Effect.scoped))
})

const offline = ["run", "--provider", "offline"]

/** One sentence, the right code, and what standard output shows. What a shell prepares is a process of its own. */
const local = (
  args: ReadonlyArray<string>,
  options: Pick<ProcessOptions, "env" | "shell"> & { readonly files?: { readonly [name: string]: string } },
  expected: { readonly code: number; readonly stderr: RegExp; readonly stdout?: RegExp }
) =>
  Effect.gen(function*() {
    const { files = {}, shell, ...others } = options
    const cwd = yield* directory(files)
    const { code, stderr, stdout } = yield* shell === undefined
      ? TestHost.run(args, { cwd, ...others })
      : run(args, { cwd, shell })
    assert.match(stderr, expected.stderr)
    assert.match(stdout, expected.stdout ?? /^$/)
    assert.strictEqual(code, expected.code)
  }).pipe(Effect.scoped)

describe.concurrent("people, directories and streams", () => {
  test("a value of the user's file", () =>
    local([...offline, "hi"], { files: { ".home/config.json": "{\"maxSteps\": \"many\"}" } }, {
      code: 2,
      stderr: /^weir: \/\S+\/\.home\/config\.json maxSteps: Expected number, actual "many"\n$/
    }))

  test("a value of the environment", () =>
    local([...offline, "hi"], { env: { WEIR_MAX_STEPS: "many" } }, {
      code: 2,
      stderr: /^weir: environment WEIR_MAX_STEPS: [^\n]*"many"[^\n]*\n$/
    }))

  for (
    const [title, args] of [
      ["user name and password in an address", ["--base-url", `http://me:${key}@127.0.0.1:1/v1`]],
      ["a key in an address", ["--base-url", `http://127.0.0.1:1/v1?key=${key}`]],
      ["a header of two lines", ["--header", `x-key=a\n${key}`]],
      ["a header that is none", ["--header", `Authorization: Bearer ${key}`]]
    ] as const
  ) {
    test(`${title}: refused, and not repeated`, () =>
      local(["run", "--model", "m", ...args, "hi"], {}, {
        code: 2,
        stderr: new RegExp(`^weir: ${args[0]}: Expected (?![^]*${key})|^weir: ${args[0]}: X-Key: (?![^]*${key})`, "i")
      }))
  }

  test("a key that no header can carry: refused, and not repeated", () =>
    local(["run", "--base-url", "http://127.0.0.1:1/v1", "--model", "m", "hi"], {
      env: { OPENAI_API_KEY: `${key}\n${key}` }
    }, { code: 2, stderr: new RegExp(`^weir: The key in OPENAI_API_KEY (?![^]*${key})`) }))

  test("a deleted working directory", () =>
    local([...offline, "hi"], { shell: "mkdir gone && cd gone && rmdir ../gone && exec \"$@\"" }, {
      code: 2,
      // The shell that starts the command has a word of its own about it.
      stderr:
        /^(?:sh: [^\n]*\n)?weir: The current directory no longer exists\. Change to another, or name one with --cwd[^\n]*\n$/
    }))

  test("no home", () =>
    local([...offline, "hi"], { env: { WEIR_HOME: "" } }, {
      code: 2,
      stderr: /^weir: The home directory is unknown\. Set HOME or WEIR_HOME\.\n$/
    }))

  test("a session directory that cannot be written, told in JSON too", () =>
    local([...offline, "--output-format", "json", "hi"], { files: { ".home/sessions": "" } }, {
      code: 1,
      stderr: /^weir: The session \S+ cannot be written[^\n]*--no-session[^\n]*\n$/,
      stdout: /"stop_reason":"failed".*"error":\{"type":"transcript_error","message":".+","hint":".+"\}/
    }))

  for (
    const [title, args, says, options] of [
      [
        "a transcript to import that is not there",
        ["sessions", "import", "/nowhere/at/all.jsonl"],
        /\/nowhere\/at\/all\.jsonl cannot be read: it does not exist\. Check its name and permissions\.$/
      ],
      [
        "a transcript to import that is a directory",
        ["sessions", "import", "/usr"],
        /\/usr cannot be read: it is a directory\. Check its name and permissions\.$/
      ],
      [
        "a script that is not there",
        ["simulate", "--script", "/nowhere.json"],
        /The script cannot be read\. Check the name and permissions of \/nowhere\.json: it does not exist\.$/
      ],
      [
        "settings that are a directory",
        [...offline, "hi"],
        /config\.json cannot be read: it is a directory\. Check its permissions, or move it away\.$/,
        { files: { ".home/config.json/x": "" } }
      ],
      [
        "no directory for temporary files",
        [...offline, "--no-session", "hi"],
        /No temporary directory can be made: a part of its path is no directory\. Set TMPDIR to a directory that can be written\.$/,
        { shell: "export TMPDIR=/dev/null; exec \"$@\"" }
      ]
    ] as const
  ) {
    test(`${title}: told in words that say what to do`, () =>
      local(args, { ...options }, { code: 2, stderr: new RegExp(`^weir: \\S*${says.source.slice(0, -1)}\n$`) }))
  }

  test("words that look like an option", () =>
    local([...offline, "--output-format", "stream-json", "--", "--flag"], {}, {
      code: 0,
      stderr: /^$/,
      stdout: /"type":"turn_started".*"text":"--flag"/
    }))

  test("standard output that is full", () =>
    local([...offline, "hi"], { shell: "exec \"$@\" >/dev/full" }, {
      code: 1,
      stderr: /^weir: standard output could not be written \(ENOSPC\)\. Check free disk space\.\n$/
    }))

  test("standard output that is closed", () =>
    local([...offline, "hi"], { shell: "exec \"$@\" >&-" }, { code: 0, stderr: /^$/ }))

  test("standard error that is closed", () =>
    local(["run", "hi"], { shell: "exec \"$@\" 2>&-" }, { code: 0, stderr: /^$/, stdout: /\S/ }))
})

describe.concurrent("a session's file", () => {
  const prompt = (simulator: Simulator.Simulator["Type"], ...more: ReadonlyArray<string>) => [
    "run",
    ...["--base-url", simulator.url, "--model", "simulated"],
    ...more
  ]

  test("on a disk that fills up: the text so far, one sentence, and it goes on later", () =>
    Effect.gen(function*() {
      const cwd = yield* directory({ "big.log": "All work and no play makes a dull file.\n".repeat(300) })
      const simulator = yield* Simulator.make({
        script: Script.repeat(
          Script.say({ parts: [Script.text("A part."), Script.call("read_file", { path: "big.log" })] }),
          20
        )
      })
      // The largest file, in KiB.
      const full = yield* run(prompt(simulator, "Begin."), { cwd, env, shell: "ulimit -f 64; exec \"$@\"" })
      assert.match(full.stderr, /^weir: The session \S+ cannot be written[^\n]*free disk space[^\n]*EFBIG[^\n]*\n$/)
      assert.match(full.stdout, /^A part\.(\n\nA part\.)*\n$/)
      assert.strictEqual(full.code, 1)
      const [text = ""] = yield* stored(cwd)
      assert.isTrue(text.endsWith("\n"))
      assert.strictEqual(text.match(/StepCompleted/g)?.length, (full.stdout.match(/A part/g)?.length ?? 0) - 1)
      for (const api of [chat, another]) yield* resumes(api, cwd)
    }).pipe(Effect.scoped))

  test("with a torn last line goes on, with a damaged one it names the line and shows nothing of it", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const cwd = yield* directory()
      const simulator = yield* Simulator.make({ script: reply })
      const first = parse(
        (yield* TestHost.run(prompt(simulator, "--output-format", "json", "Begin."), { cwd, env })).stdout
      )
      const file = `${cwd}/.home/sessions/${String(first["session_id"])}.jsonl`
      yield* fs.writeFileString(file, "[{\"_tag\":\"StepComp", { flag: "a" })
      for (const api of [chat, another]) yield* resumes(api, cwd)
      yield* fs.writeFileString(file, `[{"_tag":"Nonsense","key":"${key}"}]\n`, { flag: "a" })
      const damaged = yield* TestHost.run(prompt(simulator, "--continue", "Go on."), { cwd, env })
      assert.match(damaged.stderr, /^weir: \S+\.jsonl [^\n]*line \d+[^\n]*\n$/)
      assert.notInclude(damaged.stderr, key)
      assert.strictEqual(damaged.code, 0)
    }).pipe(Effect.scoped))
})
