/** Keys and logins: how they come in, what is told of them, and how they go. */
// @effect-diagnostics globalFetchInEffect:off
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Terminal from "@effect/platform/Terminal"
import { assert, describe, it } from "@effect/vitest"
import * as Script from "@weir/simulator/Script"
import * as Simulator from "@weir/simulator/Simulator"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Mailbox from "effect/Mailbox"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as Cli from "../src/Cli.js"
import * as CodexLogin from "../src/CodexLogin.js"
import { Host } from "../src/Host.js"
import * as LoginCallback from "../src/LoginCallback.js"
import * as SecretInput from "../src/SecretInput.js"
import { directory, eventually, run, start } from "./Process.js"
import * as TestHost from "./TestHost.js"

const key = "sk-auth-0123456789"

type Variables = { readonly [name: string]: string }

/** The command in this process; its standard input is a pipe. */
const weir = (home: string, args: ReadonlyArray<string>, stdin = "", variables: Variables = {}) =>
  Effect.gen(function*() {
    const code = yield* Cli.run(["auth", ...args], "0.0.0")
    const written = yield* TestHost.Written
    const [stdout, stderr] = [yield* written.stdout, yield* written.stderr]
    assert.notInclude(stdout + stderr, key)
    return { code, stderr, stdout }
  }).pipe(
    Effect.provide(TestHost.layer({ stdin: new TextEncoder().encode(stdin) })),
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries({ WEIR_HOME: home, ...variables }))))
  )

const credentials = (home: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => fs.readFileString(`${home}/credentials.json`))

const test = <E>(title: string, self: (home: string) => Effect.Effect<void, E, NodeContext.NodeContext>) =>
  it.scopedLive(title, () => Effect.provide(Effect.flatMap(directory(), self), NodeContext.layer), 30_000)

describe("weir auth, with keys", () => {
  test("stores a key from standard input, tells of it without showing it, and deletes it", (home) =>
    Effect.gen(function*() {
      const before = yield* weir(home, ["status", "anthropic"])
      assert.deepStrictEqual(before, { code: 1, stderr: "", stdout: "anthropic  none\n" })
      const login = yield* weir(home, ["login", "anthropic"], `${key}\n`)
      assert.deepStrictEqual(login, { code: 0, stderr: "", stdout: "The key for anthropic is stored.\n" })
      assert.include(yield* credentials(home), `"key": "${key}"`)
      const fs = yield* FileSystem.FileSystem
      assert.strictEqual((yield* fs.stat(`${home}/credentials.json`)).mode & 0o777, 0o600)
      const after = yield* weir(home, ["status", "anthropic"])
      assert.deepStrictEqual(after, { code: 0, stderr: "", stdout: "anthropic  stored key\n" })
      const logout = yield* weir(home, ["logout", "anthropic"])
      assert.deepStrictEqual(logout.stdout, "What was stored for anthropic is deleted.\n")
      assert.strictEqual(yield* credentials(home), "{}")
      const again = yield* weir(home, ["logout", "anthropic"])
      assert.deepStrictEqual([again.code, again.stdout], [0, "There was nothing stored for anthropic.\n"])
    }))

  test("says that the environment comes first, and that it stays", (home) =>
    Effect.gen(function*() {
      const set = { GEMINI_API_KEY: "k" }
      assert.match((yield* weir(home, ["login", "google"], key, set)).stdout, /before it: key in GEMINI_API_KEY\.\n$/)
      assert.match((yield* weir(home, ["status", "google"], "", set)).stdout, /^google +key in GEMINI_API_KEY\n$/)
      assert.match((yield* weir(home, ["status", "google"])).stdout, /^google +stored key\n$/)
      assert.match((yield* weir(home, ["logout", "google"], "", set)).stdout, /remains: key in GEMINI_API_KEY\.\n$/)
    }))

  test("tells of every provider, and where Bedrock's credentials come from", (home) =>
    Effect.gen(function*() {
      const { code, stdout } = yield* weir(home, ["status"], "", { AWS_PROFILE: "work", OPENAI_API_KEY: "a b" })
      assert.strictEqual(code, 0)
      assert.match(stdout, /^openai-codex +none\nanthropic +none\nopenai +key in OPENAI_API_KEY\n/)
      assert.match(stdout, /\nbedrock +AWS profile work\n/)
      const bedrock = (variables: Variables) =>
        Effect.map(weir(home, ["status", "bedrock"], "", variables), (told) => told.stdout.slice("bedrock  ".length))
      yield* weir(home, ["login", "bedrock"], key)
      const keys = { AWS_ACCESS_KEY_ID: "AKIA", AWS_SECRET_ACCESS_KEY: key }
      assert.strictEqual(yield* bedrock({ AWS_BEARER_TOKEN_BEDROCK: key }), "key in AWS_BEARER_TOKEN_BEDROCK\n")
      assert.strictEqual(yield* bedrock(keys), "keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY\n")
      assert.strictEqual(yield* bedrock({}), "stored key\n")
      yield* weir(home, ["logout", "bedrock"])
      const fs = yield* FileSystem.FileSystem
      yield* fs.makeDirectory(`${home}/.aws`)
      yield* fs.writeFileString(`${home}/.aws/credentials`, "")
      assert.strictEqual(yield* bedrock({ HOME: home }), "the AWS tools, by ~/.aws\n")
    }))

  const wrong = [
    ["another command", ["nonsense"], "", /no command auth nonsense\. Its commands are login, logout, status\./],
    ["no provider to log in", ["login"], "", /Name the provider: weir auth login anthropic/],
    ["no provider to log out", ["logout"], "", /Name the provider: weir auth logout anthropic/],
    ["two providers", ["login", "openai", "google"], "", /Expected one provider, found 2/],
    ["an unknown provider", ["login", "nobody"], "", /no provider "nobody"\. Expected openai-codex, anthropic, openai/],
    ["one that needs no key", ["login", "offline"], "", /needs no key/],
    ["a key as an argument", ["login", "openai", "--key", key], "", /Unknown option --key/],
    ["no key", ["login", "openai"], " \n", /no key on standard input\. Pipe it/],
    ["a key of two lines", ["login", "openai"], `${key}\n${key}`, /The key in standard input holds .* Set it anew/],
    ["an issuer of keys", ["login", "openai", "--issuer", "http://127.0.0.1:1"], key, /--issuer is for openai-codex/],
    ["an issuer that is none", ["login", "openai-codex", "--issuer", "nowhere"], "", /--issuer: Expected an address/]
  ] as const
  for (const [name, args, stdin, says] of wrong) {
    test(`refuses ${name}, and stores nothing`, (home) =>
      Effect.gen(function*() {
        const { code, stderr, stdout } = yield* weir(home, args, stdin)
        assert.match(stderr, says)
        assert.deepStrictEqual([code, stdout], [2, ""])
        assert.isTrue(Option.isNone(yield* Effect.option(credentials(home))))
      }))
  }

  test("tells how to mend credentials that are damaged, code 1", (home) =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      yield* fs.writeFileString(`${home}/credentials.json`, `{"openai": ${key}`)
      const { code, stderr } = yield* weir(home, ["login", "openai"], key)
      assert.match(stderr, /^weir: The credentials in \S+\/credentials\.json are damaged\. Mend the file, or delete it/)
      assert.strictEqual(code, 1)
      assert.match((yield* weir(home, ["status", "openai"])).stdout, /^openai  The credentials in .* are damaged/)
    }))

  test("shows its help", (home) =>
    Effect.gen(function*() {
      assert.match((yield* weir(home, ["--help"])).stdout, /login[^]*logout[^]*status/)
      assert.match((yield* weir(home, ["login", "--help"])).stdout, /--issuer URL/)
    }))
})

/** A terminal at which these keys are pressed, one after the other. */
const typing = (...keys: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const named: { readonly [input: string]: string } = { "\r": "return", "\u007f": "backspace", "\u0003": "c" }
    const mailbox = yield* Mailbox.make<Terminal.UserInput>()
    for (const input of keys) {
      const ctrl = input === "\u0003"
      mailbox.unsafeOffer({
        input: Option.some(input),
        key: { ctrl, meta: false, name: named[input] ?? input, shift: false }
      })
      if (ctrl) mailbox.unsafeDone(Exit.void)
    }
    const terminal = yield* Terminal.Terminal
    return Terminal.Terminal.of({ ...terminal, readInput: Effect.succeed(mailbox) })
  })

describe("a secret", () => {
  const typed = (...keys: ReadonlyArray<string>) =>
    Effect.gen(function*() {
      const terminal = yield* typing(...keys)
      const text = yield* Effect.exit(
        Effect.provideService(SecretInput.read("Key: "), Terminal.Terminal, terminal)
      )
      const { stderr, stdout } = yield* TestHost.Written
      return { shown: [yield* stdout, yield* stderr], text }
    }).pipe(Effect.provide(TestHost.layer({ terminal: true })))

  it.effect("that is typed is not shown; it can be corrected", () =>
    Effect.gen(function*() {
      const { shown, text } = yield* typed("s", "k", "x", "\u007f", "\u001b[A", "1", "\r", "y")
      assert.deepStrictEqual(text, Exit.succeed("sk1"))
      assert.deepStrictEqual(shown, ["", "Key: \n"])
    }))

  it.effect("may be given up with Ctrl+C", () =>
    Effect.gen(function*() {
      const { text } = yield* typed("s", "\u0003")
      assert.isTrue(Exit.isInterrupted(text))
    }))
})

/** A browser whose user consents; it is sent to this address. */
const browse = (loginUrl: string) =>
  Effect.map(
    Effect.promise(() => fetch(loginUrl, { redirect: "manual" })),
    (response) => response.headers.get("location") ?? ""
  )

const loginUrlIn = (text: string) => /^http\S*\/oauth\/authorize\?\S+$/m.exec(text)?.[0] ?? ""

/** What the user does who has been shown the address to open. */
const userAt = (does: (loginUrl: string) => Effect.Effect<string>, terminal = false) =>
  Effect.gen(function*() {
    const stderr = yield* TestHost.output()
    const shown = eventually(stderr.text, (text) => loginUrlIn(text) !== "")
    const { terminal: screen } = yield* Effect.provide(Host, TestHost.layer())
    const host = Host.of({
      platform: "test",
      terminal: screen,
      stderr: stderr.output,
      stdin: {
        isTerminal: terminal,
        read: shown.pipe(
          Effect.orDie,
          Effect.flatMap((text) => does(loginUrlIn(text))),
          Effect.map((text) => new TextEncoder().encode(text))
        )
      },
      stdout: (yield* TestHost.output()).output
    })
    return { host, shown: stderr.text }
  })

const issuer = Effect.map(Simulator.make({ script: Script.reply("ok") }), ({ origin }) => origin)

/** An address at which nobody listens. */
const freeAddress = Effect.map(
  Effect.scoped(Simulator.make({ script: Script.reply("") })),
  ({ origin }) => `${origin.replace("127.0.0.1", "localhost")}/auth/callback`
)

describe("a login to openai-codex", () => {
  const live = <E, A>(title: string, self: () => Effect.Effect<A, E, NodeContext.NodeContext | Scope.Scope>) =>
    it.scopedLive(title, () => Effect.provide(self(), NodeContext.layer), 30_000)

  live(
    "takes the address that is pasted, or the code alone, whatever listens at the port",
    () =>
      Effect.gen(function*() {
        const origin = yield* issuer
        const redirectUri = yield* freeAddress
        yield* Effect.asVoid(LoginCallback.listen(redirectUri, () => false))
        for (const part of [(address: URL) => address.href, (address: URL) => address.searchParams.get("code") ?? ""]) {
          const { host, shown } = yield* userAt((url) => Effect.map(browse(url), (to) => `${part(new URL(to))}\n`))
          const login = yield* Effect.provideService(CodexLogin.logIn({ issuer: origin, redirectUri }), Host, host)
          assert.deepInclude(login, { _tag: "CodexLogin", accountId: "account-1", issuer: origin })
          assert.strictEqual(Redacted.value(login.refreshToken).slice(0, 8), "refresh-")
          assert.match(yield* shown, /Port \d+ is in use, so paste the address/)
        }
      })
  )

  live(
    "takes what the browser on this machine brings, and nothing that belongs to another login",
    () =>
      Effect.gen(function*() {
        const origin = yield* issuer
        const redirectUri = yield* freeAddress
        const pages: Array<readonly [number, string]> = []
        const visit = (address: string) =>
          Effect.promise(() =>
            fetch(address).then((response) => response.text().then((text) => pages.push([response.status, text])))
          )
        // Standard input ends at once, as it does without one.
        const { host } = yield* userAt((url) =>
          Effect.gen(function*() {
            const brought = (yield* browse(url)).replace(/^[^?]*/, redirectUri)
            yield* Effect.fork(Effect.forEach([
              `${redirectUri}?code=other&state=other`,
              redirectUri.replace(/[^/]*$/, "favicon.ico"),
              brought
            ], visit))
            return ""
          })
        )
        const login = yield* Effect.provideService(CodexLogin.logIn({ issuer: origin, redirectUri }), Host, host)
        assert.strictEqual(login.accountId, "account-1")
        assert.deepStrictEqual(pages.map(([status]) => status), [404, 404, 200])
        assert.match(pages[2]?.[1] ?? "", /You may close this page/)
        // Nobody listens any more.
        const gone = yield* Effect.exit(Effect.tryPromise(() => fetch(redirectUri)))
        assert.isTrue(Exit.isFailure(gone))
      })
  )

  live("that is denied says so; without any answer it says what to do", () =>
    Effect.gen(function*() {
      const origin = yield* issuer
      const redirectUri = yield* freeAddress
      const denied = yield* userAt(() => Effect.succeed(`${redirectUri}?error=access_denied`))
      const logIn = Effect.flip(CodexLogin.logIn({ issuer: origin, redirectUri }))
      assert.match((yield* Effect.provideService(logIn, Host, denied.host)).message, /Log in again.*access_denied/)
      yield* Effect.asVoid(LoginCallback.listen(redirectUri, () => false))
      const silent = yield* userAt(() => Effect.succeed(""))
      const error = yield* Effect.provideService(logIn, Host, silent.host)
      assert.deepInclude(error, { _tag: "UsageError" })
      assert.match(error.message, /paste the address on standard input, or free the port/)
    }))

  live("leaves nothing behind when it is interrupted", () =>
    Effect.gen(function*() {
      const origin = yield* issuer
      const redirectUri = yield* freeAddress
      const { host, shown } = yield* userAt(() => Effect.never)
      const fiber = yield* Effect.fork(
        Effect.provideService(CodexLogin.logIn({ issuer: origin, redirectUri }), Host, host)
      )
      yield* eventually(shown, (text) => text.includes("paste"))
      yield* Fiber.interrupt(fiber)
      yield* Effect.asVoid(LoginCallback.listen(redirectUri, () => false))
    }))
})

describe("the command with a login to openai-codex", () => {
  it.scopedLive(
    "logs in, asks, renews what has expired, once for two processes, and logs out",
    () =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        // The third and the fourth question find the first access token expired.
        const simulator = yield* Simulator.make({ accessTokenUses: 2, script: Script.repeat(Script.reply("Yes."), 9) })
        const cwd = yield* directory()
        const file = `${cwd}/.home/credentials.json`
        const refreshToken = Effect.map(fs.readFileString(file), (text) => /"refreshToken": "([^"]*)"/.exec(text)?.[1])

        const { child, finished, output } = yield* start(
          ["auth", "login", "openai-codex", "--issuer", simulator.origin],
          { cwd, stdin: "open" }
        )
        yield* eventually(Effect.sync(() => output.stderr), (stderr) => stderr.includes("paste the address"))
        child.stdin.end(yield* browse(loginUrlIn(output.stderr)))
        const login = yield* finished
        assert.deepStrictEqual([login.code, login.stdout], [0, "You are logged in to openai-codex.\n"])
        assert.strictEqual((yield* fs.stat(file)).mode & 0o777, 0o600)
        assert.strictEqual(yield* refreshToken, "refresh-1")

        const ask = run(
          ["run", "--provider", "openai-codex", "--base-url", `${simulator.origin}/backend-api/codex`, "Is it so?"],
          { cwd }
        )
        const asked = (concurrency: number) =>
          Effect.map(Effect.all([ask, ask], { concurrency }), (all) => {
            for (const { code, stderr, stdout } of all) assert.deepStrictEqual([code, stdout], [0, "Yes.\n"], stderr)
          })
        yield* asked(1)
        assert.strictEqual(yield* refreshToken, "refresh-1")
        yield* asked(2)
        assert.strictEqual(yield* refreshToken, "refresh-2")

        const status = yield* run(["auth", "status", "openai-codex"], { cwd })
        assert.match(
          status.stdout,
          /^openai-codex {2}login of account account-1, good until 20\d\d-\S+Z, then renewed\n$/
        )
        const logout = yield* run(["auth", "logout", "openai-codex"], { cwd })
        assert.strictEqual(logout.code, 0)
        const after = yield* ask
        assert.match(after.stderr, /no login for openai-codex\. Log in with: weir auth login openai-codex/)
        assert.strictEqual(after.code, 2)
      }).pipe(Effect.provide(NodeContext.layer)),
    60_000
  )
})
