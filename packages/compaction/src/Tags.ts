/** Makes text that others wrote unable to open or close the tags that frame it. */

/** The tags of the text that replaces history. */
export const replacement = ["compacted_context", "last_user_message"] as const

/** The text with every opening and closing tag of these names, however spaced or cased, changed to `&lt;…`. */
export const escape = (text: string, names: ReadonlyArray<string>): string =>
  text.replace(new RegExp(`<(?=[\\s/]*(?:${names.join("|")}))`, "gi"), "&lt;")

/** The tags that frame history in a request for a summary. */
export const history = [
  "history",
  "previous_summary",
  "part_summary",
  "user_message",
  "assistant_message",
  "tool_call",
  "tool_result"
] as const
