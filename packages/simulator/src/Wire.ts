/**
 * What the simulator needs to know of one provider API. A further API is a further file with a `Wire`;
 * scripts, window, faults, prompt cache and log know none of them.
 */
import type { Prompt } from "@weir/model/Prompt"
import type * as Reply from "@weir/model/Reply"
import type * as Either from "effect/Either"
import type { JsonObject } from "./Json.js"

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

/** A whole HTTP answer in JSON. */
export interface Answer {
  readonly status: number
  readonly body: JsonObject
  /** The frames of a stream, which then stand in place of the body. */
  readonly events?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** How an answer says which request it belongs to. */
export interface Identity {
  readonly headers: Readonly<Record<string, string>>
  /** Fields beside those of an error's body. */
  readonly fields: JsonObject
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
  /** `block`: a further part of the message before it. */
  readonly kind: "tool" | "message" | "block"
  readonly text: string
  /** What a prompt cache compares; the text when absent. */
  readonly key?: string
  /** The client asks to cache the input up to here. */
  readonly marked?: boolean
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

/** What the model says to a request. */
export interface Generated extends Reply.Reply {
  /** The window, and not the output limit, has cut the reply. */
  readonly windowFull: boolean
}

/** A request that the provider's validator accepts. */
export interface Received {
  /** It only asks how many tokens it holds, which `encode` finds in the usage. */
  readonly counts: boolean
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
  readonly encode: (reply: Generated, meta: { readonly id: string; readonly created: number }) => Encoded
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
  /** The largest output limit that its models take, in tokens, unless the options say otherwise. */
  readonly maxOutput: number
  /** The largest body, whatever the options say. */
  readonly maxBodyBytes?: number
  /** What is read from a prompt cache: any prefix that was sent before, or what ends at a mark of the client. */
  readonly caching: "automatic" | "marked"
  readonly accepts: (request: RawRequest) => boolean
  /** The key that the request carries. */
  readonly credential: (request: RawRequest) => string | undefined
  readonly read: (request: RawRequest, rules: Rules) => Either.Either<Received, Answer>
  /** `id` is unique to the request. */
  readonly identify: (id: string) => Identity
  readonly unauthorized: (credential: string | undefined) => Answer
  readonly overflow: (overflow: Overflow) => Answer
  /** The answer to a body of more than `limit` bytes. */
  readonly tooLarge: (limit: number) => Answer
  /** The answer of a server that fails. */
  readonly serverError: Answer
  /** The frame by which the API reports a failure in the middle of a stream. */
  readonly errorFrame: (message: string, code: string | undefined) => string | Uint8Array
}
