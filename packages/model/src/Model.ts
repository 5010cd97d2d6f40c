/**
 * The model that a session talks to. A provider supplies a `ModelCodec`; `make` hides the codec's own
 * request state, so that the one loop never sees which API it speaks.
 */
import type * as Chunk from "effect/Chunk"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Entry } from "./Conversation.js"
import type { ModelError } from "./ModelError.js"
import type { ModelEvent } from "./ModelEvent.js"
import type { Prompt } from "./Prompt.js"
import * as TextOnly from "./TextOnly.js"

export interface SendOptions {
  /** The output limit to send, in tokens. */
  readonly maxOutputTokens: number
  readonly sessionId: string
}

/** What the wire adds to the text that is scanned, in tokens. */
export interface Weights {
  readonly perEntry: number
  readonly perCall: number
  readonly perImage: number
  /** Whether reasoning of earlier steps is sent again. */
  readonly replaysReasoning: boolean
}

/** What has arrived of a reply since it was last asked for, at least one event; `none` is the end. */
export type Pull = Effect.Effect<Chunk.Chunk<ModelEvent>, Option.Option<ModelError>>

/** One API: conversions and error reading, no policy. */
export interface ModelCodec<State> {
  readonly name: string
  readonly weights: Weights
  /** Whether the provider reads a request faster or cheaper that begins like an earlier one. */
  readonly cachesPrompts: boolean
  /** The request state of a prompt. */
  readonly start: (prompt: Prompt) => State
  /** The state with one more entry; cost grows with the entry, not with the state. */
  readonly append: (state: State, entry: Entry) => State
  /**
   * Sends one request, never retried here. Fails, or its pull does, unless the API's own terminal event arrives.
   * Closing the scope closes the socket at once.
   */
  readonly open: (state: State, options: SendOptions) => Effect.Effect<Pull, ModelError, Scope.Scope>
}

export interface Limits {
  /** The total context window, in tokens. */
  readonly window: number
  /** How the window is known. A window that is only assumed never ends a turn. */
  readonly source: "declared" | "catalogued" | "learned" | "assumed"
  /** A limit on input alone, where the provider has one, in tokens. */
  readonly maxInput?: number
  /** The largest request body that is accepted, in bytes, where the provider has such a limit. A guess never ends a turn. */
  readonly maxBytes?: { readonly limit: number; readonly guessed: boolean }
  /** False for a model that reads text alone. */
  readonly images?: boolean
  /** The model's largest output, in tokens. */
  readonly maxOutput?: number
  /** The output limit to ask for, in tokens, before it is scaled to the window. */
  readonly outputCap: number
}

/** A request under construction; immutable. */
export interface NativeRequest {
  readonly append: (entry: Entry) => NativeRequest
  readonly open: (options: SendOptions) => Effect.Effect<Pull, ModelError, Scope.Scope>
  /** The same as a stream: easier to take apart, slower to read. */
  readonly stream: (options: SendOptions) => Stream.Stream<ModelEvent, ModelError>
}

export const request = (self: Pick<NativeRequest, "append" | "open">): NativeRequest => ({
  ...self,
  stream: (options) => Stream.unwrapScoped(Effect.map(self.open(options), Stream.repeatEffectChunkOption))
})

/** Reads a reply to its end. `receive` gets what arrives, together what arrived together. */
export const read = (
  reply: Effect.Effect<Pull, ModelError, Scope.Scope>,
  receive: (events: Chunk.Chunk<ModelEvent>) => Effect.Effect<void>
): Effect.Effect<void, ModelError> =>
  Effect.mapError(reply, Option.some).pipe(
    Effect.flatMap((pull) => {
      const rest: Effect.Effect<never, Option.Option<ModelError>> = Effect.flatMap(
        pull,
        (events) => Effect.zipRight(receive(events), rest)
      )
      return rest
    }),
    // Before the scope closes: its finalizers see how the reply ended.
    Effect.catchAll(Option.match({ onNone: () => Effect.void, onSome: Effect.fail })),
    Effect.scoped
  )

export class Model extends Context.Tag("@weir/model/Model")<Model, {
  readonly provider: string
  readonly id: string
  /** Where it is asked: a limit that is learned belongs to this address and this id. */
  readonly endpoint: string
  readonly limits: Limits
  readonly weights: Weights
  readonly cachesPrompts: boolean
  readonly start: (prompt: Prompt) => NativeRequest
}>() {}

/** Window, in tokens, of a model nobody knows. */
export const assumedWindow = 128_000

export const make = <State>(options: {
  readonly provider: string
  readonly id: string
  /** The base URL; the provider's name when left out. */
  readonly endpoint?: string
  readonly limits: Limits
  readonly codec: ModelCodec<State>
}): Model["Type"] => {
  const { codec, endpoint = options.provider, id, limits, provider } = options
  const readable = limits.images === false ? TextOnly.entry : (entry: Entry) => entry
  const asking = (state: State): NativeRequest =>
    request({
      append: (entry) => asking(codec.append(state, readable(entry))),
      open: (sending) => codec.open(state, sending)
    })
  const { cachesPrompts, weights } = codec
  const start = (prompt: Prompt) => asking(codec.start({ ...prompt, entries: prompt.entries.map(readable) }))
  return { cachesPrompts, endpoint, id, limits, provider, start, weights }
}
