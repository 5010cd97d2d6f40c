/**
 * A model that reads no images, of which nothing was known: it refuses every request of a conversation that holds one, as
 * a tool may have put there. A note stands for each image then, and the request is sent once more.
 */
import type { ModelError } from "@weir/model/ModelError"
import * as ErrorReading from "@weir/transport/ErrorReading"
import * as Effect from "effect/Effect"
import * as ChatMessages from "./ChatMessages.js"

/** Opens a request; `onThrown` sees what the SDK throws. */
type Open<A, R> = (
  messages: ChatMessages.Messages,
  onThrown: (error: unknown) => void
) => Effect.Effect<A, ModelError, R>

const phrases = new RegExp(
  [
    "image (?:input|content|_url)?s? ?(?:is|are) not (?:supported|enabled)",
    "(?:not support|supports? no|support for) (?:image|vision|multi-?modal)",
    "not (?:a )?(?:multi-?modal|vision) model",
    "at most 0 image",
    "endpoints found that support image",
    "required for image input",
    "unknown variant `image_url`",
    "invalid content type\\W+image_url"
  ].join("|"),
  "i"
)

const isAboutImages = (error: unknown): boolean => phrases.test(ErrorReading.httpBody(error) ?? "")

/** For the requests of one codec: what was refused once is not sent again with the next request. */
export const make = () => {
  let isKnown = false

  return <A, R>(messages: ChatMessages.Messages, open: Open<A, R>): Effect.Effect<A, ModelError, R> =>
    Effect.suspend(() => {
      let isRefused = false
      return open(
        isKnown ? ChatMessages.withoutImages(messages) : messages,
        (error) => isRefused = isAboutImages(error)
      )
        .pipe(
          Effect.catchAll((error) => {
            if (!isRefused || isKnown || !ChatMessages.holdsImages(messages)) return Effect.fail(error)
            isKnown = true
            return open(ChatMessages.withoutImages(messages), () => {})
          })
        )
    })
}
