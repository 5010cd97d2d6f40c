/** The bundled command in a real pseudo-terminal, read through a terminal emulator. */
// @effect-diagnostics processEnvInEffect:off
import * as pty from "@lydell/node-pty"
import xterm from "@xterm/headless"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { command, eventually } from "./Process.js"

export interface Pty {
  readonly type: (text: string) => Effect.Effect<void>
  /** What the terminal shows now, without blank lines at the end; what differs between runs is replaced by a sign. */
  readonly screen: Effect.Effect<string>
  /** The same with what has scrolled away. */
  readonly all: Effect.Effect<string>
  /** Waits until the terminal shows this; gives what it shows. */
  readonly until: (pattern: RegExp) => Effect.Effect<string>
  readonly resize: (columns: number, rows: number) => Effect.Effect<void>
  readonly kill: (signal: string) => Effect.Effect<void>
  readonly exited: Effect.Effect<number>
  /** Everything it has written, with its control sequences. */
  readonly raw: Effect.Effect<string>
}

export interface Options {
  readonly cwd: string
  readonly columns?: number
  readonly rows?: number
  readonly env?: Record<string, string>
  /** In a shell that controls jobs, which then gets the terminal back. */
  readonly isJob?: boolean
}

const quoted = (words: ReadonlyArray<string>) => words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ")

export const keys = {
  backspace: "\u007f",
  ctrlC: "\u0003",
  ctrlD: "\u0004",
  ctrlO: "\u000f",
  ctrlR: "\u0012",
  ctrlZ: "\u001a",
  down: "\u001b[B",
  enter: "\r",
  escape: "\u001b",
  left: "\u001b[D",
  pageDown: "\u001b[6~",
  pageUp: "\u001b[5~",
  tab: "\t",
  up: "\u001b[A"
}

/** A screen as it is written down in a test. */
export const golden = (text: string) => text.replace(/^\n/, "").replaceAll(/^ {6}/gm, "").trimEnd()

/** The line above and under the editor. */
export const line = (columns: number) => "─".repeat(columns)

/** Times, spinners, ids and directories differ from run to run. Names first: one may end like a time, `4s`. */
const steady = (text: string): string =>
  text
    .replaceAll(/\d{8}T\d{6}-\w{6}/g, "<id>")
    .replaceAll(/weir-cli-\w{6}/g, "weir-cli-XXXXXX")
    .replaceAll(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/g, "*")
    .replaceAll(/\d+(\.\d)?s\b/g, "#s")

export const start = (args: ReadonlyArray<string>, options: Options) =>
  Effect.gen(function*() {
    const { columns = 80, cwd, env, isJob = false, rows = 24 } = options
    const terminal = new xterm.Terminal({ allowProposedApi: true, cols: columns, rows, scrollback: 5_000 })
    const exit = yield* Deferred.make<number>()
    let raw = ""
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        pty.spawn(isJob ? "bash" : command, isJob ? ["--norc", "--noprofile", "-i"] : [...args], {
          cols: columns,
          cwd,
          env: {
            PS1: "$ ",
            PATH: process.env["PATH"] ?? "",
            TERM: "xterm-256color",
            WEIR_HOME: `${cwd}/.home`,
            ...env
          },
          rows
        })
      ),
      (running) => Effect.unlessEffect(Effect.sync(() => running.kill("SIGKILL")), Deferred.isDone(exit))
    )
    child.onData((data) => {
      raw += data
      terminal.write(data)
    })
    if (isJob) child.write(`clear; ${quoted([command, ...args])}\r`)
    child.onExit(({ exitCode, signal }) => Deferred.unsafeDone(exit, Effect.succeed(signal ? 128 + signal : exitCode)))

    const lines = (from: number) =>
      Effect.async<string>((resume) => {
        terminal.write("", () => {
          const { active } = terminal.buffer
          const text = Array.from(
            { length: active.baseY + terminal.rows - from },
            (_, at) => active.getLine(from + at)?.translateToString(true) ?? ""
          ).join("\n")
          resume(Effect.succeed(steady(text).replace(/\s+$/, "")))
        })
      })
    const screen = Effect.suspend(() => lines(terminal.buffer.active.baseY))
    const self: Pty = {
      all: Effect.suspend(() => lines(0)),
      exited: Deferred.await(exit),
      kill: (signal) => Effect.sync(() => child.kill(signal)),
      raw: Effect.sync(() => raw),
      resize: (width, height) =>
        Effect.sync(() => {
          terminal.resize(width, height)
          child.resize(width, height)
        }),
      screen,
      type: (text) => Effect.sync(() => child.write(text)),
      until: (pattern) =>
        eventually(screen, (text) => pattern.test(text)).pipe(
          Effect.catchTag(
            "TimeoutException",
            () => Effect.flatMap(screen, (text) => Effect.dieMessage(`${pattern} never came:\n${text}`))
          )
        )
    }
    return self
  })
