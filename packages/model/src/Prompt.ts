/** The provider-independent content of a model request. */
import type { Entry } from "./Conversation.js"

/** A JSON Schema object describing a tool's parameters. */
export type JsonSchema = { readonly [key: string]: unknown }

export interface ToolSpec {
  readonly name: string
  readonly description: string
  readonly parameters: JsonSchema
}

export interface Prompt {
  readonly system: string
  readonly tools: ReadonlyArray<ToolSpec>
  readonly entries: ReadonlyArray<Entry>
}
