/** The line editor: several lines, undo, a kill ring, history with the arrow keys, folded pastes, completion. */
import type { AutocompleteItem, AutocompleteProvider } from "@mariozechner/pi-tui/dist/autocomplete.js"
import { Editor as PiEditor } from "@mariozechner/pi-tui/dist/components/editor.js"
import type { Terminal } from "@mariozechner/pi-tui/dist/terminal.js"
import { CURSOR_MARKER, TUI } from "@mariozechner/pi-tui/dist/tui.js"
import * as Columns from "./Columns.js"
import { joined, type Theme } from "./Theme.js"
import { visible } from "./Visible.js"

export interface Size {
  readonly columns: number
  readonly rows: number
}

export interface Position {
  readonly row: number
  readonly column: number
}

export interface EditorView {
  readonly lines: ReadonlyArray<string>
  /** Where the terminal's own cursor belongs; absent while completions are shown. */
  readonly cursor: Position | undefined
}

export interface Completion {
  /** What is put in place of the word. */
  readonly value: string
  readonly label: string
  readonly detail: string
}

export interface Editor {
  /** One key, as the terminal sent it. */
  readonly handle: (data: string) => void
  readonly paste: (text: string) => void
  readonly setText: (text: string) => void
  /** For the arrow keys; what is too long for them is found by searching alone. */
  readonly remember: (text: string) => void
  readonly isCompleting: () => boolean
  readonly view: (size: Size) => EditorView
}

export interface EditorOptions {
  readonly theme: Theme
  readonly onChange: (text: string) => void
  readonly onSubmit: (text: string) => void
  /** Completions have come or gone. */
  readonly onCompletions: () => void
  /** Completions of a word that begins with `@` or, at the start of the message, with `/`. */
  readonly complete: (word: string) => Promise<ReadonlyArray<Completion>>
}

const nothing = () => undefined

/** The widget asks its host for nothing but the number of rows and a redraw. */
class Host extends TUI {
  constructor(rows: () => number, private readonly onRender: () => void) {
    const terminal: Terminal = {
      clearFromCursor: nothing,
      clearLine: nothing,
      clearScreen: nothing,
      columns: 80,
      drainInput: () => Promise.resolve(),
      hideCursor: nothing,
      kittyProtocolActive: false,
      moveBy: nothing,
      get rows() {
        return rows()
      },
      setProgress: nothing,
      setTitle: nothing,
      showCursor: nothing,
      start: nothing,
      stop: nothing,
      write: nothing
    }
    super(terminal)
  }

  override requestRender(): void {
    this.onRender()
  }
}

/** What completions are asked for, and how much of the text before the cursor they replace. */
interface Wanted {
  readonly word: string
  readonly prefix: string
}

/** A command at the start of the message, a mention anywhere (in quotes with its spaces); any other word only when it is asked for. */
const wanted = (lines: ReadonlyArray<string>, line: number, column: number, isForced: boolean): Wanted | undefined => {
  const before = (lines[line] ?? "").slice(0, column)
  const prefix = (/(?<=^|[\s(])@(?:"[^"]*|\S*)$/.exec(before) ?? /\S*$/.exec(before))?.[0] ?? ""
  if (prefix.startsWith("@") || (line === 0 && prefix === before && prefix.startsWith("/"))) {
    return { prefix, word: prefix }
  }
  return isForced && prefix !== "" ? { prefix, word: `@${prefix}` } : undefined
}

const provider = (complete: EditorOptions["complete"]): AutocompleteProvider => ({
  applyCompletion: (lines, cursorLine, cursorCol, { value }, prefix) => {
    const line = lines[cursorLine] ?? ""
    // The word has changed since they were asked for.
    if (!line.slice(0, cursorCol).endsWith(prefix)) return { cursorCol, cursorLine, lines }
    const start = cursorCol - prefix.length
    const own = prefix.startsWith("@") || prefix.startsWith("/") ? value : value.replace(/^@/, "")
    const end = own.endsWith("/") ? own : `${own} `
    const after = line.slice(cursorCol)
    const rest = prefix.startsWith("@\"") && after.startsWith("\"") ? after.slice(1) : after
    return {
      cursorCol: start + end.length,
      cursorLine,
      lines: lines.with(cursorLine, line.slice(0, start) + end + rest)
    }
  },
  getSuggestions: (lines, cursorLine, cursorCol, { force }) => {
    const found = wanted(lines, cursorLine, cursorCol, force === true)
    return found === undefined ? Promise.resolve(null) : complete(found.word).then((completions) => ({
      items: completions.map(({ detail, label, value }): AutocompleteItem => ({ description: detail, label, value })),
      prefix: found.prefix
    }))
  }
})

/** The widget draws a cursor of its own; the terminal's is better for input methods and screen readers. */
const locate = (lines: ReadonlyArray<string>): EditorView => {
  const row = lines.findIndex((line) => line.includes(CURSOR_MARKER))
  const line = lines[row]
  if (line === undefined) return { cursor: undefined, lines }
  const [before = "", after = ""] = line.split(CURSOR_MARKER)
  const bare = before + after.replace("\u001b[7m", "").replace("\u001b[0m", "")
  return { cursor: { column: Columns.width(before), row }, lines: lines.with(row, bare.trimEnd()) }
}

/** Characters beyond which a text is folded as a paste is: the widget lays all of it out again for every key. */
const longest = 4_000

export const make = (options: EditorOptions): Editor => {
  const { theme } = options
  let rows = 24
  const editor = new PiEditor(new Host(() => rows, options.onCompletions), {
    borderColor: theme.dim,
    selectList: {
      description: theme.dim,
      noMatch: theme.dim,
      scrollInfo: theme.dim,
      selectedPrefix: theme.cyan,
      selectedText: theme.cyan
    }
  }, { autocompleteMaxVisible: 8 })
  editor.focused = true
  editor.onChange = options.onChange
  editor.onSubmit = options.onSubmit
  editor.setAutocompleteProvider(provider(options.complete))
  /** Completions of a word that is there no more go with it. */
  const dismiss = () => {
    const { col, line } = editor.getCursor()
    const isIdle = wanted(editor.getLines(), line, col, true) === undefined
    if (isIdle && editor.isShowingAutocomplete()) editor.handleInput("\u001b")
  }
  const paste = (text: string) =>
    editor.handleInput(`\u001b[200~${visible(text.replaceAll(/\r\n?/g, "\n"))}\u001b[201~`)
  return {
    handle: (data) => {
      editor.handleInput(data)
      dismiss()
    },
    isCompleting: () => editor.isShowingAutocomplete(),
    paste,
    remember: (text) => {
      if (text.length <= longest) editor.addToHistory(text)
    },
    setText: (text) => {
      editor.setText(text)
      if (text.length <= longest) return
      // Pastes that are folded in it go into the one.
      const whole = editor.getExpandedText()
      editor.setText("")
      paste(whole)
    },
    view: (size) => {
      rows = size.rows
      return locate(editor.render(size.columns).map((line) => joined(line).trimEnd()))
    }
  }
}
