/** What the loop needs of a tool. How a tool is written (and with which schema library) is its own business. */
import type * as Effect from "effect/Effect"
import type { ToolResult } from "./Conversation.js"
import type { ToolSpec } from "./Prompt.js"
import type { Redaction } from "./Redaction.js"

/** What a tool may do, for the permission rule: look, change files, or run anything. */
export type Access = "read" | "write" | "execute"

export interface ToolContext {
  readonly callId: string
  /** The largest result that will be recorded, in tokens; of a larger one only head and tail are kept. */
  readonly outputTokens: number
  /** Where a tool may put output too large to hold in memory; it then names it in `savedTo`. */
  readonly outputFile: string
  /** What of the output is for no file. The result is cleared in any case, but whole: not what a tool has cut in two. */
  readonly redaction: Redaction
  /** Shows output while the tool runs. Never part of the result. */
  readonly report: (chunk: string) => Effect.Effect<void>
}

export interface Tool {
  readonly spec: ToolSpec
  readonly access: Access
  /**
   * Runs the tool on the JSON text of its arguments. Every expected failure, malformed arguments
   * included, is a result with `isError`: the model reads it and goes on. Interruption releases all it started.
   */
  readonly run: (args: string, context: ToolContext) => Effect.Effect<ToolResult>
}
