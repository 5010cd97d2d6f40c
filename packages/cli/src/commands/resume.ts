/** `weir resume [ID]`: the interactive session goes on. */
import * as Args from "@effect/cli/Args"
import type * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Argv from "../Argv.js"
import { flagsOf, sessionOptions } from "./sessionOptions.js"

const id = Args.text({ name: "id" }).pipe(
  Args.withDescription("A session; the beginning of its id is enough."),
  Args.map(Argv.unmark),
  Args.optional
)

export const config = { ...sessionOptions, id }

export const optionTable = Argv.optionTable(Object.values(sessionOptions))

/** Loads the screen on first use. */
export const handler = (given: Command.Command.ParseConfig<typeof config>) =>
  Effect.gen(function*() {
    const { interactive } = yield* Effect.promise(() => import("../interactive/Interactive.js"))
    return yield* interactive({
      cwd: given.cwd,
      flags: yield* flagsOf(given),
      message: "",
      resume: Option.isSome(given.id) ? given.id : "latest"
    })
  })
