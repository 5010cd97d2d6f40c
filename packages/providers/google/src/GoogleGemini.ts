/**
 * The Gemini API (`generateContent`), through the official SDK, which is loaded at the first request: its web build,
 * because the other one reads keys and addresses out of the environment and writes warnings to standard error.
 */
import type { GenerateContentResponse, GoogleGenAIOptions } from "@google/genai/web"
import type { Model, ModelCodec, Weights } from "@weir/model/Model"
import type { ModelError } from "@weir/model/ModelError"
import * as ErrorReading from "@weir/transport/ErrorReading"
import * as Headers from "@weir/transport/Headers"
import * as SdkFetch from "@weir/transport/SdkFetch"
import * as SdkModel from "@weir/transport/SdkModel"
import type { Phase } from "@weir/transport/SdkStream"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Contents from "./Contents.js"
import * as Native from "./Native.js"
import * as ReplyReading from "./ReplyReading.js"
import * as Request from "./Request.js"
import * as ThinkingLevel from "./ThinkingLevel.js"

/**
 * `baseUrl` with or without the version, for example `https://generativelanguage.googleapis.com`; `apiKey` is sent as
 * `x-goog-api-key`.
 */
export type Options = SdkModel.Options

const keyHeader = "x-goog-api-key"

/** The SDK insists on a key. */
const noKey = "none"

/** An image of the usual resolution. */
const weights: Weights = { perCall: 10, perEntry: 4, perImage: 1120, replaysReasoning: true }

/** Takes the key out again that is none. */
const keyless = (fetch: SdkFetch.SdkFetch): SdkFetch.SdkFetch => (input, init = {}) => {
  const headers = new globalThis.Headers(init.headers)
  if (headers.get(keyHeader) === noKey) headers.delete(keyHeader)
  return fetch(input, { ...init, headers })
}

const clientOptions = ({ apiKey, baseUrl, headers }: Options, fetch: SdkFetch.SdkFetch): GoogleGenAIOptions => ({
  apiKey: apiKey ? Redacted.value(apiKey) : noKey,
  httpOptions: {
    baseUrl: baseUrl.replace(/\/+(?:v1beta\/*)?$/, ""),
    fetch: apiKey ? fetch : keyless(fetch),
    headers: Headers.reveal(headers)
  },
  vertexai: false
})

const open = (
  options: Options,
  fetch: SdkFetch.SdkFetch,
  contents: Contents.Contents,
  maxOutputTokens: number,
  signal: AbortSignal
): Promise<AsyncIterable<GenerateContentResponse>> =>
  import("@google/genai/web").then(({ GoogleGenAI, ThinkingLevel: Levels }) => {
    const { config, ...request } = Request.make(options.model, contents, maxOutputTokens)
    const thinking = options.thinking && ThinkingLevel.make(options.model, options.thinking, maxOutputTokens)
    const { level, ...thinkingConfig } = thinking ?? {}
    return new GoogleGenAI(clientOptions(options, fetch)).models.generateContentStream({
      ...request,
      config: {
        ...config,
        abortSignal: signal,
        ...(thinking && { thinkingConfig: { ...thinkingConfig, ...(level && { thinkingLevel: Levels[level] }) } })
      }
    })
  })

/** What the SDK throws for an error in the stream: the error's JSON is in the message. */
const isReported = Schema.is(Schema.Struct({ name: Schema.Literal("ApiError"), message: Schema.String }))

const readThrown = (
  origin: ErrorReading.Origin,
  baseUrl: string,
  error: unknown,
  phase: Phase
): Effect.Effect<ModelError> =>
  isReported(error)
    ? Effect.map(Clock.currentTimeMillis, (now) => ErrorReading.read(origin, { body: error.message }, now))
    : ErrorReading.readThrown(origin, baseUrl, error, phase)

export const codec = (options: Options): ModelCodec<Contents.Contents> => {
  const { apiKey, baseUrl, model } = options
  const fetch = options.fetch ?? SdkFetch.make()
  const origin = SdkModel.origin(options, apiKey)
  return {
    cachesPrompts: true,
    append: (contents, entry) => Contents.append(contents, entry, model),
    name: Native.codec,
    start: (prompt) => Contents.start(prompt, model),
    open: (contents, { maxOutputTokens }) =>
      SdkModel.stream({
        onError: (error, phase) => readThrown(origin, baseUrl, error, phase),
        open: (signal) => open(options, fetch, contents, maxOutputTokens, signal),
        origin,
        reader: (seed) => ReplyReading.reader(model, seed)
      }),
    weights
  }
}

export const make = (options: Options): Model["Type"] => SdkModel.make(options, options.baseUrl, codec(options))
