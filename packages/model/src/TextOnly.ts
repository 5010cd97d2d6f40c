/** Conversations for a model that reads no images: a note stands for each. */
import type { Entry, Image, UserMessage } from "./Conversation.js"

/** What stands for an image of which nothing is to be said. */
export const omitted = "(An image was left out: this model reads no images.)"

const note = ({ mediaType }: Image): string =>
  `(An image of the type ${mediaType} was left out: this model reads no images.)`

const without = <A extends Pick<UserMessage, "images" | "text">>(self: A): A =>
  self.images.length === 0
    ? self
    : { ...self, images: [], text: [self.text, ...self.images.map(note)].filter((text) => text !== "").join("\n\n") }

/** The entry itself when it holds no image. */
export const entry = (self: Entry): Entry =>
  self._tag === "UserMessage" ? without(self) : {
    ...self,
    parts: self.parts.map((part) => part._tag === "Exchange" ? { ...part, result: without(part.result) } : part)
  }
