/** `weir context` and `weir compact`: what fills a stored session's window, and compacting it by hand. */
import * as Args from "@effect/cli/Args"
import type * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Argv from "../Argv.js"
import { flagsOf, sessionOptions } from "./sessionOptions.js"

const id = Args.text({ name: "id" }).pipe(
  Args.withDescription("A session; the beginning of its id is enough."),
  Args.map(Argv.unmark)
)

export const contextConfig = { ...sessionOptions, id }

export const contextTable = Argv.optionTable(Object.values(sessionOptions))

const compacting = {
  focus: Options.text("focus").pipe(
    Options.withPseudoName("TEXT"),
    Options.withDescription("What the summary should keep in mind."),
    Options.withDefault("")
  ),
  dryRun: Options.boolean("dry-run").pipe(
    Options.withDescription("Only say what would go and what would stay; nothing is asked of the model.")
  )
}

export const compactConfig = { ...sessionOptions, ...compacting, id }

export const compactTable = Argv.optionTable(Object.values({ ...sessionOptions, ...compacting }))

const load = Effect.promise(() => import("../StoredContext.js"))

export const context = (given: Command.Command.ParseConfig<typeof contextConfig>) =>
  Effect.gen(function*() {
    const { showContext } = yield* load
    yield* showContext({ cwd: given.cwd, flags: yield* flagsOf(given), id: given.id })
  })

export const compact = (given: Command.Command.ParseConfig<typeof compactConfig>) =>
  Effect.gen(function*() {
    const { compactStored } = yield* load
    const { cwd, dryRun, focus, id } = given
    return yield* compactStored({ cwd, dryRun, flags: yield* flagsOf(given), focus, id })
  })
