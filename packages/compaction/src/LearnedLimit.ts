/**
 * The window that a provider reveals: by the number in a refusal, by refusing at all, or by accepting more than was
 * thought possible.
 */
import type { Limits } from "@weir/model/Model"
import type { ContextWindowExceeded } from "@weir/model/ModelError"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

export const LearnedLimit = Schema.Struct({
  /** In tokens. */
  window: Schema.Int.pipe(Schema.positive()),
  /** No number was named: the window is a fraction of what was refused. A guess never ends a turn. */
  guessed: Schema.Boolean
})
export type LearnedLimit = typeof LearnedLimit.Type

/** Smaller numbers in error texts are codes, not windows. */
const leastWindow = 1_000

/** What a refused request of `estimate` tokens says of a window believed to be `window` tokens. */
export const fromRefusal = (
  refusal: ContextWindowExceeded,
  asked: { readonly window: number; readonly estimate: number }
): Option.Option<LearnedLimit> => {
  if (refusal.kind === "bytes") return Option.none()
  const learned: LearnedLimit = refusal.limit === undefined
    ? { window: Math.floor(3 * asked.estimate / 4), guessed: true }
    : { window: Math.floor(refusal.limit), guessed: false }
  return learned.window >= leastWindow && learned.window < asked.window ? Option.some(learned) : Option.none()
}

/** What an accepted request of `used` tokens, input and output, says of a learned window. */
export const fromAccepted = (learned: LearnedLimit, used: number): Option.Option<LearnedLimit> =>
  used > learned.window ? Option.some({ ...learned, window: used }) : Option.none()

/** The limits to work with. What is learned narrows a known window, and replaces one that was only assumed. */
export const apply = (given: Limits, learned: Option.Option<LearnedLimit>): Limits =>
  Option.match(learned, {
    onNone: () => given,
    onSome: ({ guessed, window }) => {
      const isKnown = given.source !== "assumed"
      return {
        ...given,
        window: isKnown || guessed ? Math.min(given.window, window) : window,
        source: guessed ? "assumed" : isKnown && given.window <= window ? given.source : "learned"
      }
    }
  })
