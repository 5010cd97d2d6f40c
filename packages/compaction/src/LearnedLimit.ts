/**
 * The window, and the largest request body, that a provider reveals: by the number in a refusal, by refusing at all, or
 * by accepting more than was thought possible.
 */
import type { Limits } from "@weir/model/Model"
import type { ContextWindowExceeded, OutputLimitExceeded } from "@weir/model/ModelError"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

export const LearnedLimit = Schema.Struct({
  /** In tokens. */
  window: Schema.optionalWith(Schema.Int.pipe(Schema.positive()), { exact: true }),
  /** No number was named: the window is a fraction of what was refused. A guess never ends a turn. */
  guessed: Schema.Boolean,
  /** The largest request body, in bytes, and whether it is such a guess. */
  bytes: Schema.optionalWith(
    Schema.Struct({ limit: Schema.Int.pipe(Schema.positive()), guessed: Schema.Boolean }),
    { exact: true }
  ),
  /** The largest output that may be asked for, in tokens. */
  output: Schema.optionalWith(Schema.Int.pipe(Schema.positive()), { exact: true })
})
export type LearnedLimit = typeof LearnedLimit.Type

const nothing: LearnedLimit = { guessed: false }

/** Smaller numbers in error texts are codes, not windows. */
const leastWindow = 1_000

/** No request that makes sense is smaller, in bytes. */
const leastBytes = 10_000

/** A request as it was sent, and what was believed of its limits. Tokens, and bytes of its body. */
export interface Asked {
  readonly window: number
  readonly estimate: number
  readonly maxBytes: number
  readonly bytes: number
}

/** The limit that a refusal shows: the number it names, or a fraction of what was refused. */
const shown = (named: number | undefined, refused: number) =>
  named === undefined
    ? { limit: Math.floor(3 * refused / 4), guessed: true }
    : { limit: Math.floor(named), guessed: false }

/** What a refused request says, added to what is known. None when that is nothing new. */
export const fromRefusal = (
  known: Option.Option<LearnedLimit>,
  refusal: ContextWindowExceeded,
  asked: Asked
): Option.Option<LearnedLimit> => {
  const before = Option.getOrElse(known, () => nothing)
  if (refusal.kind === "bytes") {
    const bytes = shown(refusal.limit, asked.bytes)
    return bytes.limit >= leastBytes && bytes.limit < asked.maxBytes ? Option.some({ ...before, bytes }) : Option.none()
  }
  const { guessed, limit: window } = shown(refusal.limit, asked.estimate)
  return window >= leastWindow && window < asked.window
    ? Option.some({ ...before, window, guessed })
    : Option.none()
}

/** The largest output that a refusal names, added to what is known. None when it is not less than what was asked for. */
export const fromOutputRefusal = (
  known: Option.Option<LearnedLimit>,
  { limit }: OutputLimitExceeded,
  asked: number
): Option.Option<LearnedLimit> =>
  limit !== undefined && limit >= 1 && limit < asked
    ? Option.some({ ...Option.getOrElse(known, () => nothing), output: Math.floor(limit) })
    : Option.none()

/** What an accepted request says of learned limits: `used` tokens, input and output, and a body of `bytes`. */
export const fromAccepted = (
  learned: LearnedLimit,
  { bytes, used }: { readonly used: number; readonly bytes: number }
): Option.Option<LearnedLimit> => {
  const raisesWindow = learned.window !== undefined && used > learned.window
  const raisesBytes = learned.bytes !== undefined && bytes > learned.bytes.limit
  return raisesWindow || raisesBytes
    ? Option.some({
      ...learned,
      ...(raisesWindow && { window: used }),
      ...(raisesBytes && learned.bytes && { bytes: { ...learned.bytes, limit: bytes } })
    })
    : Option.none()
}

const withWindow = (given: Limits, { guessed, window }: LearnedLimit): Limits => {
  if (window === undefined) return given
  const isKnown = given.source !== "assumed"
  return {
    ...given,
    window: isKnown || guessed ? Math.min(given.window, window) : window,
    source: guessed ? "assumed" : isKnown && given.window <= window ? given.source : "learned"
  }
}

const withBytes = (given: Limits, { bytes }: LearnedLimit): Limits =>
  bytes === undefined || (given.maxBytes !== undefined && given.maxBytes.limit <= bytes.limit)
    ? given
    : { ...given, maxBytes: bytes }

const withOutput = (given: Limits, { output }: LearnedLimit): Limits =>
  output === undefined ? given : { ...given, maxOutput: Math.min(given.maxOutput ?? Infinity, output) }

/** The limits to work with. What is learned narrows a known window, and replaces one that was only assumed. */
export const apply = (given: Limits, learned: Option.Option<LearnedLimit>): Limits =>
  Option.match(learned, {
    onNone: () => given,
    onSome: (limit) => withOutput(withBytes(withWindow(given, limit), limit), limit)
  })
