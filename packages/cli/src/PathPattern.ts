/** Patterns of rules that name paths: `*` stands for anything, and a directory for all that lies below it. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"

const escaped = (text: string): string => text.replaceAll(/[\\^$.|?+()[\]{}]/g, "\\$&")

/** `*` stands for anything, in a path slashes too. */
export const anything = (wanted: string): string => wanted.split("*").map(escaped).join("[^]*")

/** A whole directory before a slash may be none: `**` is at the top as well as below. */
const anywhere = (wanted: string): string =>
  wanted.split(/(?<=^|\/)\*\*\//).map(anything).join("(?:[^]*/)?") + (wanted.endsWith("/") ? "[^]*" : "")

export interface PathPatterns {
  /** Every path that a call's path stands for: itself, and where its links lead. Absolute. */
  readonly names: (given: string) => Effect.Effect<ReadonlyArray<string>>
  /** How a path is written when it lies below the working directory; else absolute. */
  readonly show: (absolute: string) => string
  /** `below`: also what lies below a directory that the pattern names. */
  readonly matches: (wanted: string, absolute: string, below: boolean) => boolean
}

export const make = (options: {
  readonly cwd: string
  /** What `~` stands for. */
  readonly home: string | undefined
  readonly fs: FileSystem.FileSystem
  readonly path: Path.Path
}): PathPatterns => {
  const { cwd, fs, home, path } = options
  const isOutside = (relative: string) => relative === ".." || relative.startsWith(`..${path.sep}`)

  const show = (absolute: string) => {
    const relative = path.relative(cwd, absolute)
    return isOutside(relative) ? absolute : relative || "."
  }

  /** Of what is not there yet, where its directory is. */
  const real = (absolute: string): Effect.Effect<string> =>
    Effect.catchAll(fs.realPath(absolute), () => {
      const parent = path.dirname(absolute)
      return parent === absolute
        ? Effect.succeed(absolute)
        : Effect.map(real(parent), (found) => path.join(found, path.basename(absolute)))
    })

  const names = Effect.fnUntraced(function*(given: string) {
    const absolute = path.resolve(cwd, given)
    const relative = path.relative(yield* real(cwd), yield* real(absolute))
    const led = isOutside(relative) ? yield* real(absolute) : path.resolve(cwd, relative)
    return led === absolute ? [absolute] : [absolute, led]
  })

  const matches = (wanted: string, absolute: string, below: boolean) => {
    const pattern = wanted.startsWith("~/") && home !== undefined ? `${home}/${wanted.slice(2)}` : wanted
    const relative = path.relative(cwd, absolute)
    const isBelow = pattern.startsWith("./")
    if (isBelow && isOutside(relative)) return false
    const text = path.isAbsolute(pattern) ? absolute : pattern.startsWith("../") ? relative : show(absolute)
    return new RegExp(`^${anywhere(isBelow ? pattern.slice(2) : pattern)}${below ? "(?:/[^]*)?" : ""}$`).test(text)
  }

  return { matches, names, show }
}
