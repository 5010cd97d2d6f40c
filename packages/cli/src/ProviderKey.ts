/** What the environment says of a provider: keys, and where they belong. */
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { UsageError } from "./UsageError.js"

interface Found {
  readonly variable: string
  readonly text: string
}

/** The first of these variables that is set. */
export const first = Effect.fnUntraced(function*(variables: ReadonlyArray<string>) {
  for (const variable of variables) {
    const text = yield* Effect.option(Config.nonEmptyString(variable))
    if (Option.isSome(text)) return Option.some<Found>({ text: text.value, variable })
  }
  return Option.none<Found>()
})

/** That one of these variables is set speaks for a provider. */
export const sign = (variables: ReadonlyArray<string>) =>
  Effect.map(first(variables), Option.map(({ variable }) => `${variable} is set`))

/** A key that was found in some place. */
export const check = (text: string, place: string): Effect.Effect<Redacted.Redacted, UsageError> =>
  /^[!-~]+$/.test(text.trim()) ? Effect.succeed(Redacted.make(text.trim())) : new UsageError({
    message: `The key in ${place} holds a space, a line break or another character that no key has. Set it anew.`
  })

/** The key; none when none of the variables is set. One that the user has named must be. */
export const read = Effect.fnUntraced(function*(variables: ReadonlyArray<string>, named?: string) {
  const found = yield* first(named === undefined ? variables : [named])
  if (Option.isNone(found) && named !== undefined) {
    return yield* new UsageError({ message: `The environment variable ${named} is not set, or empty.` })
  }
  return yield* Effect.transposeMapOption(found, ({ text, variable }) => check(text, variable))
})
