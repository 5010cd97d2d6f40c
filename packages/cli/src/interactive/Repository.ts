/** What the status line says of a directory. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Project from "../Project.js"

/** The git branch, or the beginning of the commit; empty outside a repository. */
export const branch = Effect.fnUntraced(function*(cwd: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const root = (yield* Project.directories(cwd)).at(-1) ?? cwd
  const read = (file: string) => Effect.orElseSucceed(fs.readFileString(file), () => "")
  const git = path.join(root, ".git")
  /** In a worktree it is a file that says where the directory is. */
  const [, elsewhere] = /^gitdir: (.+)/.exec(yield* read(git)) ?? []
  const head = yield* read(path.join(elsewhere === undefined ? git : path.resolve(root, elsewhere), "HEAD"))
  const [, name] = /^ref: refs\/heads\/(.+)/.exec(head) ?? []
  return name ?? head.trim().slice(0, 8)
})

/** The directory as people write it. */
export const shown = (cwd: string) =>
  Effect.map(
    Effect.orElseSucceed(Config.string("HOME"), () => ""),
    (home) => home !== "" && (cwd === home || cwd.startsWith(`${home}/`)) ? `~${cwd.slice(home.length)}` : cwd
  )
