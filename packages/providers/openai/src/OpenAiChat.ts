/** The OpenAI-compatible Chat Completions API, through the official SDK, which is loaded at the first request. */
import type { Model, ModelCodec, SendOptions } from "@weir/model/Model"
import type { Thinking } from "@weir/model/Thinking"
import * as ErrorReading from "@weir/transport/ErrorReading"
import * as SdkFetch from "@weir/transport/SdkFetch"
import * as SdkModel from "@weir/transport/SdkModel"
import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions"
import * as Dialect from "./ChatDialect.js"
import * as ChatMessages from "./ChatMessages.js"
import * as ChatReply from "./ChatReply.js"
import * as Client from "./Client.js"
import * as ImagelessModel from "./ImagelessModel.js"

/** `baseUrl` with the version, for example `https://api.openai.com/v1`. */
export interface Options extends SdkModel.Options {
  /** What the server wants differently; known from `baseUrl`, or what is common, when left out. */
  readonly dialect?: Dialect.Name
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
  const client = SdkModel.once(() =>
    import("openai").then(({ OpenAI }) => new OpenAI(Client.options(options, dialect.hasAccounts, fetch)))
  )
  const readable = ImagelessModel.make()
  const origin = { ...SdkModel.origin(options, options.apiKey), refusesSilently: dialect.refusesSilently }
  return {
    append: (state, entry) => ChatMessages.append(state, entry, reader),
    name: ChatMessages.codec,
    start: (prompt) => ChatMessages.start(prompt, reader),
    open: (given, sending) =>
      readable(given, (state, onThrown) =>
        SdkModel.eventStream({
          onError: (error, phase) => {
            onThrown(error)
            return ErrorReading.readThrown(origin, options.baseUrl, error, phase)
          },
          open: (signal) =>
            client().then(({ chat }) =>
              chat.completions.create(
                requestBody(reader, options.thinking, state, sending),
                { signal, ...sessionHeader(dialect, sending) }
              ).asResponse()
            ),
          origin,
          reader: (seed) => ChatReply.reader(seed, author)
        })),
    cachesPrompts: true,
    weights: Dialect.weights(dialect)
  }
}

export const make = (options: Options): Model["Type"] => SdkModel.make(options, options.baseUrl, codec(options))
