/** `weir resume [ID]`: the interactive session goes on. */
import * as Args from "@effect/cli/Args"
import type * as Command from "@effect/cli/Command"
import * as Option from "effect/Option"
import * as Argv from "../Argv.js"
import { sit, sittingOptions } from "./sittingOptions.js"

const id = Args.text({ name: "id" }).pipe(
  Args.withDescription("A session; the beginning of its id is enough."),
  Args.map(Argv.unmark),
  Args.optional
)

export const config = { ...sittingOptions, id }

export const optionTable = Argv.optionTable(Object.values(sittingOptions))

export const handler = (given: Command.Command.ParseConfig<typeof config>) =>
  sit(given, { message: "", resume: Option.isSome(given.id) ? given.id : "latest" })
