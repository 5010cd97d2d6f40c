/** What a request's entries say: the question being worked on, and what was done for it so far. */
import type { Entry, Step } from "@weir/model/Conversation"
import { exchanges, text } from "@weir/model/Conversation"
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
  /** Steps with tool calls since. */
  readonly steps: number
  /** Earlier questions with their answers, oldest first. */
  readonly answered: ReadonlyArray<Answered>
}

export const empty: History = { question: "", summary: "", exchanges: [], steps: 0, answered: [] }

const summaryOpens = "<compacted_context>\n"
const taskOpens = "\n</compacted_context>\n\n<last_user_message>\n"
const taskCloses = "\n</last_user_message>"

/** A user message, or the summary and the task of one that stands for compacted history. */
export const readMessage = (message: string): { readonly question: string; readonly summary: string } => {
  if (!message.startsWith(summaryOpens)) return { question: message, summary: "" }
  const middle = message.indexOf(taskOpens)
  if (middle < 0) return { question: "", summary: message.slice(summaryOpens.length) }
  const introduction = message.indexOf("\n\n", middle + taskOpens.length)
  const end = message.lastIndexOf(taskCloses)
  return {
    question: message.slice(introduction < 0 ? middle + taskOpens.length : introduction + 2, end),
    summary: message.slice(summaryOpens.length, middle)
  }
}

const exchanged = (step: Step): ReadonlyArray<Exchanged> =>
  exchanges(step).map(({ call, result }) => ({
    name: call.name,
    arguments: call.arguments,
    text: result.text,
    isError: result.isError
  }))

export const fromEntries = (entries: Iterable<Entry>): History => {
  const answered: Array<Answered> = []
  let current: Pick<History, "question" | "summary"> = empty
  let made: Array<Exchanged> = []
  let steps = 0
  let answer = ""
  for (const entry of entries) {
    if (entry._tag === "UserMessage") {
      if (current.question !== "") answered.push({ question: current.question, answer })
      current = readMessage(entry.text)
      made = []
      steps = 0
      answer = ""
    } else {
      const calls = exchanged(entry)
      for (const call of calls) made.push(call)
      if (calls.length > 0) steps++
      answer = text(entry) || answer
    }
  }
  return { ...current, exchanges: made, steps, answered }
}
