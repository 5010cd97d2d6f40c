/** Gemini: `POST /v1beta/models/MODEL:streamGenerateContent`, `:generateContent` and `:countTokens`. */
import type { Entry, Exchange, Step } from "@weir/model/Conversation"
import * as Conversation from "@weir/model/Conversation"
import type { Prompt } from "@weir/model/Prompt"
import * as Usage from "@weir/model/Usage"
import * as Either from "effect/Either"
import type { GeminiContent } from "./GeminiContents.js"
import * as Errors from "./GeminiError.js"
import type { CallPart, GeminiPart } from "./GeminiParts.js"
import * as GeminiReply from "./GeminiReply.js"
import type { GeminiRequest } from "./GeminiValidator.js"
import { readPath, validate } from "./GeminiValidator.js"
import { print } from "./Json.js"
import type { Piece, Received, Wire } from "./Wire.js"

const textOf = (parts: ReadonlyArray<GeminiPart>) =>
  parts.flatMap((part) => part.type === "text" && !part.thought ? [part.text] : []).join("\n")

const imagesOf = (parts: ReadonlyArray<GeminiPart>) =>
  parts.flatMap((part) => part.type === "image" ? [part.image] : [])

const said = (value: unknown) => typeof value === "string" ? value : print(value)

const toExchange = (call: CallPart, result: GeminiPart | undefined): Exchange => {
  const { images = [], response = {} } = result?.type === "response" ? result : {}
  const isError = response.error !== undefined
  return {
    _tag: "Exchange",
    call: { _tag: "ToolCall", arguments: print(call.args), id: call.id ?? "", name: call.name },
    result: { facts: [], images, isError, text: said(response.error ?? response.output ?? response) }
  }
}

/** Results belong to calls by their order. */
const toStep = ({ parts }: GeminiContent, following: GeminiContent | undefined): Step => {
  const results = following?.parts.filter(({ type }) => type === "response") ?? []
  let answered = 0
  return {
    _tag: "Step",
    parts: parts.flatMap((part): Step["parts"] => {
      if (part.type === "call") return [toExchange(part, results[answered++])]
      if (part.type !== "text" || part.text === "") return []
      const { text, thought } = part
      return [thought ? Conversation.Reasoning.make({ text }) : Conversation.Text.make({ text })]
    })
  }
}

const toPrompt = ({ contents, system, tools }: GeminiRequest): Prompt => ({
  entries: contents.flatMap((content, index): ReadonlyArray<Entry> => {
    if (content.role === "model") return [toStep(content, contents[index + 1])]
    const parts = content.parts.filter(({ type }) => type !== "response")
    return parts.length === 0 ? [] : [Conversation.userMessage(textOf(parts), imagesOf(parts))]
  }),
  system: textOf(system),
  tools
})

const countable = (part: GeminiPart): Pick<Piece, "text" | "images" | "calls"> => {
  switch (part.type) {
    case "text":
      return { calls: 0, images: 0, text: part.text }
    case "image":
      return { calls: 0, images: 1, text: "" }
    case "call":
      return { calls: 1, images: 0, text: `${part.name}${print(part.args)}` }
    case "response":
      return { calls: 1, images: part.images.length, text: said(part.response.error ?? part.response.output ?? "") }
  }
}

const toContentPieces = (parts: ReadonlyArray<GeminiPart>, role: string): ReadonlyArray<Piece> =>
  parts.map((part, index): Piece => ({
    ...countable(part),
    key: role + part.key,
    kind: index === 0 ? "message" : "block"
  }))

const toPieces = ({ contents, system, tools }: GeminiRequest): ReadonlyArray<Piece> => [
  ...tools.map((tool): Piece => ({ calls: 0, images: 0, kind: "tool", text: print(tool) })),
  ...toContentPieces(system, "system"),
  ...contents.flatMap(({ parts, role }) => toContentPieces(parts, role))
]

const encode = (request: GeminiRequest): Received["encode"] => (reply, meta) => {
  const streams = request.method === "streamGenerateContent"
  const frames = streams ? GeminiReply.frames(request, reply, meta) : []
  return {
    body: streams
      ? ""
      : request.method === "countTokens"
      ? print({ totalTokens: Usage.input(reply.usage ?? Usage.zero) })
      : GeminiReply.whole(request, reply, meta),
    complete: frames.length,
    contentType: streams ? "text/event-stream" : "application/json; charset=UTF-8",
    frames
  }
}

/** Nothing in a request tells one session of a client from another. */
const toReceived = (request: GeminiRequest): Received => ({
  counts: request.method === "countTokens",
  encode: encode(request),
  maxOutput: request.maxOutput,
  mayCall: request.mayCall,
  model: request.model,
  pieces: toPieces(request),
  prompt: toPrompt(request),
  session: "",
  stream: request.method === "streamGenerateContent"
})

export const GeminiWire: Wire = {
  accepts: ({ method, path }) => method === "POST" && readPath(path) !== undefined,
  caching: "automatic",
  credential: ({ headers }) => headers["x-goog-api-key"],
  errorFrame: (message, status = "INTERNAL") => GeminiReply.frame({ error: Errors.named(message, status) }),
  identify: () => ({ fields: {}, headers: {} }),
  maxBodyBytes: 20 * 1024 * 1024,
  maxOutput: 65_536,
  name: "gemini",
  overflow: (overflow) => Errors.answer(Errors.overflow(overflow)),
  read: (request, rules) => Either.mapBoth(validate(request, rules), { onLeft: Errors.answer, onRight: toReceived }),
  serverError: Errors.answer(
    Errors.named(
      "An internal error has occurred. Please retry or report in " +
        "https://developers.generativeai.google/guide/troubleshooting",
      "INTERNAL"
    )
  ),
  tooLarge: (limit) => Errors.answer(Errors.tooLarge(limit)),
  unauthorized: (credential) => Errors.answer(Errors.unauthorized(credential))
}
