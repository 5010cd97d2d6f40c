/** What is read of a `chat.completion.chunk`, as the many hosts of this API really send it. */
import type { Usage } from "@weir/model/Usage"
import * as Count from "@weir/transport/Count"
import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"

const maybe = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(Schema.NullOr(schema))

/** A piece of a call. Only the first one of a call is sure to have a name. */
const Fragment = Schema.Struct({
  index: maybe(Schema.Number),
  id: maybe(Schema.String),
  function: maybe(Schema.Struct({
    name: maybe(Schema.String),
    /** Some hosts give the object itself in place of its text. */
    arguments: maybe(Schema.Union(Schema.String, Schema.Record({ key: Schema.String, value: Schema.Unknown })))
  }))
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

const Choice = Schema.Struct({
  delta: maybe(Delta),
  /** The whole reply, in place of its pieces, from gateways before models that do not stream. */
  message: Schema.optional(Schema.Unknown),
  finish_reason: maybe(Schema.String),
  usage: Schema.optional(Schema.Unknown)
})

export const ChatChunk = Schema.Struct({
  choices: maybe(Schema.Array(Choice)),
  usage: Schema.optional(Schema.Unknown),
  object: Schema.optional(Schema.Unknown),
  message: Schema.optional(Schema.Unknown),
  detail: Schema.optional(Schema.Unknown),
  base_resp: maybe(Schema.Struct({ status_code: maybe(Schema.Number) }))
})
export type ChatChunk = typeof ChatChunk.Type

/** The message of a choice, read as if it were a piece. */
export const decodeMessage = Schema.decodeUnknownOption(Delta)

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

/** The counts of input and output include those of their parts. */
const toUsage = (counts: unknown): Usage | undefined => {
  const at = (...names: ReadonlyArray<string>) => Count.at(counts, ...names)
  const prompt = at("prompt_tokens")
  if (prompt === undefined) return undefined
  const completion = at("completion_tokens") ?? 0
  const cached = at("prompt_tokens_details", "cached_tokens") ?? at("prompt_cache_hit_tokens") ?? at("cached_tokens")
  const cacheRead = Math.min(prompt, cached ?? 0)
  const cacheWrite = Math.min(prompt - cacheRead, at("prompt_tokens_details", "cache_write_tokens") ?? 0)
  const reasoning = at("completion_tokens_details", "reasoning_tokens") ?? 0
  // xAI counts reasoning beside the completion; only its total tells.
  const isApart = reasoning > 0 && at("total_tokens") === prompt + completion + reasoning
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
export const usage = (chunk: ChatChunk): Usage | undefined => toUsage(chunk.usage ?? chunk.choices?.[0]?.usage)
