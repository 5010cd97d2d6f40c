/** What conversation and request parts add to a request's body, in bytes, generously. Images count most. */
import type { Entry, Image } from "@weir/model/Conversation"
import type { Prompt } from "@weir/model/Prompt"
import { oncePer } from "./OncePer.js"

const encoder = new TextEncoder()

/** Field names and punctuation around a part. */
const frame = 100

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((total, one) => total + one, 0)

/** As a JSON string. */
const text = (self: string): number => encoder.encode(JSON.stringify(self)).length

/** Base64 is sent as it is. */
const images = (self: ReadonlyArray<Image>): number => sum(self.map(({ data }) => data.length + frame))

/** What an entry adds to a request beside its images. */
export const textOf = oncePer((self: Entry): number => {
  if (self._tag === "UserMessage") return frame + text(self.text)
  return frame + sum(self.parts.map((part) => {
    if (part._tag !== "Exchange") return frame + text(part.text)
    const { call, result } = part
    return 2 * frame + text(call.name) + text(call.arguments) + text(result.text)
  }))
})

/** Everything that an entry adds to a request. */
export const entry = (self: Entry): number => textOf(self) + imagesOf(self)

const imagesOf = (self: Entry): number =>
  self._tag === "UserMessage"
    ? images(self.images)
    : sum(self.parts.map((part) => part._tag === "Exchange" ? images(part.result.images) : 0))

/** System prompt and tool schemas. */
export const fixed = ({ system, tools }: Pick<Prompt, "system" | "tools">): number =>
  frame + text(system) +
  sum(tools.map((tool) =>
    frame + text(tool.name) + text(tool.description) + encoder.encode(JSON.stringify(tool.parameters)).length
  ))

/** The whole body. */
export const prompt = (self: Prompt): number => fixed(self) + sum(self.entries.map(entry))
