/** What is read of the elements of a streamed reply. */
import type { Usage } from "@weir/model/Usage"
import * as Count from "@weir/transport/Count"
import * as Schema from "effect/Schema"
import { Part } from "./Part.js"

const maybe = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(Schema.NullOr(schema))

/** Cumulative. The prompt's count holds what was read from the cache; the candidates' does not hold the thoughts. */
export interface Counts {
  readonly prompt?: number | undefined
  readonly cached?: number | undefined
  readonly candidates?: number | undefined
  readonly thoughts?: number | undefined
}

export const ReplyChunk = Schema.Struct({
  candidates: maybe(Schema.Array(Schema.Struct({
    content: maybe(Schema.Struct({ parts: maybe(Schema.Array(Part)) })),
    finishReason: maybe(Schema.String)
  }))),
  promptFeedback: maybe(Schema.Struct({ blockReason: maybe(Schema.String) })),
  usageMetadata: Schema.optional(Schema.Unknown)
})
export type ReplyChunk = typeof ReplyChunk.Type

export const decode = Schema.decodeUnknownEither(ReplyChunk)

/** Later counts win, where they are given. */
export const withCounts = (before: Counts, usageMetadata: unknown): Counts => ({
  prompt: Count.at(usageMetadata, "promptTokenCount") ?? before.prompt,
  cached: Count.at(usageMetadata, "cachedContentTokenCount") ?? before.cached,
  candidates: Count.at(usageMetadata, "candidatesTokenCount") ?? before.candidates,
  thoughts: Count.at(usageMetadata, "thoughtsTokenCount") ?? before.thoughts
})

/** Undefined when the input was not counted. */
export const toUsage = ({ cached = 0, candidates = 0, prompt, thoughts = 0 }: Counts): Usage | undefined => {
  if (prompt === undefined) return undefined
  const cacheRead = Math.min(prompt, cached)
  return { fresh: prompt - cacheRead, cacheRead, cacheWrite: 0, output: candidates + thoughts, reasoning: thoughts }
}
