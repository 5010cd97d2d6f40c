/** Commands and keys, for the help overlay and for completion. */
export interface Named {
  readonly name: string
  readonly detail: string
}

export const commands: ReadonlyArray<Named> = [
  { detail: "what can be typed and pressed", name: "help" },
  { detail: "a new session", name: "new" },
  { detail: "the same", name: "clear" },
  { detail: "summarize the conversation now; words after it say what to keep in mind", name: "compact" },
  { detail: "leave", name: "exit" }
]

const keys: ReadonlyArray<Named> = [
  { detail: "send; while a turn runs the message waits for its end", name: "Enter" },
  { detail: "new line (also \\ and Enter)", name: "Shift+Enter" },
  { detail: "interrupt the innermost thing: a compaction, else the turn", name: "Esc" },
  { detail: "clear the input, else interrupt, else (twice) quit", name: "Ctrl+C" },
  { detail: "quit", name: "Ctrl+D" },
  { detail: "complete; @ completes files, / commands", name: "Tab" },
  { detail: "earlier messages; takes back the last message that waits", name: "↑" },
  { detail: "search earlier messages", name: "Ctrl+R" },
  { detail: "open or close the output of tools", name: "Ctrl+O" },
  { detail: "draw the screen anew", name: "Ctrl+L" },
  { detail: "suspend; fg comes back", name: "Ctrl+Z" }
]

const table = (rows: ReadonlyArray<Named>, mark: string) =>
  rows.map(({ detail, name }) => `  ${(mark + name).padEnd(14)} ${detail}`).join("\n")

export const text = `Commands\n${table(commands, "/")}\n\nKeys\n${table(keys, "")}`
