/** A finished piece as lines for a width. */
import type { Block, Call } from "./Block.js"
import * as Columns from "./Columns.js"
import * as Figures from "./Figures.js"
import * as Folded from "./Folded.js"
import * as Markdown from "./Markdown.js"
import type { Theme } from "./Theme.js"
import { visible, visibleLine } from "./Visible.js"

/** How things look. */
export interface Look {
  readonly theme: Theme
  /** Code, with styles; line for line. */
  readonly highlight: (code: string, language: string) => string
  /** What shows all of a call's output. */
  readonly opener?: string
}

/** Lines of a diff, or of an error, that are shown at once. */
const shownDiff = 40
const shownError = 6

const indented = (text: string, columns: number) => Columns.wrap(text, columns - 2).map((line) => `  ${line}`)

const few = (lines: ReadonlyArray<string>, count: number, { opener = "Ctrl+O", theme }: Look) =>
  lines.length <= count
    ? lines
    : [...lines.slice(0, count), theme.dim(`  … ${lines.length - count} more lines (${opener})`)]

/** What comes before the changes of an edit names its file, and so does the line of the call. */
const naming = /^\S+ ([^\n]+)\.\n--- \1\n\+\+\+ \1\n(?=@@ )/

/** Lines that stand above the changes of a file. */
const header = /^(?:diff|index|---|\+\+\+|(?:old|new|deleted) (?:file )?mode|similarity index|rename|copy) /

interface Parts {
  readonly before: ReadonlyArray<string>
  readonly changes: ReadonlyArray<string>
}

/** What a call has put out, apart where a unified diff begins. */
const apart = (text: string): Parts => {
  const lines = text.split("\n")
  const hunk = lines.findIndex((line, at) => line.startsWith("@@ ") && lines[at - 1]?.startsWith("+++ ") === true)
  if (hunk === -1) return { before: lines, changes: [] }
  if (naming.test(text)) return { before: [], changes: lines.slice(hunk) }
  const start = lines.slice(0, hunk).findLastIndex((line) => !header.test(line)) + 1
  return { before: lines.slice(0, start), changes: lines.slice(start) }
}

const diffStyle = (line: string, { cyan, dim, green, red }: Theme) =>
  line.startsWith("+") ? green : line.startsWith("-") ? red : line.startsWith("@@") ? cyan : dim

const diffLine = (line: string, columns: number, theme: Theme) =>
  `  ${diffStyle(line, theme)(Columns.clip(visible(line), columns - 2))}`

const wholeDiffLine = (line: string, columns: number, theme: Theme) =>
  Columns.wrap(visible(line), columns - 2).map((piece) => `  ${diffStyle(line, theme)(piece)}`)

const marks = { failed: "✗", interrupted: "✗", ok: "✓", running: "•" } as const

/** `• bash make (running, 2.1s)` */
export const callLine = (call: Call, now: number, columns: number, { dim, green, red, yellow }: Theme): string => {
  const took = Figures.duration((call.state === "running" ? now : call.endedAt) - call.startedAt)
  const end = call.endedAt === 0 ? call.state : call.state === "ok" ? took : `${call.state}, ${took}`
  const style = call.state === "ok" ? green : call.state === "running" ? yellow : red
  const name = visibleLine(call.name)
  const room = columns - Columns.width(name) - end.length - 6
  const argument = room > 4 ? ` ${dim(Columns.clip(visibleLine(call.argument), room))}` : ""
  return Columns.clip(`${style(marks[call.state])} ${name}${argument} ${dim(`(${end})`)}`, columns)
}

/** All that a call has put out, its changes in colours. */
export const output = (call: Call, columns: number, { theme }: Look): ReadonlyArray<string> => {
  const { before, changes } = apart(call.output.trimEnd())
  const text = before.join("\n")
  if (text.trim() === "" && changes.length === 0) return [theme.dim("  nothing")]
  return [
    ...(before.length === 0 ? [] : Folded.lines(text, columns - 2).map((line) => `  ${line}`)),
    ...changes.flatMap((line) => wholeDiffLine(line.trimEnd(), columns, theme))
  ]
}

const tool = (call: Call, columns: number, look: Look): ReadonlyArray<string> => {
  const head = callLine(call, call.endedAt, columns, look.theme)
  if (call.state === "failed") {
    const error = visible(call.output).trimEnd().split("\n").flatMap((line) => indented(line, columns))
    return [head, ...few(error, shownError, look)]
  }
  const diff = apart(call.output).changes.map((line) => diffLine(line.trimEnd(), columns, look.theme))
  return [head, ...few(diff.filter((line) => line.trim() !== ""), shownDiff, look)]
}

export const lines = (block: Block, columns: number, look: Look): ReadonlyArray<string> => {
  const { theme } = look
  switch (block._tag) {
    case "User":
      return Columns.wrap(visible(block.text), columns - 2).map((line, at) =>
        at === 0 ? `${theme.cyan("❯")} ${theme.bold(line)}` : `  ${theme.bold(line)}`
      )
    case "Prose":
      return Markdown.lines(visible(block.text), columns, theme)
    case "Code":
      return look.highlight(visible(block.text), block.language).split("\n").flatMap((line) =>
        line === "" ? [""] : indented(line, columns)
      )
    case "Tool":
      return tool(block.call, columns, look)
    case "Note": {
      const style = { error: theme.red, good: theme.green, plain: (text: string) => text, warning: theme.yellow }
      return visible(block.text).split("\n").flatMap((line) => Columns.wrap(line, columns)).map(style[block.tone])
    }
  }
}

/** Calls stand close together, and so do the parts of one piece of code. */
const isClose = (before: Block, block: Block) =>
  (before._tag === "Tool" && block._tag === "Tool") || (block._tag === "Code" && block.isContinued)

/** Several of them, apart by a blank line where `before`, the one before, asks for it. */
export const all = (
  blocks: ReadonlyArray<Block>,
  before: Block | undefined,
  columns: number,
  look: Look
): ReadonlyArray<string> =>
  blocks.flatMap((block, at) => {
    const previous = at === 0 ? before : blocks[at - 1]
    const own = lines(block, columns, look)
    return previous === undefined || isClose(previous, block) ? own : ["", ...own]
  })
