/** `weir run`: one turn without a screen. This file says what can be asked; `RunTurn.ts` does it. */
import * as Args from "@effect/cli/Args"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Argv from "../Argv.js"
import * as Entry from "../Entry.js"
import { checked } from "../SettingOption.js"
import { UsageError } from "../UsageError.js"
import { flagsOf, sessionOptions } from "./sessionOptions.js"

const options = {
  ...sessionOptions,
  session: Options.text("session").pipe(
    Options.withPseudoName("ID"),
    checked(Schema.NonEmptyString),
    Options.withDescription("Go on with a session; the beginning of its id is enough."),
    Options.optional
  ),
  continue: Options.boolean("continue").pipe(
    Options.withDescription("Go on with the newest session of this directory.")
  ),
  outputFormat: Options.choice("output-format", ["text", "json", "stream-json"]).pipe(
    Options.withDescription("What standard output holds: the answer, one object at the end, or an event a line."),
    Options.withDefault("text")
  ),
  noSession: Options.boolean("no-session").pipe(
    Options.withDescription("Store nothing.")
  ),
  verbose: Options.boolean("verbose").pipe(
    Options.withDescription("Show tools, retries and compactions on standard error.")
  )
}

const prompt = Args.text({ name: "prompt" }).pipe(
  Args.withDescription("Joined by spaces; @path attaches a file. Standard input is added to it."),
  Args.repeated,
  Args.map((words) => words.map(Argv.unmark))
)

/** Which session goes on; no two of these options make sense together. */
const resume = (
  given: { readonly continue: boolean; readonly noSession: boolean; readonly session: Option.Option<string> }
) => {
  const chosen = [
    ...(Option.isSome(given.session) ? ["--session"] : []),
    ...(given.continue ? ["--continue"] : []),
    ...(given.noSession ? ["--no-session"] : [])
  ]
  if (chosen.length > 1) return new UsageError({ message: `Give only one of ${chosen.join(" and ")}.` })
  return Effect.succeed(given.continue ? "latest" as const : given.session)
}

/** Loads the agent on first use, so that help and completions do not wait for it. */
export const entry = Entry.make("run", {
  args: Args.all({ prompt }),
  description: "Give one task or ask one question, without a screen.",
  handler: (given) =>
    Effect.gen(function*() {
      const { runTurn } = yield* Effect.promise(() => import("../RunTurn.js"))
      return yield* runTurn({
        cwd: given.cwd,
        flags: yield* flagsOf(given),
        format: given.outputFormat,
        resume: yield* resume(given),
        store: !given.noSession,
        verbose: given.verbose,
        words: given.prompt
      })
    }),
  options: Options.all(options),
  record: options
})
