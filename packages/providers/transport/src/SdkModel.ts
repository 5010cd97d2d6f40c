/** What the codecs on official SDKs share: how they are asked for, how a request becomes a stream, and the model. */
import type { Limits, ModelCodec } from "@weir/model/Model"
import * as Model from "@weir/model/Model"
import type { ModelError } from "@weir/model/ModelError"
import type { Thinking } from "@weir/model/Thinking"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type * as ErrorReading from "./ErrorReading.js"
import * as EventStream from "./EventStream.js"
import * as Headers from "./Headers.js"
import * as ReplyStream from "./ReplyStream.js"
import type { SdkFetch } from "./SdkFetch.js"
import * as SdkStream from "./SdkStream.js"

/** What every codec is told, however its provider is reached. */
export interface Asked {
  /** The provider's name, for errors and events. */
  readonly provider: string
  readonly model: string
  readonly limits: Limits
  readonly headers?: Headers.Headers
  /** Not asked for when left out; the model then thinks as it does by itself. */
  readonly thinking?: Thinking
}

/** A provider with a key at an address. */
export interface Options extends Asked {
  readonly baseUrl: string
  /** Left out for servers that want none. */
  readonly apiKey?: Redacted.Redacted
  /** How requests are sent; patient when left out. */
  readonly fetch?: SdkFetch
}

/** The longest that a timer can wait, in milliseconds. An SDK's own timeout cannot be switched off. */
export const never = 2_147_483_647

/** Who is asked; neither these secrets nor those of the headers show up in what it says. */
export const origin = (
  { headers, model, provider }: Asked,
  ...secrets: ReadonlyArray<Redacted.Redacted | undefined>
): ErrorReading.Origin => ({
  model,
  provider,
  secrets: [...secrets.filter((secret) => secret !== undefined), ...Headers.secrets(headers)]
})

/** What `make` gives the first time, whenever it is asked for. */
export const once = <A>(make: () => Promise<A>): () => Promise<A> => {
  let made: Promise<A> | undefined
  return () => (made ??= make())
}

interface Request<Answer, Reading> {
  readonly origin: ErrorReading.Origin
  readonly open: (signal: AbortSignal) => Promise<Answer>
  readonly onError: (error: unknown, phase: SdkStream.Phase) => Effect.Effect<ModelError>
  readonly reader: (seed: string) => ReplyStream.Reader<Reading>
}

/** One request: opened with the SDK. `reader` gets a seed for ids that the API leaves out. */
export const stream = <Reading>(
  { onError, open, origin, reader }: Request<AsyncIterable<unknown>, Reading>
): Effect.Effect<Model.Pull, ModelError, Scope.Scope> =>
  SdkStream.fromSdk({ onError: (error, phase) => Effect.flip(onError(error, phase)), open }).pipe(
    ReplyStream.events(origin, reader)
  )

/** The same of an answer that the SDK leaves as it is. */
export const eventStream = <Reading>(
  { onError, open, origin, reader }: Request<Response, Reading>
): Effect.Effect<Model.Pull, ModelError, Scope.Scope> =>
  EventStream.fromSdk({ onError: (error, phase) => Effect.flip(onError(error, phase)), open }).pipe(
    ReplyStream.events(origin, reader)
  )

/** `endpoint` is the address that limits are learned for. */
export const make = <State>(
  { limits, model, provider }: Asked,
  endpoint: string,
  codec: ModelCodec<State>
): Model.Model["Type"] => Model.make({ codec, endpoint, id: model, limits, provider })
