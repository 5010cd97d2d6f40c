/** What a model's stream says, whichever API it came from. The last event of every good stream is `Finished`. */
import * as Data from "effect/Data"
import type { NativeReply, ToolCall } from "./Conversation.js"
import type { Usage } from "./Usage.js"

/** `calls` whenever the reply holds a tool call; `length` when output was cut by a token limit. */
export type StopReason = "end" | "calls" | "length" | "refused"

export type ModelEvent = Data.TaggedEnum<{
  TextDelta: { readonly text: string }
  ReasoningDelta: { readonly text: string }
  /** A call has begun; its arguments are still arriving. */
  CallStarted: { readonly id: string; readonly name: string }
  /** A call is complete. */
  CallFinished: { readonly call: ToolCall }
  /** Something arrived that says nothing by itself: a piece of a call's arguments, a sign that the server lives. */
  Heartbeat: {}
  Finished: {
    readonly stop: StopReason
    /** Absent when the provider reported none. */
    readonly usage?: Usage
    readonly native?: NativeReply
  }
}>

export const ModelEvent = Data.taggedEnum<ModelEvent>()
