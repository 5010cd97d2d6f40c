/** The Converse API of AWS Bedrock, through the official SDK, which is loaded at the first request. */
import type { Model, ModelCodec, Weights } from "@weir/model/Model"
import * as SdkFetch from "@weir/transport/SdkFetch"
import * as SdkModel from "@weir/transport/SdkModel"
import type { Phase } from "@weir/transport/SdkStream"
import * as Effect from "effect/Effect"
import * as Client from "./Client.js"
import * as Credentials from "./Credentials.js"
import * as Failure from "./Failure.js"
import * as Family from "./Family.js"
import * as History from "./History.js"
import * as ReplyReading from "./ReplyReading.js"
import * as Request from "./Request.js"

/** `model` is the id or address (ARN) of a model or of an inference profile. */
export interface Options extends SdkModel.Asked {
  /** For example `us-east-1`. */
  readonly region: string
  /** Another address than the region's own. */
  readonly baseUrl?: string
  /** What the AWS tools would use, when left out. */
  readonly credentials?: Credentials.Credentials
  /** How long the HTTP client waits; for ever when left out. */
  readonly timeouts?: Client.Timeouts
}

/** An image of the largest size that is not scaled down. */
const weights: Weights = { perCall: 12, perEntry: 6, perImage: 1600, replaysReasoning: true }

const addressOf = ({ baseUrl, region }: Options) => baseUrl ?? `https://bedrock-runtime.${region}.amazonaws.com`

export const codec = (options: Options): ModelCodec<History.History> => {
  const { baseUrl, credentials = Credentials.Credentials.Chain({}), headers, model, region } = options
  const { thinking, timeouts = SdkFetch.patient } = options
  const client = Client.make({ baseUrl, credentials, headers, region, timeouts })
  const origin = SdkModel.origin(options, ...Credentials.secrets(credentials))
  return {
    append: (history, entry) => History.append(history, entry, model),
    name: History.codec,
    start: (prompt) => History.start(prompt, model),
    open: (history, { maxOutputTokens }) =>
      Effect.suspend(() => {
        // The SDK opens a stream only with its first event.
        let phase: Phase = "opening"
        return SdkModel.stream({
          onError: (error) => Failure.read(origin, addressOf(options), error, phase),
          open: (signal) =>
            client.send(Request.make(model, history, maxOutputTokens, thinking), signal, () => {
              phase = "reading"
            }),
          origin,
          reader: (seed) => ReplyReading.reader(model, seed)
        })
      }),
    cachesPrompts: Family.of(model).caches.messages,
    weights
  }
}

export const make = (options: Options): Model["Type"] => SdkModel.make(options, addressOf(options), codec(options))
