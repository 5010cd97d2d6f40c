/**
 * Makes a copy of a request's entries smaller: images become notes where its bytes are too many, then tool outputs
 * become placeholders, oldest first and the newest step last. The conversation itself is never pruned.
 */
import type { Entry, Exchange, Image } from "@weir/model/Conversation"
import * as ByteSize from "./ByteSize.js"
import { oncePer } from "./OncePer.js"
import * as Weight from "./Weight.js"

export interface Pruned {
  readonly entries: ReadonlyArray<Entry>
  /** What the entries weigh now, in tokens, and their size in bytes. */
  readonly tokens: number
  readonly bytes: number
  /** How many outputs, and how many images beside them, were replaced. */
  readonly outputs: number
  readonly images: number
}

export interface PruneOptions {
  /** Of an entry, in tokens. */
  readonly weigh: (entry: Entry) => number
  /** The most that the entries may weigh, in tokens. */
  readonly target: number
  /** The most that the entries may take, in bytes; no limit when left out. */
  readonly bytes?: number
}

/** Replaces as little as brings the entries to the target; all that can be when even that is not enough. */
export const prune = (entries: ReadonlyArray<Entry>, options: PruneOptions): Pruned => {
  const { bytes = Infinity, target, weigh } = options
  const task = entries.findLastIndex((entry) => entry._tag === "UserMessage")
  const now = { tokens: 0, bytes: 0, outputs: 0, images: 0 }
  for (const entry of entries) {
    now.tokens += weigh(entry)
    now.bytes += ByteSize.entry(entry)
  }

  /** The user's newest message keeps its images: they are part of the task. */
  const withoutImages = (entry: Entry, index: number): Entry => {
    if (now.bytes <= bytes || index === task) return entry
    const images = imagesOf(entry)
    if (images === 0) return entry
    const without = imagesNoted(entry)
    now.images += images
    now.tokens += weigh(without) - weigh(entry)
    now.bytes += ByteSize.entry(without) - ByteSize.entry(entry)
    return without
  }

  const fits = () => now.tokens <= target && now.bytes <= bytes

  const shrink = (exchange: Exchange): Exchange => {
    const [before, after] = [alone(exchange), alone(replaced(exchange))]
    const tokens = weigh(before) - weigh(after)
    if (tokens <= 0) return exchange
    now.tokens -= tokens
    now.bytes -= ByteSize.entry(before) - ByteSize.entry(after)
    now.outputs++
    return replaced(exchange)
  }

  const withoutOutputs = (entry: Entry): Entry => {
    if (entry._tag === "UserMessage" || fits()) return entry
    const others = now.tokens - weigh(entry)
    let step = entry
    for (let next = 0; next < step.parts.length && !fits();) {
      const parts = [...step.parts]
      for (; next < parts.length && !fits(); next++) {
        const part = parts[next]
        if (part?._tag === "Exchange") parts[next] = shrink(part)
      }
      step = { ...step, parts }
      // Rounding makes the sum of what was saved inexact: what seemed enough is weighed, and may not be.
      now.tokens = others + weigh(step)
    }
    return step
  }

  const pruned = entries.map(withoutImages).map(withoutOutputs)
  return { entries: pruned, ...now }
}

/** As are `replaced`, one object each: a conversation that stays too large is pruned before every step. */
const alone = oncePer((exchange: Exchange): Entry => ({ _tag: "Step", parts: [exchange] }))

const imagesOf = (entry: Entry): number =>
  entry._tag === "UserMessage"
    ? entry.images.length
    : entry.parts.reduce((sum, part) => part._tag === "Exchange" ? sum + part.result.images.length : sum, 0)

const noted = <A extends { readonly text: string; readonly images: ReadonlyArray<Image> }>(self: A): A => ({
  ...self,
  text: [self.text, ...self.images.map(({ mediaType }) => `[${mediaType} left out to fit the request's size limit]`)]
    .filter((line) => line !== "").join("\n"),
  images: []
})

const imagesNoted = (entry: Entry): Entry =>
  entry._tag === "UserMessage"
    ? noted(entry)
    : {
      ...entry,
      parts: entry.parts.map((part) =>
        part._tag === "Exchange" && part.result.images.length > 0 ? { ...part, result: noted(part.result) } : part
      )
    }

const replaced = oncePer(({ call, result }: Exchange): Exchange => {
  const where = result.savedTo === undefined
    ? "Run the tool again if it is needed."
    : `The whole output is in ${result.savedTo}.`
  const text = `[Output of about ${Weight.output(result)} tokens left out to fit the context window. ${where}]`
  return { _tag: "Exchange", call, result: { ...result, text, images: [] } }
})
