/** `weir doctor`: each thing that can be wrong, found and told without a key, and nothing that holds it up. */
// @effect-diagnostics nodeBuiltinImport:off
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as FileSystem from "@effect/platform/FileSystem"
import * as HttpServer from "@effect/platform/HttpServer"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { assert, describe, it } from "@effect/vitest"
import { ThisProcess } from "@weir/session/ThisProcess"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/TestClock"
import { createServer } from "node:http"
import * as Cli from "../src/Cli.js"
import * as Finding from "../src/doctor/Finding.js"
import * as Machine from "../src/doctor/Machine.js"
import { directory, put, run } from "./Process.js"
import * as TestHost from "./TestHost.js"

const key = "sk-doctor-0123456789"

type Variables = { readonly [name: string]: string }

interface Told {
  readonly code: number
  readonly stdout: string
  /** Marks and texts of one check. */
  readonly of: (name: string) => ReadonlyArray<string>
}

/** The command in this process; `root` is its home, and the project's directory in it. */
const doctor = (
  root: string,
  args: ReadonlyArray<string> = [],
  variables: Variables = {},
  terminal = false
): Effect.Effect<Told> =>
  Effect.gen(function*() {
    const code = yield* Cli.run(["doctor", "--cwd", root, ...args], "0.0.0")
    const written = yield* TestHost.Written
    const stdout = yield* written.stdout
    assert.strictEqual(yield* written.stderr, "")
    assert.notInclude(stdout, key)
    const lines = stdout.split("\n").map((line) => line.split(/ {2,}/))
    return {
      code,
      of: (name: string) => lines.flatMap(([mark, check, text]) => check === name ? [`${mark}: ${text}`] : []),
      stdout
    }
  }).pipe(
    Effect.provide(TestHost.layer({ terminal, ...(!terminal && { stdin: new Uint8Array() }) })),
    Effect.withConfigProvider(
      ConfigProvider.fromMap(new Map(Object.entries({ WEIR_HOME: `${root}/home`, ...variables })))
    )
  )

const test = <E>(
  title: string,
  self: (root: string) => Effect.Effect<void, E, NodeContext.NodeContext | Scope.Scope>
) => it.scopedLive(title, () => Effect.provide(Effect.flatMap(directory(), self), NodeContext.layer), 30_000)

/** A server that answers every request alike; its address. */
const server = (answer: (path: string, key: string) => { readonly status: number; readonly body?: string } | "never") =>
  Effect.gen(function*() {
    const context = yield* Layer.build(NodeHttpServer.layer(createServer, { host: "127.0.0.1", port: 0 }))
    const { address, serve } = yield* HttpServer.HttpServer.pipe(Effect.provide(context))
    yield* serve(Effect.gen(function*() {
      const { headers, url } = yield* HttpServerRequest.HttpServerRequest
      const sent = headers["x-api-key"] ?? headers["x-goog-api-key"] ?? headers["authorization"] ?? ""
      const { body = "", status } = yield* (() => {
        const given = answer(url, sent)
        return given === "never" ? Effect.interruptible(Effect.never) : Effect.succeed(given)
      })()
      return HttpServerResponse.text(body, { status })
    }))
    return address._tag === "TcpAddress" ? `http://127.0.0.1:${address.port}` : ""
  })

const ours = (
  address: string,
  ...more: ReadonlyArray<string>
) => ["--base-url", `${address}/v1`, "--model", "m", ...more]

describe("weir doctor", () => {
  test("finds no problem where nothing is configured, code 0", (root) =>
    Effect.gen(function*() {
      const { code, of, stdout } = yield* doctor(root)
      assert.strictEqual(code, 0, stdout)
      assert.match(of("Node").join(), /^ok: \d+\.\d+\.\d+ \(20\.19 or later is needed\)$/)
      assert.match(of("terminal").join(), /^ok: none: .* weir run works/)
      assert.match(of("ripgrep").join(), /^ok: \d+\./)
      assert.match(of("git").join(), /^ok: \d+\./)
      assert.deepStrictEqual(of("config"), [`ok: ${root}/home/config.json does not exist`])
      assert.deepStrictEqual(of("variables"), ["ok: WEIR_HOME"])
      assert.match(of("keys").join(), /^warning: none: the offline helper answers/)
      assert.deepStrictEqual(of("stored"), ["ok: no key or login is stored"])
      assert.match(of("data").join(), /^ok: \S+ will be made, \d+ MB free$/)
      assert.deepStrictEqual(of("sessions"), ["ok: none yet"])
      assert.deepStrictEqual(of("limits"), ["ok: none learned yet"])
      assert.deepStrictEqual(of("provider"), ["ok: offline, the built-in helper: there is nothing to reach"])
      assert.match(stdout, /\n\nNo problems, 1 warning\.\n$/)
      const fs = yield* FileSystem.FileSystem
      assert.deepStrictEqual(yield* fs.readDirectory(root), [])
    }))

  test("tells each mistake in files and variables, and what to do, code 1", (root) =>
    Effect.gen(function*() {
      yield* put(root, {
        "home/config.json": `{"maxSteps": 0, "colour": 1}`,
        ".weir/config.json": `{"model": "hush-hush`
      })
      const { code, of, stdout } = yield* doctor(root, [], { WEIR_MODLE: "m", WEIR_THINKING: "huge" })
      assert.strictEqual(code, 1)
      assert.notInclude(stdout, "hush")
      const files = of("config")
      assert.strictEqual(files.length, 3, stdout)
      assert.match(files[0] ?? "", /^problem: .*config\.json colour: is unexpected/)
      assert.match(files[1] ?? "", /^problem: .*config\.json maxSteps: Expected a positive number/)
      assert.match(files[2] ?? "", /^problem: .*\.weir\/config\.json: /)
      assert.match(
        of("variables").join("\n"),
        /^problem: environment WEIR_THINKING: .*\nwarning: WEIR_MODLE is no variable/
      )
      assert.match(stdout, /WEIR_MODLE is no .*\n +To do: Did you mean WEIR_MODEL\?\n/)
      assert.deepStrictEqual(of("provider"), ["warning: not looked at: the settings cannot be read"])
      assert.match(stdout, /\n4 problems, \d+ warnings\.\n$/)
    }))

  test("counts the settings of files that are right", (root) =>
    Effect.gen(function*() {
      yield* put(root, {
        "home/config.json": `{"maxSteps": 5}`,
        ".weir/config.json": `{"model": "m", "thinking": "low"}`
      })
      const { of } = yield* doctor(root, ["--provider", "offline"])
      assert.deepStrictEqual(of("config"), [
        `ok: ${root}/home/config.json: 1 setting`,
        `ok: ${root}/.weir/config.json: 2 settings`
      ])
    }))

  test("names where keys are, and one that is none", (root) =>
    Effect.gen(function*() {
      const { code, of } = yield* doctor(root, ["--no-network"], {
        ANTHROPIC_API_KEY: key,
        OPENAI_API_KEY: `${key} ${key}`
      })
      assert.strictEqual(code, 1)
      const [first, second, ...others] = of("keys")
      assert.strictEqual(first, "ok: anthropic: key in ANTHROPIC_API_KEY")
      assert.match(second ?? "", /^problem: The key in OPENAI_API_KEY holds a space/)
      assert.deepStrictEqual(others, [])
      assert.deepStrictEqual(of("provider"), [
        "ok: anthropic with claude-sonnet-5-5, since ANTHROPIC_API_KEY is set",
        "ok: not asked, because of --no-network"
      ])
    }))

  const login = (expiresAt: number) =>
    `{"openai-codex": {"_tag": "CodexLogin", "accessToken": "${key}", "refreshToken": "${key}", "accountId": "a", ` +
    `"expiresAt": ${expiresAt}}}`

  test("looks into what is stored: who can read it, whether the login has expired, whether it is damaged", (root) =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const file = `${root}/home/credentials.json`
      yield* put(root, { "home/credentials.json": login(4e12) })
      yield* fs.chmod(file, 0o644)
      const open = yield* doctor(root, ["--no-network"])
      assert.deepStrictEqual(open.of("stored"), [
        `problem: ${file} can be read by others`,
        "ok: the login to openai-codex has not expired"
      ])
      assert.include(open.stdout, `To do: chmod 600 ${file}\n`)
      assert.strictEqual(open.code, 1)
      yield* fs.chmod(file, 0o600)
      yield* fs.writeFileString(file, login(1))
      const expired = yield* doctor(root, ["--no-network"])
      assert.match(expired.of("stored").join(), /^ok: .* by you alone,warning: the login to openai-codex has expired/)
      assert.strictEqual(expired.code, 0)
      yield* fs.writeFileString(file, `{"openai": ${key}`)
      const damaged = yield* doctor(root, ["--no-network"])
      assert.match(damaged.of("stored").join(), /^problem: The credentials in .* are damaged\./)
      assert.strictEqual(damaged.code, 1)
    }))

  test("says that the data directory cannot be written, and leaves nothing in one that can", (root) =>
    Effect.gen(function*() {
      yield* put(root, { home: "a file" })
      const { code, of, stdout } = yield* doctor(root, ["--provider", "offline"])
      assert.match(of("data").join(), /^problem: .*home cannot be written/)
      assert.match(stdout, /export WEIR_HOME=DIR/)
      assert.strictEqual(code, 1)
      const fs = yield* FileSystem.FileSystem
      yield* fs.makeDirectory(`${root}/other`)
      const good = yield* doctor(root, ["--provider", "offline"], { WEIR_HOME: `${root}/other` })
      assert.match(good.of("data").join(), /^ok: \S+ can be written, \d+ MB free$/)
      assert.deepStrictEqual(yield* fs.readDirectory(`${root}/other`), [])
    }))

  test("names damaged sessions and locks that were left, and changes none of them", (root) =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const { code } = yield* TestHost.command(`${root}/home`, ["run", "--provider", "offline", "--cwd", root, "hi"])
      assert.strictEqual(code, 0)
      const sessions = `${root}/home/sessions`
      const [name = ""] = (yield* fs.readDirectory(sessions)).filter((file) => file.endsWith(".jsonl"))
      const whole = yield* fs.readFileString(`${sessions}/${name}`)
      const { host } = yield* ThisProcess
      const lock = (host: string) => `{"pid": 999999999, "host": "${host}", "since": "2026-01-01T00:00:00.000Z"}`
      yield* put(sessions, {
        "20260101T000000-aaaaaa.jsonl": "nonsense\n",
        "20260101T000000-bbbbbb.jsonl": `${whole}nonsense\n`,
        "20260101T000000-bbbbbb.lock": lock(host),
        "20260101T000000-cccccc.jsonl": whole,
        "20260101T000000-cccccc.lock": lock("elsewhere")
      })
      const before = (yield* fs.readDirectory(sessions)).sort()
      const told = yield* doctor(root, ["--provider", "offline"])
      const [count, ...others] = told.of("sessions")
      assert.strictEqual(count, "ok: 4 stored")
      assert.match(others[0] ?? "", /^problem: 20260101T000000-bbbbbb: \S+ is damaged in line \d+: left out$/)
      assert.match(others[1] ?? "", /^problem: 20260101T000000-aaaaaa: \S+ is no session that Weir can read/)
      assert.match(others[2] ?? "", /^warning: 20260101T000000-bbbbbb: its lock was left by a process that has died$/)
      assert.match(others[3] ?? "", /^warning: 20260101T000000-cccccc: it is open on another machine$/)
      assert.include(told.stdout, "process 999999999 on elsewhere; if it no longer runs, remove ")
      assert.strictEqual(told.code, 1)
      assert.deepStrictEqual((yield* fs.readDirectory(sessions)).sort(), before)
    }))

  test("says that learned limits are damaged", (root) =>
    Effect.gen(function*() {
      yield* put(root, { "home/limits.json": "nonsense" })
      const { code, of } = yield* doctor(root)
      assert.match(of("limits").join(), /^warning: .*limits\.json cannot be read, so nothing learned counts$/)
      assert.strictEqual(code, 0)
    }))

  test("says that there is no place for files", (root) =>
    Effect.gen(function*() {
      const { code, of } = yield* doctor(root, [], { WEIR_HOME: "" })
      assert.match(of("home").join(), /^problem: The home directory is unknown\. Set HOME or WEIR_HOME\.$/)
      assert.match(of("git").join(), /^ok/)
      assert.strictEqual(code, 1)
    }))

  test("opens nothing that is no file: a pipe would keep the process from ending", (root) =>
    Effect.gen(function*() {
      const told = yield* run(["doctor"], {
        cwd: root,
        shell: `mkdir -p .home/credentials.json; mkfifo .home/config.json; exec "$@"`
      })
      assert.include(told.stdout, `problem  files      ${root}/.home/config.json is no file\n`)
      assert.include(told.stdout, `problem  files      ${root}/.home/credentials.json is no file\n`)
      assert.strictEqual(told.code, 1)
    }))

  test("tells of the terminal", (root) =>
    Effect.gen(function*() {
      const seen = (variables: Variables) =>
        Effect.map(doctor(root, ["--provider", "offline"], variables, true), ({ of, stdout }) => ({
          lines: of("terminal"),
          styled: stdout.includes("\u001b[32m")
        }))
      const good = yield* seen({ NO_COLOR: "1", LANG: "en_US.UTF-8", TERM: "xterm" })
      assert.deepStrictEqual(good, { lines: ["ok: TERM=xterm, 80 x 24, no colours, UTF-8"], styled: false })
      assert.isTrue((yield* seen({ LANG: "C.utf8", TERM: "xterm" })).styled)
      assert.deepStrictEqual((yield* seen({ LC_ALL: "C", LANG: "C.UTF-8", TERM: "dumb" })).lines, [
        "ok: TERM=dumb, 80 x 24, no colours, lines are only added",
        "warning: the locale C does not say UTF-8"
      ])
      assert.include((yield* seen({ NO_COLOR: "1" })).lines, "warning: TERM is not set")
    }))
})

describe("the provider", () => {
  test("that answers, with its key accepted, by each API that lists its models", (root) =>
    Effect.gen(function*() {
      const paths: Array<string> = []
      const address = yield* server((path, sent) => {
        paths.push(path)
        return { status: sent.endsWith(key) ? 200 : 401 }
      })
      const apis = [
        ["anthropic", "ANTHROPIC_API_KEY", address, "/v1/models?limit=1"],
        ["openai", "OPENAI_API_KEY", `${address}/v1`, "/v1/models"],
        ["google", "GOOGLE_API_KEY", address, "/v1beta/models?pageSize=1"],
        ["openai-compatible", "OPENAI_API_KEY", `${address}/v1/`, "/v1/models"]
      ] as const
      for (const [name, variable, url, path] of apis) {
        const args = ["--provider", name, "--model", "m", "--base-url", url]
        const good = yield* doctor(root, args, { [variable]: key })
        assert.deepStrictEqual(good.of("provider"), [
          `ok: ${name} with m`,
          `ok: ${name} at ${url} answers; the key is accepted`
        ])
        assert.strictEqual(good.code, 0)
        const bad = yield* doctor(root, args, { [variable]: "another" })
        assert.match(
          bad.of("provider").join(),
          new RegExp(`problem: ${name} at \\S+ does not accept the key in ${variable} \\(status 401\\)`)
        )
        assert.strictEqual(bad.code, 1)
        assert.deepStrictEqual(paths.splice(0), [path, path])
      }
      const named = yield* doctor(root, ours(address, "--api-key-env", "MY_KEY"), { MY_KEY: "other" })
      assert.match(named.of("provider").join(), /does not accept the key in MY_KEY/)
      const without = yield* doctor(root, ours(address))
      assert.match(without.of("provider").join(), /wants a key, and none was sent/)
    }))

  test("that shows nothing of a login is at least there", (root) =>
    Effect.gen(function*() {
      const address = yield* server(() => ({ status: 403 }))
      const bedrock = yield* doctor(root, ["--provider", "bedrock", "--base-url", address], {
        AWS_BEARER_TOKEN_BEDROCK: key,
        AWS_REGION: "us-east-1"
      })
      assert.match(bedrock.of("provider").join(), /ok: bedrock at \S+ answers; the first request shows whether/)
      const none = yield* doctor(root, ["--provider", "openai-codex", "--base-url", address])
      assert.match(none.of("provider").join(), /^problem: There is no login for openai-codex\. Log in with/)
    }))

  const statuses = [
    [400, "API_KEY_INVALID", /^problem: .* wants a key/, 1],
    [400, "", /^warning: .* answers with status 400/, 0],
    [404, "", /^warning: .* has no list of models \(status 404\)/, 0],
    [429, "", /^warning: .* too many requests/, 0],
    [503, key, /^warning: .* it is in trouble of its own/, 0],
    [302, "", /^warning: .* answers with status 302/, 0],
    [200, "not what was expected", /^ok: .* answers$/, 0]
  ] as const
  for (const [status, body, says, code] of statuses) {
    test(`that answers with ${status} ${body}`, (root) =>
      Effect.gen(function*() {
        const told = yield* doctor(root, ours(yield* server(() => ({ body, status }))))
        assert.match(told.of("provider")[1] ?? "", says)
        assert.strictEqual(told.code, code)
      }))
  }

  test("that lists other models than the one to ask", (root) =>
    Effect.gen(function*() {
      const list = (...ids: ReadonlyArray<string>) =>
        server(() => ({ body: `{"data": [${ids.map((id) => `{"id": "${id}"}`).join()}]}`, status: 200 }))
      const missing = yield* doctor(root, ours(yield* list("a", "b")))
      assert.strictEqual(missing.of("provider")[2], "warning: the model m is not among those that it lists")
      for (const ids of [["a", "m"], ["a", "m:latest"], ["only"]]) {
        assert.lengthOf((yield* doctor(root, ours(yield* list(...ids)))).of("provider"), 2)
      }
    }))

  test("that is not there, or is no server of this kind", (root) =>
    Effect.gen(function*() {
      const gone = yield* Effect.scoped(server(() => ({ status: 200 })))
      const refused = yield* doctor(root, ours(gone))
      assert.match(refused.of("provider")[1] ?? "", /^problem: .* cannot be reached: it refuses connections/)
      assert.strictEqual(refused.code, 1)
      const plain = yield* server(() => ({ status: 200 }))
      const tls = yield* doctor(root, ours(plain.replace("http:", "https:")))
      assert.match(tls.of("provider")[1] ?? "", /^problem: .* cannot be reached: it does not speak TLS/)
    }))

  test("that is silent holds nothing up", (root) =>
    Effect.gen(function*() {
      const told = yield* doctor(root, ours(yield* server(() => "never")))
      assert.match(told.of("provider")[1] ?? "", /^problem: .* has not answered within 5 seconds/)
      assert.strictEqual(told.code, 1)
    }))

  test("whose address stands in the project's file gets no key", (root) =>
    Effect.gen(function*() {
      const sent: Array<string> = []
      const address = yield* server((_, given) => {
        sent.push(given)
        return { status: 200 }
      })
      yield* put(root, { ".weir/config.json": `{"baseUrl": "${address}/v1", "model": "m"}` })
      const { of } = yield* doctor(root, [], { OPENAI_API_KEY: key })
      assert.match(of("provider").join("\n"), /\nwarning: The address .* so no key is sent\..*\nok: .* answers$/)
      assert.deepStrictEqual(sent, [""])
    }))

  test("that is sent a header of one's own instead of the key", (root) =>
    Effect.gen(function*() {
      const sent: Array<string> = []
      const address = yield* server((_, given) => {
        sent.push(given)
        return { status: 200 }
      })
      yield* doctor(root, ours(address, "--header", "Authorization=Bearer mine"), { OPENAI_API_KEY: key })
      assert.deepStrictEqual(sent, ["Bearer mine"])
    }))

  test("that lacks a key, a model or a region says so", (root) =>
    Effect.gen(function*() {
      const lacking = [
        [["--provider", "anthropic"], /There is no key for .* Set ANTHROPIC_API_KEY/],
        [["--provider", "openai-compatible"], /needs a model: --model ID/],
        [["--provider", "bedrock"], /needs a region/],
        [["--model", "m", "--api-key-env", "NONE"], /NONE is not set/]
      ] as const
      for (const [args, says] of lacking) {
        const { code, of } = yield* doctor(root, args)
        assert.match(of("provider").join(), says)
        assert.strictEqual(code, 1)
      }
    }))
})

describe("a check", () => {
  it.effect("knows by its number whether Node is too old", () =>
    Effect.gen(function*() {
      const marks = yield* Effect.forEach(
        ["18.20.0", "20.18.3", "20.19.0", "22.1.0"],
        (version) => Effect.map(Machine.node(version).find, ([finding]) => finding?.mark)
      )
      assert.deepStrictEqual(marks, ["problem", "problem", "ok", "ok"])
    }))

  test("needs the Node that the package needs", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const root = decodeURIComponent(new URL("../../..", import.meta.url).pathname)
      const Manifest = Schema.parseJson(Schema.Struct({ engines: Schema.Struct({ node: Schema.String }) }))
      const { engines } = yield* Effect.flatMap(fs.readFileString(`${root}package.json`), Schema.decode(Manifest))
      assert.strictEqual(engines.node, `>=${Machine.oldestNode.join(".")}`)
    }))

  it.effect("that never ends, even when it is told to, or breaks, still finds something", () =>
    Effect.gen(function*() {
      const stuck = yield* Effect.fork(Finding.guarded({ find: Effect.uninterruptible(Effect.never), name: "stuck" }))
      yield* TestClock.adjust("20 seconds")
      assert.match((yield* Fiber.join(stuck))[0]?.text ?? "", /took too long/)
      const broken = yield* Finding.guarded({ find: Effect.die(key), name: "broken" })
      assert.deepStrictEqual(broken.map(({ mark, text }) => [mark, text]), [["warning", "could not be looked at"]])
    }))
})

describe("the command", () => {
  it.scopedLive(
    "runs as a process, whatever is on its PATH, and tells what it has not found",
    () =>
      Effect.gen(function*() {
        const cwd = yield* directory()
        const fs = yield* FileSystem.FileSystem
        yield* fs.makeDirectory(`${cwd}/bin`)
        yield* fs.symlink(process.execPath, `${cwd}/bin/node`)
        const told = yield* run(["doctor"], {
          cwd,
          env: { OPENAI_API_KEY: key, OPENAI_BASE_URL: "http://127.0.0.1:9/v1", WEIR_MAX_STEP: "1" },
          // The launcher looks for its snapshot with it.
          shell: `ln -s "$(command -v ls)" bin/ls; PATH=${cwd}/bin; exec "$@"`
        })
        assert.strictEqual(told.stderr, "")
        assert.strictEqual(told.code, 1)
        assert.notInclude(told.stdout, key)
        assert.match(told.stdout, /^ok +Node /)
        assert.match(told.stdout, /\nok +ripgrep +\S+, Weir's own/)
        assert.match(told.stdout, /\nwarning +git +not found/)
        assert.match(
          told.stdout,
          /\nok +variables +WEIR_HOME\nwarning +variables +WEIR_MAX_STEP is .*\n.* mean WEIR_MAX_STEPS\?\n/
        )
        assert.match(told.stdout, /\nok +data +\S+ will be made\n/)
        assert.match(told.stdout, /\nproblem +provider +openai at http:\/\/127\.0\.0\.1:9\/v1 cannot be reached/)
      }).pipe(Effect.provide(NodeContext.layer)),
    30_000
  )
})
