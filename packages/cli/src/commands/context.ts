/** `weir context` and `weir compact`: what fills a stored session's window, and compacting it by hand. */
import * as Args from "@effect/cli/Args"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Argv from "../Argv.js"
import * as Entry from "../Entry.js"
import { flagsOf, sessionOptions } from "./sessionOptions.js"

const id = Args.text({ name: "id" }).pipe(
  Args.withDescription("A session; the beginning of its id is enough."),
  Args.map(Argv.unmark)
)

const compactOptions = {
  ...sessionOptions,
  focus: Options.text("focus").pipe(
    Options.withPseudoName("TEXT"),
    Options.withDescription("What the summary should keep in mind."),
    Options.withDefault("")
  ),
  dryRun: Options.boolean("dry-run").pipe(
    Options.withDescription("Only say what would go and what would stay; nothing is asked of the model.")
  )
}

const load = Effect.promise(() => import("../StoredContext.js"))

export const context = Entry.make("context", {
  args: Args.all({ id }),
  description: "Show what fills a stored session's window.",
  handler: (given) =>
    Effect.gen(function*() {
      const { showContext } = yield* load
      yield* showContext({ cwd: given.cwd, flags: yield* flagsOf(given), id: given.id })
      return 0
    }),
  options: Options.all(sessionOptions),
  record: sessionOptions
})

export const compact = Entry.make("compact", {
  args: Args.all({ id }),
  description: "Compact a stored session now.",
  handler: (given) =>
    Effect.gen(function*() {
      const { compactStored } = yield* load
      const { cwd, dryRun, focus, id } = given
      return yield* compactStored({ cwd, dryRun, flags: yield* flagsOf(given), focus, id })
    }),
  options: Options.all(compactOptions),
  record: compactOptions
})
