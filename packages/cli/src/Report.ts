/** What standard output shows of a turn, in the format that was asked for. */
import type { SessionEvent } from "@weir/agent/SessionEvent"
import type { TurnResult } from "@weir/agent/TurnResult"
import { visible } from "@weir/tui/Visible"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import type { Output } from "./Host.js"
import * as Wire from "./Wire.js"

export type Format = "text" | "json" | "stream-json"

export interface Report {
  readonly onEvent: (event: SessionEvent) => Effect.Effect<void>
  /** Called once, after the last event. */
  readonly onResult: (result: TurnResult, durationMillis: number) => Effect.Effect<void>
}

interface Shown {
  /** All that has been written. */
  readonly written: string
  /** Text of the step that is still running, which a rewind would void. */
  readonly pending: string
}

/** The agent's text alone: each step's when it is complete, steps apart by a blank line. */
const makeText = Effect.fnUntraced(function*(stdout: Output) {
  const state = yield* Ref.make<Shown>({ pending: "", written: "" })
  const write = (text: string) => stdout.write(stdout.isTerminal ? visible(text) : text)

  const flush = Effect.gen(function*() {
    const { pending, written } = yield* Ref.get(state)
    if (pending === "") return
    const text = written === "" ? pending : `\n\n${pending}`
    yield* Ref.set(state, { pending: "", written: written + text })
    yield* write(text)
  })

  const report: Report = {
    onEvent: (event) => {
      switch (event._tag) {
        case "TextDelta":
          return Ref.update(state, ({ pending, written }) => ({ pending: pending + event.text, written }))
        case "Rewound":
          return Ref.update(state, ({ written }) => ({ pending: "", written }))
        case "StepStarted":
        case "ToolCallStarted":
        case "TurnFinished":
          return flush
        default:
          return Effect.void
      }
    },
    onResult: ({ text }) =>
      Effect.gen(function*() {
        yield* flush
        const { written } = yield* Ref.get(state)
        const rest = text.startsWith(written) ? text.slice(written.length) : ""
        if (written + rest !== "") yield* write(`${rest}\n`)
      })
  }
  return report
})

const json = (stdout: Output, sessionId: string): Report => ({
  onEvent: () => Effect.void,
  onResult: (result, durationMillis) => stdout.write(`${Wire.result(result, { durationMillis, sessionId })}\n`)
})

const streamJson = (stdout: Output, sessionId: string): Report => ({
  onEvent: (event) => stdout.write(`${Wire.event(event, sessionId)}\n`),
  onResult: () => Effect.void
})

export const make = (format: Format, stdout: Output, sessionId: string): Effect.Effect<Report> => {
  switch (format) {
    case "text":
      return makeText(stdout)
    case "json":
      return Effect.succeed(json(stdout, sessionId))
    case "stream-json":
      return Effect.succeed(streamJson(stdout, sessionId))
  }
}
