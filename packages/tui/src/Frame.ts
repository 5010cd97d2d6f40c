/** The live region at the bottom of the screen, as a pure function of the state, the editor and the size. */
import type { Call } from "./Block.js"
import * as BlockLines from "./BlockLines.js"
import * as Columns from "./Columns.js"
import type { EditorView, Position, Size } from "./Editor.js"
import type { Overlay } from "./Overlay.js"
import * as OverlayLines from "./OverlayLines.js"
import { choices, type Question } from "./Question.js"
import * as Reply from "./Reply.js"
import { busySince, isCompacting, loader, lookable, type State, type Turn } from "./State.js"
import * as StatusLine from "./StatusLine.js"
import { visible, visibleLine } from "./Visible.js"

export interface Frame {
  readonly lines: ReadonlyArray<string>
  /** Where the terminal's cursor stands; hidden when absent. */
  readonly cursor: Position | undefined
  /** As it is shown: scrolled no further than it goes. */
  readonly overlay: Overlay | undefined
}

export type Look = BlockLines.Look

const spinner = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
const spinnerMillis = 100

const shownOutput = 3
const shownThought = 2
const shownQueue = 3

const running = (call: Call, now: number, columns: number, look: Look): ReadonlyArray<string> => {
  const { dim } = look.theme
  const output = visible(call.output).split("\n").filter((line) => line.trim() !== "").slice(-shownOutput)
  return [
    BlockLines.callLine(call, now, columns, look.theme),
    ...output.map((line) => `  ${dim(Columns.clip(line, columns - 2))}`)
  ]
}

/** What of the turn is not yet in the scrollback. */
const open = (state: State, turn: Turn, columns: number, look: Look): ReadonlyArray<string> => {
  const { dim, italic } = look.theme
  const text = BlockLines.all(Reply.open(turn.reply), state.said.at(-1), columns, look)
  const isSilent = turn.thought !== "" && text.length === 0 && turn.calls.length === 0
  const thought = isSilent ? Columns.wrap(visibleLine(turn.thought), columns).slice(-shownThought) : []
  const calls = turn.calls.flatMap((call) => running(call, state.now, columns, look))
  const gap = calls.length > 0 && (text.length > 0 || state.said.at(-1)?._tag !== "Tool") ? [""] : []
  return [...text, ...thought.map((line) => dim(italic(line))), ...gap, ...calls]
}

const shownDetail = 8

const questionLines = ({ detail, isExplaining, name, selected }: Question, columns: number, { theme }: Look) => {
  const said = Columns.wrap(visible(detail), columns - 2)
  const shown = said.slice(0, shownDetail).map((line) => `  ${line}`)
  const more = said.length > shownDetail ? [theme.dim(`  … ${said.length - shownDetail} more lines`)] : []
  const options = isExplaining ? [] : choices.map(({ label }, at) => {
    const line = `${at + 1}. ${label}`
    return Columns.clip(at === selected ? theme.cyan(`❯ ${line}`) : `  ${line}`, columns)
  })
  return [
    "",
    Columns.clip(theme.bold(theme.yellow(`May ${visibleLine(name)} run?`)), columns),
    ...shown,
    ...more,
    ...options
  ]
}

const hint = (state: State): string =>
  isCompacting(state)
    ? "Esc cancels the compaction"
    : state.turn?.question !== undefined
    ? "Esc says no"
    : state.turn?.isInterrupted === true
    ? ""
    : "Esc interrupts"

const loaderLine = (state: State, since: number, columns: number, { theme }: Look): string => {
  const mark = [...spinner][Math.floor(state.now / spinnerMillis) % spinner.length] ?? ""
  const elapsed = `${Math.floor(Math.max(0, state.now - since) / 1_000)}s`
  const rest = [elapsed, hint(state)].filter((part) => part !== "").join(" · ")
  return Columns.clip(`${theme.cyan(mark)} ${visibleLine(loader(state))} ${theme.dim(rest)}`, columns)
}

const queueLines = ({ queue }: State, columns: number, { theme }: Look): ReadonlyArray<string> => {
  const lines = queue.slice(0, shownQueue).map((text) => Columns.clip(`  next: ${visibleLine(text)}`, columns))
  const more = queue.length - lines.length
  const end = more > 0 ? [`  and ${more} more`] : []
  const edit = queue.length > 0 ? [Columns.clip("  ↑ takes the last one back", columns)] : []
  return [...lines, ...end, ...edit].map(theme.dim)
}

/** At most one row less than the terminal has; what does not fit is cut away above, where it is oldest. */
export const frame = (state: State, editor: EditorView, size: Size, look: Look): Frame => {
  const { columns } = size
  const rows = Math.max(4, size.rows - 1)
  const { manual, notice, overlay, turn } = state
  const since = busySince(state)
  const live = [
    ...(turn === undefined ? [] : open(state, turn, columns, look)),
    ...(manual === undefined ? [] : BlockLines.all(Reply.open(manual.summary), state.said.at(-1), columns, look))
  ]
  const below = [
    ...(turn?.question === undefined ? [] : questionLines(turn.question, columns, look)),
    ...(since === undefined ? [] : ["", loaderLine(state, since, columns, look)]),
    ...(notice === undefined ? [] : [Columns.clip(look.theme.yellow(visibleLine(notice.text)), columns)]),
    ...queueLines(state, columns, look)
  ]
  const end = [...editor.lines, StatusLine.line(state, columns, look.theme)]
  const room = Math.max(1, rows - below.length - end.length)
  const over = overlay === undefined
    ? undefined
    : OverlayLines.show(overlay, lookable(state), state.now, { columns, rows: room - 1 }, look)
  const above = over === undefined ? live.slice(-room) : ["", ...over.lines]
  const gap = above.length === 0 && below.length === 0 && state.said.length > 0 ? [""] : []
  const all = [...above, ...below, ...gap, ...end]
  const cut = Math.max(0, all.length - rows)
  const top = all.length - end.length - cut
  const { cursor } = editor
  return {
    cursor: cursor === undefined || overlay !== undefined
      ? undefined
      : { column: Math.min(cursor.column, columns - 1), row: top + cursor.row },
    lines: all.slice(cut).map((line) => Columns.width(line) > columns ? Columns.clip(line, columns) : line),
    overlay: over?.overlay
  }
}
