/** The OpenAI Responses API, through the official SDK, which is loaded at the first request. */
import type { Model, ModelCodec, SendOptions, Weights } from "@weir/model/Model"
import * as ErrorReading from "@weir/transport/ErrorReading"
import * as SdkFetch from "@weir/transport/SdkFetch"
import * as SdkModel from "@weir/transport/SdkModel"
import type { ResponseCreateParamsStreaming } from "openai/resources/responses/responses"
import * as Client from "./Client.js"
import * as ForeignReasoning from "./ForeignReasoning.js"
import type { Items } from "./ResponsesItems.js"
import * as ResponsesItems from "./ResponsesItems.js"
import type { Author } from "./ResponsesNative.js"
import * as ResponsesReply from "./ResponsesReply.js"
import * as ResponsesRequest from "./ResponsesRequest.js"

/** `baseUrl` with the version, for example `https://api.openai.com/v1`. */
export type Options = SdkModel.Options

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
  const { apiKey, baseUrl, model } = options
  const author: Author = { codec: "openai-responses", model }
  const fetch = options.fetch ?? SdkFetch.make()
  const client = SdkModel.once(() =>
    import("openai").then(({ OpenAI }) => new OpenAI(Client.options(options, isOwnHost(baseUrl), fetch)))
  )
  const origin = SdkModel.origin(options, apiKey)
  const readable = ForeignReasoning.make()
  return {
    append: (items, entry) => ResponsesItems.append(items, entry, author),
    name: author.codec,
    start: (prompt) => ResponsesItems.start(prompt, author),
    open: (given, sending) =>
      readable(given, (items, onThrown) =>
        SdkModel.eventStream({
          onError: (error, phase) => {
            onThrown(error)
            return ErrorReading.readThrown(origin, baseUrl, error, phase)
          },
          open: (signal) =>
            client().then(({ responses }) =>
              responses.create(requestBody(options, items, sending), { signal }).asResponse()
            ),
          origin,
          reader: (seed) => ResponsesReply.reader(author, seed)
        })),
    cachesPrompts: true,
    weights
  }
}

export const make = (options: Options): Model["Type"] => SdkModel.make(options, options.baseUrl, codec(options))
