/** The Anthropic Messages API, through the official SDK, which is loaded at the first request. */
import type { Anthropic, ClientOptions } from "@anthropic-ai/sdk"
import type { MessageCreateParamsStreaming, RawMessageStreamEvent } from "@anthropic-ai/sdk/resources/messages"
import type { Model, ModelCodec, Weights } from "@weir/model/Model"
import * as ErrorReading from "@weir/transport/ErrorReading"
import * as Headers from "@weir/transport/Headers"
import * as SdkFetch from "@weir/transport/SdkFetch"
import * as SdkModel from "@weir/transport/SdkModel"
import * as Redacted from "effect/Redacted"
import * as History from "./History.js"
import * as ReplyReading from "./ReplyReading.js"
import * as Request from "./Request.js"

/** `baseUrl` with or without the version, for example `https://api.anthropic.com`; `apiKey` is sent as `x-api-key`. */
export interface Options extends SdkModel.Options {
  /** Sent as a bearer. */
  readonly authToken?: Redacted.Redacted
}

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
    timeout: SdkModel.never,
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
  const { apiKey, authToken, baseUrl, model } = options
  const fetch = options.fetch ?? SdkFetch.make()
  const client = SdkModel.once(() =>
    import("@anthropic-ai/sdk").then(({ Anthropic }) => new Anthropic(clientOptions(options, fetch)))
  )
  const origin = SdkModel.origin(options, apiKey, authToken)
  return {
    append: (history, entry) => History.append(history, entry, model),
    name: History.codec,
    start: (prompt) => History.start(prompt, model),
    open: (history, { maxOutputTokens }) =>
      SdkModel.stream({
        onError: (error, phase) => ErrorReading.readThrown(origin, baseUrl, error, phase),
        open: (signal) =>
          client().then((client) =>
            open(client, Request.make(model, history, maxOutputTokens, options.thinking), signal)
          ),
        origin,
        reader: (seed) => ReplyReading.reader(model, seed)
      }),
    cachesPrompts: true,
    weights
  }
}

export const make = (options: Options): Model["Type"] => SdkModel.make(options, options.baseUrl, codec(options))
