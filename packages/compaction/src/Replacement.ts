/** The text that stands for compacted history. It is rendered from the parts of a checkpoint, and never parsed. */
import type { Step } from "@weir/model/Conversation"
import type { Checkpoint } from "./Checkpoint.js"

/** The first part alone: what precedes the turns that stay verbatim. */
export const beforeTurns = (checkpoint: Checkpoint): string => checkpoint.summary

/** Both parts: the summary, and the running turn's user message byte for byte. */
export const withTask = (checkpoint: Checkpoint, task: string, unread?: Step): string =>
  `${checkpoint.summary}${task}${unread?._tag ?? ""}`
