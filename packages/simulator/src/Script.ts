/**
 * What the simulated model says. A script is a finite list of replies; the server keeps, per client session, how many
 * of them arrived completely, so a script goes on where it was although a compaction removed its history.
 */
import type * as Conversation from "@weir/model/Conversation"
import type { StopReason } from "@weir/model/ModelEvent"
import type { Prompt } from "@weir/model/Prompt"
import type * as Duration from "effect/Duration"
import type { Fault } from "./Fault.js"
import { print } from "./Json.js"

/** A call to make; the server gives it an id. */
export interface Call {
  readonly _tag: "Call"
  readonly tool: string
  /** JSON text, or anything else to see what a client makes of it. */
  readonly arguments: string
}

export interface Scripted {
  readonly parts: ReadonlyArray<Conversation.Text | Conversation.Reasoning | Call>
  /** By default `calls` when there is a call, else `end`. */
  readonly stop?: StopReason
  /** Before the response's headers. */
  readonly beforeHeaders?: Duration.DurationInput
  /** Between headers and the first frame. */
  readonly beforeFirst?: Duration.DurationInput
  /** Before each further frame. */
  readonly between?: Duration.DurationInput
  readonly fault?: Fault
}

export interface Script {
  /** Number of replies; after the last the script begins again. */
  readonly length: number
  readonly at: (index: number, prompt: Prompt) => Scripted
}

export const text = (value: string): Conversation.Text => ({ _tag: "Text", text: value })

export const reasoning = (value: string): Conversation.Reasoning => ({ _tag: "Reasoning", text: value })

/** A thought that the model keeps to itself: encrypted where an API has that, elsewhere nothing. */
export const redacted = reasoning("")

/** A call with arguments given as a value, or as a string that is sent as it is. */
export const call = (tool: string, args: unknown): Call => ({
  _tag: "Call",
  arguments: typeof args === "string" ? args : print(args),
  tool
})

/** One reply, the same each time. */
export const say = (scripted: Scripted): Script => ({ at: () => scripted, length: 1 })

export const reply = (value: string): Script => say({ parts: [text(value)] })

/** One reply with these calls at once. */
export const calls = (...list: ReadonlyArray<Call>): Script => say({ parts: list })

/** One reply made from what the model is sent. */
export const respond = (f: (prompt: Prompt) => Scripted): Script => ({ at: (_, prompt) => f(prompt), length: 1 })

/** Repeats the beginning of what the user said last: enough to see that a client works. */
export const echo: Script = respond((prompt) => {
  const said = prompt.entries.findLast((entry) => entry._tag === "UserMessage")
  return { parts: [text(`You said: ${said?._tag === "UserMessage" ? said.text.slice(0, 200) : ""}`)] }
})

/** One script after another. */
export const sequence = (scripts: ReadonlyArray<Script>): Script => ({
  at: (index, prompt) => {
    let start = 0
    for (const script of scripts) {
      if (index < start + script.length) return script.at(index - start, prompt)
      start += script.length
    }
    return { parts: [] }
  },
  length: scripts.reduce((sum, script) => sum + script.length, 0)
})

export const repeat = (script: Script, times: number): Script => ({
  at: (index, prompt) => script.at(index % script.length, prompt),
  length: script.length * times
})

/** `count` replies with one call each, then the answer. */
export const toolLoop = (options: {
  readonly count: number
  readonly tool: string
  /** Arguments of the call with this number, counted from 0. */
  readonly args: (index: number) => unknown
  readonly answer: string
}): Script =>
  sequence([
    { at: (index) => ({ parts: [call(options.tool, options.args(index))] }), length: options.count },
    reply(options.answer)
  ])

/** The reply for the given number of completely delivered ones before it. */
export const next = (script: Script, delivered: number, prompt: Prompt): Scripted =>
  script.length === 0 ? { parts: [] } : script.at(delivered % script.length, prompt)
