/** An overlay as lines. */
import type { Look } from "./BlockLines.js"
import * as Columns from "./Columns.js"
import { type Item, narrowed, type Overlay } from "./Overlay.js"
import type { Theme } from "./Theme.js"
import { visible, visibleLine } from "./Visible.js"

/** A long label leaves the detail half of the line. */
const itemLine = ({ detail, label }: Item, columns: number, { dim }: Theme): string => {
  const right = Columns.clip(visibleLine(detail), Math.floor(columns / 2))
  const left = Columns.clip(visibleLine(label), Math.max(1, columns - Columns.width(right) - 2))
  return detail === "" ? Columns.clip(visibleLine(label), columns) : Columns.ends(left, dim(right), columns)
}

const picker = (
  overlay: Extract<Overlay, { readonly _tag: "Picker" }>,
  columns: number,
  rows: number,
  { theme }: Look
): ReadonlyArray<string> => {
  const items = narrowed(overlay)
  const room = Math.max(1, rows - 3)
  const first = Math.max(0, Math.min(overlay.selected - Math.floor(room / 2), items.length - room))
  const shown = items.slice(first, first + room).map((item, at) => {
    const line = itemLine(item, columns - 2, theme)
    return first + at === overlay.selected ? `${theme.cyan("❯")} ${theme.cyan(line)}` : `  ${line}`
  })
  const filter = overlay.filter === "" ? theme.dim("type to narrow") : overlay.filter
  return [
    Columns.clip(`${theme.bold(visibleLine(overlay.title))}  ${filter}`, columns),
    ...(shown.length === 0 ? [theme.dim("  nothing")] : shown),
    Columns.clip(theme.dim(`↑↓ choose · Enter take · Esc close · ${items.length}`), columns)
  ]
}

const text = (
  overlay: Extract<Overlay, { readonly _tag: "Text" }>,
  columns: number,
  rows: number,
  { theme }: Look
): ReadonlyArray<string> => {
  const lines = visible(overlay.text).split("\n").flatMap((line) => Columns.wrap(line, columns))
  const room = Math.max(1, rows - 2)
  const first = Math.min(overlay.scroll, Math.max(0, lines.length - room))
  const last = Math.min(lines.length, first + room)
  return [
    Columns.clip(theme.bold(visibleLine(overlay.title)), columns),
    ...lines.slice(first, last),
    Columns.clip(theme.dim(`lines ${first + 1}–${last} of ${lines.length} · ↑↓ PgUp PgDn · Esc close`), columns)
  ]
}

export const lines = (overlay: Overlay, columns: number, rows: number, look: Look): ReadonlyArray<string> =>
  overlay._tag === "Picker" ? picker(overlay, columns, rows, look) : text(overlay, columns, rows, look)
