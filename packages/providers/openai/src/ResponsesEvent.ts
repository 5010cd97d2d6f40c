/** What is read of the events of a streamed response. Of their many kinds only a few say something. */
import type { Usage } from "@weir/model/Usage"
import * as Schema from "effect/Schema"

const maybe = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(Schema.NullOr(schema))
const list = <A, I>(schema: Schema.Schema<A, I>) => maybe(Schema.Array(schema))

/** `reasoning`, `message`, `function_call`; others are passed over. */
export const Item = Schema.Struct({
  type: Schema.String,
  id: maybe(Schema.String),
  status: maybe(Schema.String),
  phase: maybe(Schema.String),
  content: list(Schema.Struct({ type: Schema.String, text: maybe(Schema.String), refusal: maybe(Schema.String) })),
  summary: list(Schema.Struct({ text: maybe(Schema.String) })),
  encrypted_content: maybe(Schema.String),
  call_id: maybe(Schema.String),
  name: maybe(Schema.String),
  arguments: maybe(Schema.String)
})
export type Item = typeof Item.Type

/** The input's count holds what was read from and written to the cache, the output's holds the reasoning. */
const Counts = Schema.Struct({
  input_tokens: maybe(Schema.Number),
  input_tokens_details: maybe(Schema.Struct({
    cached_tokens: maybe(Schema.Number),
    cache_write_tokens: maybe(Schema.Number)
  })),
  output_tokens: maybe(Schema.Number),
  output_tokens_details: maybe(Schema.Struct({ reasoning_tokens: maybe(Schema.Number) }))
})

export const Response = Schema.Struct({
  error: Schema.optional(Schema.Unknown),
  incomplete_details: maybe(Schema.Struct({ reason: maybe(Schema.String) })),
  output: list(Item),
  usage: maybe(Counts)
})
export type Response = typeof Response.Type

const Kind = Schema.Literal(
  "response.output_item.added",
  "response.output_item.done",
  "response.output_text.delta",
  "response.refusal.delta",
  "response.reasoning_summary_text.delta",
  "response.reasoning_text.delta",
  "response.completed",
  "response.incomplete",
  "response.failed"
)

export const isKnown = Schema.is(Kind)

export const isEvent = Schema.is(Schema.Struct({ type: Schema.String }))

export const Event = Schema.Struct({
  type: Kind,
  output_index: maybe(Schema.Number),
  content_index: maybe(Schema.Number),
  summary_index: maybe(Schema.Number),
  item_id: maybe(Schema.String),
  delta: maybe(Schema.String),
  item: maybe(Item),
  response: maybe(Response)
})
export type Event = typeof Event.Type

export const decode = Schema.decodeUnknownEither(Event)

const count = (value: number | null | undefined) => Math.max(0, Math.trunc(value ?? 0))

/** Undefined when the input was not counted. */
export const usage = ({ usage }: Response): Usage | undefined => {
  if (typeof usage?.input_tokens !== "number") return undefined
  const input = count(usage.input_tokens)
  const cacheRead = Math.min(input, count(usage.input_tokens_details?.cached_tokens))
  const cacheWrite = Math.min(input - cacheRead, count(usage.input_tokens_details?.cache_write_tokens))
  const output = count(usage.output_tokens)
  return {
    fresh: input - cacheRead - cacheWrite,
    cacheRead,
    cacheWrite,
    output,
    reasoning: Math.min(output, count(usage.output_tokens_details?.reasoning_tokens))
  }
}
