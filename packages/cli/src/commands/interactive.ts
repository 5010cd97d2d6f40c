/** `weir [prompt]`: work together in the terminal. */
import * as Args from "@effect/cli/Args"
import type * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Option from "effect/Option"
import * as Argv from "../Argv.js"
import { sit, sittingOptions } from "./sittingOptions.js"

const options = {
  ...sittingOptions,
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

export const handler = (given: Command.Command.ParseConfig<typeof config>) =>
  sit(given, { message: given.prompt.join(" "), resume: given.continue ? "latest" : Option.none() })
