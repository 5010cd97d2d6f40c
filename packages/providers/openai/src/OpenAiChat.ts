/** The OpenAI-compatible Chat Completions API, through the official SDK, which is loaded at the first request. */
import type { Limits, ModelCodec, SendOptions } from "@weir/model/Model"
import * as Model from "@weir/model/Model"
import * as ErrorReading from "@weir/transport/ErrorReading"
import * as Headers from "@weir/transport/Headers"
import * as ReplyStream from "@weir/transport/ReplyStream"
import * as SdkFetch from "@weir/transport/SdkFetch"
import * as SdkStream from "@weir/transport/SdkStream"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import type { ClientOptions } from "openai"
import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions"
import * as Dialect from "./ChatDialect.js"
import * as ChatMessages from "./ChatMessages.js"
import * as ChatReply from "./ChatReply.js"

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
  /** What the host wants differently; known from `baseUrl` when left out. */
  readonly dialect?: Dialect.Dialect
  /** How requests are sent; patient when left out. */
  readonly fetch?: SdkFetch.SdkFetch
}

/** The longest that a timer can wait. The SDK's own timeout cannot be switched off. */
const never = 2_147_483_647

/** Logging is off because the SDK would write what it cannot parse to standard error. */
const clientOptions = (options: Options, dialect: Dialect.Dialect, fetch: SdkFetch.SdkFetch): ClientOptions => ({
  adminAPIKey: null,
  apiKey: options.apiKey ? Redacted.value(options.apiKey) : "none",
  baseURL: options.baseUrl,
  defaultHeaders: {
    "x-stainless-timeout": null,
    ...(!options.apiKey && { authorization: null }),
    ...Headers.reveal(options.headers)
  },
  fetch,
  logLevel: "off",
  maxRetries: 0,
  timeout: never,
  ...(!dialect.isOpenAi && { organization: null, project: null })
})

const requestBody = (
  model: string,
  dialect: Dialect.Dialect,
  { messages, tools }: ChatMessages.Messages,
  { maxOutputTokens, sessionId }: SendOptions
): ChatCompletionCreateParamsStreaming => ({
  model,
  messages: [...Chunk.toReadonlyArray(messages)],
  stream: true,
  stream_options: { include_usage: true },
  [dialect.outputLimitField]: maxOutputTokens,
  ...(tools.length > 0 && { tools: [...tools] }),
  ...(dialect.isOpenAi && { prompt_cache_key: sessionId, store: false })
})

export const codec = (options: Options): ModelCodec<ChatMessages.Messages> => {
  const dialect = options.dialect ?? Dialect.of(options.baseUrl)
  const fetch = options.fetch ?? SdkFetch.make()
  const origin: ErrorReading.Origin = {
    model: options.model,
    provider: options.provider,
    refusesSilently: dialect.refusesSilently ?? false,
    secrets: [...(options.apiKey ? [options.apiKey] : []), ...Headers.secrets(options.headers)]
  }
  return {
    append: (state, entry) => ChatMessages.append(state, entry, dialect),
    name: "openai-chat",
    start: (prompt) => ChatMessages.start(prompt, dialect),
    stream: (state, sending) =>
      Stream.unwrap(Effect.map(Random.nextIntBetween(0, never), (seed) =>
        SdkStream.fromSdk({
          onError: (error, phase) => Effect.flip(ErrorReading.readThrown(origin, options.baseUrl, error, phase)),
          open: (signal) =>
            import("openai").then(({ OpenAI }) =>
              new OpenAI(clientOptions(options, dialect, fetch)).chat.completions.create(
                requestBody(options.model, dialect, state, sending),
                { signal }
              )
            )
        }).pipe(ReplyStream.events(origin, ChatReply.reader(seed.toString(36)))))),
    weights: Dialect.weights(dialect)
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
