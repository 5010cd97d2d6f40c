/** How a frame gets onto the terminal: as the control sequences that lead there from what was painted before. */
import * as Columns from "./Columns.js"
import type { Position } from "./Editor.js"
import type { Frame } from "./Frame.js"

/** What stands on the terminal. */
export interface Painted {
  readonly lines: ReadonlyArray<string>
  readonly cursor: Position
  readonly isCursorShown: boolean
  readonly columns: number
  /** The window has changed since. */
  readonly isDisturbed: boolean
}

export const blank = (columns: number): Painted => ({
  columns,
  cursor: { column: 0, row: 0 },
  isCursorShown: true,
  isDisturbed: false,
  lines: []
})

export const disturbed = (painted: Painted): Painted => ({ ...painted, isDisturbed: true })

const begin = "\u001b[?2026h"
const end = "\u001b[?2026l"
const hideCursor = "\u001b[?25l"
const showCursor = "\u001b[?25h"
const eraseBelow = "\u001b[J"
/** There is a row under the cursor. */
const eraseUnder = `\r\n${eraseBelow}\u001b[A`
const eraseLine = "\u001b[2K"

const vertically = (by: number) => by < 0 ? `\u001b[${-by}A` : by > 0 ? `\u001b[${by}B` : ""

const toColumn = (column: number) => `\u001b[${column + 1}G`

/** Rows between the top of what was painted and the cursor, now that the terminal may have folded the lines anew. */
const rowsAbove = ({ columns, cursor, lines }: Painted, now: number): number =>
  columns <= now
    ? cursor.row
    : lines.slice(0, cursor.row).reduce((rows, line) => rows + Math.max(1, Math.ceil(Columns.width(line) / now)), 0)

/** Erases what was painted; the cursor then stands where it began. */
export const clear = (painted: Painted, columns: number): string =>
  `${vertically(-rowsAbove(painted, columns))}\r${eraseBelow}`

const whole = (painted: Painted, lines: ReadonlyArray<string>, columns: number) => {
  const text = lines.map((line) => eraseLine + line).join("\r\n")
  return painted.columns === columns && !painted.isDisturbed
    ? `${vertically(-painted.cursor.row)}\r${text}${lines.length < painted.lines.length ? eraseUnder : ""}`
    : clear(painted, columns) + text
}

/** The lines that differ. `row` is where the cursor ends. */
const differing = ({ cursor, lines: old }: Painted, lines: ReadonlyArray<string>) => {
  let text = ""
  let row = cursor.row
  let bottom = Math.max(old.length - 1, 0)
  const goTo = (to: number) => {
    text += to <= bottom ? `${vertically(to - row)}\r` : `${vertically(bottom - row)}\r${"\n".repeat(to - bottom)}`
    row = to
    bottom = Math.max(bottom, to)
  }
  lines.forEach((line, at) => {
    if (line === old[at]) return
    goTo(at)
    text += eraseLine + line
  })
  if (lines.length < old.length) {
    goTo(lines.length)
    text += eraseBelow
  }
  return { row, text }
}

/** The text to write, empty when all is as it should be; `scrollback`: finished lines, which go above the frame. */
export const paint = (
  painted: Painted,
  frame: Omit<Frame, "overlay">,
  scrollback: ReadonlyArray<string>,
  columns: number
): { readonly text: string; readonly painted: Painted } => {
  const isCursorShown = frame.cursor !== undefined
  const bottom = Math.max(frame.lines.length - 1, 0)
  const cursor = frame.cursor ?? { column: 0, row: bottom }
  const isAnew = scrollback.length > 0 || painted.columns !== columns || painted.isDisturbed
  const drawn = isAnew
    ? { row: bottom, text: whole(painted, [...scrollback, ...frame.lines], columns) }
    : differing(painted, frame.lines)
  const isSame = drawn.text === "" && cursor.row === painted.cursor.row && cursor.column === painted.cursor.column &&
    isCursorShown === painted.isCursorShown
  const place = vertically(cursor.row - drawn.row) + toColumn(cursor.column)
  return {
    painted: { columns, cursor, isCursorShown, isDisturbed: false, lines: frame.lines },
    text: isSame ? "" : `${begin}${hideCursor}${drawn.text}${place}${isCursorShown ? showCursor : ""}${end}`
  }
}
