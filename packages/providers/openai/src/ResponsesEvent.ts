/** What is read of the events of a streamed response. Of their many kinds only a few say something. */
import type { Usage } from "@weir/model/Usage"
import * as Count from "@weir/transport/Count"
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

export const Response = Schema.Struct({
  error: Schema.optional(Schema.Unknown),
  incomplete_details: maybe(Schema.Struct({ reason: maybe(Schema.String) })),
  output: list(Item),
  usage: Schema.optional(Schema.Unknown)
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

/**
 * Undefined when the input was not counted. Its count holds what was read from and written to the cache, the output's
 * holds the reasoning.
 */
export const usage = ({ usage }: Response): Usage | undefined => {
  const at = (...names: ReadonlyArray<string>) => Count.at(usage, ...names)
  const input = at("input_tokens")
  if (input === undefined) return undefined
  const cacheRead = Math.min(input, at("input_tokens_details", "cached_tokens") ?? 0)
  const cacheWrite = Math.min(input - cacheRead, at("input_tokens_details", "cache_write_tokens") ?? 0)
  const output = at("output_tokens") ?? 0
  return {
    fresh: input - cacheRead - cacheWrite,
    cacheRead,
    cacheWrite,
    output,
    reasoning: Math.min(output, at("output_tokens_details", "reasoning_tokens") ?? 0)
  }
}
