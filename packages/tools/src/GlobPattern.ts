/** Matches paths against a glob pattern. The library is loaded on first use. */
import * as Effect from "effect/Effect"
import { ToolError } from "./ToolError.js"
import type { Workspace } from "./Workspace.js"

/**
 * Whether a file below `directory` matches. The pattern is relative to that directory, to the working directory, or
 * absolute; without a slash it matches names at any depth; with a `!` before it, all that do not match.
 */
export const matcher = (
  { cwd, path }: Workspace,
  pattern: string,
  directory: string
): Effect.Effect<(absolute: string) => boolean, ToolError> => {
  const negated = pattern.startsWith("!")
  const glob = (negated ? pattern.slice(1) : pattern).replace(/^(\.\/)+/, "")
  return Effect.tryPromise({
    catch: (error) => new ToolError({ message: `Invalid glob pattern ${pattern}: ${String(error)}.` }),
    try: () => import("picomatch")
  }).pipe(
    Effect.flatMap(({ default: picomatch }) =>
      Effect.try({
        catch: (error) =>
          new ToolError({
            message: `Invalid glob pattern: ${error instanceof Error ? error.message : String(error)}.`
          }),
        try: () => picomatch(glob, { basename: !glob.includes("/"), dot: true })
      })
    ),
    Effect.map((matches) => (absolute) =>
      negated !==
        [path.relative(directory, absolute), path.relative(cwd, absolute), absolute].some((file) => matches(file))
    )
  )
}
