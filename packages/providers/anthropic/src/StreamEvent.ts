/** What is read of the events of a streamed reply, as the API and the many hosts that imitate it really send them. */
import type { Usage } from "@weir/model/Usage"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

const maybe = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(Schema.NullOr(schema))

/** Cumulative; input is counted without what was read from the cache or written to it. */
export const Counts = Schema.Struct({
  input_tokens: maybe(Schema.Number),
  cache_read_input_tokens: maybe(Schema.Number),
  cache_creation_input_tokens: maybe(Schema.Number),
  output_tokens: maybe(Schema.Number),
  output_tokens_details: maybe(Schema.Struct({ thinking_tokens: maybe(Schema.Number) }))
})
export type Counts = typeof Counts.Type

/** Any block: which fields it has depends on its type. */
const Block = Schema.Struct({
  type: Schema.String,
  text: maybe(Schema.String),
  thinking: maybe(Schema.String),
  signature: maybe(Schema.String),
  data: maybe(Schema.String),
  id: maybe(Schema.String),
  name: maybe(Schema.String),
  input: Schema.optional(Schema.Unknown)
})
export type Block = typeof Block.Type

const Delta = Schema.Struct({
  type: Schema.String,
  text: maybe(Schema.String),
  thinking: maybe(Schema.String),
  signature: maybe(Schema.String),
  partial_json: maybe(Schema.String)
})
export type Delta = typeof Delta.Type

const index = Schema.Number

const StreamEvent = Schema.Union(
  Schema.Struct({
    type: Schema.Literal("message_start"),
    message: maybe(Schema.Struct({ usage: maybe(Counts) }))
  }),
  Schema.Struct({ type: Schema.Literal("content_block_start"), index, content_block: Block }),
  Schema.Struct({ type: Schema.Literal("content_block_delta"), index, delta: Delta }),
  Schema.Struct({ type: Schema.Literal("content_block_stop"), index }),
  Schema.Struct({
    type: Schema.Literal("message_delta"),
    delta: maybe(Schema.Struct({ stop_reason: maybe(Schema.String) })),
    usage: maybe(Counts)
  }),
  Schema.Struct({ type: Schema.Literal("message_stop") })
)
export type StreamEvent = typeof StreamEvent.Type

const known = new Set(StreamEvent.members.map((member) => member.fields.type.literals[0]).map(String))

const decodeEvent = Schema.decodeUnknownEither(StreamEvent)
const decodeType = Schema.decodeUnknownOption(Schema.Struct({ type: Schema.String }))

/** None for an event of a kind that we do not know, which is to be ignored. Fails for what is no event at all. */
export const decode = (value: unknown): Either.Either<Option.Option<StreamEvent>, unknown> => {
  const isUnknown = Option.exists(decodeType(value), ({ type }) => type !== "error" && !known.has(type))
  return isUnknown ? Either.right(Option.none()) : Either.mapBoth(decodeEvent(value), {
    onLeft: () => value,
    onRight: Option.some
  })
}

type Count = number | null | undefined

/** Later counts win; a proxy may send null or zero for those that it does not repeat. */
const later = (before: Count, after: Count): Count => after || (before ?? after)

export const mergeCounts = (before: Counts, after: Counts): Counts => ({
  input_tokens: later(before.input_tokens, after.input_tokens),
  cache_read_input_tokens: later(before.cache_read_input_tokens, after.cache_read_input_tokens),
  cache_creation_input_tokens: later(before.cache_creation_input_tokens, after.cache_creation_input_tokens),
  output_tokens: later(before.output_tokens, after.output_tokens),
  output_tokens_details: after.output_tokens_details ?? before.output_tokens_details
})

const count = (value: Count) => Math.max(0, Math.trunc(value ?? 0))

/** Undefined when the input was not counted. */
export const toUsage = (counts: Counts): Usage | undefined => {
  if (typeof counts.input_tokens !== "number") return undefined
  const output = count(counts.output_tokens)
  return {
    fresh: count(counts.input_tokens),
    cacheRead: count(counts.cache_read_input_tokens),
    cacheWrite: count(counts.cache_creation_input_tokens),
    output,
    reasoning: Math.min(output, count(counts.output_tokens_details?.thinking_tokens))
  }
}
