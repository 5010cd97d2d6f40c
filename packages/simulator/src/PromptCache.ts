/** Which prefix of a request an earlier request has already brought to the provider. Nothing that is cached expires. */
import type { Piece, Wire } from "./Wire.js"

/** Pieces that earlier requests began with, as a tree. */
export interface PromptCache {
  readonly following: Map<string, PromptCache>
  /** A request was cached up to here at its own wish. */
  written: boolean
}

export const make = (): PromptCache => ({ following: new Map(), written: false })

/** In tokens. */
export interface Cached {
  readonly read: number
  readonly write: number
}

const smallest = 1_024
const step = 128

/** The node after this one, made when there is none. */
const next = (cache: PromptCache, key: string): PromptCache => {
  const known = cache.following.get(key)
  if (known !== undefined) return known
  const added = make()
  cache.following.set(key, added)
  return added
}

const keyOf = (piece: Piece) => `${piece.kind}\n${piece.key ?? piece.text}`

const commonLength = (a: string, b: string): number => {
  const end = Math.min(a.length, b.length)
  let length = 0
  while (length < end && a.charCodeAt(length) === b.charCodeAt(length)) length += 1
  return length
}

/** The longest prefix shared with an earlier request, in steps of 128 from 1,024; it is remembered unasked. */
const automatic = (cache: PromptCache, pieces: ReadonlyArray<Piece>, weights: ReadonlyArray<number>): Cached => {
  let node = cache
  let shared = 0
  let known = true
  for (const [index, piece] of pieces.entries()) {
    const tokens = weights[index] ?? 0
    const key = keyOf(piece)
    if (known && node.following.has(key)) {
      shared += tokens
    } else if (known) {
      known = false
      const longest = Math.max(0, ...[...node.following.keys()].map((other) => commonLength(key, other)))
      shared += Math.floor((tokens * longest) / key.length)
    }
    node = next(node, key)
  }
  const whole = Math.floor(shared / step) * step
  return { read: whole < smallest ? 0 : whole, write: 0 }
}

/** How many pieces before a mark, and with it, may be the end of what is read. */
const lookback = 20

/**
 * The longest prefix, from 1,024 tokens, that an earlier request marked and that ends at a mark of this one or up to
 * 20 pieces before; what lies between it and the last mark is written.
 */
const marked = (cache: PromptCache, pieces: ReadonlyArray<Piece>, weights: ReadonlyArray<number>): Cached => {
  const last = pieces.findLastIndex((piece) => piece.marked)
  const path: Array<{ readonly node: PromptCache; readonly tokens: number; readonly marked: boolean }> = []
  let node = cache
  let tokens = 0
  for (const [index, piece] of pieces.slice(0, last + 1).entries()) {
    node = next(node, keyOf(piece))
    tokens += weights[index] ?? 0
    path.push({ marked: piece.marked === true, node, tokens })
  }
  const read = path.reduce((longest, place, index) => {
    if (!place.marked) return longest
    const found = path.slice(Math.max(0, index + 1 - lookback), index + 1).findLast((earlier) => earlier.node.written)
    return Math.max(longest, found?.tokens ?? 0)
  }, 0)
  for (const place of path) if (place.marked && place.tokens >= smallest) place.node.written = true
  return { read, write: tokens < smallest ? 0 : tokens - read }
}

/** What a request reads and writes; `weights` are the tokens of each piece, `scope` names what shares a cache. */
export const use = (
  cache: PromptCache,
  caching: Wire["caching"],
  scope: string,
  pieces: ReadonlyArray<Piece>,
  weights: ReadonlyArray<number>
): Cached => (caching === "automatic" ? automatic : marked)(next(cache, scope), pieces, weights)
