/** The OpenAI-compatible Chat Completions API, through the official SDK, which is loaded at the first request. */
import type { Limits, ModelCodec, SendOptions } from "@weir/model/Model"
import * as Model from "@weir/model/Model"
import type { ModelError } from "@weir/model/ModelError"
import { ContextWindowExceeded, ModelUnavailable } from "@weir/model/ModelError"
import type { ModelEvent } from "@weir/model/ModelEvent"
import * as Usage from "@weir/model/Usage"
import * as ErrorReading from "@weir/transport/ErrorReading"
import * as SdkFetch from "@weir/transport/SdkFetch"
import * as SdkStream from "@weir/transport/SdkStream"
import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
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
  readonly headers?: Readonly<Record<string, string | Redacted.Redacted>>
  readonly limits: Limits
  /** What the host wants differently; known from `baseUrl` when left out. */
  readonly dialect?: Dialect.Dialect
  /** How requests are sent; patient when left out. */
  readonly fetch?: SdkFetch.SdkFetch
}

/** The longest that a timer can wait. The SDK's own timeout cannot be switched off. */
const never = 2_147_483_647

const headerValue = (value: string | Redacted.Redacted) => Redacted.isRedacted(value) ? Redacted.value(value) : value

/** Logging is off because the SDK would write what it cannot parse to standard error. */
const clientOptions = (options: Options, dialect: Dialect.Dialect, fetch: SdkFetch.SdkFetch): ClientOptions => ({
  adminAPIKey: null,
  apiKey: options.apiKey ? Redacted.value(options.apiKey) : "none",
  baseURL: options.baseUrl,
  defaultHeaders: {
    "x-stainless-timeout": null,
    ...(!options.apiKey && { authorization: null }),
    ...Object.fromEntries(Object.entries(options.headers ?? {}).map(([name, value]) => [name, headerValue(value)]))
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

const toError = (origin: ErrorReading.Origin, fault: ChatReply.Fault): Effect.Effect<ModelError> => {
  const from = { model: origin.model, provider: origin.provider }
  switch (fault._tag) {
    case "Cut":
      return Effect.succeed(new ModelUnavailable({ ...from, detail: fault.detail, reason: "interrupted" }))
    case "Full":
      return Effect.succeed(
        new ContextWindowExceeded({
          ...from,
          detail: `finish_reason ${fault.reason}`,
          kind: "tokens",
          ...(fault.usage && { limit: Usage.input(fault.usage) + fault.usage.output })
        })
      )
    case "Reported":
      return Effect.map(Clock.currentTimeMillis, (now) => ErrorReading.read(origin, { body: fault.body }, now))
  }
}

/** The events of a stream of chunks, which must come to the API's own end. */
const events =
  (origin: ErrorReading.Origin, seed: string) =>
  <E>(chunks: Stream.Stream<unknown, E>): Stream.Stream<ModelEvent, E | ModelError> => {
    const orFail = <A>(result: Either.Either<A, ChatReply.Fault>): Effect.Effect<A, ModelError> =>
      Either.isRight(result) ? Effect.succeed(result.right) : Effect.flip(toError(origin, result.left))

    return chunks.pipe(
      Stream.map(Option.some),
      Stream.concat(Stream.succeed(Option.none())),
      Stream.mapAccumEffect(ChatReply.start(seed), (reading, chunk) =>
        Option.match(chunk, {
          onNone: () =>
            Effect.map(
              orFail(ChatReply.end(reading)),
              (last): readonly [ChatReply.Reading, ReadonlyArray<ModelEvent>] => [
                reading,
                last
              ]
            ),
          onSome: (value) => orFail(ChatReply.append(reading, value))
        })),
      Stream.mapConcat((some) => some)
    )
  }

const isSecretName = (name: string) => /auth|key|token|secret|cookie/i.test(name)

/** Everything given that must not show up in a text. */
const secretsOf = ({ apiKey, headers = {} }: Options): ReadonlyArray<Redacted.Redacted> => [
  ...(apiKey ? [apiKey] : []),
  ...Object.entries(headers).flatMap(([name, value]) =>
    Redacted.isRedacted(value) ? [value] : isSecretName(name) ? [Redacted.make(value)] : []
  )
]

export const codec = (options: Options): ModelCodec<ChatMessages.Messages> => {
  const dialect = options.dialect ?? Dialect.of(options.baseUrl)
  const fetch = options.fetch ?? SdkFetch.make()
  const origin: ErrorReading.Origin = {
    model: options.model,
    provider: options.provider,
    refusesSilently: dialect.refusesSilently ?? false,
    secrets: secretsOf(options)
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
        }).pipe(events(origin, seed.toString(36))))),
    weights: Dialect.weights(dialect)
  }
}

export const make = (options: Options): Model.Model["Type"] =>
  Model.make({ codec: codec(options), id: options.model, limits: options.limits, provider: options.provider })
