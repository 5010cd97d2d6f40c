/** Images of the kinds that every API takes, which is all that most of them take. */
import type { Image } from "@weir/model/Conversation"
import * as Schema from "effect/Schema"
import { wellFormed } from "./WellFormed.js"

export const Picture = Schema.Struct({
  mediaType: Schema.Literal("image/jpeg", "image/png", "image/gif", "image/webp"),
  /** Base64. */
  data: Schema.String
})
export type Picture = typeof Picture.Type

export const isPicture = Schema.is(Picture)

/** What is said in place of an image that cannot be sent. */
export const omitted = (image: Image): string => `(An image of the type ${wellFormed(image.mediaType)} was left out.)`
