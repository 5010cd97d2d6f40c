/** Head and tail of a text too long to keep whole. Sizes in tokens, by scan. */
import * as TokenScan from "./TokenScan.js"

const cuts = {
  head: { take: (text: string, length: number) => text.slice(0, length), half: /[\uD800-\uDBFF]$/ },
  tail: { take: (text: string, length: number) => text.slice(text.length - length), half: /^[\uDC00-\uDFFF]/ }
}

/** The longest part whose scan is within the tokens; it does not cut a character in half. */
export const longest = (text: string, tokens: number, end: "head" | "tail"): string => {
  const { half, take } = cuts[end]
  const isWithin = (length: number) => TokenScan.count(take(text, length)) <= tokens
  let fits = 0
  let over = 4 * Math.max(1, tokens)
  while (over <= text.length && isWithin(over)) {
    fits = over
    over *= 2
  }
  over = Math.min(over, text.length + 1)
  while (over - fits > 1) {
    const middle = Math.floor((fits + over) / 2)
    if (isWithin(middle)) fits = middle
    else over = middle
  }
  return take(text, half.test(take(text, fits)) ? fits - 1 : fits)
}

/** What stands between head and tail. */
export const note = (omitted: number): string => `\n[${omitted} characters left out]\n`

/** What the note takes, generously. */
const noteTokens = 16

/** The text when it is within the tokens; else its head and tail, with a note between them, that are. */
export const within = (text: string, tokens: number): string => {
  if (TokenScan.count(text) <= tokens) return text
  const half = Math.max(0, Math.floor((tokens - noteTokens) / 2))
  const head = longest(text, half, "head")
  const tail = longest(text, half, "tail")
  return `${head}${note(text.length - head.length - tail.length)}${tail}`
}
