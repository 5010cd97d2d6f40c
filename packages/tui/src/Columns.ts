/** Text measured in terminal columns; its styles take none, and wide characters take two. */
import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@mariozechner/pi-tui/dist/utils.js"

export const width = (text: string): number => visibleWidth(text)

/** Wrapped at words to lines of at most `columns`. */
export const wrap = (text: string, columns: number): ReadonlyArray<string> =>
  wrapTextWithAnsi(text.replaceAll("\t", "   "), Math.max(1, columns))

/** Cut to `columns`, with an ellipsis where something is missing. */
export const clip = (text: string, columns: number): string => {
  const cut = truncateToWidth(text.replaceAll("\t", "   "), Math.max(1, columns), "…")
  return text.includes("\u001b") ? cut : cut.replaceAll("\u001b[0m", "")
}

/** Two texts at the two ends of a line; the second gives way. */
export const ends = (left: string, right: string, columns: number): string => {
  const gap = columns - width(left) - width(right)
  return gap < 2 ? clip(left, columns) : left + " ".repeat(gap) + right
}
