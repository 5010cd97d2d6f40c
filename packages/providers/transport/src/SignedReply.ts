/**
 * Replies of Claude and its kind that hold thinking, as they have to be sent back. Thinking is signed or encrypted: it
 * must return to the model that thought it, unchanged and in its place. Calls are only places: the step holds them.
 */
import type { NativeReply, Step } from "@weir/model/Conversation"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { isWellFormed } from "./WellFormed.js"

/** What no API accepts cannot go back as it was, and so not at all. */
const Verbatim = Schema.String.pipe(Schema.filter(isWellFormed))

const Thinking = Schema.Struct({
  type: Schema.Literal("thinking"),
  thinking: Verbatim,
  signature: Verbatim.pipe(Schema.nonEmptyString())
})

const RedactedThinking = Schema.Struct({ type: Schema.Literal("redacted_thinking"), data: Verbatim })

const Text = Schema.Struct({ type: Schema.Literal("text"), text: Schema.String })

const Call = Schema.Struct({ type: Schema.Literal("tool_use"), id: Schema.String })

const Block = Schema.Union(Thinking, RedactedThinking, Text, Call)
export type Block = typeof Block.Type

const isThinking = ({ type }: Block) => type === "thinking" || type === "redacted_thinking"

/** A message cannot end in thinking, as one may that was cut; such an end leads nowhere. */
const trimmed = (blocks: ReadonlyArray<Block>) =>
  blocks.slice(0, blocks.findLastIndex((block) => !isThinking(block)) + 1)

/** Who wrote a reply, over which API. */
export interface Author {
  readonly codec: string
  readonly model: string
}

/** What to keep of a reply; nothing when it can be told again from its step. */
export const make = (author: Author, blocks: ReadonlyArray<Block>): NativeReply | undefined => {
  const payload = trimmed(blocks)
  return payload.some(isThinking) ? { codec: author.codec, model: author.model, payload } : undefined
}

const decode = Schema.decodeUnknownOption(Schema.Array(Block))

const callsOf = (blocks: ReadonlyArray<Block>) => blocks.flatMap((block) => block.type === "tool_use" ? [block.id] : [])

const sameMembers = (some: ReadonlyArray<string>, others: ReadonlyArray<string>) => {
  const left = new Set(some)
  return left.size === some.length && some.length === others.length && others.every((one) => left.has(one))
}

/** The blocks of a step that this model wrote, if they are known and have just the calls of the step. */
export const blocks = ({ native, parts }: Step, { codec, model }: Author): Option.Option<ReadonlyArray<Block>> => {
  const ids = parts.flatMap((part) => part._tag === "Exchange" ? [part.call.id] : [])
  return native?.codec === codec && native.model === model
    ? Option.filter(decode(native.payload), (found) => sameMembers(callsOf(found), ids))
    : Option.none()
}
