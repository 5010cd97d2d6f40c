/** The key of a provider, out of the environment. */
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { Hosted } from "./ProviderTable.js"
import { UsageError } from "./UsageError.js"

const value = (variable: string) => Effect.option(Config.nonEmptyString(variable))

/** The variable that holds the provider's key, when one is set. */
export const variable = ({ keyVariables }: Hosted) =>
  Effect.findFirst(keyVariables, (name) => Effect.map(value(name), Option.isSome))

/** The key; none when no variable is set. A variable that the user has named must be. */
export const read = Effect.fnUntraced(function*(host: Hosted, named: string | undefined) {
  const from = named === undefined ? yield* variable(host) : Option.some(named)
  if (Option.isNone(from)) return Option.none<Redacted.Redacted>()
  const given = yield* value(from.value)
  if (Option.isNone(given)) {
    return yield* new UsageError({ message: `The environment variable ${from.value} is not set, or empty.` })
  }
  const key = given.value.trim()
  if (!/^[!-~]+$/.test(key)) {
    return yield* new UsageError({
      message: `The key in ${from.value} holds a space, a line break or another character that no key has. Set it anew.`
    })
  }
  return Option.some(Redacted.make(key))
})
