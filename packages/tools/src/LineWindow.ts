/** Takes a range of lines out of text that arrives in pieces, holding no more of it than is shown. */
import * as Cut from "./Cut.js"

export interface Limits {
  /** The first line to show, counted from 1. */
  readonly from: number
  /** How many lines to show at most. */
  readonly lines: number
  /** How many bytes to show at most; at least one line is shown. */
  readonly bytes: number
  /** Longer lines are cut, in UTF-16 units. */
  readonly lineLength: number
}

export interface LineWindow {
  readonly push: (text: string) => void
  /** No more lines will be shown. */
  readonly full: () => boolean
  /** To be called once, after the last piece. */
  readonly finish: () => {
    /** `number<tab>text`, one for each line shown. */
    readonly lines: ReadonlyArray<string>
    /** How many lines there were in all that was pushed. */
    readonly total: number
  }
}

export const make = (limits: Limits): LineWindow => {
  const shown: Array<string> = []
  let bytes = 0
  let full = false
  /** The line being read: its number, its beginning, and its whole length in UTF-16 units. */
  let number = 1
  let current = ""
  let length = 0
  /** Whether anything of it was read yet. */
  let open = false

  const wanted = () => !full && number >= limits.from

  const keep = (part: string) => {
    if (part === "") return
    open = true
    length += part.length
    // One unit more than is shown: it tells whether the cut would fall inside a surrogate pair.
    if (wanted()) current += part.slice(0, Math.max(0, limits.lineLength + 1 - current.length))
  }

  const numbered = () => {
    const whole = length === current.length
    return `${number}\t${
      whole && current.endsWith("\r") ? current.slice(0, -1) : Cut.line(current, limits.lineLength, length)
    }`
  }

  const end = () => {
    if (wanted()) {
      const line = numbered()
      const size = Cut.byteLength(line) + 1
      if (shown.length > 0 && bytes + size > limits.bytes) full = true
      else {
        shown.push(line)
        bytes += size
        full = shown.length >= limits.lines
      }
    }
    number++
    current = ""
    length = 0
    open = false
  }

  return {
    full: () => full,
    push: (text) => {
      let from = 0
      for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", from)) {
        keep(text.slice(from, at))
        end()
        from = at + 1
      }
      keep(text.slice(from))
    },
    finish: () => {
      if (open) end()
      return { lines: shown, total: number - 1 }
    }
  }
}
