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

export const recognize = (
  prompt: Pick<Prompt, "system" | "tools">,
  entries: Chunk.Chunk<Entry>
): SummaryRequest | undefined => {
  const last = Option.getOrUndefined(Chunk.last(entries))
  if (last?._tag !== "UserMessage") return undefined
  if (Chunk.size(entries) > 1 && asksForSummary(last.text)) {
    return { history: History.fromEntries(Chunk.dropRight(entries, 1)), focus: "" }
  }
  return prompt.tools.length === 0 && asksForSummary(`${prompt.system}\n${last.text}`)
    ? { history: History.empty, focus: "" }
    : undefined
}
