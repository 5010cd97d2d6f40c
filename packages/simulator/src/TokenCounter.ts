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

/** A lower-case or capitalized word, a run of capitals, up to three digits, marks, line breaks, blanks, other. */
const unit = / ?[A-Z]?[a-z]+| ?[A-Z]+(?![a-z])|[A-Z]|\d{1,3}| ?[!-/:-@[-`{-~]+|[^\S\n]*\n+|[^\S\n]+|[^\x00-\x7f]+/g

const count = (unitText: string): number => {
  const first = unitText.charCodeAt(0)
  if (first > 0x7f) return Math.ceil(unitText.length * 0.75)
  const body = first === 0x20 ? unitText.slice(1) : unitText
  const code = body.charCodeAt(0)
  const letters = (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
  if (!letters) return body.trim() === "" ? Math.ceil(unitText.length / 80) : Math.ceil(body.length / 3)
  return /[aeiouy]/i.test(body) || body.length < 3 ? Math.ceil(body.length / 8) : Math.ceil(body.length / 2)
}

const plain = (text: string): number => {
  let tokens = 0
  for (const [word] of text.matchAll(unit)) tokens += count(word)
  return tokens
}

export const make = (options: CounterOptions = {}): TokenCounter => {
  const { perCall = 6, perImage = 1_105, perMessage = 4, perTool = 8, scale = 1 } = options
  const text = (value: string) => Math.ceil(plain(value) * scale)
  return {
    perRequest: 3,
    piece: ({ calls, images, kind, text: value }) =>
      text(value) + (kind === "tool" ? perTool : perMessage) + calls * perCall + images * perImage,
    text
  }
}
