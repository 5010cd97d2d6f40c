/** Which prefix of a request an earlier request has already brought to the provider. */
import type { Piece } from "./Wire.js"

/** Pieces that earlier requests began with, as a tree. */
export interface PromptCache {
  readonly following: Map<string, PromptCache>
}

export const make = (): PromptCache => ({ following: new Map() })

const smallest = 1_024
const step = 128

const commonLength = (a: string, b: string): number => {
  const end = Math.min(a.length, b.length)
  let length = 0
  while (length < end && a.charCodeAt(length) === b.charCodeAt(length)) length += 1
  return length
}

/**
 * Tokens of the longest prefix shared with an earlier request, in steps of 128 from 1,024; remembers this one.
 * `weights` are the tokens of each piece.
 */
export const read = (cache: PromptCache, pieces: ReadonlyArray<Piece>, weights: ReadonlyArray<number>): number => {
  let node = cache
  let shared = 0
  let known = true
  for (const [index, piece] of pieces.entries()) {
    const tokens = weights[index] ?? 0
    const key = `${piece.kind}\n${piece.text}`
    const next = node.following.get(key)
    if (known && next !== undefined) {
      shared += tokens
    } else if (known) {
      known = false
      const longest = Math.max(0, ...[...node.following.keys()].map((other) => commonLength(key, other)))
      shared += Math.floor((tokens * longest) / key.length)
    }
    const following = next ?? make()
    node.following.set(key, following)
    node = following
  }
  const whole = Math.floor(shared / step) * step
  return whole < smallest ? 0 : whole
}
