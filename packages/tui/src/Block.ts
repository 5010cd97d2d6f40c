/** A finished piece of what was said and done. It goes to the terminal's scrollback once and is never changed. */
import * as Data from "effect/Data"

export type Tone = "plain" | "good" | "warning" | "error"

/** One call of a tool, as its line shows it. Times are milliseconds since the epoch. */
export interface Call {
  readonly id: string
  readonly name: string
  /** The argument that says most about it, on one line. */
  readonly argument: string
  readonly state: "running" | "ok" | "failed" | "interrupted"
  readonly startedAt: number
  readonly endedAt: number
  /** What it has printed so far, the end of it; when it is finished its result. */
  readonly output: string
}

/** Models give the same id again and again. */
export const keyOf = ({ id, startedAt }: Call): string => `${startedAt} ${id}`

export type Block = Data.TaggedEnum<{
  User: { readonly text: string }
  /** Markdown of the agent: whole paragraphs, lists, headings, tables. */
  Prose: { readonly text: string }
  /** Lines of one fenced block; a long one comes in several parts. */
  Code: { readonly language: string; readonly text: string; readonly isContinued: boolean }
  Tool: { readonly call: Call }
  /** Weir speaking. */
  Note: { readonly tone: Tone; readonly text: string }
}>

export const Block = Data.taggedEnum<Block>()
