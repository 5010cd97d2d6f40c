/** Tells a request for a summary from a question, and reads the history it is about. */
import type { Entry } from "@weir/model/Conversation"
import type { Prompt } from "@weir/model/Prompt"
import * as Chunk from "effect/Chunk"
import * as Option from "effect/Option"
import * as History from "./History.js"

export interface SummaryRequest {
  readonly history: History.History
  /** What the user asked to keep in mind; empty when nothing was. */
  readonly focus: string
}

const headings = ["Goal", "Key Instructions", "Discoveries", "Accomplished", "Relevant Files"]

const asksForSummary = (text: string) => headings.every((heading) => text.includes(heading))

const tags = "history|previous_summary|part_summary|user_message|assistant_message|tool_call|tool_result"

const framed = new RegExp(`<(${tags.replace("history|", "")})>\\n([^]*?)\\n?</\\1>`, "g")

/** Tags inside framed text are escaped, so that none can close its frame. */
const escaped = new RegExp(`&lt;(?=[\\s/]*(?:${tags}|compacted_context|last_user_message))`, "gi")

const imageNote = /(?:\n\[image: [^\]\n]*\])+$/

const failed = "(failed)\n"

/** The history as framed text: one element for each message, call and result. */
const readFrames = (text: string): History.History => {
  let summary = ""
  let call = { name: "", arguments: "" }
  let first = true
  const pieces: Array<History.Piece> = []
  for (const [, tag, inner = ""] of text.matchAll(framed)) {
    const content = inner.replace(escaped, "<")
    switch (tag) {
      case "previous_summary":
      case "part_summary":
        summary = summary === "" ? content : `${summary}\n\n${content}`
        break
      case "user_message":
        pieces.push({ _tag: "User", question: content.replace(imageNote, ""), summary: first ? summary : "" })
        first = false
        break
      case "assistant_message":
        pieces.push({ _tag: "Said", text: content })
        break
      case "tool_call": {
        const space = content.indexOf(" ")
        call = { name: content.slice(0, space), arguments: content.slice(space + 1) }
        break
      }
      case "tool_result": {
        const isError = content.startsWith(failed)
        const exchanged = { ...call, text: isError ? content.slice(failed.length) : content, isError }
        pieces.push({ _tag: "Called", exchanged })
      }
    }
  }
  return History.fromPieces(pieces)
}

const focusOf = (text: string) =>
  /^The user asks to focus on: (.+)$/m.exec(text.slice(text.lastIndexOf("</history>")))?.[1]

/** The request for a summary that this is, if it is one: of framed text, or of the entries before the last. */
export const recognize = (
  prompt: Pick<Prompt, "system" | "tools">,
  entries: Chunk.Chunk<Entry>
): SummaryRequest | undefined => {
  const last = Option.getOrUndefined(Chunk.last(entries))
  if (last?._tag !== "UserMessage") return undefined
  const focus = focusOf(last.text) ?? ""
  if (prompt.tools.length === 0 && asksForSummary(`${prompt.system}\n${last.text}`)) {
    return { history: readFrames(last.text), focus }
  }
  return Chunk.size(entries) > 1 && asksForSummary(last.text)
    ? { history: History.fromEntries(Chunk.dropRight(entries, 1)), focus }
    : undefined
}
