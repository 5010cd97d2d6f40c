/** The OpenAI-compatible Chat Completions API, through the official SDK, which is loaded at the first request. */
import type { Limits, ModelCodec, SendOptions } from "@weir/model/Model"
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
import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions"
import * as Dialect from "./ChatDialect.js"
import * as ChatMessages from "./ChatMessages.js"
import * as ChatReply from "./ChatReply.js"
import * as Client from "./Client.js"

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
  /** What the server wants differently; known from `baseUrl`, or what is common, when left out. */
  readonly dialect?: Dialect.Name
  /** How requests are sent; patient when left out. */
  readonly fetch?: SdkFetch.SdkFetch
}

const requestBody = (
  reader: ChatMessages.Reader,
  thinking: Thinking | undefined,
  messages: ChatMessages.Messages,
  { maxOutputTokens, sessionId }: SendOptions
): ChatCompletionCreateParamsStreaming => {
  const { dialect, model } = reader
  const { always, outputLimitField, session } = dialect
  return {
    model,
    stream: true,
    [outputLimitField]: maxOutputTokens,
    ...always,
    ...(thinking && dialect.thinking[thinking]),
    ...(session && "field" in session && { [session.field]: sessionId }),
    ...ChatMessages.toRequest(messages, reader)
  }
}

const sessionHeader = ({ session }: Dialect.Dialect, { sessionId }: SendOptions) =>
  session && "header" in session ? { headers: { [session.header]: sessionId } } : {}

export const codec = (options: Options): ModelCodec<ChatMessages.Messages> => {
  const dialect = Dialect.of(options.baseUrl, options.dialect)
  const reader: ChatMessages.Reader = { dialect, model: options.model }
  const author = dialect.reasoning && ChatMessages.author(options.model)
  const fetch = options.fetch ?? SdkFetch.make()
  const origin: ErrorReading.Origin = {
    model: options.model,
    provider: options.provider,
    refusesSilently: dialect.refusesSilently,
    secrets: [...(options.apiKey ? [options.apiKey] : []), ...Headers.secrets(options.headers)]
  }
  return {
    append: (state, entry) => ChatMessages.append(state, entry, reader),
    name: ChatMessages.codec,
    start: (prompt) => ChatMessages.start(prompt, reader),
    stream: (state, sending) =>
      Stream.unwrap(Effect.map(Random.nextIntBetween(0, Client.never), (seed) =>
        SdkStream.fromSdk({
          onError: (error, phase) => Effect.flip(ErrorReading.readThrown(origin, options.baseUrl, error, phase)),
          open: (signal) =>
            import("openai").then(({ OpenAI }) =>
              new OpenAI(Client.options(options, dialect.hasAccounts, fetch)).chat.completions.create(
                requestBody(reader, options.thinking, state, sending),
                { signal, ...sessionHeader(dialect, sending) }
              )
            )
        }).pipe(ReplyStream.events(origin, ChatReply.reader(seed.toString(36), author))))),
    cachesPrompts: true,
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
