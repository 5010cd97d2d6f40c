/**
 * Runs ripgrep: the one on PATH, else the same program as WebAssembly out of the npm package `ripgrep`, in a process of
 * its own. Both are called alike and answer alike, ignored files included.
 */
import * as Command from "@effect/platform/Command"
import * as CommandExecutor from "@effect/platform/CommandExecutor"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as ProcessGroup from "./ProcessGroup.js"
import { fromPlatform, ToolError } from "./ToolError.js"
import type { Workspace } from "./Workspace.js"

export interface Ripgrep {
  /**
   * The lines that ripgrep writes about `target`, an absolute path. Paths in them are relative to `root`.
   * Whoever stops reading ends the process.
   */
  readonly run: (
    args: ReadonlyArray<string>,
    target: string
  ) => Effect.Effect<
    { readonly root: string; readonly lines: Stream.Stream<string, ToolError> },
    ToolError,
    Scope.Scope
  >
}

/** .gitignore counts, in a repository or not; the user's own settings do not, so that all machines answer alike. */
const common = [
  "--no-config",
  "--no-messages",
  "--hidden",
  "--no-require-git",
  "--no-ignore-dot",
  "--no-ignore-exclude",
  "--no-ignore-global",
  "--glob=!.git",
  "--glob=!node_modules",
  "--sort=path"
]

const maxErrorBytes = 4096

const failure = (complaint: string) => {
  const reason = /^error: (.*)/m.exec(complaint)?.[1]
  return new ToolError({
    message: complaint.includes("regex parse error") || complaint.includes("literal")
      ? `Invalid pattern: ${reason ?? complaint.trim()}. It is a Rust regular expression within one line; put \\ ` +
        "before ( ) [ ] { } . * + ? ^ $ | to mean the character."
      : `The search failed: ${complaint.trim() || "ripgrep gave no reason"}`
  })
}

const packaged = (args: ReadonlyArray<string>) =>
  Effect.map(
    Effect.tryPromise({
      catch: () => new ToolError({ message: "No ripgrep: install it (https://github.com/BurntSushi/ripgrep)." }),
      try: () => import("ripgrep")
    }),
    ({ rgPath }) =>
      Command.make(process.execPath, rgPath, ...args).pipe(
        // The package caches its program under a known name in the temporary directory, where others could
        // leave something else or an interrupt a half of it. No such directory, no cache.
        Command.env({ TMPDIR: "/dev/null" })
      )
  )

const own = (args: ReadonlyArray<string>) => Command.make("rg", ...args)

export interface Found {
  /** Out of the npm package, since there is none on PATH. */
  readonly isPackaged: boolean
  readonly version: string
}

/** The ripgrep that searches run. */
export const found = Effect.gen(function*() {
  const executor = yield* CommandExecutor.CommandExecutor
  const version = (command: Command.Command) =>
    Effect.gen(function*() {
      const { process } = yield* ProcessGroup.start(executor, command)
      const text = yield* process.stdout.pipe(Stream.decodeText(), Stream.mkString)
      return yield* Effect.fromNullable(/^ripgrep (\S+)/.exec(text)?.[1])
    }).pipe(Effect.scoped)
  return yield* version(own(["--version"])).pipe(
    Effect.map((version): Found => ({ isPackaged: false, version })),
    Effect.orElse(() =>
      packaged(["--version"]).pipe(
        Effect.flatMap(version),
        Effect.map((version): Found => ({ isPackaged: true, version }))
      )
    ),
    Effect.option
  )
})

export const make = Effect.fnUntraced(
  function*(workspace: Workspace): Effect.fn.Return<Ripgrep, never, CommandExecutor.CommandExecutor> {
    const executor = yield* CommandExecutor.CommandExecutor
    const { cwd, fs, path } = workspace

    /** Where ripgrep runs: the repository around `target`, so that all of its .gitignore files are seen. */
    const rootOf = Effect.fnUntraced(function*(target: string) {
      const info = yield* workspace.stat(target)
      // A pipe or a device may have no end.
      if (info.type !== "Directory" && info.type !== "File") {
        return yield* new ToolError({ message: `${workspace.show(target)} is not a regular file.` })
      }
      const start = info.type === "Directory" ? target : path.dirname(target)
      for (let directory = start;; directory = path.dirname(directory)) {
        if (yield* Effect.orElseSucceed(fs.exists(path.join(directory, ".git")), () => false)) return directory
        if (directory === path.dirname(directory)) break
      }
      return path.isAbsolute(workspace.show(start)) ? start : cwd
    })

    const start = (args: ReadonlyArray<string>, root: string) => {
      const started = (command: Command.Command) =>
        Effect.mapError(
          ProcessGroup.start(executor, Command.workingDirectory(command, root)),
          fromPlatform(`search ${workspace.show(root)}`)
        )
      return Effect.orElse(
        started(own(args)),
        () => Effect.flatMap(packaged(args), started)
      )
    }

    const run = Effect.fnUntraced(function*(args: ReadonlyArray<string>, target: string) {
      const root = yield* rootOf(target)
      const { process } = yield* start([...common, ...args, "--", path.relative(root, target) || "."], root)
      const complaint = yield* process.stderr.pipe(
        Stream.decodeText(),
        Stream.runFold("", (text, more) => text.length < maxErrorBytes ? text + more : text),
        Effect.orElseSucceed(() => ""),
        Effect.forkScoped
      )
      const verdict = Effect.gen(function*() {
        const code = yield* Effect.orElseSucceed(process.exitCode, () => -1)
        const said = yield* Fiber.join(complaint)
        // 1 is nothing found; 2 without a word means that some file could not be read.
        if (code !== 0 && code !== 1 && (said !== "" || code !== 2)) return yield* failure(said)
      })
      const lines = process.stdout.pipe(
        Stream.mapError(fromPlatform("read what ripgrep says")),
        Stream.decodeText(),
        Stream.splitLines,
        Stream.concat(Stream.execute(verdict))
      )
      return { lines, root }
    })

    return { run }
  }
)
