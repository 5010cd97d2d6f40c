/** What is read of the elements of a streamed reply. */
import type { Usage } from "@weir/model/Usage"
import * as Schema from "effect/Schema"
import { Part } from "./Part.js"

const maybe = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(Schema.NullOr(schema))

/** Cumulative. The prompt's count holds what was read from the cache; the candidates' does not hold the thoughts. */
export const Counts = Schema.Struct({
  promptTokenCount: maybe(Schema.Number),
  cachedContentTokenCount: maybe(Schema.Number),
  candidatesTokenCount: maybe(Schema.Number),
  thoughtsTokenCount: maybe(Schema.Number)
})
export type Counts = typeof Counts.Type

export const ReplyChunk = Schema.Struct({
  candidates: maybe(Schema.Array(Schema.Struct({
    content: maybe(Schema.Struct({ parts: maybe(Schema.Array(Part)) })),
    finishReason: maybe(Schema.String)
  }))),
  promptFeedback: maybe(Schema.Struct({ blockReason: maybe(Schema.String) })),
  usageMetadata: maybe(Counts)
})
export type ReplyChunk = typeof ReplyChunk.Type

export const decode = Schema.decodeUnknownEither(ReplyChunk)

/** Later counts win, where they are given. */
export const mergeCounts = (before: Counts, after: Counts): Counts => ({
  promptTokenCount: after.promptTokenCount ?? before.promptTokenCount,
  cachedContentTokenCount: after.cachedContentTokenCount ?? before.cachedContentTokenCount,
  candidatesTokenCount: after.candidatesTokenCount ?? before.candidatesTokenCount,
  thoughtsTokenCount: after.thoughtsTokenCount ?? before.thoughtsTokenCount
})

const count = (value: number | null | undefined) => Math.max(0, Math.trunc(value ?? 0))

/** Undefined when the input was not counted. */
export const toUsage = (counts: Counts): Usage | undefined => {
  if (typeof counts.promptTokenCount !== "number") return undefined
  const input = count(counts.promptTokenCount)
  const cacheRead = Math.min(input, count(counts.cachedContentTokenCount))
  const reasoning = count(counts.thoughtsTokenCount)
  return {
    fresh: input - cacheRead,
    cacheRead,
    cacheWrite: 0,
    output: count(counts.candidatesTokenCount) + reasoning,
    reasoning
  }
}
