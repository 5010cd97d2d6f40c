/** An overlay as lines. */
import type { Look } from "./BlockLines.js"
import * as Columns from "./Columns.js"
import { narrowed, type Overlay } from "./Overlay.js"
import { visible, visibleLine } from "./Visible.js"

const picker = (
  overlay: Extract<Overlay, { readonly _tag: "Picker" }>,
  columns: number,
  rows: number,
  { theme }: Look
): ReadonlyArray<string> => {
  const items = narrowed(overlay)
  const room = Math.max(1, rows - 3)
  const first = Math.max(0, Math.min(overlay.selected - Math.floor(room / 2), items.length - room))
  const shown = items.slice(first, first + room).map(({ detail, label }, at) => {
    const isSelected = first + at === overlay.selected
    const text = visibleLine(label)
    const line = detail === "" ? text : Columns.ends(text, theme.dim(visibleLine(detail)), columns - 2)
    return isSelected
      ? `${theme.cyan("❯")} ${theme.cyan(Columns.clip(line, columns - 2))}`
      : `  ${Columns.clip(line, columns - 2)}`
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
