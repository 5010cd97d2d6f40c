/** `weir resume [ID]`: the interactive session goes on. */
import * as Args from "@effect/cli/Args"
import * as Options from "@effect/cli/Options"
import * as Option from "effect/Option"
import * as Argv from "../Argv.js"
import * as Entry from "../Entry.js"
import { sit, sittingOptions } from "./sittingOptions.js"

const id = Args.text({ name: "id" }).pipe(
  Args.withDescription("A session; the beginning of its id is enough."),
  Args.map(Argv.unmark),
  Args.optional
)

export const entry = Entry.make("resume", {
  args: Args.all({ id }),
  description: "Go on with the newest session of this directory, or with any other.",
  handler: (given) => sit(given, { message: "", resume: Option.isSome(given.id) ? given.id : "latest" }),
  options: Options.all(sittingOptions),
  record: sittingOptions
})
