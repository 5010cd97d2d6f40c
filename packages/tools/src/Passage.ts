/** Finds and replaces passages of a text. A line break of the wanted passage stands for one of either kind. */

export interface Passage {
  /** Offsets into the text, in UTF-16 units; `to` is past the end. */
  readonly from: number
  readonly to: number
  /** The line it begins on, counted from 1. */
  readonly line: number
}

const unified = (text: string) => text.replaceAll("\r\n", "\n")

/** Every place where `wanted`, which is not empty, occurs; none overlaps another. */
export const find = (text: string, wanted: string): ReadonlyArray<Passage> => {
  const plain = unified(text)
  const target = unified(wanted)
  // One position in both texts: the one with and the one without carriage returns.
  let plainAt = 0
  let textAt = 0
  let line = 1

  const advance = (to: number) => {
    for (let end = plain.indexOf("\n", plainAt); end !== -1 && end < to; end = plain.indexOf("\n", plainAt)) {
      textAt += end - plainAt
      textAt += text[textAt] === "\r" ? 2 : 1
      plainAt = end + 1
      line++
    }
    textAt += to - plainAt
    plainAt = to
    return textAt
  }

  const found: Array<Passage> = []
  for (let at = plain.indexOf(target); at !== -1; at = plain.indexOf(target, at + target.length)) {
    const from = advance(at)
    found.push({ from, line, to: advance(at + target.length) })
  }
  return found
}

/** The text with `by` in each place. Its line breaks become those of the place, or else those of most of the text. */
export const replace = (text: string, places: ReadonlyArray<Passage>, by: string): string => {
  const crlf = text.split("\r\n").length * 2 > text.split("\n").length
  const lines = unified(by).split("\n")
  let result = ""
  let copied = 0
  for (const { from, to } of places) {
    const ending = /\r?\n/.exec(text.slice(from, to))?.[0] ?? (crlf ? "\r\n" : "\n")
    result += text.slice(copied, from) + lines.join(ending)
    copied = to
  }
  return result + text.slice(copied)
}
