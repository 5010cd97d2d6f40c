/** The directory to work in, and paths as they are seen from where the command was started. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { UsageError } from "./UsageError.js"

/** The absolute path of a given one. A relative one needs a current directory, which may have been deleted. */
export const absolute = (given: string) =>
  Effect.flatMap(Path.Path, (path) =>
    Effect.try({
      try: () => path.resolve(given),
      catch: () =>
        new UsageError({
          message: "The current directory no longer exists. Change to another, or name one with --cwd (absolute)."
        })
    }))

/** The given directory, or the current one, when it can be read. */
export const choose = Effect.fnUntraced(function*(given: Option.Option<string>) {
  const fs = yield* FileSystem.FileSystem
  const cwd = yield* absolute(Option.getOrElse(given, () => "."))
  const noDirectory = () => new UsageError({ message: `${cwd} is not a directory. Name another with --cwd.` })
  const denied = () =>
    new UsageError({
      message: `${cwd} cannot be read. Check its permissions, or name another directory with --cwd.`
    })
  return yield* fs.stat(cwd).pipe(
    Effect.filterOrFail(({ type }) => type === "Directory", noDirectory),
    Effect.zipRight(fs.access(cwd, { readable: true })),
    Effect.mapError((error) =>
      error._tag === "SystemError" && error.reason === "PermissionDenied" ? denied() : noDirectory()
    ),
    Effect.as(cwd)
  )
})
