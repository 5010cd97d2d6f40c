/** What the commands share that end in an interactive session. */
import type * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import type { Resume } from "../Opening.js"
import { given } from "../SettingOption.js"
import * as Settings from "../Settings.js"
import { flagsOf, sessionOptions } from "./sessionOptions.js"

export const sittingOptions = {
  ...sessionOptions,
  screen: Options.choice("screen", Settings.ScreenKind.literals).pipe(
    Options.withDescription("plain adds lines and draws nothing twice, for screen readers; auto knows by TERM."),
    given((screen) => ({ screen }))
  )
}

/** Loads the screen on first use. Succeeds with the exit code. */
export const sit = (
  options: Command.Command.ParseConfig<typeof sittingOptions>,
  start: { readonly message: string; readonly resume: Resume }
) =>
  Effect.gen(function*() {
    const { interactive } = yield* Effect.promise(() => import("../interactive/Interactive.js"))
    const flags = { ...(yield* flagsOf(options)), ...options.screen }
    return yield* interactive({ cwd: options.cwd, flags, ...start })
  })
