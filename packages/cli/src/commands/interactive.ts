/** `weir [prompt]`: work together in the terminal. */
import * as Args from "@effect/cli/Args"
import type * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Argv from "../Argv.js"
import { flagsOf, sessionOptions } from "./sessionOptions.js"

const options = {
  ...sessionOptions,
  continue: Options.boolean("continue").pipe(
    Options.withDescription("Go on with the newest session of this directory.")
  )
}

const prompt = Args.text({ name: "prompt" }).pipe(
  Args.withDescription("The first message, joined by spaces; @path attaches a file."),
  Args.repeated,
  Args.map((words) => words.map(Argv.unmark))
)

export const config = { ...options, prompt }

export const optionTable = Argv.optionTable(Object.values(options))

/** Loads the screen on first use. */
export const handler = (given: Command.Command.ParseConfig<typeof config>) =>
  Effect.gen(function*() {
    const { interactive } = yield* Effect.promise(() => import("../interactive/Interactive.js"))
    return yield* interactive({
      cwd: given.cwd,
      flags: yield* flagsOf(given),
      message: given.prompt.join(" "),
      resume: given.continue ? "latest" : Option.none()
    })
  })
