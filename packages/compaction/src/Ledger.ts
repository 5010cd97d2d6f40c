/** What is kept by rule, not by the model: files touched, commands run, and what the user typed. */
import { Fact } from "@weir/model/Conversation"
import * as Schema from "effect/Schema"

/** A typed instruction: verbatim, or its head and tail when it is larger than the cap. */
export const Instruction = Schema.Struct({
  head: Schema.String,
  /** Characters left out between head and tail. */
  omitted: Schema.NonNegativeInt,
  tail: Schema.String
})
export type Instruction = typeof Instruction.Type

export const Ledger = Schema.Struct({
  /** One for each file (its last action) and command (its last exit code), newest first. */
  facts: Schema.Array(Fact),
  /** Earlier typed instructions, newest first. */
  instructions: Schema.Array(Instruction)
})
export type Ledger = typeof Ledger.Type

export const empty: Ledger = { facts: [], instructions: [] }
