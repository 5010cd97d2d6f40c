/** An overlay as lines. */
import type { Call } from "./Block.js"
import * as BlockLines from "./BlockLines.js"
import type { Look } from "./BlockLines.js"
import * as Columns from "./Columns.js"
import type { Size } from "./Editor.js"
import * as Folded from "./Folded.js"
import { type Item, narrowed, type Overlay } from "./Overlay.js"
import * as OverlayKeys from "./OverlayKeys.js"
import type { Theme } from "./Theme.js"
import { visibleLine } from "./Visible.js"

export interface Shown {
  readonly lines: ReadonlyArray<string>
  /** Scrolled no further than it goes. */
  readonly overlay: Overlay
}

type Of<Tag extends Overlay["_tag"]> = Extract<Overlay, { readonly _tag: Tag }>

/** A long label leaves the detail half of the line. */
const itemLine = (item: Item, columns: number, { dim }: Theme): string => {
  const [label, detail] = [visibleLine(item.label), visibleLine(item.detail)]
  if (detail === "") return Columns.clip(label, columns)
  const right = Columns.clip(detail, Math.max(Math.floor(columns / 2), columns - Columns.width(label) - 2))
  const left = Columns.clip(label, Math.max(1, columns - Columns.width(right) - 2))
  return Columns.ends(left, dim(right), columns)
}

const picker = (
  overlay: Of<"Picker">,
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

const title = (said: string, columns: number, { theme }: Look) => Columns.clip(theme.bold(visibleLine(said)), columns)

const foot = (said: string, columns: number, { theme }: Look) => Columns.clip(theme.dim(said), columns)

/** As many lines as there is room for, from `first` on where there are so many. */
const window = (lines: ReadonlyArray<string>, first: number, rows: number) => {
  const room = Math.max(1, rows - 2)
  const from = Math.max(0, Math.min(first, lines.length - room))
  const to = Math.min(lines.length, from + room)
  return {
    below: lines.length - to,
    from,
    shown: lines.slice(from, to),
    where: `lines ${from + 1}–${to} of ${lines.length}`
  }
}

const text = (overlay: Of<"Text">, columns: number, rows: number, look: Look): Shown => {
  const lines = Folded.lines(overlay.text, columns)
  const { from, shown, where } = window(lines, overlay.scroll, rows)
  return {
    lines: [
      title(overlay.title, columns, look),
      ...shown,
      foot(`${where} · ↑↓ PgUp PgDn · Esc close`, columns, look)
    ],
    overlay: { ...overlay, scroll: from }
  }
}

/** Lines above the chosen one that stay in sight. */
const context = 2

const callLines = (
  overlay: Of<"Calls">,
  calls: ReadonlyArray<Call>,
  now: number,
  columns: number,
  rows: number,
  look: Look
): Shown => {
  const chosen = OverlayKeys.chosen(overlay, calls)
  const heads = calls.map((call, at) =>
    `${at === chosen ? look.theme.cyan("❯") : " "} ${BlockLines.callLine(call, now, columns - 2, look.theme)}`
  )
  const open = calls[chosen]
  const output = open === undefined || !overlay.isOpen
    ? []
    : BlockLines.output(open, columns - 2, look).map((line) => `  ${line}`)
  const lines = [...heads.slice(0, chosen + 1), ...output, ...heads.slice(chosen + 1)]
  const start = Math.max(0, chosen - context)
  const { from, shown, where } = window(lines, start + overlay.scroll, rows)
  return {
    lines: [
      title("Tools", columns, look),
      ...shown,
      foot(`${where} · ↑↓ choose · Enter opens · PgUp PgDn · Esc`, columns, look)
    ],
    overlay: { ...overlay, scroll: from - start }
  }
}

/** A long conversation takes longer to lay out than a frame may. */
const laidOut = new WeakMap<
  Of<"Conversation">["blocks"],
  { readonly columns: number; readonly look: Look; readonly lines: ReadonlyArray<string> }
>()

const layOut = (blocks: Of<"Conversation">["blocks"], columns: number, look: Look): ReadonlyArray<string> => {
  const before = laidOut.get(blocks)
  if (before?.columns === columns && before.look.highlight === look.highlight) return before.lines
  const lines = BlockLines.all(blocks, undefined, columns, look)
  laidOut.set(blocks, { columns, lines, look })
  return lines
}

const conversation = (overlay: Of<"Conversation">, columns: number, rows: number, look: Look): Shown => {
  const lines = layOut(overlay.blocks, columns, look)
  const { below, shown, where } = window(lines, lines.length - Math.max(1, rows - 2) - overlay.scroll, rows)
  return {
    lines: [
      title("What was said", columns, look),
      ...shown,
      foot(`${where} · ↑↓ PgUp PgDn · Esc close`, columns, look)
    ],
    overlay: { ...overlay, scroll: below }
  }
}

/** `calls`: those that can be looked into, the newest last. */
export const show = (
  overlay: Overlay,
  calls: ReadonlyArray<Call>,
  now: number,
  { columns, rows }: Size,
  look: Look
): Shown => {
  switch (overlay._tag) {
    case "Picker":
      return { lines: picker(overlay, columns, rows, look), overlay }
    case "Text":
      return text(overlay, columns, rows, look)
    case "Calls":
      return callLines(overlay, calls, now, columns, rows, look)
    case "Conversation":
      return conversation(overlay, columns, rows, look)
  }
}
