/** What the machine offers: Node, the terminal, the programs that tools run, a place for data. */
import * as Command from "@effect/platform/Command"
import * as CommandExecutor from "@effect/platform/CommandExecutor"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as ProcessGroup from "@weir/tools/ProcessGroup"
import * as Ripgrep from "@weir/tools/Ripgrep"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Environment from "../Environment.js"
import { Host } from "../Host.js"
import * as TerminalText from "../TerminalText.js"
import { type Check, type Finding, ok, problem, warning } from "./Finding.js"

/** As `engines` of the package says. */
export const oldestNode = [20, 19] as const

/** `version` as Node tells it: 22.21.0. */
export const node = (version: string): Check => {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  const isEnough = major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])
  const needed = `${oldestNode.join(".")} or later`
  return {
    find: Effect.succeed([
      isEnough
        ? ok(`${version} (${needed} is needed)`)
        : problem(`${version}, and ${needed} is needed`, "Install a newer Node: https://nodejs.org")
    ]),
    name: "Node"
  }
}

const variable = (...names: ReadonlyArray<string>) =>
  Effect.map(Environment.first(names), Option.match({ onNone: () => "", onSome: ({ text }) => text }))

/** The fewest columns that everything is made for. */
const narrowest = 40

const findTerminal = Effect.gen(function*() {
  const { stdin, stdout, terminal } = yield* Host
  const term = yield* variable("TERM")
  const locale = yield* variable("LC_ALL", "LC_CTYPE", "LANG")
  if (!stdin.isTerminal || !stdout.isTerminal) {
    return [ok("none: standard input or output is no terminal. weir run works; the screen needs one.")]
  }
  const { columns, rows } = yield* terminal.size
  const styled = yield* TerminalText.isStyled(stdout)
  const isUtf8 = /utf-?8/i.test(locale)
  const seen = [
    term === "" ? "TERM is not set" : `TERM=${term}`,
    `${columns} x ${rows}`,
    styled ? "colours" : "no colours",
    ...(isUtf8 ? ["UTF-8"] : []),
    ...(term === "dumb" ? ["lines are only added"] : [])
  ].join(", ")
  const findings: ReadonlyArray<Finding> = [
    ...(term === "" ? [warning("TERM is not set", "Set it to what your terminal is, such as xterm-256color.")] : []),
    ...(columns < narrowest
      ? [warning(`${columns} columns are few`, `Widen the window to ${narrowest} or more.`)]
      : []),
    ...(isUtf8 ? [] : [warning(
      locale === "" ? "no locale is set" : `the locale ${locale} does not say UTF-8`,
      "Where characters look wrong: export LANG=C.UTF-8"
    )])
  ]
  return [ok(seen), ...findings]
})

export const terminal: Check<Host> = { find: findTerminal, name: "terminal" }

export const ripgrep: Check<CommandExecutor.CommandExecutor> = {
  find: Effect.map(
    Ripgrep.found,
    Option.match({
      onNone: () => [
        problem("neither installed nor packaged: nothing can be searched", "Install ripgrep, or Weir anew.")
      ],
      onSome: ({ isPackaged, version }) => [
        ok(isPackaged ? `${version}, Weir's own; one that is installed would be faster` : version)
      ]
    })
  ),
  name: "ripgrep"
}

/** What a program writes; none when it cannot be run or fails. */
const output = (program: string, ...args: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const executor = yield* CommandExecutor.CommandExecutor
    const { process } = yield* ProcessGroup.start(executor, Command.make(program, ...args))
    const text = yield* process.stdout.pipe(Stream.decodeText(), Stream.mkString)
    return (yield* process.exitCode) === 0 ? Option.some(text.trim()) : Option.none<string>()
  }).pipe(Effect.scoped, Effect.orElseSucceed(() => Option.none<string>()))

export const git: Check<CommandExecutor.CommandExecutor> = {
  find: Effect.map(
    output("git", "--version"),
    Option.match({
      onNone: () => [warning("not found: /diff and the model's own use of it will fail", "Install git.")],
      onSome: (text) => [ok(text.replace(/^git version /, ""))]
    })
  ),
  name: "git"
}

/** Bytes that are free where this directory is, as POSIX tells them. */
const freeBytes = (directory: string) =>
  Effect.map(output("df", "-Pk", directory), (told) =>
    Option.flatMap(told, (text) => {
      const kilobytes = Number(/^.*?\s\d+\s+\d+\s+(\d+)\s+\d+%/m.exec(text.split("\n").at(-1) ?? "")?.[1])
      return Number.isFinite(kilobytes) ? Option.some(kilobytes * 1024) : Option.none()
    }))

const megabyte = 2 ** 20

/** Less than this may not last. */
const little = 200 * megabyte

/** It is there, or the first directory above it that is. */
const nearestDirectory: (
  directory: string
) => Effect.Effect<string, never, FileSystem.FileSystem | Path.Path> = Effect.fnUntraced(function*(directory: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  for (let at = directory;; at = path.dirname(at)) {
    if (at === path.dirname(at) || (yield* Effect.orElseSucceed(fs.exists(at), () => false))) return at
  }
})

/** By writing: permissions alone do not tell. What is not there yet is not made. */
const findData = Effect.fnUntraced(function*(directory: string) {
  const fs = yield* FileSystem.FileSystem
  const existing = yield* nearestDirectory(directory)
  const written = yield* fs.makeTempFileScoped({ directory: existing, prefix: ".weir-doctor-" }).pipe(
    Effect.flatMap((file) => fs.writeFileString(file, "weir")),
    Effect.scoped,
    Effect.either
  )
  if (written._tag === "Left") {
    return [problem(
      `${directory} cannot be written (${written.left.message})`,
      "Check its owner, permissions and free disk space, or name another directory: export WEIR_HOME=DIR"
    )]
  }
  const free = Option.getOrUndefined(yield* freeBytes(existing))
  const place = `${directory} ${existing === directory ? "can be written" : "will be made"}`
  if (free === undefined) return [ok(place)]
  const room = `${Math.floor(free / megabyte)} MB free`
  return free < little
    ? [warning(`${place}, only ${room}`, "Free disk space: sessions would not be recorded to their end.")]
    : [ok(`${place}, ${room}`)]
})

export const data = (
  directory: string
): Check<CommandExecutor.CommandExecutor | FileSystem.FileSystem | Path.Path> => ({
  find: findData(directory),
  name: "data"
})
