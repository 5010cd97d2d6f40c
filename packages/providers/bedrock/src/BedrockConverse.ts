/** The Converse API of AWS Bedrock, through the official SDK, which is loaded at the first request. */
import type { Limits, ModelCodec, Weights } from "@weir/model/Model"
import * as Model from "@weir/model/Model"
import type { Thinking } from "@weir/model/Thinking"
import type * as ErrorReading from "@weir/transport/ErrorReading"
import * as Headers from "@weir/transport/Headers"
import * as ReplyStream from "@weir/transport/ReplyStream"
import * as SdkFetch from "@weir/transport/SdkFetch"
import * as SdkStream from "@weir/transport/SdkStream"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Stream from "effect/Stream"
import * as Client from "./Client.js"
import * as Credentials from "./Credentials.js"
import * as Failure from "./Failure.js"
import * as Family from "./Family.js"
import * as History from "./History.js"
import * as ReplyReading from "./ReplyReading.js"
import * as Request from "./Request.js"

export interface Options {
  /** The provider's name, for errors and events. */
  readonly provider: string
  /** Id or address (ARN) of a model or of an inference profile. */
  readonly model: string
  /** For example `us-east-1`. */
  readonly region: string
  /** Another address than the region's own. */
  readonly baseUrl?: string
  /** What the AWS tools would use, when left out. */
  readonly credentials?: Credentials.Credentials
  readonly headers?: Headers.Headers
  readonly limits: Limits
  /** The model's default when left out. */
  readonly thinking?: Thinking
  /** How long the HTTP client waits; for ever when left out. */
  readonly timeouts?: Client.Timeouts
}

const largestSeed = 2_147_483_647

/** An image of the largest size that is not scaled down. */
const weights: Weights = { perCall: 12, perEntry: 6, perImage: 1600, replaysReasoning: true }

const addressOf = ({ baseUrl, region }: Options) => baseUrl ?? `https://bedrock-runtime.${region}.amazonaws.com`

export const codec = (options: Options): ModelCodec<History.History> => {
  const { baseUrl, credentials = Credentials.Credentials.Chain({}), headers, model, provider, region } = options
  const { thinking, timeouts = SdkFetch.patient } = options
  const client = Client.make({ baseUrl, credentials, headers, region, timeouts })
  const origin: ErrorReading.Origin = {
    model,
    provider,
    secrets: [...Credentials.secrets(credentials), ...Headers.secrets(headers)]
  }
  return {
    append: (history, entry) => History.append(history, entry, model),
    name: History.codec,
    start: (prompt) => History.start(prompt, model),
    stream: (history, { maxOutputTokens }) =>
      Stream.unwrap(Effect.map(Random.nextIntBetween(0, largestSeed), (seed) => {
        // The SDK opens a stream only with its first event.
        let phase: SdkStream.Phase = "opening"
        return SdkStream.fromSdk({
          onError: (error) => Effect.flip(Failure.read(origin, addressOf(options), error, phase)),
          open: (signal) =>
            client.send(Request.make(model, history, maxOutputTokens, thinking), signal, () => {
              phase = "reading"
            })
        }).pipe(ReplyStream.events(origin, ReplyReading.reader(model, seed.toString(36))))
      })),
    cachesPrompts: Family.of(model).caches.messages,
    weights
  }
}

export const make = (options: Options): Model.Model["Type"] =>
  Model.make({
    codec: codec(options),
    endpoint: addressOf(options),
    id: options.model,
    limits: options.limits,
    provider: options.provider
  })
