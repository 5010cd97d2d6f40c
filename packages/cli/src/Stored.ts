/** The stored sessions of this user. */
import * as Path from "@effect/platform/Path"
import * as SessionFiles from "@weir/session/SessionFiles"
import { TranscriptError } from "@weir/session/TranscriptError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Home from "./Home.js"
import * as Secrets from "./Secrets.js"
import { UsageError } from "./UsageError.js"

/** No key that is configured is recorded in them. */
export const layer = Layer.unwrapEffect(Effect.gen(function*() {
  const path = yield* Path.Path
  const { data } = yield* Home.locate
  return SessionFiles.layer(path.join(data, "sessions"), yield* Secrets.redaction)
}))

/** A session that cannot be found or used is wrong usage; anything else is a failure. */
export const asUsage = <A, E, R>(self: Effect.Effect<A, E | TranscriptError, R>) =>
  Effect.mapError(
    self,
    (error) =>
      Schema.is(TranscriptError)(error) && ["ambiguous", "locked", "notFound"].includes(error.reason)
        ? new UsageError({ message: error.message })
        : error
  )
