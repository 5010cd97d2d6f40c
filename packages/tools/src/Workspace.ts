/** The directory that the tools work in: how paths of a call are read, checked and shown. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import { distance } from "fastest-levenshtein"
import { fromPlatform, ToolError } from "./ToolError.js"

export interface Workspace {
  readonly cwd: string
  readonly fs: FileSystem.FileSystem
  readonly path: Path.Path
  /** Fails when the working directory is gone. */
  readonly check: Effect.Effect<void, ToolError>
  /** The absolute path of a path that was given relative to the working directory. */
  readonly resolve: (path: string) => Effect.Effect<string, ToolError>
  /** How an absolute path is shown: relative to the working directory when it lies there. */
  readonly show: (absolute: string) => string
  /** What is at an absolute path. Nothing there: an error that names what lies nearby, or says what `check` says. */
  readonly stat: (absolute: string) => Effect.Effect<FileSystem.File.Info, ToolError>
}

const maxNames = 5

/** The names most like `name`, the closest first. */
const similar = (name: string, names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const wanted = name.toLowerCase()
  const stem = wanted.replace(/\.[^.]*$/, "")
  return names
    .map((candidate) => ({ candidate, away: distance(wanted, candidate.toLowerCase()) }))
    .filter(({ away, candidate }) =>
      away <= Math.max(2, Math.floor(wanted.length / 3)) ||
      (stem.length >= 3 && candidate.toLowerCase().includes(stem))
    )
    .sort((a, b) => a.away - b.away || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, maxNames)
    .map(({ candidate }) => candidate)
}

export const make = Effect.fnUntraced(
  function*(cwd: string): Effect.fn.Return<Workspace, never, FileSystem.FileSystem | Path.Path> {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path

    const show = (absolute: string) => {
      const relative = path.relative(cwd, absolute)
      if (relative === "") return "."
      return relative === ".." || relative.startsWith(`..${path.sep}`) ? absolute : relative
    }

    const check = fs.stat(cwd).pipe(
      Effect.filterOrFail(
        (info) => info.type === "Directory",
        () => new ToolError({ message: `The working directory ${cwd} is not a directory.` })
      ),
      Effect.mapError((error) =>
        error._tag === "ToolError" ? error : fromPlatform(`use the working directory ${cwd}`)(error)
      ),
      Effect.asVoid
    )

    const resolve = (given: string) =>
      given === "" || given.includes("\0")
        ? Effect.fail(new ToolError({ message: "path must be a file name, not empty and without NUL characters." }))
        : Effect.succeed(path.resolve(cwd, given))

    const missing = Effect.fnUntraced(function*(absolute: string) {
      const directory = path.dirname(absolute)
      const names = yield* Effect.option(fs.readDirectory(directory))
      if (names._tag === "None") {
        return new ToolError({
          message: `${show(absolute)} does not exist, nor does its directory. Use glob to find it.`
        })
      }
      const near = similar(path.basename(absolute), names.value).map((name) => show(path.join(directory, name)))
      return new ToolError({
        message: `${show(absolute)} does not exist. ` +
          (near.length === 0 ? "Use glob to find it." : `Similar names there: ${near.join(", ")}.`)
      })
    })

    const stat = (absolute: string) =>
      Effect.catchAll(fs.stat(absolute), (error) =>
        Effect.zipRight(
          check,
          error._tag === "SystemError" && error.reason === "NotFound"
            ? Effect.flatMap(missing(absolute), Effect.fail)
            : Effect.fail(fromPlatform(`read ${show(absolute)}`)(error))
        ))

    return { check, cwd, fs, path, resolve, show, stat }
  }
)
