/**
 * What is said between user, model and tools. A step holds its calls together with their results,
 * so no operation on a conversation can separate the two.
 */
import * as Schema from "effect/Schema"
import { Usage } from "./Usage.js"

export const Image = Schema.Struct({
  /** For example `image/png`. */
  mediaType: Schema.String,
  /** Base64. */
  data: Schema.String
})
export type Image = typeof Image.Type

export const UserMessage = Schema.TaggedStruct("UserMessage", {
  text: Schema.String,
  images: Schema.Array(Image)
})
export type UserMessage = typeof UserMessage.Type

export const userMessage = (text: string, images: ReadonlyArray<Image> = []): UserMessage => ({
  _tag: "UserMessage",
  text,
  images
})

export const Text = Schema.TaggedStruct("Text", { text: Schema.String })
export type Text = typeof Text.Type

export const Reasoning = Schema.TaggedStruct("Reasoning", { text: Schema.String })
export type Reasoning = typeof Reasoning.Type

export const ToolCall = Schema.TaggedStruct("ToolCall", {
  id: Schema.String,
  name: Schema.String,
  /** The JSON text exactly as the model wrote it; it may be malformed. */
  arguments: Schema.String
})
export type ToolCall = typeof ToolCall.Type

/** What a tool did to the world, as a rule can know it. The ledger is made of these. */
export const Fact = Schema.Union(
  Schema.TaggedStruct("File", { path: Schema.String, action: Schema.Literal("read", "written", "edited") }),
  Schema.TaggedStruct("Command", {
    command: Schema.String,
    /** Null when it did not finish. */
    exitCode: Schema.NullOr(Schema.Int),
    /** Names of tests that its output says have failed. */
    failing: Schema.optionalWith(Schema.Array(Schema.String), { exact: true })
  })
)
export type Fact = typeof Fact.Type

export const ToolResult = Schema.Struct({
  text: Schema.String,
  isError: Schema.Boolean,
  images: Schema.Array(Image),
  facts: Schema.Array(Fact),
  /** Path of the file that holds the whole output, when `text` is only a part of it. */
  savedTo: Schema.optionalWith(Schema.String, { exact: true })
})
export type ToolResult = typeof ToolResult.Type

/** A call together with its result. */
export const Exchange = Schema.TaggedStruct("Exchange", { call: ToolCall, result: ToolResult })
export type Exchange = typeof Exchange.Type

/** What one codec needs to replay a reply verbatim to the same model; meaningless to all others. */
export const NativeReply = Schema.Struct({
  codec: Schema.String,
  model: Schema.String,
  payload: Schema.Unknown
})
export type NativeReply = typeof NativeReply.Type

/** One model reply with all its calls and all their results, in the order the model gave them. */
export const Step = Schema.TaggedStruct("Step", {
  parts: Schema.Array(Schema.Union(Text, Reasoning, Exchange)),
  usage: Schema.optionalWith(Usage, { exact: true }),
  native: Schema.optionalWith(NativeReply, { exact: true })
})
export type Step = typeof Step.Type

/** The exchanges of a step, in order. */
export const exchanges = (step: Step): ReadonlyArray<Exchange> => step.parts.filter((part) => part._tag === "Exchange")

/** The visible text of a step: its text parts joined by a blank line. */
export const text = (step: { readonly parts: ReadonlyArray<{ readonly _tag: string; readonly text?: string }> }) =>
  step.parts.flatMap((part) => part._tag === "Text" && part.text ? [part.text] : []).join("\n\n")

export const TurnId = Schema.String.pipe(Schema.brand("TurnId"))
export type TurnId = typeof TurnId.Type

/** One user message and all that the agent has completed for it so far. */
export const Turn = Schema.Struct({
  id: TurnId,
  user: UserMessage,
  steps: Schema.Array(Step)
})
export type Turn = typeof Turn.Type

/** What a request is made of, oldest first: there is no way to write half a step. */
export type Entry = UserMessage | Step
