/** The terminal, as the screen needs it. Whoever provides it restores it however the program ends. */
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import type { Size } from "./Editor.js"

export type TerminalEvent = Data.TaggedEnum<{
  /** What the terminal sent, cut anywhere. */
  Sent: { readonly data: string }
  Resized: {}
  /** The process was stopped by others, and goes on: what stands on the terminal now is not known. */
  Continued: {}
  /** The input has ended: there will be no more of it. */
  Closed: {}
}>

export const TerminalEvent = Data.taggedEnum<TerminalEvent>()

/** What a user does who types whole lines. */
export type LineEvent = Data.TaggedEnum<{
  /** Without its end. */
  Typed: { readonly line: string }
  /** Ctrl+C. */
  Interrupted: {}
  Closed: {}
}>

export const LineEvent = Data.taggedEnum<LineEvent>()

export interface Terminal {
  readonly size: Effect.Effect<Size>
  readonly write: (text: string) => Effect.Effect<void>
  /** What arrives, with every key at once and nothing echoed, as long as the scope is open. */
  readonly open: Effect.Effect<Queue.Dequeue<TerminalEvent>, never, Scope.Scope>
  /** The same as lines, which the terminal itself echoes and edits. */
  readonly lines: Effect.Effect<Queue.Dequeue<LineEvent>, never, Scope.Scope>
  /** Stops the process as Ctrl+Z does elsewhere; returns when it has been continued, or cannot be stopped. */
  readonly suspend: Effect.Effect<void>
}

/** Pastes are marked, and a terminal that can tell Shift+Enter from Enter is asked to. */
export const enter = "\u001b[?2004h\u001b[>1u"

export const leave = "\u001b[?2026l\u001b[<u\u001b[?2004l\u001b[?25h\u001b[0m"
