/**
 * The simulator's own count of tokens. It cuts text into the words, numbers and marks that a tokenizer would see
 * and charges each whole tokens, so it errs elsewhere than an estimate that sums fractions by character class.
 */
import type { Piece } from "./Wire.js"

export interface TokenCounter {
  /** Tokens of text alone. */
  readonly text: (text: string) => number
  /** Tokens of a message or tool, with what the wire adds to it. */
  readonly piece: (piece: Piece) => number
  /** Tokens that every request costs beside its pieces. */
  readonly perRequest: number
}

export interface CounterOptions {
  /** Multiplies the tokens of text; 1 is near a real tokenizer. */
  readonly scale?: number | undefined
  readonly perMessage?: number | undefined
  readonly perTool?: number | undefined
  readonly perCall?: number | undefined
  readonly perImage?: number | undefined
}

/** A word with the blank or mark before it, capitals, up to three digits, marks, line breaks, blanks, other scripts. */
const unit =
  /[ !-/:-@[-`{-~]?(?:[A-Z]?[a-z]+|[A-Z]+(?![a-z]))|[A-Z]|\d{1,3}| ?[!-/:-@[-`{-~]+\n*|[^\S\n]*\n+|[^\S\n]+| ?[\u0080-\u2dff]+|[^\0-\u2dff]+/g

const blanks = /^\s+$/
const vowel = /[aeiouy]/i

/** Characters to a token, by what a unit is; measured against a real vocabulary on code, logs, prose and data. */
const charactersPerToken = (unitText: string): number => {
  const last = unitText.charCodeAt(unitText.length - 1)
  if (last > 0x2dff) return 4 / 3
  if (last > 0x7f) return 6
  const isWord = (last >= 65 && last <= 90) || (last >= 97 && last <= 122)
  if (!isWord) return blanks.test(unitText) ? 80 : 3
  return vowel.test(unitText) || unitText.length < 4 ? 10 : 3
}

/** A conversation brings the same texts again and again, and often the next one does. */
const counted = new Map<string, number>()
const mostCounted = 1_000

const plain = (text: string): number => {
  const known = counted.get(text)
  if (known !== undefined) return known
  let tokens = 0
  for (const [found] of text.matchAll(unit)) tokens += Math.ceil(found.length / charactersPerToken(found))
  if (counted.size >= mostCounted) counted.clear()
  counted.set(text, tokens)
  return tokens
}

export const make = (options: CounterOptions = {}): TokenCounter => {
  const { perCall = 6, perImage = 1_105, perMessage = 4, perTool = 8, scale = 1 } = options
  const text = (value: string) => Math.ceil(plain(value) * scale)
  const added = { block: 0, message: perMessage, tool: perTool }
  return {
    perRequest: 3,
    piece: ({ calls, images, kind, text: value }) => text(value) + added[kind] + calls * perCall + images * perImage,
    text
  }
}
