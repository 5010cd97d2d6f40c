/**
 * History as text that cannot be mistaken for instructions: each message, call and result in a frame, which nothing
 * inside can close. Sizes in tokens, by scan.
 */
import type { Entry, Image } from "@weir/model/Conversation"
import * as Cut from "./Cut.js"
import * as Tags from "./Tags.js"
import * as TokenScan from "./TokenScan.js"

interface Frame {
  readonly tag: typeof Tags.history[number]
  /** Escaped. */
  readonly text: string
}

/** What stays together: a message, or a call with its result. */
export interface Piece {
  readonly frames: ReadonlyArray<Frame>
  readonly tokens: number
}

const frame = (tag: Frame["tag"], text: string): Frame => ({
  tag,
  text: Tags.escape(text, [...Tags.replacement, ...Tags.history])
})

const renderFrame = ({ tag, text }: Frame): string => `<${tag}>\n${text}\n</${tag}>`

/** The line break that follows a frame counts with it. */
const weigh = (frame: Frame): number => TokenScan.count(renderFrame(frame)) + 1

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((total, one) => total + one, 0)

const piece = (...frames: ReadonlyArray<Frame>): Piece => ({ frames, tokens: sum(frames.map(weigh)) })

const named = (images: ReadonlyArray<Image>): string => images.map((image) => `\n[image: ${image.mediaType}]`).join("")

/** The pieces of an entry, in order; reasoning is none. */
export const pieces = (entry: Entry): ReadonlyArray<Piece> => {
  if (entry._tag === "UserMessage") return [piece(frame("user_message", entry.text + named(entry.images)))]
  return entry.parts.flatMap((part) => {
    switch (part._tag) {
      case "Text":
        return [piece(frame("assistant_message", part.text))]
      case "Reasoning":
        return []
      case "Exchange": {
        const { call, result } = part
        const outcome = `${result.isError ? "(failed)\n" : ""}${result.text}${named(result.images)}`
        return [piece(frame("tool_call", `${call.name} ${call.arguments}`), frame("tool_result", outcome))]
      }
    }
  })
}

/** The summary that a compaction before this one has made. */
export const previousSummary = (text: string): Piece => piece(frame("previous_summary", text))

/** The summary of pieces that it stands for. */
export const partSummary = (text: string): Piece => piece(frame("part_summary", text))

export const isPartSummary = ({ frames }: Piece): boolean => frames.some(({ tag }) => tag === "part_summary")

export const render = (pieces: ReadonlyArray<Piece>): string =>
  pieces.flatMap(({ frames }) => frames.map(renderFrame)).join("\n")

export const weight = (pieces: ReadonlyArray<Piece>): number => sum(pieces.map(({ tokens }) => tokens))

/** The piece when it is within the tokens; else its longest frames, at most two, keep head and tail. */
export const within = (self: Piece, tokens: number): Piece => {
  if (self.tokens <= tokens) return self
  const share = Math.floor(tokens / self.frames.length)
  return piece(...self.frames.map((frame) => {
    const size = weigh(frame)
    const room = Math.max(share, tokens - (self.tokens - size))
    const tags = weigh({ ...frame, text: "" })
    return size <= room ? frame : { ...frame, text: Cut.within(frame.text, room - tags) }
  }))
}
