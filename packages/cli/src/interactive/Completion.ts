/** What the editor completes: commands after a slash, files of the project after an `@`. */
import * as Ripgrep from "@weir/tools/Ripgrep"
import * as Workspace from "@weir/tools/Workspace"
import type { Completion } from "@weir/tui/Editor"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Help from "./Help.js"

const most = 20

/** Files of a project beyond which no more are looked at. */
const mostFiles = 50_000

const commands = (word: string): ReadonlyArray<Completion> =>
  Help.commands.filter(({ name }) => name.startsWith(word.slice(1))).map(({ detail, name }) => ({
    detail,
    label: `/${name}`,
    value: `/${name}`
  }))

/** Lower is better; undefined: no match. The letters must come in order; those of the name itself count most. */
export const score = (file: string, wanted: string): number | undefined => {
  const path = file.toLowerCase()
  const name = path.slice(path.lastIndexOf("/") + 1)
  const text = wanted.toLowerCase()
  if (name.startsWith(text)) return file.length
  if (name.includes(text)) return 1_000 + file.length
  if (path.includes(text)) return 2_000 + file.length
  let at = 0
  for (const letter of text) {
    at = path.indexOf(letter, at) + 1
    if (at === 0) return undefined
  }
  return 4_000 + file.length
}

export const best = (files: ReadonlyArray<string>, wanted: string): ReadonlyArray<string> =>
  files
    .flatMap((file) => {
      const found = score(file, wanted)
      return found === undefined ? [] : [{ file, found }]
    })
    .sort((a, b) => a.found - b.found)
    .slice(0, most)
    .map(({ file }) => file)

/** How a message mentions a file; none when it cannot: its name holds spaces and quotes. */
const mention = (file: string): string | undefined =>
  !/\s/.test(file) ? `@${file}` : /["\n]/.test(file) ? undefined : `@"${file}"`

/** Files that git would not ignore, read again when they are older than ten seconds. */
export const make = Effect.fnUntraced(function*(cwd: string) {
  const workspace = yield* Workspace.make(cwd)
  const ripgrep = yield* Ripgrep.make(workspace)
  const files = yield* ripgrep.run(["--files"], cwd).pipe(
    Effect.flatMap(({ lines }) => Stream.runCollect(Stream.take(lines, mostFiles))),
    Effect.map((found): ReadonlyArray<string> => [...found].map((file) => file.replace(/^\.\//, ""))),
    Effect.scoped,
    Effect.orElseSucceed((): ReadonlyArray<string> => []),
    Effect.cachedWithTTL("10 seconds")
  )
  return (word: string): Effect.Effect<ReadonlyArray<Completion>> =>
    word.startsWith("/") ?
      Effect.succeed(commands(word)) :
      Effect.map(
        files,
        (all) =>
          best(all, word.replace(/^@"?/, "")).flatMap((file) => {
            const value = mention(file)
            return value === undefined ? [] : [{ detail: "", label: file, value }]
          })
      )
})
