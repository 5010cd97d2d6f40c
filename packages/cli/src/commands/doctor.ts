/** `weir doctor`: whether all is there that a session needs. This file says what can be asked. */
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Entry from "../Entry.js"
import { flagsOf, sessionOptions } from "./sessionOptions.js"

const options = {
  ...sessionOptions,
  noNetwork: Options.boolean("no-network").pipe(
    Options.withDescription("Do not ask the provider anything.")
  )
}

/** Loads the checks on first use. */
export const entry = Entry.make("doctor", {
  args: Entry.noArgs,
  description: "Check Node, the terminal, settings, keys, sessions, and whether the configured provider answers.",
  handler: (given) =>
    Effect.gen(function*() {
      const { examine } = yield* Effect.promise(() => import("../doctor/Doctor.js"))
      return yield* examine({ cwd: given.cwd, flags: yield* flagsOf(given), mayAsk: !given.noNetwork })
    }),
  options: Options.all(options),
  record: options
})
