/** The OpenAI Responses API, through the official SDK, which is loaded at the first request. */
import type { Limits, ModelCodec, SendOptions, Weights } from "@weir/model/Model"
import * as Model from "@weir/model/Model"
import type { Thinking } from "@weir/model/Thinking"
import * as ErrorReading from "@weir/transport/ErrorReading"
import * as Headers from "@weir/transport/Headers"
import * as ReplyStream from "@weir/transport/ReplyStream"
import * as SdkFetch from "@weir/transport/SdkFetch"
import * as SdkStream from "@weir/transport/SdkStream"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import type * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import type { ResponseCreateParamsStreaming } from "openai/resources/responses/responses"
import * as Client from "./Client.js"
import type { Items } from "./ResponsesItems.js"
import * as ResponsesItems from "./ResponsesItems.js"
import type { Author } from "./ResponsesNative.js"
import * as ResponsesReply from "./ResponsesReply.js"
import * as ResponsesRequest from "./ResponsesRequest.js"

export interface Options {
  /** The provider's name, for errors and events. */
  readonly provider: string
  readonly model: string
  /** With the version, for example `https://api.openai.com/v1`. */
  readonly baseUrl: string
  /** Left out for servers that want none. */
  readonly apiKey?: Redacted.Redacted
  readonly headers?: Headers.Headers
  readonly limits: Limits
  /** Not asked for when left out; the model then thinks as it does by itself. */
  readonly thinking?: Thinking
  /** How requests are sent; patient when left out. */
  readonly fetch?: SdkFetch.SdkFetch
}

export const weights: Weights = { perCall: 10, perEntry: 4, perImage: 1500, replaysReasoning: true }

/** The smallest output limit that is accepted, in tokens. */
const smallestOutput = 16

const isOwnHost = (baseUrl: string) => URL.canParse(baseUrl) && new URL(baseUrl).hostname === "api.openai.com"

const requestBody = (
  { model, thinking }: Options,
  items: Items,
  { maxOutputTokens, sessionId }: SendOptions
): ResponseCreateParamsStreaming => ({
  ...ResponsesRequest.make(items, { model, sessionId, thinking }),
  max_output_tokens: Math.max(smallestOutput, maxOutputTokens),
  ...(items.system.trim() !== "" && { instructions: items.system })
})

export const codec = (options: Options): ModelCodec<Items> => {
  const { apiKey, baseUrl, headers, model, provider } = options
  const author: Author = { codec: "openai-responses", model }
  const fetch = options.fetch ?? SdkFetch.make()
  const origin: ErrorReading.Origin = {
    model,
    provider,
    secrets: [...(apiKey ? [apiKey] : []), ...Headers.secrets(headers)]
  }
  return {
    append: (items, entry) => ResponsesItems.append(items, entry, author),
    name: author.codec,
    start: (prompt) => ResponsesItems.start(prompt, author),
    stream: (items, sending) =>
      Stream.unwrap(Effect.map(Random.nextIntBetween(0, Client.never), (seed) =>
        SdkStream.fromSdk({
          onError: (error, phase) => Effect.flip(ErrorReading.readThrown(origin, baseUrl, error, phase)),
          open: (signal) =>
            import("openai").then(({ OpenAI }) =>
              new OpenAI(Client.options(options, isOwnHost(baseUrl), fetch)).responses.create(
                requestBody(options, items, sending),
                { signal }
              )
            )
        }).pipe(ReplyStream.events(origin, ResponsesReply.reader(author, seed.toString(36)))))),
    cachesPrompts: true,
    weights
  }
}

export const make = (options: Options): Model.Model["Type"] =>
  Model.make({
    codec: codec(options),
    endpoint: options.baseUrl,
    id: options.model,
    limits: options.limits,
    provider: options.provider
  })
