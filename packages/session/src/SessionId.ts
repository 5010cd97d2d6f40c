/** Names of sessions. They sort by their time: `20261130T011502-4k9z2m`. */
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import { TranscriptError } from "./TranscriptError.js"

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

export const make = Effect.gen(function*() {
  const now = DateTime.formatIso(yield* DateTime.now)
  const time = now.slice(0, 19).replaceAll(/[-:]/g, "")
  const letters = yield* Effect.replicateEffect(Random.nextIntBetween(0, alphabet.length), 6)
  return `${time}-${letters.map((at) => alphabet[at]).join("")}`
})

/** The id that is, or that alone begins with, `prefix`. */
export const resolve = (ids: ReadonlyArray<string>, prefix: string): Effect.Effect<string, TranscriptError> => {
  const matches = ids.includes(prefix) ? [prefix] : ids.filter((id) => id.startsWith(prefix))
  const [id, ...others] = matches
  if (id === undefined) return new TranscriptError({ reason: "notFound", subject: prefix, detail: "" })
  if (others.length > 0) {
    return new TranscriptError({ reason: "ambiguous", subject: prefix, detail: matches.slice(0, 5).join(", ") })
  }
  return Effect.succeed(id)
}
