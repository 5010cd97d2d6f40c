/**
 * What the simulator needs to know of one provider API. A further API is a further file with a `Wire`;
 * scripts, window, faults, prompt cache and log know none of them.
 */
import type { Prompt } from "@weir/model/Prompt"
import type * as Reply from "@weir/model/Reply"
import type * as Either from "effect/Either"

export interface RawRequest {
  readonly method: string
  /** Path without the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
  /** The parsed body; undefined when it is no JSON. */
  readonly json: unknown
  /** False when the body's bytes are not UTF-8; `body` then holds replacement characters. */
  readonly isUtf8: boolean
}

/** A whole HTTP answer. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What the provider accepts besides the shape of requests. */
export interface Rules {
  /** Known model ids; every id is known when absent. */
  readonly models?: ReadonlyArray<string> | undefined
  /** The largest output limit that a request may ask for, in tokens. */
  readonly maxOutput: number
}

/** A countable part of the input, in the order in which the model reads it. */
export interface Piece {
  readonly kind: "tool" | "message"
  readonly text: string
  readonly images: number
  /** Calls and results in it, each of which costs a little more than its text. */
  readonly calls: number
}

export interface Encoded {
  readonly contentType: string
  readonly frames: ReadonlyArray<string | Uint8Array>
  /** How many frames hold the complete reply; those after it only close the stream. */
  readonly complete: number
  /** The answer to a request that does not stream. */
  readonly body: string
}

/** A request that the provider's validator accepts. */
export interface Received {
  readonly model: string
  /** What tells one client session from another. */
  readonly session: string
  readonly stream: boolean
  readonly prompt: Prompt
  /** False when the reply may hold no tool call. */
  readonly mayCall: boolean
  /** The output limit asked for, in tokens. */
  readonly maxOutput: number | undefined
  readonly pieces: ReadonlyArray<Piece>
  /** `id` is unique to the request, `created` in seconds since 1970. */
  readonly encode: (reply: Reply.Reply, meta: { readonly id: string; readonly created: number }) => Encoded
}

/** A request that the window cannot hold; all in tokens. */
export interface Overflow {
  readonly window: number
  readonly messages: number
  readonly tools: number
  /** Zero when the input alone is too large. */
  readonly output: number
}

export interface Wire {
  readonly name: string
  readonly accepts: (request: RawRequest) => boolean
  /** The key that the request carries. */
  readonly credential: (request: RawRequest) => string | undefined
  readonly read: (request: RawRequest, rules: Rules) => Either.Either<Received, Answer>
  readonly unauthorized: (credential: string | undefined) => Answer
  readonly overflow: (overflow: Overflow) => Answer
  /** The answer to a body of more than `limit` bytes. */
  readonly tooLarge: (limit: number) => Answer
  /** The frame by which the API reports a failure in the middle of a stream. */
  readonly errorFrame: (message: string, code: string | undefined) => string | Uint8Array
}
