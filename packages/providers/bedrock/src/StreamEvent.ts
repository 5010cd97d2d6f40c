/** What is read of the events of a streamed reply. The SDK has taken them out of their frames. */
import type { Usage } from "@weir/model/Usage"
import * as Count from "@weir/transport/Count"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"

const maybe = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(Schema.NullOr(schema))

const index = { contentBlockIndex: Schema.Number }

const Delta = Schema.Struct({
  text: maybe(Schema.String),
  toolUse: maybe(Schema.Struct({ input: maybe(Schema.String) })),
  reasoningContent: maybe(Schema.Struct({
    text: maybe(Schema.String),
    signature: maybe(Schema.String),
    redactedContent: maybe(Schema.Uint8ArrayFromSelf)
  }))
})
export type Delta = typeof Delta.Type

/** Every event has one field, which names it. Only calls have a start. */
const StreamEvent = Schema.Struct({
  contentBlockStart: Schema.optional(Schema.Struct({
    ...index,
    start: maybe(Schema.Struct({
      toolUse: maybe(Schema.Struct({ toolUseId: maybe(Schema.String), name: maybe(Schema.String) }))
    }))
  })),
  contentBlockDelta: Schema.optional(Schema.Struct({ ...index, delta: maybe(Delta) })),
  contentBlockStop: Schema.optional(Schema.Struct(index)),
  messageStop: Schema.optional(Schema.Struct({ stopReason: maybe(Schema.String) })),
  metadata: Schema.optional(Schema.Struct({ usage: Schema.optional(Schema.Unknown) }))
})
export type StreamEvent = typeof StreamEvent.Type

/** Fails with what is no event at all; one that we do not know says nothing. */
export const decode = (value: unknown): Either.Either<StreamEvent, unknown> =>
  Either.mapLeft(Schema.decodeUnknownEither(StreamEvent)(value), () => value)

/**
 * Undefined when the input was not counted, which is told without what was read from the cache or written to it. This
 * API does not count reasoning apart.
 */
export const toUsage = (counts: unknown): Usage | undefined => {
  const fresh = Count.at(counts, "inputTokens")
  return fresh === undefined ? undefined : {
    fresh,
    cacheRead: Count.at(counts, "cacheReadInputTokens") ?? 0,
    cacheWrite: Count.at(counts, "cacheWriteInputTokens") ?? 0,
    output: Count.at(counts, "outputTokens") ?? 0,
    reasoning: 0
  }
}
