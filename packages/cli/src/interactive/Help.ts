/** Commands and keys, for the help overlay and for completion. */
import type { PermissionMode } from "@weir/agent/Permission"

export interface Named {
  readonly name: string
  readonly detail: string
}

export const commands: ReadonlyArray<Named> = [
  { detail: "what can be typed and pressed", name: "help" },
  { detail: "a new session", name: "new" },
  { detail: "a new session", name: "clear" },
  { detail: "go on with another session", name: "sessions" },
  { detail: "go on with another session, by its id", name: "resume" },
  { detail: "summarize the conversation now; words after it say what to keep in mind", name: "compact" },
  { detail: "take the newest compaction back", name: "undo-compaction" },
  { detail: "how full the context is", name: "context" },
  { detail: "choose a model", name: "model" },
  { detail: "choose how much the model reasons", name: "thinking" },
  { detail: "what tools may do, and rules to forget", name: "permissions" },
  { detail: "the tools", name: "tools" },
  { detail: "all that the newest tool has put out; a number after it: the one so many back", name: "output" },
  { detail: "tokens and what they cost", name: "cost" },
  { detail: "write the session to a Markdown file; a name may follow", name: "export" },
  { detail: "copy the newest answer to the clipboard", name: "copy" },
  { detail: "what has changed in the repository", name: "diff" },
  { detail: "what stands in for tools of MCP servers", name: "mcp" },
  { detail: "have instructions for agents written: AGENTS.md", name: "init" },
  { detail: "leave", name: "exit" }
]

/** What each mode lets tools do. */
export const modes: { readonly [mode in PermissionMode]: string } = {
  "accept-edits": "files are changed unasked, commands are asked about",
  "ask": "changes and commands are asked about",
  "full": "everything runs unasked",
  "read-only": "tools look and nothing else"
}

const keys: ReadonlyArray<Named> = [
  { detail: "send; while a turn runs the message waits for its end", name: "Enter" },
  { detail: "new line (also \\ and Enter)", name: "Shift+Enter" },
  { detail: "interrupt the innermost thing: a compaction, else the turn", name: "Esc" },
  { detail: "clear the input, else interrupt, else (twice) quit", name: "Ctrl+C" },
  { detail: "quit", name: "Ctrl+D" },
  { detail: "complete; @ completes files, / commands", name: "Tab" },
  { detail: "earlier messages; takes back the last message that waits", name: "↑" },
  { detail: "search earlier messages", name: "Ctrl+R" },
  { detail: "open or close the output of tools: the newest, and with the arrows any other", name: "Ctrl+O" },
  { detail: "page through what was said (with an empty input)", name: "PgUp PgDn" },
  { detail: "draw the screen anew", name: "Ctrl+L" },
  { detail: "suspend; fg comes back", name: "Ctrl+Z" }
]

const table = (rows: ReadonlyArray<Named>, mark: string) =>
  rows.map(({ detail, name }) => `  ${(mark + name).padEnd(17)} ${detail}`).join("\n")

export const text = `Commands\n${table(commands, "/")}\n\nKeys\n${table(keys, "")}`

/** What `/init` asks for. */
export const init =
  "Look at this repository and write AGENTS.md in its root: how to build, test and check it, how the " +
  "code is laid out, and the conventions that hold here. Short and true: only what you have seen, nothing that every " +
  "developer knows. If there is one already, improve it."
