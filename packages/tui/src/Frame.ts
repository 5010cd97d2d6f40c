/** The live region at the bottom of the screen, as a pure function of the state, the editor and the size. */
import type { Call } from "./Block.js"
import * as BlockLines from "./BlockLines.js"
import * as Columns from "./Columns.js"
import type { EditorView, Position, Size } from "./Editor.js"
import * as Folded from "./Folded.js"
import type { Overlay } from "./Overlay.js"
import * as OverlayLines from "./OverlayLines.js"
import { choices, type Question } from "./Question.js"
import * as Reply from "./Reply.js"
import { busySince, isCompacting, loader, lookable, type State, type Turn } from "./State.js"
import * as StatusLine from "./StatusLine.js"
import type { Theme } from "./Theme.js"
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
/** Before any answer but the chosen one. */
const leastDetail = 3

/** What would be done, in `rows` lines at most. */
const detailLines = (said: ReadonlyArray<string>, rows: number, columns: number, { dim }: Theme) => {
  const shown = said.slice(0, Math.max(1, rows)).map((line) => `  ${line}`)
  if (said.length <= rows) return shown
  const [first = ""] = shown
  if (rows <= 1) return [Columns.clip(first, columns - 2) + dim(" …")]
  return [...shown.slice(0, rows - 1), Columns.clip(dim(`  … ${said.length - rows + 1} more lines (Ctrl+O)`), columns)]
}

const questionTitle = ({ name }: Question, columns: number, { bold, yellow }: Theme) =>
  Columns.clip(bold(yellow(`May ${visibleLine(name)} run?`)), columns)

/** Where there is little room for it, only some of the answers, the chosen one among them. */
const questionLines = (question: Question, columns: number, rows: number, { theme }: Look): ReadonlyArray<string> => {
  const { detail, isExplaining, selected } = question
  const said = Folded.lines(detail, columns - 2)
  const answers = isExplaining ? [] : choices.map(({ label }, at) => {
    const line = `${at + 1}. ${label}`
    return Columns.clip(at === selected ? theme.cyan(`❯ ${line}`) : `  ${line}`, columns)
  })
  const title = questionTitle(question, columns, theme)
  const whole = ["", title, ...detailLines(said, shownDetail + 1, columns, theme), ...answers]
  if (whole.length <= rows) return whole
  const room = rows - 1
  const taken = Math.min(answers.length, Math.max(1, room - Math.min(said.length, leastDetail)))
  const first = Math.max(0, Math.min(selected - taken + 1, answers.length - taken))
  return [
    title,
    ...detailLines(said, Math.min(shownDetail + 1, room - taken), columns, theme),
    ...answers.slice(first, first + taken)
  ]
}

/** What Esc does; what lies over the rest says so itself, and it closes that. */
const hint = (state: State): string =>
  state.overlay !== undefined
    ? ""
    : isCompacting(state)
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

/** Rows under which what only explains is left out. */
const roomy = 12

/** The editor and the status line; of the editor what is around the cursor, where there is no room for all. */
const endLines = ({ cursor, lines }: EditorView, status: string, rows: number) => {
  if (lines.length < rows) return { above: 0, end: [...lines, status] }
  const above = Math.max(0, Math.min((cursor?.row ?? 0) - rows + 1, lines.length - rows))
  return { above, end: lines.slice(above, above + rows) }
}

/** At most one row less than the terminal has; what does not fit is cut away above, where it is oldest. */
export const frame = (state: State, editor: EditorView, size: Size, look: Look): Frame => {
  const { columns } = size
  const rows = Math.max(1, size.rows - 1)
  const { manual, notice, overlay, turn } = state
  const since = busySince(state)
  const live = [
    ...(turn === undefined ? [] : open(state, turn, columns, look)),
    ...(manual === undefined ? [] : BlockLines.all(Reply.open(manual.summary), state.said.at(-1), columns, look))
  ]
  const { above: hidden, end } = endLines(editor, StatusLine.line(state, columns, look.theme), rows)
  const question = turn?.question
  const gap = rows < roomy ? [] : [""]
  const rest = [
    ...(since === undefined ? [] : [...gap, loaderLine(state, since, columns, look)]),
    ...(notice === undefined ? [] : [Columns.clip(look.theme.yellow(visibleLine(notice.text)), columns)]),
    ...(question !== undefined && rows < roomy ? [] : queueLines(state, columns, look))
  ]
  const asked = question === undefined
    ? []
    : overlay === undefined
    ? questionLines(question, columns, rows - end.length - rest.length, look)
    : [...gap, questionTitle(question, columns, look.theme)]
  const below = [...asked, ...rest]
  const room = Math.max(1, rows - below.length - end.length)
  const over = overlay === undefined
    ? undefined
    : OverlayLines.show(overlay, lookable(state), state.now, { columns, rows: room - 1 }, look)
  const above = over === undefined ? live.slice(-room) : ["", ...over.lines]
  const apart = above.length === 0 && below.length === 0 && state.said.length > 0 ? [""] : []
  const all = [...above, ...below, ...apart, ...end]
  const cut = Math.max(0, all.length - rows)
  const top = all.length - end.length - cut - hidden
  const { cursor } = editor
  return {
    cursor: cursor === undefined || overlay !== undefined
      ? undefined
      : { column: Math.min(cursor.column, columns - 1), row: top + cursor.row },
    lines: all.slice(cut).map((line) => Columns.width(line) > columns ? Columns.clip(line, columns) : line),
    overlay: over?.overlay
  }
}
