/** Everything that can happen to the screen. A session's events are read as they are: their shapes fit `SessionEvent`. */
import * as Data from "effect/Data"
import type { Block } from "./Block.js"
import type { Item } from "./Overlay.js"

export interface Usage {
  readonly fresh: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly output: number
}

/** What the screen reads of a session's events. Tokens, and milliseconds. */
export type SessionEvent =
  | { readonly _tag: "TurnStarted" }
  | { readonly _tag: "StepStarted"; readonly estimate: number; readonly budget: number }
  | { readonly _tag: "TextDelta"; readonly text: string }
  | { readonly _tag: "ReasoningDelta"; readonly text: string }
  | { readonly _tag: "ToolCallStarted"; readonly callId: string; readonly name: string; readonly arguments: string }
  | { readonly _tag: "PermissionAsked"; readonly callId: string; readonly name: string; readonly arguments: string }
  | { readonly _tag: "ToolOutput"; readonly callId: string; readonly chunk: string }
  | { readonly _tag: "ToolCallFinished"; readonly callId: string; readonly isError: boolean; readonly text: string }
  | { readonly _tag: "UsageReported"; readonly usage: Usage }
  | { readonly _tag: "RetryScheduled"; readonly attempt: number; readonly delayMillis: number; readonly reason: string }
  | { readonly _tag: "Rewound" }
  | { readonly _tag: "TranscriptMended"; readonly text: string }
  | { readonly _tag: "AutoCompactionStarted"; readonly estimate: number; readonly budget: number }
  | {
    readonly _tag: "AutoCompactionApplied"
    readonly before: number
    readonly after: number
    readonly usage: Usage
  }
  | { readonly _tag: "AutoCompactionCancelled"; readonly usage: Usage }
  | { readonly _tag: "AutoCompactionFailed"; readonly usage: Usage; readonly error: { readonly message: string } }
  | { readonly _tag: "ManualCompactionStarted"; readonly estimate: number; readonly budget: number }
  | { readonly _tag: "ManualSummaryDelta"; readonly text: string; readonly isFirst: boolean }
  | {
    readonly _tag: "ManualCompactionFinished"
    readonly end:
      | { readonly _tag: "Compacted"; readonly before: number; readonly after: number; readonly usage: Usage }
      | { readonly _tag: "Unchanged"; readonly because: "nothing-to-compact" | "cancelled"; readonly usage: Usage }
      | { readonly _tag: "Failed"; readonly usage: Usage; readonly error: { readonly message: string } }
  }
  | {
    readonly _tag: "TurnFinished"
    readonly reason: "finished" | "interrupted" | "context_limit" | "max_steps" | "refused" | "failed"
    readonly error?: { readonly message: string }
  }

/** What the terminal, the clock and the commands tell. */
export type ScreenEvent = Data.TaggedEnum<{
  /** Milliseconds since the epoch. */
  Tick: { readonly now: number }
  /**
   * A key that the screen may want for itself, such as `escape`, `ctrl+c`, `up`, or a character. `completing`: the
   * editor shows completions.
   */
  Key: { readonly key: string; readonly completing: boolean }
  /** The text that stands in the editor now. */
  Edited: { readonly draft: string }
  Submitted: { readonly text: string }
  /** Something finished is to be shown. */
  Shown: { readonly blocks: ReadonlyArray<Block> }
  /** A line that goes away by itself after two seconds. */
  Noticed: { readonly text: string }
  PickerOpened: {
    readonly picker: string
    readonly title: string
    readonly items: ReadonlyArray<Item>
    readonly selected: string
  }
  TextOpened: { readonly title: string; readonly text: string }
  /** The parts of the status line. */
  StatusChanged: { readonly status: Partial<Status> }
}>

export const ScreenEvent = Data.taggedEnum<ScreenEvent>()

export type Input = SessionEvent | ScreenEvent

export interface Status {
  readonly model: string
  readonly directory: string
  readonly branch: string
  /** Estimated input of the next request, and what fits, in tokens. Zero: not known. */
  readonly estimate: number
  readonly budget: number
  /** Where compaction begins, in tokens. */
  readonly trigger: number
  /** In US dollars per million tokens; absent where none are known. */
  readonly prices: Prices | undefined
}

export interface Prices {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
}
