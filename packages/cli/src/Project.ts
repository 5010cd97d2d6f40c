/** What belongs to the working directory's project: its directories, its settings file, its instructions. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** From the working directory up to the repository's root; the working directory alone outside a repository. */
export const directories = Effect.fnUntraced(function*(cwd: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const up: Array<string> = []
  for (let at = cwd;; at = path.dirname(at)) {
    up.push(at)
    if (yield* Effect.orElseSucceed(fs.exists(path.join(at, ".git")), () => false)) return up
    if (path.dirname(at) === at) return [cwd]
  }
})

/** The nearest `.weir/config.json`. */
export const settingsFile = Effect.fnUntraced(function*(cwd: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const files = (yield* directories(cwd)).map((directory) => path.join(directory, ".weir", "config.json"))
  return yield* Effect.findFirst(files, (file) => Effect.orElseSucceed(fs.exists(file), () => false))
})

export interface Instructions {
  readonly file: string
  readonly text: string
}

/** The most that is taken of one instruction file, in characters. */
const cap = 32_768

const capped = (text: string) =>
  text.length <= cap ? text : `${text.slice(0, cap)}\n[The file is longer; read it for the rest.]`

/** The instruction files of a project, the repository's root first: AGENTS.md, or CLAUDE.md where none is. */
export const instructions = Effect.fnUntraced(function*(cwd: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const read = (file: string) =>
    fs.readFileString(file).pipe(
      Effect.map((text): Instructions => ({ file, text: capped(text.trim()) })),
      Effect.option,
      Effect.map(Option.filter(({ text }) => text !== ""))
    )
  const found: Array<Instructions> = []
  for (const directory of (yield* directories(cwd)).toReversed()) {
    const agents = yield* read(path.join(directory, "AGENTS.md"))
    const file = Option.isSome(agents) ? agents : yield* read(path.join(directory, "CLAUDE.md"))
    if (Option.isSome(file)) found.push(file.value)
  }
  return found
})
