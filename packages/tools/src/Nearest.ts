/** Finds where in a file a text that does not occur in it was probably meant to be. */
import { distance } from "fastest-levenshtein"

export interface Nearest {
  /** The first of its lines, counted from 1. */
  readonly line: number
  readonly lines: ReadonlyArray<string>
  /** Whether it is the wanted text but for white space. */
  readonly onlySpace: boolean
}

/** Comparisons of lines; the search is left out where it would take longer than it is worth. */
const maxComparisons = 5_000_000
const maxDistances = 20_000
const longestCompared = 200

const squeezed = (line: string) => line.trim().replace(/\s+/g, " ")

const withoutBlankEnds = (lines: ReadonlyArray<string>) => {
  const first = lines.findIndex((line) => line !== "")
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex((line) => line !== "") + 1)
}

/** The line most like `wanted`, when one is at least half like it. */
const mostAlike = (wanted: string, lines: ReadonlyArray<string>): number | undefined => {
  const short = wanted.slice(0, longestCompared)
  let best = Math.floor(short.length / 2) + 1
  let found: number | undefined
  for (const [index, line] of lines.slice(0, maxDistances).entries()) {
    if (Math.abs(line.length - wanted.length) >= best) continue
    const away = distance(short, line.slice(0, longestCompared))
    if (away < best) [best, found] = [away, index]
  }
  return found
}

export const find = (text: string, wanted: string): Nearest | undefined => {
  const lines = text.split(/\r?\n/)
  const plain = lines.map(squeezed)
  const target = withoutBlankEnds(wanted.split(/\r?\n/).map(squeezed))
  if (target.length === 0 || lines.length * target.length > maxComparisons) return undefined

  const at = (index: number, onlySpace: boolean): Nearest => ({
    line: index + 1,
    lines: lines.slice(index, index + target.length),
    onlySpace
  })

  let best = 0
  let found = 0
  for (let index = 0; index < plain.length; index++) {
    const equal = target.filter((line, offset) => line !== "" && plain[index + offset] === line).length
    if (equal > best) [best, found] = [equal, index]
  }
  if (best > 0) return at(found, target.every((line, offset) => plain[found + offset] === line))

  const longest = target.reduce((a, b) => b.length > a.length ? b : a)
  const alike = mostAlike(longest, plain)
  return alike === undefined ? undefined : at(Math.max(0, alike - target.indexOf(longest)), false)
}
