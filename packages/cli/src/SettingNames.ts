/** The names of settings, and what somebody may have meant who wrote another. */
import * as AutoCorrect from "@effect/cli/AutoCorrect"
import * as CliConfig from "@effect/cli/CliConfig"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Settings from "./Settings.js"
import { UsageError } from "./UsageError.js"

/** `WEIR_MAX_STEPS`, `--max-steps` and `max_steps` are `maxSteps`. */
const letters = (text: string) => text.replace(/^WEIR_/i, "").replaceAll(/[^a-z]/gi, "").toLowerCase()

const distance = (some: string, other: string) => AutoCorrect.levensteinDistance(some, other, CliConfig.defaultConfig)

/** Those that are spelt nearly so, else those that have the word in them. */
const near = (given: string): ReadonlyArray<Settings.Name> => {
  const wanted = letters(given)
  if (wanted === "") return []
  const measured = Settings.names.map((name) => ({ far: distance(letters(name), wanted), name }))
  const nearest = Math.min(...measured.map(({ far }) => far))
  return nearest <= 2
    ? measured.filter(({ far }) => far === nearest).map(({ name }) => name)
    : Settings.names.filter((name) => letters(name).includes(wanted) || wanted.includes(letters(name)))
}

/** The one that somebody most likely means. */
export const guess = (given: string): Option.Option<Settings.Name> => Option.fromNullable(near(given)[0])

/** Where keys belong instead. */
export const keysGo = "A key is kept with: weir auth login PROVIDER"

const looksSecret = (given: string) => /key|token$|secret|password|credential|auth/i.test(given)

/** The setting of this name. */
export const find = (given: string): Effect.Effect<Settings.Name, UsageError> =>
  Effect.mapError(
    Effect.fromNullable(Settings.names.find((name) => name === given)),
    () => {
      const guesses = near(given)
      const meant = guesses.length > 0
        ? `Did you mean ${guesses.join(" or ")}?`
        : `Settings are ${Settings.names.join(", ")}.`
      return new UsageError({
        message: `There is no setting "${given}". ${meant}${looksSecret(given) ? ` ${keysGo}` : ""}`
      })
    }
  )
