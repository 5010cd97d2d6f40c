/** What is read of a `chat.completion.chunk`, as the many hosts of this API really send it. */
import type { Usage } from "@weir/model/Usage"
import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"

const maybe = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(Schema.NullOr(schema))

/** The counts of input and output include those of their parts. */
const Counts = Schema.Struct({
  prompt_tokens: maybe(Schema.Number),
  completion_tokens: maybe(Schema.Number),
  total_tokens: maybe(Schema.Number),
  prompt_tokens_details: maybe(Schema.Struct({
    cached_tokens: maybe(Schema.Number),
    cache_write_tokens: maybe(Schema.Number)
  })),
  completion_tokens_details: maybe(Schema.Struct({ reasoning_tokens: maybe(Schema.Number) })),
  prompt_cache_hit_tokens: maybe(Schema.Number),
  cached_tokens: maybe(Schema.Number)
})
type Counts = typeof Counts.Type

/** A piece of a call. Only the first one of a call is sure to have a name. */
const Fragment = Schema.Struct({
  index: maybe(Schema.Number),
  id: maybe(Schema.String),
  function: maybe(Schema.Struct({ name: maybe(Schema.String), arguments: maybe(Schema.String) }))
})
export type Fragment = typeof Fragment.Type

const ContentPart = Schema.Struct({
  text: maybe(Schema.String),
  thinking: maybe(Schema.Array(Schema.Struct({ text: maybe(Schema.String) })))
})

const Delta = Schema.Struct({
  content: maybe(Schema.Union(Schema.String, Schema.Array(ContentPart))),
  refusal: maybe(Schema.String),
  reasoning_content: Schema.optional(Schema.Unknown),
  reasoning: Schema.optional(Schema.Unknown),
  reasoning_text: Schema.optional(Schema.Unknown),
  tool_calls: maybe(Schema.Array(Fragment))
})
export type Delta = typeof Delta.Type

const Choice = Schema.Struct({ delta: maybe(Delta), finish_reason: maybe(Schema.String), usage: maybe(Counts) })

export const ChatChunk = Schema.Struct({
  choices: maybe(Schema.Array(Choice)),
  usage: maybe(Counts),
  object: Schema.optional(Schema.Unknown),
  message: Schema.optional(Schema.Unknown),
  detail: Schema.optional(Schema.Unknown),
  base_resp: maybe(Schema.Struct({ status_code: maybe(Schema.Number) }))
})
export type ChatChunk = typeof ChatChunk.Type

const decodeAny = Schema.decodeUnknownEither(ChatChunk)

const isAbsent = (value: unknown) => value === undefined || value === null
const isText = (value: unknown) => typeof value === "string" || isAbsent(value)

const isPlainDelta = (value: unknown) =>
  Predicate.isRecord(value) && isText(value.content) && isText(value.refusal) && isAbsent(value.tool_calls)

const isPlainChoice = (value: unknown) =>
  Predicate.isRecord(value) && isPlainDelta(value.delta) && isText(value.finish_reason) && isAbsent(value.usage)

/** Nearly all of a stream: a piece of text or reasoning. The schema takes a hundred times as long to find that out. */
const isPlain = (value: unknown): value is ChatChunk =>
  Predicate.isRecord(value) && Array.isArray(value.choices) && value.choices.every(isPlainChoice) &&
  isAbsent(value.usage) && isAbsent(value.base_resp)

export const decode = (value: unknown): ReturnType<typeof decodeAny> =>
  isPlain(value) ? Either.right(value) : decodeAny(value)

/** Whether this is an error in the place of a chunk, of the kinds that the SDK does not notice. */
export const isError = (chunk: ChatChunk): boolean =>
  !chunk.choices &&
  (chunk.object === "error" || chunk.message !== undefined || chunk.detail !== undefined ||
    (chunk.base_resp?.status_code ?? 0) !== 0)

export const text = ({ content }: Delta): string =>
  typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join("")

/** Hosts differ in the name; some send the same text under two. */
export const reasoning = (delta: Delta): string => {
  const named = [delta.reasoning_content, delta.reasoning, delta.reasoning_text]
    .find((value) => typeof value === "string" && value !== "")
  if (typeof named === "string") return named
  return typeof delta.content === "string"
    ? ""
    : (delta.content ?? []).flatMap((part) => part.thinking ?? []).map((part) => part.text ?? "").join("")
}

const count = (value: number | null | undefined) => Math.max(0, Math.trunc(value ?? 0))

const toUsage = (counts: Counts): Usage | undefined => {
  if (typeof counts.prompt_tokens !== "number") return undefined
  const prompt = count(counts.prompt_tokens)
  const completion = count(counts.completion_tokens)
  const details = counts.prompt_tokens_details
  const cacheRead = Math.min(
    prompt,
    count(details?.cached_tokens ?? counts.prompt_cache_hit_tokens ?? counts.cached_tokens)
  )
  const cacheWrite = Math.min(prompt - cacheRead, count(details?.cache_write_tokens))
  const reasoning = count(counts.completion_tokens_details?.reasoning_tokens)
  // xAI counts reasoning beside the completion; only its total tells.
  const isApart = reasoning > 0 && count(counts.total_tokens) === prompt + completion + reasoning
  const output = isApart ? completion + reasoning : completion
  return {
    cacheRead,
    cacheWrite,
    fresh: prompt - cacheRead - cacheWrite,
    output,
    reasoning: Math.min(output, reasoning)
  }
}

/** Moonshot puts the usage into the choice. */
export const usage = (chunk: ChatChunk): Usage | undefined => {
  const counts = chunk.usage ?? chunk.choices?.[0]?.usage
  return counts ? toUsage(counts) : undefined
}
