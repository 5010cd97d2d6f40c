/** The Anthropic Messages API, through the official SDK, which is loaded at the first request. */
import type { Anthropic, ClientOptions } from "@anthropic-ai/sdk"
import type { MessageCreateParamsStreaming, RawMessageStreamEvent } from "@anthropic-ai/sdk/resources/messages"
import type { Limits, ModelCodec, Weights } from "@weir/model/Model"
import * as Model from "@weir/model/Model"
import type { Thinking } from "@weir/model/Thinking"
import type * as ErrorReading from "@weir/transport/ErrorReading"
import { readThrown } from "@weir/transport/ErrorReading"
import * as Headers from "@weir/transport/Headers"
import * as ReplyStream from "@weir/transport/ReplyStream"
import * as SdkFetch from "@weir/transport/SdkFetch"
import * as SdkStream from "@weir/transport/SdkStream"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as History from "./History.js"
import * as ReplyReading from "./ReplyReading.js"
import * as Request from "./Request.js"

export interface Options {
  /** The provider's name, for errors and events. */
  readonly provider: string
  readonly model: string
  /** With or without the version, for example `https://api.anthropic.com`. */
  readonly baseUrl: string
  /** Sent as `x-api-key`. */
  readonly apiKey?: Redacted.Redacted
  /** Sent as a bearer. */
  readonly authToken?: Redacted.Redacted
  readonly headers?: Headers.Headers
  readonly limits: Limits
  /** Not asked for when left out; the model then thinks as it does by itself. */
  readonly thinking?: Thinking
  /** How requests are sent; patient when left out. */
  readonly fetch?: SdkFetch.SdkFetch
}

/** The longest that a timer can wait. The SDK's own timeout cannot be switched off. */
const never = 2_147_483_647

/** An image of the largest size that is not scaled down. */
const weights: Weights = { perCall: 12, perEntry: 6, perImage: 1600, replaysReasoning: true }

/**
 * A dummy key, which is not sent, keeps the SDK from looking for credentials by itself. Logging is off because it
 * would write what it cannot parse to standard error.
 */
const clientOptions = (options: Options, fetch: SdkFetch.SdkFetch): ClientOptions => {
  const { apiKey, authToken, baseUrl, headers } = options
  const isOpen = !apiKey && !authToken
  return {
    apiKey: apiKey ? Redacted.value(apiKey) : isOpen ? "none" : null,
    authToken: authToken ? Redacted.value(authToken) : null,
    baseURL: baseUrl.replace(/\/+(?:v1\/*)?$/, ""),
    defaultHeaders: {
      "x-stainless-timeout": null,
      ...(isOpen && { "x-api-key": null }),
      ...Headers.reveal(headers)
    },
    fetch,
    logLevel: "off",
    maxRetries: 0,
    openTelemetry: false,
    timeout: never,
    webhookKey: null
  }
}

/** Not by `messages.create`, which writes to standard error about models that will be retired. */
const open = (
  client: Anthropic,
  body: MessageCreateParamsStreaming,
  signal: AbortSignal
): Promise<AsyncIterable<RawMessageStreamEvent>> => client.post("/v1/messages", { body, signal, stream: true })

export const codec = (options: Options): ModelCodec<History.History> => {
  const { apiKey, authToken, baseUrl, headers, model, provider } = options
  const fetch = options.fetch ?? SdkFetch.make()
  const origin: ErrorReading.Origin = {
    model,
    provider,
    secrets: [...(apiKey ? [apiKey] : []), ...(authToken ? [authToken] : []), ...Headers.secrets(headers)]
  }
  return {
    append: (history, entry) => History.append(history, entry, model),
    name: History.codec,
    start: (prompt) => History.start(prompt, model),
    stream: (history, { maxOutputTokens }) =>
      Stream.unwrap(Effect.map(Random.nextIntBetween(0, never), (seed) =>
        SdkStream.fromSdk({
          onError: (error, phase) => Effect.flip(readThrown(origin, baseUrl, error, phase)),
          open: (signal) =>
            import("@anthropic-ai/sdk").then(({ Anthropic }) =>
              open(
                new Anthropic(clientOptions(options, fetch)),
                Request.make(model, history, maxOutputTokens, options.thinking),
                signal
              )
            )
        }).pipe(ReplyStream.events(origin, ReplyReading.reader(model, seed.toString(36)))))),
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
