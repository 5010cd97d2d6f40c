/** The coding tools of one working directory. */
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import type { Tool } from "@weir/model/Tool"
import * as Effect from "effect/Effect"
import * as Bash from "./Bash.js"
import * as EditFile from "./EditFile.js"
import * as Glob from "./Glob.js"
import * as Grep from "./Grep.js"
import * as ReadFile from "./ReadFile.js"
import * as Ripgrep from "./Ripgrep.js"
import * as Workspace from "./Workspace.js"
import * as WriteFile from "./WriteFile.js"

/** `cwd` is absolute. Its absence is told by the results of the tools that need it. */
export const make = Effect.fnUntraced(function*(options: {
  readonly cwd: string
  /** The files, by absolute path, that a search must not show; none when left out. */
  readonly hides?: (absolute: string) => boolean
}): Effect.fn.Return<
  ReadonlyArray<Tool>,
  never,
  FileSystem.FileSystem | Path.Path | CommandExecutor.CommandExecutor
> {
  const workspace = yield* Workspace.make(options.cwd)
  const ripgrep = yield* Ripgrep.make(workspace)
  return [
    ReadFile.make(workspace),
    WriteFile.make(workspace),
    EditFile.make(workspace),
    yield* Bash.make(workspace),
    Grep.make(workspace, ripgrep, options.hides ?? (() => false)),
    Glob.make(workspace, ripgrep)
  ]
})
