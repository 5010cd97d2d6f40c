/** Plays inputs into the reducer, and shows what came of them as text. */
import type { Action } from "../src/Action.js"
import type { Block } from "../src/Block.js"
import { type Input, ScreenEvent } from "../src/Input.js"
import * as Reducer from "../src/Reducer.js"
import { initial, type State } from "../src/State.js"

export interface Played {
  readonly state: State
  readonly actions: ReadonlyArray<Action>
}

export const play = (inputs: Iterable<Input>, from: State = initial): Played => Reducer.reduceAll(from, inputs)

export const key = (name: string, completing = false) => ScreenEvent.Key({ completing, key: name })

export const at = (now: number) => ScreenEvent.Tick({ now })

export const submit = (text: string) => ScreenEvent.Submitted({ text })

export const draft = (text: string) => ScreenEvent.Edited({ draft: text })

export const text = (delta: string): Input => ({ _tag: "TextDelta", text: delta })

export const step = (estimate = 100): Input => ({ _tag: "StepStarted", budget: 1_000, estimate })

export const started: Input = { _tag: "TurnStarted" }

export const call = (callId: string, name = "bash", args = "{\"command\":\"make\"}"): Input => ({
  _tag: "ToolCallStarted",
  arguments: args,
  callId,
  name
})

export const asked = (callId: string): Input => ({
  _tag: "PermissionAsked",
  arguments: "{\"command\":\"make\"}",
  callId,
  name: "bash"
})

export const result = (callId: string, output = "done", isError = false): Input => ({
  _tag: "ToolCallFinished",
  callId,
  isError,
  text: output
})

export const compacting: Input = { _tag: "AutoCompactionStarted", budget: 1_000, estimate: 950 }

const usage = { cacheRead: 0, cacheWrite: 0, fresh: 900, output: 50 }

export const applied: Input = { _tag: "AutoCompactionApplied", after: 200, before: 950, usage }

export const finished: Input = { _tag: "TurnFinished", reason: "finished" }

export const ended = (
  reason: Extract<Input, { readonly _tag: "TurnFinished" }>["reason"],
  message?: string
): Input => ({ _tag: "TurnFinished", reason, ...(message !== undefined && { error: { message } }) })

const line = (block: Block): string => {
  switch (block._tag) {
    case "User":
      return `> ${block.text}`
    case "Prose":
      return block.text.trim()
    case "Code":
      return `[${block.language}] ${block.text}`
    case "Tool":
      return `* ${block.call.name} ${block.call.argument} (${block.call.state})`
    case "Note":
      return `! ${block.text}`
  }
}

/** What the scrollback would hold. */
export const shown = ({ state }: Played): ReadonlyArray<string> => state.finished.map(line)

export const tags = ({ actions }: Played): ReadonlyArray<string> => actions.map(({ _tag }) => _tag)
