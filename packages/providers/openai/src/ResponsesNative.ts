/**
 * Replies of the Responses API as they have to be sent back: to the model that wrote them, every item unchanged and in
 * its place. Reasoning is encrypted, and bound to the item that follows it. Of a call the step holds the rest.
 */
import type { NativeReply, Step } from "@weir/model/Conversation"
import * as Conversation from "@weir/model/Conversation"
import { isWellFormed } from "@weir/transport/WellFormed"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** What no API accepts cannot go back as it was, and so not at all. */
const Verbatim = Schema.String.pipe(Schema.filter(isWellFormed))

/** Ids that the API takes back; an id is left out where it cannot stand without reasoning that is not kept. */
const itemId = (prefix: string) =>
  Schema.optionalWith(Verbatim.pipe(Schema.startsWith(`${prefix}_`), Schema.maxLength(64)), { exact: true })

const Reasoning = Schema.Struct({
  type: Schema.Literal("reasoning"),
  id: Verbatim.pipe(Schema.startsWith("rs_"), Schema.maxLength(64)),
  summary: Schema.Array(Schema.Struct({ type: Schema.Literal("summary_text"), text: Verbatim })),
  encrypted_content: Verbatim.pipe(Schema.nonEmptyString())
})

export const Phase = Schema.Literal("commentary", "final_answer")

const Said = Schema.Union(
  Schema.Struct({ type: Schema.Literal("output_text"), text: Verbatim }),
  Schema.Struct({ type: Schema.Literal("refusal"), refusal: Verbatim })
)
export type Said = typeof Said.Type

const Message = Schema.Struct({
  type: Schema.Literal("message"),
  id: itemId("msg"),
  phase: Schema.optionalWith(Phase, { exact: true }),
  content: Schema.NonEmptyArray(Said)
})

const Call = Schema.Struct({ type: Schema.Literal("function_call"), id: itemId("fc"), call_id: Schema.String })

const Item = Schema.Union(Reasoning, Message, Call)
export type Item = typeof Item.Type

/** Who wrote a reply, over which backend: what one has encrypted no other can read. */
export interface Author {
  readonly codec: string
  readonly model: string
}

/** An item as it arrived. Reasoning may lack what makes it worth sending back. */
export type Arrived = Exclude<Item, { readonly type: "reasoning" }> | {
  readonly type: "reasoning"
  readonly id: string
  readonly summary: typeof Reasoning.Type["summary"]
  readonly encrypted_content: string
}

const isReasoning = ({ type }: Arrived) => type === "reasoning"

/** Without reasoning that is not encrypted nothing of it can be kept, nor any id that is bound to it. */
const kept = (items: ReadonlyArray<Arrived>): ReadonlyArray<Arrived> =>
  items.some((item) => item.type === "reasoning" && item.encrypted_content === "")
    ? items.flatMap((item) => {
      if (item.type === "reasoning") return []
      const { id, ...rest } = item
      return [rest]
    })
    : items

/** Reasoning that nothing follows, as of a reply that was cut, leads nowhere and is refused. */
const trimmed = (items: ReadonlyArray<Arrived>) => items.slice(0, items.findLastIndex((item) => !isReasoning(item)) + 1)

const isWorthy = (item: Arrived) => isReasoning(item) || (item.type === "message" && item.phase !== undefined)

/** What to keep of a reply; nothing when it can be told again from its step. */
export const make = (author: Author, items: ReadonlyArray<Arrived>): NativeReply | undefined => {
  const payload = trimmed(kept(items))
  return payload.some(isWorthy) ? { ...author, payload } : undefined
}

const decode = Schema.decodeUnknownOption(Schema.Array(Item))

const fits = (step: Step) => (items: ReadonlyArray<Item>): boolean => {
  const exchanges = Conversation.exchanges(step)
  const calls = items.flatMap((item) => item.type === "function_call" ? [item.call_id] : [])
  return items.at(-1)?.type !== "reasoning" &&
    calls.length === exchanges.length &&
    calls.every((id, index) => id === exchanges[index]?.call.id)
}

/** The items of a step that this author wrote, if they are known and have just the step's calls. */
export const items = (step: Step, { codec, model }: Author): Option.Option<ReadonlyArray<Item>> =>
  step.native?.codec === codec && step.native.model === model
    ? Option.filter(decode(step.native.payload), fits(step))
    : Option.none()
