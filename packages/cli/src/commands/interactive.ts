/** `weir [prompt]`: work together in the terminal. */
import * as Args from "@effect/cli/Args"
import * as Options from "@effect/cli/Options"
import * as Option from "effect/Option"
import * as Argv from "../Argv.js"
import * as Entry from "../Entry.js"
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

export const entry = Entry.make(Argv.interactive, {
  args: Args.all({ prompt }),
  description: "Work on this directory's project together, in the terminal.",
  handler: (given) =>
    sit(given, { message: given.prompt.join(" "), resume: given.continue ? "latest" : Option.none() }),
  options: Options.all(options),
  record: options
})
