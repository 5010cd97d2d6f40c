import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert, describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Cli from "../src/Cli.js"
import { directory, type Options, run } from "./Process.js"
import * as TestHost from "./TestHost.js"

const offline = ["run", "--provider", "offline", "--no-session"]

/** Runs in an empty directory. */
const weir = (args: ReadonlyArray<string>, options: Partial<Options> = {}) =>
  Effect.flatMap(directory(), (cwd) => run(args, { cwd, ...options })).pipe(
    Effect.scoped,
    Effect.provide(NodeContext.layer)
  )

/** The same without a process. */
const inside = (args: ReadonlyArray<string>) =>
  Effect.flatMap(directory(), (cwd) => TestHost.run(args, { cwd })).pipe(
    Effect.scoped,
    Effect.provide(NodeContext.layer)
  )

const escape = "\u001b"

/** Exit code 2, nothing on standard output, one clear and unstyled error. */
const refused = (args: ReadonlyArray<string>, expected: RegExp, options?: Partial<Options>) =>
  Effect.gen(function*() {
    const { code, stderr, stdout } = yield* weir(args, options)
    assert.match(stderr, expected)
    assert.isFalse(stderr.includes(escape), stderr)
    assert.match(stderr, /^weir: \S/)
    assert.strictEqual(stdout, "")
    assert.strictEqual(code, 2)
  })

/** The same without a process. */
const refusedInside = (args: ReadonlyArray<string>, expected: RegExp, stdin = new Uint8Array()) =>
  Effect.gen(function*() {
    const code = yield* Cli.run(args, "0.0.0")
    const written = yield* TestHost.Written
    const stderr = yield* written.stderr
    assert.match(stderr, expected)
    assert.isFalse(stderr.includes(escape), stderr)
    assert.match(stderr, /^weir: \S/)
    assert.strictEqual(yield* written.stdout, "")
    assert.strictEqual(code, 2)
  }).pipe(
    Effect.provide(TestHost.layer({ stdin })),
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map([["WEIR_HOME", "/nowhere"]])))
  )

const cases = [
  ["an unknown option before the prompt", ["run", "--nope", "hi"], /Unknown option --nope/],
  ["an unknown option after the prompt", [...offline, "hi", "--nope"], /Unknown option --nope/],
  ["an unknown option before a known one", ["run", "--nope", "--provider", "offline", "hi"], /--nope/],
  ["an unknown short option", [...offline, "-x", "hi"], /Unknown option -x/],
  ["a cluster of short options", [...offline, "-abc", "hi"], /Unknown option -abc/],
  ["an unknown option with a value", [...offline, "--nope=1", "hi"], /Unknown option --nope/],
  ["a misspelt option", [...offline, "--modle", "x", "hi"], /Did you mean --model\?/],
  ["an unknown option of the root", ["--nope"], /Unknown option --nope/],
  ["a bad choice", ["run", "--provider", "nobody", "hi"], /--provider: .*offline, anthropic, openai, google/],
  ["a bad choice, with =", ["run", "--output-format=xml", "hi"], /--output-format: .*text, json, stream-json/],
  ["a number that is none", [...offline, "--context-window", "abc", "hi"], /--context-window: .*abc/],
  ["a number that is not positive", [...offline, "--max-steps", "-3", "hi"], /--max-steps: .*positive.*-3/],
  ["a negative timeout", [...offline, "--idle-timeout", "-1", "hi"], /--idle-timeout: .*non-negative.*-1/],
  ["a fraction", [...offline, "--max-output-tokens", "1.5", "hi"], /--max-output-tokens: .*1\.5/],
  ["an address that is none", [...offline, "--base-url", "localhost:80", "hi"], /--base-url: .*http/],
  ["a missing value", [...offline, "hi", "--model"], /--model needs a value/],
  ["an option in place of a value", [...offline, "--model", "--verbose", "hi"], /--model needs a value/],
  ["a value for a switch", [...offline, "--verbose=yes", "hi"], /--verbose takes no value/],
  ["a header without =", ["run", "--header", "nonsense", "hi"], /--header: .*NAME=VALUE/],
  ["a prompt without a command", ["hello"], /weir run/],
  ["no arguments", [], /weir run/],
  ["a blank prompt", [...offline, " "], /prompt is empty/],
  ["a directory that is none", [...offline, "--cwd", "nowhere", "hi"], /nowhere is not a directory/],
  ["a session that is none", ["run", "--provider", "offline", "--session", "x", "hi"], /no session x/],
  ["nothing to continue", ["run", "--provider", "offline", "--continue", "hi"], /no session .* to go on with/],
  ["two sessions", ["run", "--session", "x", "--continue", "hi"], /only one of --session and --continue/],
  ["a session that is not kept", [...offline, "--continue", "hi"], /only one of --continue and --no-session/],
  ["a wizard without a terminal", ["run", "--wizard"], /--wizard needs a terminal/],
  ["no model", ["run", "--provider", "openai-compatible", "hi"], /--model/],
  ["no key", ["run", "--provider", "openai-compatible", "--model", "m", "hi"], /OPENAI_API_KEY/],
  ["no key for OpenAI", ["run", "--provider", "openai", "hi"], /api\.openai\.com.* OPENAI_API_KEY/],
  [
    "no login for Codex",
    ["run", "--provider", "openai-codex", "hi"],
    /no login for openai-codex\. Log in with: weir auth login openai-codex/
  ],
  ["no key for Google", ["run", "--provider", "google", "hi"], /GEMINI_API_KEY or GOOGLE_API_KEY/],
  ["no region for Bedrock", ["run", "--provider", "bedrock", "hi"], /AWS_REGION/],
  ["an unknown level of thinking", [...offline, "--thinking", "huge", "hi"], /--thinking: .*off, low, medium, high/],
  ["a mistyped command", ["doctr"], /no command doctr\. Did you mean: weir doctor \? .* weir -- doctr\n$/],
  ["a mistyped group before its command", ["sesions", "list"], /Did you mean: weir sessions list \?/],
  ["a mistyped command of a group", ["config", "lst"], /no command config lst\. Its commands are list, get, set, path/],
  ["a mistyped command in capitals", ["Models"], /Did you mean: weir models \?/],
  ["help as a word", ["help"], /Did you mean: weir --help \?/],
  ["version as a word", ["version"], /Did you mean: weir --version \?/],
  ["login as a word", ["login"], /Did you mean: weir auth login \?/],
  ["a message that begins like a command", ["sesions", "are", "lost"], /weir run/],
  ["a message after --", ["--", "doctr"], /weir run/],
  ["a short message", ["test"], /weir run/],
  ["doctor and a word", ["doctor", "me"], /unknown argument.*me/],
  ["config list and a word", ["config", "list", "model"], /unknown argument.*model/],
  ["config set alone", ["config", "set"], /key/],
  ["config get alone", ["config", "get"], /key/],
  ["config get of two", ["config", "get", "model", "provider"], /unknown argument.*provider/],
  ["another format of config list", ["config", "list", "--output-format", "xml"], /--output-format: .*text, json/],
  ["models of nobody", ["models", "--provider", "nobody"], /No models of nobody.* anthropic, /],
  ["models and a word", ["models", "anthropic"], /anthropic/],
  ["no key for Anthropic", ["run", "--provider", "anthropic", "--model", "m", "hi"], /ANTHROPIC_API_KEY/],
  ["a named key that is not set", ["run", "--model", "m", "--api-key-env", "MY_KEY", "hi"], /MY_KEY is not set/],
  ["a simulator script that is none", ["simulate", "--script", "nowhere.json"], /script cannot be read.*nowhere/]
] as const

// All of it side by side, since much of it is waiting.
describe.concurrent("wrong usage ends with code 2 and one error", () => {
  for (const [title, args, expected] of cases) it.effect(title, () => refusedInside(args, expected))

  for (const [title, args, expected] of cases.slice(0, 1)) {
    it.live(`${title}, in the bundle`, () => refused(args, expected))
  }

  it.effect("a key in place of its variable's name is not repeated", () =>
    Effect.gen(function*() {
      const code = yield* Cli.run(["run", "--api-key-env", "sk-secret-123", "hi"], "0.0.0")
      const written = yield* TestHost.Written
      assert.strictEqual(code, 2)
      assert.notInclude((yield* written.stderr) + (yield* written.stdout), "secret")
    }).pipe(Effect.provide(TestHost.layer())))
})

describe.concurrent("the prompt", () => {
  it.live("is all words, whatever they look like to an option parser", () =>
    Effect.gen(function*() {
      const { code, stdout } = yield* inside([
        ...offline,
        "--verbose",
        "yes",
        "--output-format",
        "stream-json",
        "on",
        "1"
      ])
      assert.strictEqual(code, 0)
      assert.match(stdout, /"type":"turn_started".*"text":"yes on 1"/)
    }))

  it.live("goes on after --, dashes and all", () =>
    Effect.gen(function*() {
      const { code, stdout } = yield* inside([
        ...offline,
        "--output-format=stream-json",
        "a",
        "--",
        "--help",
        "-x",
        "--"
      ])
      assert.strictEqual(code, 0)
      assert.match(stdout, /"text":"a --help -x --"/)
    }))

  it.live("may stand before the options", () =>
    Effect.gen(function*() {
      const { code, stdout } = yield* inside([
        "run",
        "hello",
        "--provider",
        "offline",
        "there",
        "--output-format",
        "json"
      ])
      assert.strictEqual(code, 0)
      assert.match(stdout, /^\{"session_id":/)
    }))

  it.live("of an option given twice the last value counts", () =>
    Effect.gen(function*() {
      const { stdout } = yield* inside([...offline, "--output-format", "text", "--output-format", "json", "hi"])
      assert.match(stdout, /^\{"session_id":/)
    }))

  it.live("joins standard input after a blank line", () =>
    Effect.gen(function*() {
      const { stdout } = yield* weir([...offline, "--output-format", "stream-json", "why?"], {
        stdin: "line 1\nline 2\n"
      })
      assert.include(stdout, "\"why?\\n\\nline 1\\nline 2\"")
    }))

  it.live("is standard input when there are no words", () =>
    Effect.gen(function*() {
      const { code, stdout } = yield* weir([...offline, "--output-format", "stream-json"], { stdin: "hello\n" })
      assert.strictEqual(code, 0)
      assert.match(stdout, /"text":"hello"/)
    }))

  it.effect("is refused when it is empty", () => refusedInside([...offline], /prompt is empty/))
  it.effect("is refused when it is blank", () =>
    refusedInside([...offline, "  "], /prompt is empty/, new TextEncoder().encode(" \n\n")))
  it.effect("is refused when standard input holds NUL bytes", () =>
    refusedInside([...offline, "hi"], /binary/, Uint8Array.of(104, 0, 105)))
  it.live("is refused when standard input is no UTF-8", () =>
    refused([...offline, "hi"], /binary/, { stdin: Uint8Array.of(0xff, 0xfe, 0x41) }))
})

describe.concurrent("help", () => {
  /** What standard output gets of a command that succeeds, in this process. */
  const shown = (...args: ReadonlyArray<string>) =>
    Effect.gen(function*() {
      const code = yield* Cli.run(args, "1.2.3")
      const written = yield* TestHost.Written
      assert.strictEqual(code, 0)
      assert.strictEqual(yield* written.stderr, "")
      return yield* written.stdout
    }).pipe(Effect.provide(TestHost.layer()))

  for (const args of [["--help"], ["run", "--help"], ["--completions", "bash"]]) {
    it.live(`${args.join(" ")} is plain in a pipe`, () =>
      Effect.gen(function*() {
        const { code, stderr, stdout } = yield* weir(args, { env: { FORCE_COLOR: "1", TERM: "xterm-256color" } })
        assert.strictEqual(code, 0)
        assert.strictEqual(stderr, "")
        assert.isFalse(stdout.includes(escape))
        assert.include(stdout, "run")
      }))
  }

  it.effect("is styled for a terminal, unless NO_COLOR or a dumb terminal asks for none", () =>
    Effect.gen(function*() {
      const styled = (variables: { readonly [name: string]: string }) =>
        Effect.gen(function*() {
          yield* Cli.run(["--help"], "1.2.3")
          const written = yield* TestHost.Written
          return (yield* written.stdout).includes(escape)
        }).pipe(
          Effect.provide(TestHost.layer({ terminal: true })),
          Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(variables))))
        )
      assert.isTrue(yield* styled({ TERM: "xterm" }))
      assert.isFalse(yield* styled({ NO_COLOR: "1", TERM: "xterm" }))
      assert.isFalse(yield* styled({ TERM: "dumb" }))
    }))

  it.effect("is shown for -h, and wherever --help stands", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* shown("-h"), yield* shown("--help"))
      assert.strictEqual(yield* shown("run", "hi", "-h"), yield* shown("run", "--help"))
    }))

  it.effect("names every option of run", () =>
    Effect.gen(function*() {
      const help = yield* shown("run", "--help")
      for (
        const option of [
          "provider",
          "model",
          "base-url",
          "api-key-env",
          "header",
          "context-window",
          "max-output-tokens",
          "thinking",
          "session",
          "continue",
          "max-steps",
          "idle-timeout",
          "auto-compact",
          "compaction-request",
          "permission-mode",
          "allow",
          "deny",
          "output-format",
          "cwd",
          "append-system-prompt",
          "no-session",
          "verbose"
        ]
      ) {
        assert.match(help, new RegExp(`^\\(?--${option}\\b`, "m"), option)
      }
    }))

  it.effect("explains every command, those of a group by the group", () =>
    Effect.gen(function*() {
      const help = yield* shown("--help")
      const commands = ["run", "sessions", "resume", "compact", "context", "models", "auth", "config", "doctor"]
      for (const name of [...commands, "simulate"]) assert.match(help, new RegExp(`^ +- ${name}\\b`, "m"), name)
      const config = yield* shown("config", "--help")
      for (const name of ["list", "get", "set", "path"]) assert.match(config, new RegExp(`^ +- ${name}\\b`, "m"), name)
      assert.match(yield* shown("doctor", "--help"), /--no-network/)
      assert.match(yield* shown("config", "set", "--help"), /--project/)
    }))

  it.live("--version prints the version alone", () =>
    Effect.gen(function*() {
      const { code, stdout } = yield* weir(["--version"])
      assert.match(stdout, /^\d+\.\d+\.\d+\n$/)
      assert.strictEqual(code, 0)
      assert.match(yield* shown("run", "--version"), /^1\.2\.3\n+$/)
    }))

  it.effect("--completions offers run and its options in every shell", () =>
    Effect.gen(function*() {
      for (const shell of ["sh", "bash", "fish", "zsh"]) {
        const script = yield* shown("--completions", shell)
        assert.include(script, "run")
        assert.include(script, "permission-mode")
        for (const word of ["config", "doctor", "no-network", "project"]) assert.include(script, word)
      }
    }))
})
