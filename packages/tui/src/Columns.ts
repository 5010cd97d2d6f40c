/** Text measured in terminal columns; its styles take none, and wide characters take two. */
import { getSegmenter, truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@mariozechner/pi-tui/dist/utils.js"

const styles = /\u001b\[[\d;]*m/g

/** Nearly all lines: ASCII, and what is drawn with here, take a column a character. */
const narrow = /^[ -~·•…─-▟⠀-⣿❯✓✗]*$/

export const width = (text: string): number => {
  const bare = text.replaceAll(styles, "")
  return narrow.test(bare) ? bare.length : visibleWidth(bare)
}

/** Characters from which on the widget takes too long: with words that do not end, longer than a frame may. */
const long = 1_000

/** The same as the widget does, for text that takes a column a character. */
const wrapNarrow = (line: string, room: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let current = ""
  const end = (next: string) => {
    lines.push(current.trimEnd())
    current = next
  }
  for (const token of line.match(/ +|[^ ]+/g) ?? []) {
    const isSpace = token.startsWith(" ")
    if (token.length > room && !isSpace) {
      if (current !== "") end("")
      for (let at = 0; at < token.length; at += room) {
        if (current !== "") end("")
        current = token.slice(at, at + room)
      }
    } else if (current !== "" && current.length + token.length > room) end(isSpace ? "" : token)
    else current += token
  }
  if (current !== "") end("")
  return lines
}

/** How far characters are looked at as a whole. */
const reach = 64

/** The last place at or before `at` where neither a character nor a style is cut in two, nor spaces are. */
const cutBefore = (text: string, at: number): number => {
  const from = Math.max(0, at - reach)
  const places = [...getSegmenter().segment(text.slice(from, at + reach))].map(({ index }) => from + index)
  return places.findLast((place) =>
    place <= at && place > from && !/(?:\u001b[^m]*| )$/.test(text.slice(from, place))
  ) ?? at
}

/** Piece by piece: the last line of each goes on in the next. */
const wrapLong = (line: string, room: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let rest = line
  while (rest.length > long + room) {
    const cut = cutBefore(rest, long + room)
    const wrapped = wrapTextWithAnsi(rest.slice(0, cut), room)
    const carried = wrapped.length > 1 ? wrapped.at(-1) ?? "" : ""
    lines.push(...wrapped.slice(0, wrapped.length > 1 ? -1 : 1))
    rest = carried + rest.slice(cut)
  }
  return [...lines, ...wrapTextWithAnsi(rest, room).map((last) => last.trimEnd())]
}

/** Wrapped at words to lines of at most `columns`. */
export const wrap = (text: string, columns: number): ReadonlyArray<string> => {
  const line = text.replaceAll("\t", "   ")
  const room = Math.max(1, columns)
  const isOne = !line.includes("\n")
  if (line.length > long && (isOne || !line.includes("\u001b"))) {
    return isOne
      ? narrow.test(line) ? wrapNarrow(line, room) : wrapLong(line, room)
      : line.split("\n").flatMap((one) => wrap(one, room))
  }
  return isOne && width(line) <= room ? [line] : wrapTextWithAnsi(line, room)
}

/** Cut to `columns`, with an ellipsis where something is missing. */
export const clip = (text: string, columns: number): string => {
  const room = Math.max(1, columns)
  const isStyled = text.includes("\u001b")
  const most = long + 8 * room
  const line = (isStyled || text.length <= most ? text : text.slice(0, cutBefore(text, most))).replaceAll("\t", "   ")
  if (width(line) <= room) return line
  const cut = truncateToWidth(line, room, "…")
  return isStyled ? cut : cut.replaceAll("\u001b[0m", "")
}

/** Two texts at the two ends of a line; the second gives way. */
export const ends = (left: string, right: string, columns: number): string => {
  const gap = columns - width(left) - width(right)
  return gap < 2 ? clip(left, columns) : left + " ".repeat(gap) + right
}
