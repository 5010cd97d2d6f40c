/** What is read of the events of a streamed reply. The SDK has taken them out of their frames. */
import type { Usage } from "@weir/model/Usage"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"

const maybe = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(Schema.NullOr(schema))

/** In tokens; input is counted without what was read from the cache or written to it. */
const Counts = Schema.Struct({
  inputTokens: maybe(Schema.Number),
  outputTokens: maybe(Schema.Number),
  cacheReadInputTokens: maybe(Schema.Number),
  cacheWriteInputTokens: maybe(Schema.Number)
})
export type Counts = typeof Counts.Type

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
  metadata: Schema.optional(Schema.Struct({ usage: maybe(Counts) }))
})
export type StreamEvent = typeof StreamEvent.Type

/** Fails with what is no event at all; one that we do not know says nothing. */
export const decode = (value: unknown): Either.Either<StreamEvent, unknown> =>
  Either.mapLeft(Schema.decodeUnknownEither(StreamEvent)(value), () => value)

const count = (value: number | null | undefined) => Math.max(0, Math.trunc(value ?? 0))

/** Undefined when the input was not counted. This API does not count reasoning apart. */
export const toUsage = (counts: Counts | undefined): Usage | undefined =>
  typeof counts?.inputTokens === "number"
    ? {
      fresh: count(counts.inputTokens),
      cacheRead: count(counts.cacheReadInputTokens),
      cacheWrite: count(counts.cacheWriteInputTokens),
      output: count(counts.outputTokens),
      reasoning: 0
    }
    : undefined
