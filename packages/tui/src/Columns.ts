/** Text measured in terminal columns; its styles take none, and wide characters take two. */
import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@mariozechner/pi-tui/dist/utils.js"

const styles = /\u001b\[[\d;]*m/g

/** Nearly all lines: ASCII, and what is drawn with here, take a column a character. */
const narrow = /^[ -~·•…─-▟⠀-⣿❯✓✗]*$/

export const width = (text: string): number => {
  const bare = text.replaceAll(styles, "")
  return narrow.test(bare) ? bare.length : visibleWidth(bare)
}

/** Wrapped at words to lines of at most `columns`. */
export const wrap = (text: string, columns: number): ReadonlyArray<string> => {
  const line = text.replaceAll("\t", "   ")
  const room = Math.max(1, columns)
  return !line.includes("\n") && width(line) <= room ? [line] : wrapTextWithAnsi(line, room)
}

/** Cut to `columns`, with an ellipsis where something is missing. */
export const clip = (text: string, columns: number): string => {
  const line = text.replaceAll("\t", "   ")
  const room = Math.max(1, columns)
  if (width(line) <= room) return line
  const cut = truncateToWidth(line, room, "…")
  return text.includes("\u001b") ? cut : cut.replaceAll("\u001b[0m", "")
}

/** Two texts at the two ends of a line; the second gives way. */
export const ends = (left: string, right: string, columns: number): string => {
  const gap = columns - width(left) - width(right)
  return gap < 2 ? clip(left, columns) : left + " ".repeat(gap) + right
}
