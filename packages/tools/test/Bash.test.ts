import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert, describe, it } from "@effect/vitest"
import * as Redaction from "@weir/model/Redaction"
import type { Tool } from "@weir/model/Tool"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/TestClock"
import { vi } from "vitest"
import { json, make } from "./harness.js"

// Real processes and files on a machine that may be busy.
vi.setConfig({ testTimeout: 30_000 })

/** The processes of a group that still live, as /proc tells: `pid name state`. Zombies are dead. */
const living = (fs: Effect.Effect.Success<typeof make>["fs"], group: number) =>
  Effect.gen(function*() {
    const entries = yield* fs.readDirectory("/proc")
    const found = yield* Effect.forEach(entries.filter((name) => /^\d+$/.test(name)), (pid) =>
      Effect.map(
        Effect.orElseSucceed(fs.readFileString(`/proc/${pid}/stat`), () => ""),
        (stat) => {
          const [, name = "", state = "", , pgrp = ""] = /^\d+ \((.*)\) (\S) (\d+) (\d+)/.exec(stat) ?? []
          return Number(pgrp) === group && state !== "Z" && state !== "X" ? [`${pid} ${name} ${state}`] : []
        }
      ))
    return found.flat()
  })

/** Runs a command until it has written its first line, the id of its process group. */
const begin = Effect.fnUntraced(function*(script: string, options: object = {}) {
  const harness = yield* make
  const tool = yield* Effect.fromNullable(harness.tools.find((each: Tool) => each.spec.name === "bash"))
  const started = yield* Deferred.make<number>()
  let said = ""
  const fiber = yield* Effect.fork(tool.run(json({ command: script, ...options }), {
    callId: "call",
    outputTokens: 100_000,
    outputFile: harness.outputFile,
    redaction: Redaction.none,
    report: (chunk) =>
      Effect.suspend(() => {
        said += chunk
        const line = /^(\d+)\n/.exec(said)
        return line ? Effect.asVoid(Deferred.succeed(started, Number(line[1]))) : Effect.void
      })
  }))
  const group = yield* Deferred.await(started)
  return { ...harness, fiber, group, living: living(harness.fs, group) }
})

/** The first line comes from the last of the script's processes, so that all of them run by then. */
const scripts: ReadonlyArray<readonly [what: string, script: string]> = [
  ["in the foreground", "echo $$; sleep 1000; true"],
  ["in the foreground, deaf to TERM", "trap '' TERM; echo $$; sleep 1000; sleep 1000; true"],
  ["in the background", "sleep 1000 & sleep 1000 & echo $$; wait"],
  ["in the background, deaf to TERM", "leader=$$; (trap '' TERM; echo $leader; sleep 1000; sleep 1000) & wait"],
  ["that is stopped", "sleep 1000 & kill -STOP $!; echo $$; wait"],
  ["in a pipe", "echo $$; sleep 1000 | (trap '' TERM; sleep 1000; cat)"]
]

const normal: ReadonlyArray<readonly [what: string, script: string]> = [
  ["in the background that holds the output", "sleep 1000 & echo $$"],
  ["in the background, deaf to TERM", "leader=$$; (trap '' TERM; echo $leader; exec sleep 1000) & sleep 0.1"],
  ["in the background with the output closed", "(trap '' TERM; exec sleep 1000) >/dev/null 2>&1 & sleep 0.1; echo $$"],
  ["with nohup", "nohup sleep 1000 >/dev/null 2>&1 & echo $$"]
]

/** Lets virtual time pass until the fiber is done: processes need real time to die, timers of ours virtual time. */
const passing = <A, E>(fiber: Fiber.Fiber<A, E>): Effect.Effect<A, E> =>
  Effect.zipRight(
    Effect.repeat(Effect.zipRight(TestClock.adjust("50 millis"), Fiber.poll(fiber)), { until: Option.isSome }),
    Fiber.join(fiber)
  )

const soon = Effect.timeoutFail({ duration: "10 seconds", onTimeout: () => "it hangs" as const })

const isKilled = (what: string, script: string) => {
  it.scopedLive(`[A19] interrupted: a child ${what}`, () =>
    Effect.gen(function*() {
      const { fiber, living } = yield* begin(script)
      assert.isNotEmpty(yield* living)
      yield* soon(Fiber.interrupt(fiber))
      assert.deepStrictEqual(yield* living, [])
    }).pipe(Effect.provide(NodeContext.layer)))

  it.scoped(`[A19] timed out: a child ${what}`, () =>
    Effect.gen(function*() {
      const { fiber, group, living } = yield* begin(script)
      yield* TestClock.adjust("119 seconds")
      assert.isTrue(Option.isNone(yield* Fiber.poll(fiber)))
      yield* TestClock.adjust("1 seconds")
      const result = yield* passing(fiber)
      assert.deepStrictEqual(yield* living, [])
      assert.isTrue(result.isError)
      assert.match(result.text, new RegExp(`^${group}\\n[^]*timed out after 120 seconds and was killed`))
      assert.deepStrictEqual(result.facts, [{ _tag: "Command", command: script, exitCode: null }])
    }).pipe(Effect.provide(NodeContext.layer)))
}

// Side by side, since much of it is waiting.
describe.concurrent("bash leaves no process behind", () => {
  for (const [what, script] of scripts) isKilled(what, script)

  for (const [what, script] of normal) {
    it.scopedLive(`[A19] ended well: a child ${what}`, () =>
      Effect.gen(function*() {
        const { fiber, group, living } = yield* begin(script)
        const result = yield* soon(Fiber.join(fiber))
        assert.deepStrictEqual(yield* living, [])
        assert.deepStrictEqual([result.isError, result.text], [false, `${group}\nexit code 0`])
      }).pipe(Effect.provide(NodeContext.layer)))
  }
})

describe.concurrent("bash", () => {
  const outputs: ReadonlyArray<readonly [what: string, script: string, exitCode: number | null, text: string]> = [
    [
      "both outputs in order",
      "for i in 1 2 3; do echo o$i; echo e$i >&2; done",
      0,
      "o1\ne1\no2\ne2\no3\ne3\nexit code 0"
    ],
    ["a failure", "echo no >&2; exit 3", 3, "no\nexit code 3"],
    ["silence", "true", 0, "(no output)\nexit code 0"],
    [
      "a command that is not there",
      "no_such_command_1",
      127,
      "bash: line 1: no_such_command_1: command not found\nexit code 127"
    ],
    [
      "a syntax error",
      "echo )",
      2,
      "bash: -c: line 1: syntax error near unexpected token `)'\nbash: -c: line 1: `echo )'\nexit code 2"
    ],
    ["a command like an option", "--version", 127, "bash: line 1: --version: command not found\nexit code 127"],
    ["a signal", "kill -SEGV $$", null, "(no output)\nkilled by SIGSEGV"],
    ["no input", "cat; read line; echo $?", 0, "1\nexit code 0"],
    ["quotes and many lines", "x='a b'\necho \"$x\" \"'\" '$x'", 0, "a b ' $x\nexit code 0"],
    ["colours and titles", "printf '\\033[31mred\\033[0m \\033]0;t\\007end\\a\\n'", 0, "red end\nexit code 0"],
    ["a progress bar", "printf '1%%\\r2%%\\r3%%\\ndone\\r\\n'", 0, "3%\ndone\nexit code 0"],
    ["bytes that are not UTF-8", "printf 'a\\xff\\xed\\xa0\\x80b'", 0, "a\ufffd\ufffd\ufffd\ufffdb\nexit code 0"],
    ["half a character at the end", "printf 'a\\xf0\\x9f'", 0, "a\ufffd\nexit code 0"]
  ]
  for (const [what, command, exitCode, text] of outputs) {
    it.scopedLive(`tells ${what}`, () =>
      Effect.gen(function*() {
        const { call } = yield* make
        assert.deepEqual(yield* call("bash", { command }), {
          facts: [{ _tag: "Command", command, exitCode }],
          images: [],
          isError: exitCode !== 0,
          text
        })
      }).pipe(Effect.provide(NodeContext.layer)))
  }

  it.scopedLive("runs in the working directory with the environment as it is", () =>
    Effect.gen(function*() {
      const { call, cwd } = yield* make
      const result = yield* call("bash", { command: "pwd; test -n \"$PATH\" && echo env" })
      assert.strictEqual(result.text, `${cwd}\nenv\nexit code 0`)
    }).pipe(Effect.provide(NodeContext.layer)))

  it.scopedLive("shows output while the command runs", () =>
    Effect.gen(function*() {
      const { fiber, group } = yield* begin("echo $$; until test -e go; do sleep 0.02; done; echo end")
      assert.isTrue(Option.isNone(yield* Fiber.poll(fiber)))
      yield* Fiber.interrupt(fiber)
      assert.isAbove(group, 1)
    }).pipe(Effect.provide(NodeContext.layer)))

  it.scopedLive("keeps the head and the tail of a large output and saves the whole, for the owner alone", () =>
    Effect.gen(function*() {
      const { call, fs, outputFile, reports } = yield* make
      const result = yield* call("bash", { command: "seq 200000 | sed 's/$/ é😀/'; exit 1" })
      const whole = yield* fs.readFileString(outputFile)
      assert.strictEqual(whole, Array.from({ length: 200_000 }, (_, index) => `${index + 1} é😀\n`).join(""))
      assert.strictEqual(reports.join(""), whole)
      assert.strictEqual((yield* fs.stat(outputFile)).mode & 0o777, 0o600)
      assert.deepStrictEqual([result.isError, result.savedTo], [true, outputFile])
      const [, head = "", left, tail = ""] =
        /^([^]*)\[\.\.\. (\d+) bytes left out; the whole output is in (?:.*) \.\.\.\]\n([^]*)\nexit code 1$/
          .exec(result.text) ?? []
      assert.isTrue(whole.startsWith(head) && head.endsWith("\n") && whole.endsWith(`\n${tail}\n`))
      const size = (text: string) => new TextEncoder().encode(text).length
      assert.strictEqual(size(head) + Number(left) + size(tail) + 1, size(whole))
      assert.isAbove(size(head), 15_000)
      assert.isAbove(size(tail), 45_000)
      assert.isBelow(size(result.text), 65_000)
    }).pipe(Effect.provide(NodeContext.layer)))

  it.scopedLive("goes on when the whole output cannot be saved, and says so", () =>
    Effect.gen(function*() {
      const { call, fs, parent, path } = yield* make
      yield* fs.writeFileString(path.join(parent, "outputs"), "a file where the directory should be")
      const result = yield* call("bash", { command: "seq 50000" })
      assert.deepStrictEqual([result.isError, result.savedTo], [false, undefined])
      assert.match(result.text, /bytes left out; the whole output could not be saved/)
    }).pipe(Effect.provide(NodeContext.layer)))

  it.scopedLive("refuses what cannot be run", () =>
    Effect.gen(function*() {
      const { call } = yield* make
      const said = (args: object) => Effect.map(call("bash", args), ({ isError, text }) => isError ? text : "ran")
      assert.match(yield* said({ command: "a\0b" }), /NUL/)
      assert.match(yield* said({ command: `: ${"x".repeat(120_000)}` }), /longer than 120000 bytes.*write_file/)
      assert.strictEqual(
        (yield* call("bash", { command: `: ${"x".repeat(119_998)}` })).text,
        "(no output)\nexit code 0"
      )
      assert.match(yield* said({ command: "true", timeout_seconds: 3601 }), /from 0 to 3600, found 3601/)
    }).pipe(Effect.provide(NodeContext.layer)))
})

describe("bash, alone since moments count", () => {
  isKilled("that spins and is deaf", "trap '' TERM INT HUP; echo $$; while :; do :; done")

  it.scopedLive("a child that ends in its own way on TERM is given the time", () =>
    Effect.gen(function*() {
      const { content, fiber } = yield* begin(
        "trap 'sleep 0.05; echo bye > bye; exit' TERM; echo $$; sleep 1000 & wait"
      )
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(yield* content("bye"), "bye\n")
    }).pipe(Effect.provide(NodeContext.layer)))

  it.scopedLive("does not wait for a process that left the group but holds the output", () =>
    Effect.gen(function*() {
      const { fiber, group } = yield* begin("setsid sleep 3 & echo $$")
      const before = yield* Clock.currentTimeMillis
      const result = yield* Fiber.join(fiber)
      assert.strictEqual(result.text, `${group}\nexit code 0`)
      assert.isBelow((yield* Clock.currentTimeMillis) - before, 2500)
    }).pipe(Effect.provide(NodeContext.layer)))

  it.scopedLive("bounds an output of one endless line, which a timeout ends", () =>
    Effect.gen(function*() {
      const { call, fs, outputFile } = yield* make
      const result = yield* call("bash", { command: "yes '' | tr '\\n' x", timeout_seconds: 0.5 })
      assert.isTrue(result.isError && result.text.length < 65_000)
      assert.match(result.text, /^x+\n\[\.\.\. \d+ bytes left out; [^]*x\ntimed out/)
      assert.isAbove(Number((yield* fs.stat(outputFile)).size), 65_000)
    }).pipe(Effect.provide(NodeContext.layer)))
})

describe("a secret that is known", () => {
  it.scopedLive("is in no result, in no file and on no screen, however it is split and encoded", () =>
    Effect.gen(function*() {
      const { call, fs, outputFile, reports } = yield* make
      const redaction = Redaction.of([Redacted.make("sk-secret-0123456789")])
      const lines = "yes sk-secret-0123456789 | head -n 8000"
      const commands = [
        lines,
        `${lines} | tr -d '\\n'`,
        `${lines} | LC_ALL=C sed 's/$/\\xff/; s/./&\\x00/g'`,
        `${lines} | while read -rn 3 part; do printf %s "$part"; done`,
        "printf 'sk-secret-'; sleep 0.1; printf 0123456789",
        "printf '\\033[1msk-secret\\033[0m-0123456789'"
      ]
      for (const command of commands) {
        const { text } = yield* call("bash", { command }, undefined, redaction)
        const whole = yield* Effect.orElseSucceed(fs.readFileString(outputFile), () => "")
        assert.include(text, "[redacted]", command)
        assert.notMatch(text + whole + reports.join(""), /secret-|0123456/, command)
        yield* fs.remove(outputFile, { force: true })
      }
      const { text } = yield* call("bash", { command: "printf 'ends with sk-secret-0123'" }, undefined, redaction)
      assert.strictEqual(text, "ends with sk-secret-0123\nexit code 0")
    }).pipe(Effect.provide(NodeContext.layer)))
})
