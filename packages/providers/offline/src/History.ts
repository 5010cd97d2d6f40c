/** What a request's entries say: the question being worked on, and what was done for it so far. */
import type { Entry, Step } from "@weir/model/Conversation"
import type { Exchanged } from "./Evidence.js"

export interface Answered {
  readonly question: string
  readonly answer: string
}

export interface History {
  /** The latest thing the user wrote, verbatim. */
  readonly question: string
  /** The summary that stands for earlier work on this question; empty when there is none. */
  readonly summary: string
  /** Tool calls made for this question since, oldest first. */
  readonly exchanges: ReadonlyArray<Exchanged>
  /** What was said last; empty when nothing was. */
  readonly answer: string
  /** Earlier questions with their answers, oldest first. */
  readonly answered: ReadonlyArray<Answered>
}

/** What a history is folded from, wherever it was found. */
export type Piece =
  | { readonly _tag: "User"; readonly question: string; readonly summary: string }
  | { readonly _tag: "Said"; readonly text: string }
  | { readonly _tag: "Called"; readonly exchanged: Exchanged }

export const fromPieces = (pieces: Iterable<Piece>): History => {
  const answered: Array<Answered> = []
  let question = ""
  let summary = ""
  let answer = ""
  let exchanges: Array<Exchanged> = []
  for (const piece of pieces) {
    switch (piece._tag) {
      case "User":
        if (question !== "") answered.push({ question, answer })
        question = piece.question
        summary = piece.summary
        answer = ""
        exchanges = []
        break
      case "Said":
        answer = piece.text
        break
      case "Called":
        answer = ""
        exchanges.push(piece.exchanged)
    }
  }
  return { question, summary, exchanges, answer, answered }
}

const summaryOpens = "<compacted_context>\n"
const taskOpens = "\n</compacted_context>\n\n<last_user_message>\n"
const taskCloses = "\n</last_user_message>"

const escaped = /&lt;(?=[\s/]*(?:compacted_context|last_user_message))/gi

/** Results that follow a summary verbatim: `### name arguments`, then the text. */
const results = (summary: string): ReadonlyArray<Piece> =>
  summary.split(/^### (?=\w+ \{)/m).slice(1).flatMap((section) => {
    const [, name = "", args = "", failed, text = ""] = /^(\w+) (\{.*\})( \(failed\))?\n([^]*)$/.exec(section) ?? []
    return name === ""
      ? []
      : [{ _tag: "Called", exchanged: { name, arguments: args, text, isError: failed !== undefined } }]
  })

/** A user message, or the summary and the task of one that stands for compacted history. */
const readMessage = (message: string): ReadonlyArray<Piece> => {
  if (!message.startsWith(summaryOpens)) return [{ _tag: "User", question: message, summary: "" }]
  const middle = message.indexOf(taskOpens)
  if (middle < 0) return []
  const introduction = message.indexOf("\n\n", middle + taskOpens.length)
  const question = message.slice(introduction + 2, message.lastIndexOf(taskCloses))
  const summary = message.slice(summaryOpens.length, middle).replace(escaped, "<")
  return [{ _tag: "User", question, summary }, ...results(summary)]
}

const readStep = (step: Step): ReadonlyArray<Piece> =>
  step.parts.flatMap((part): ReadonlyArray<Piece> => {
    switch (part._tag) {
      case "Text":
        return [{ _tag: "Said", text: part.text }]
      case "Reasoning":
        return []
      case "Exchange": {
        const { call, result } = part
        const exchanged = { name: call.name, arguments: call.arguments, text: result.text, isError: result.isError }
        return [{ _tag: "Called", exchanged }]
      }
    }
  })

export const fromEntries = (entries: Iterable<Entry>): History =>
  fromPieces(
    [...entries].flatMap((entry) => entry._tag === "UserMessage" ? readMessage(entry.text) : readStep(entry))
  )
