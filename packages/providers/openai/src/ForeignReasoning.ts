/**
 * Reasoning is encrypted for the account that it was made for: a session that goes on with another key or login, or at
 * another address, holds what nobody there can read, and each of its requests would be refused. It is left out then, and
 * the request sent once more.
 */
import type { ModelError } from "@weir/model/ModelError"
import * as ErrorReading from "@weir/transport/ErrorReading"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import type { Items } from "./ResponsesItems.js"
import * as ResponsesItems from "./ResponsesItems.js"

/** Opens a request; `onThrown` sees what the SDK throws. */
type Open<A, R> = (items: Items, onThrown: (error: unknown) => void) => Effect.Effect<A, ModelError, R>

const isForeign = (error: unknown): boolean =>
  ErrorReading.httpBody(error)?.includes("invalid_encrypted_content") ?? false

/** For the requests of one codec: what was refused once is not sent again with the next request. */
export const make = () => {
  /** The items at the beginning of the conversation in which reasoning is known to be foreign. */
  let known = 0

  return <A, R>(items: Items, open: Open<A, R>): Effect.Effect<A, ModelError, R> =>
    Effect.suspend(() => {
      const size = Chunk.size(items.items)
      // A shorter one is another conversation.
      if (size < known) known = 0
      const asked = ResponsesItems.withoutReasoning(items, known)
      let isRefused = false
      return open(asked, (error) => isRefused = isForeign(error)).pipe(
        Effect.catchAll((error) => {
          const rest = ResponsesItems.withoutReasoning(items, size)
          if (!isRefused || Chunk.size(rest.items) === Chunk.size(asked.items)) return Effect.fail(error)
          known = size
          return open(rest, () => {})
        })
      )
    })
}
