/** The `weir` command: its tree, and how an argument vector becomes an exit code. */
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"

const root = Command.make("weir").pipe(
  Command.withDescription("A coding agent that keeps its context below the model's window.")
)

/** Runs one command line, without runtime and script; succeeds with the exit code. */
export const run = (args: ReadonlyArray<string>, version: string) =>
  Command.run(root, { name: "weir", version })(["node", "weir", ...args]).pipe(Effect.as(0))
