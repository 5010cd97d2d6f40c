/** What the environment says of a provider: keys, and where they belong. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Environment from "./Environment.js"
import { UsageError } from "./UsageError.js"

/** That one of these variables is set speaks for a provider. */
export const sign = (variables: ReadonlyArray<string>) =>
  Effect.map(Environment.first(variables), Option.map(({ name }) => `${name} is set`))

/** A key that was found in some place. */
export const check = (text: string, place: string): Effect.Effect<Redacted.Redacted, UsageError> =>
  /^[!-~]+$/.test(text.trim()) ? Effect.succeed(Redacted.make(text.trim())) : new UsageError({
    message: `The key in ${place} holds a space, a line break or another character that no key has. Set it anew.`
  })

/** The key; none when none of the variables is set. One that the user has named must be. */
export const read = Effect.fnUntraced(function*(variables: ReadonlyArray<string>, named?: string) {
  const found = yield* Environment.first(named === undefined ? variables : [named])
  if (Option.isNone(found) && named !== undefined) {
    return yield* new UsageError({ message: `The environment variable ${named} is not set, or empty.` })
  }
  return yield* Effect.transposeMapOption(found, ({ name, text }) => check(text, name))
})
