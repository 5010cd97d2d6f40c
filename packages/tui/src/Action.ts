/** What the screen wants done; whoever runs it does it. */
import * as Data from "effect/Data"
import type { Choice } from "./Question.js"

export type Action = Data.TaggedEnum<{
  /** A turn begins. */
  Prompt: { readonly text: string }
  /** Interrupts the innermost thing that runs. */
  Escape: {}
  /** Cancels the compaction and nothing else, also when it has just ended. */
  CancelCompaction: {}
  /** Interrupts the turn, with what runs inside it. */
  Interrupt: {}
  /** To the question that was open last. */
  Answer: { readonly choice: Choice; readonly because: string }
  /** A line that began with a slash, without it. */
  Command: { readonly name: string; readonly argument: string }
  Picked: { readonly picker: string; readonly id: string }
  /** Puts a text into the editor in place of what is there. */
  SetDraft: { readonly text: string }
  /** The key is the editor's. */
  Edit: {}
  /** Stops the process, until it is continued. */
  Suspend: {}
  /** Draws everything anew. */
  Redraw: {}
  Quit: {}
}>

export const Action = Data.taggedEnum<Action>()
