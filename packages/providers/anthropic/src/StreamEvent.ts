/** What is read of the events of a streamed reply, as the API and the many hosts that imitate it really send them. */
import type { Usage } from "@weir/model/Usage"
import * as Count from "@weir/transport/Count"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

const maybe = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(Schema.NullOr(schema))

/** Cumulative; input is counted without what was read from the cache or written to it. Absent: not told. */
export interface Counts {
  readonly input?: number | undefined
  readonly cacheRead?: number | undefined
  readonly cacheWrite?: number | undefined
  readonly output?: number | undefined
  readonly thinking?: number | undefined
}

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
    message: maybe(Schema.Struct({ usage: Schema.optional(Schema.Unknown) }))
  }),
  Schema.Struct({ type: Schema.Literal("content_block_start"), index, content_block: Block }),
  Schema.Struct({ type: Schema.Literal("content_block_delta"), index, delta: Delta }),
  Schema.Struct({ type: Schema.Literal("content_block_stop"), index }),
  Schema.Struct({
    type: Schema.Literal("message_delta"),
    delta: maybe(Schema.Struct({ stop_reason: maybe(Schema.String) })),
    usage: Schema.optional(Schema.Unknown)
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

export const counts = (usage: unknown): Counts => ({
  input: Count.at(usage, "input_tokens"),
  cacheRead: Count.at(usage, "cache_read_input_tokens"),
  cacheWrite: Count.at(usage, "cache_creation_input_tokens"),
  output: Count.at(usage, "output_tokens"),
  thinking: Count.at(usage, "output_tokens_details", "thinking_tokens")
})

/** Later counts win; a proxy may send null or zero for those that it does not repeat. */
const later = (before: number | undefined, after: number | undefined) => after || (before ?? after)

export const mergeCounts = (before: Counts, after: Counts): Counts => ({
  input: later(before.input, after.input),
  cacheRead: later(before.cacheRead, after.cacheRead),
  cacheWrite: later(before.cacheWrite, after.cacheWrite),
  output: later(before.output, after.output),
  thinking: after.thinking ?? before.thinking
})

/** Undefined when the input was not counted. */
export const toUsage = (
  { cacheRead = 0, cacheWrite = 0, input, output = 0, thinking = 0 }: Counts
): Usage | undefined =>
  input === undefined
    ? undefined
    : { fresh: input, cacheRead, cacheWrite, output, reasoning: Math.min(output, thinking) }
