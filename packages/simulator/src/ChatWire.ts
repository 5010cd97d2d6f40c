/** OpenAI-compatible Chat Completions: `POST /v1/chat/completions`. */
import type { Entry, Exchange, Step } from "@weir/model/Conversation"
import * as Conversation from "@weir/model/Conversation"
import type { Prompt } from "@weir/model/Prompt"
import type * as Reply from "@weir/model/Reply"
import * as Usage from "@weir/model/Usage"
import * as Either from "effect/Either"
import { bearer } from "./Bearer.js"
import type { ChatMessage } from "./ChatMessages.js"
import type { ChatRequest } from "./ChatValidator.js"
import { validate } from "./ChatValidator.js"
import { split } from "./Fragments.js"
import { print } from "./Json.js"
import * as Errors from "./OpenAiError.js"
import * as OpenAiImage from "./OpenAiImage.js"
import type { Answer, Encoded, Piece, Received, Wire } from "./Wire.js"

type Meta = Parameters<Received["encode"]>[1]

const toStep = (
  message: Extract<ChatMessage, { role: "assistant" }>,
  results: ReadonlyMap<string, string>
): Step => ({
  _tag: "Step",
  parts: [
    ...(message.reasoning === "" ? [] : [Conversation.Reasoning.make({ text: message.reasoning })]),
    ...(message.content.text === "" ? [] : [Conversation.Text.make({ text: message.content.text })]),
    ...message.calls.map((call): Exchange => ({
      _tag: "Exchange",
      call: { _tag: "ToolCall", ...call },
      result: { facts: [], images: [], isError: false, text: results.get(call.id) ?? "" }
    }))
  ]
})

const toPrompt = (request: ChatRequest): Prompt => ({
  entries: request.messages.flatMap((message, index): ReadonlyArray<Entry> => {
    switch (message.role) {
      case "user":
        return [Conversation.userMessage(message.content.text, message.content.images.map(OpenAiImage.read))]
      case "assistant": {
        const following = request.messages.slice(index + 1, index + 1 + message.calls.length)
        return [
          toStep(
            message,
            new Map(following.flatMap((next) => next.role === "tool" ? [[next.callId, next.content.text]] : []))
          )
        ]
      }
      default:
        return []
    }
  }),
  system: request.messages
    .flatMap((message) => message.role === "system" || message.role === "developer" ? [message.content.text] : [])
    .join("\n\n"),
  tools: request.tools
})

const toPieces = (request: ChatRequest): ReadonlyArray<Piece> => [
  ...request.tools.map((tool): Piece => ({ calls: 0, images: 0, kind: "tool", text: print(tool) })),
  ...request.messages.map((message): Piece => {
    const calls = message.role === "assistant" ? message.calls : []
    const said = message.role === "assistant" ? message.reasoning + message.content.text : message.content.text
    return {
      calls: message.role === "tool" ? 1 : calls.length,
      images: message.content.images.length,
      kind: "message",
      text: [said, ...calls.map((call) => `${call.name}${call.arguments}`)].join("\n")
    }
  })
]

const finishReason = (stop: Reply.Reply["stop"]) => {
  switch (stop) {
    case "calls":
      return "tool_calls"
    case "length":
      return "length"
    case "refused":
      return "content_filter"
    default:
      return "stop"
  }
}

const toUsage = (usage: Usage.Usage | undefined) =>
  usage && {
    completion_tokens: usage.output,
    completion_tokens_details: { reasoning_tokens: usage.reasoning },
    prompt_tokens: Usage.input(usage),
    prompt_tokens_details: { cached_tokens: usage.cacheRead },
    total_tokens: Usage.input(usage) + usage.output
  }

const deltas = (reply: Reply.Reply): ReadonlyArray<object> => {
  let index = -1
  return [
    { content: "", role: "assistant" },
    ...reply.parts.flatMap((part): ReadonlyArray<object> => {
      switch (part._tag) {
        case "Text":
          return split(part.text).map((content) => ({ content }))
        case "Reasoning":
          return split(part.text).map((text) => ({ reasoning_content: text }))
        case "ToolCall": {
          index += 1
          const at = index
          return [
            {
              tool_calls: [{ function: { arguments: "", name: part.name }, id: part.id, index: at, type: "function" }]
            },
            ...split(part.arguments).map((text) => ({ tool_calls: [{ function: { arguments: text }, index: at }] }))
          ]
        }
      }
    })
  ]
}

const frame = (data: unknown) => `data: ${print(data)}\n\n`

const frames = (request: ChatRequest, reply: Reply.Reply, meta: Meta): ReadonlyArray<string> => {
  const head = {
    created: meta.created,
    id: `chatcmpl-${meta.id}`,
    model: request.model,
    object: "chat.completion.chunk"
  }
  const none = request.includeUsage ? { usage: null } : {}
  const chunk = (delta: object, finish: string | null) =>
    frame({ ...head, choices: [{ delta, finish_reason: finish, index: 0, logprobs: null }], ...none })
  const usage = toUsage(reply.usage)
  return [
    ...deltas(reply).map((delta) => chunk(delta, null)),
    chunk({}, finishReason(reply.stop)),
    ...(request.includeUsage && usage ? [frame({ ...head, choices: [], usage })] : []),
    "data: [DONE]\n\n"
  ]
}

const whole = (request: ChatRequest, reply: Reply.Reply, meta: Meta): string => {
  const text = Conversation.text(reply)
  const reasoning = reply.parts.flatMap((part) => part._tag === "Reasoning" ? [part.text] : []).join("")
  const calls = reply.parts.flatMap((part) =>
    part._tag === "ToolCall"
      ? [{ function: { arguments: part.arguments, name: part.name }, id: part.id, type: "function" }]
      : []
  )
  const usage = toUsage(reply.usage)
  return print({
    choices: [{
      finish_reason: finishReason(reply.stop),
      index: 0,
      logprobs: null,
      message: {
        content: text === "" && calls.length > 0 ? null : text,
        refusal: null,
        role: "assistant",
        ...(reasoning !== "" && { reasoning_content: reasoning }),
        ...(calls.length > 0 && { tool_calls: calls })
      }
    }],
    created: meta.created,
    id: `chatcmpl-${meta.id}`,
    model: request.model,
    object: "chat.completion",
    ...(usage && { usage })
  })
}

const encode = (request: ChatRequest) => (reply: Reply.Reply, meta: Meta): Encoded => {
  const all = request.stream ? frames(request, reply, meta) : []
  return {
    body: request.stream ? "" : whole(request, reply, meta),
    complete: Math.max(0, all.length - 1),
    contentType: request.stream ? "text/event-stream; charset=utf-8" : "application/json",
    frames: all
  }
}

const toReceived = (request: ChatRequest): Received => ({
  counts: false,
  encode: encode(request),
  maxOutput: request.maxOutput,
  mayCall: request.mayCall,
  model: request.model,
  pieces: toPieces(request),
  prompt: toPrompt(request),
  session: request.cacheKey ?? "",
  stream: request.stream
})

export const ChatWire: Wire = {
  accepts: ({ method, path }) => method === "POST" && path === "/v1/chat/completions",
  caching: "automatic",
  credential: ({ headers }) => bearer(headers),
  errorFrame: (message, code = "server_error") => frame({ error: { code, message, param: null, type: code } }),
  identify: (id) => ({ fields: {}, headers: { "x-request-id": `req_${id}` } }),
  maxOutput: 32_768,
  name: "chat",
  overflow: (overflow) => Errors.answer(Errors.overflow(overflow)),
  read: (request, rules) => Either.mapBoth(validate(request, rules), { onLeft: Errors.answer, onRight: toReceived }),
  serverError: Errors.answer(Errors.serverError),
  tooLarge: (limit) => Errors.answer(Errors.tooLarge(limit)),
  unauthorized: (credential) => Errors.answer(Errors.unauthorized(credential))
}

/** The answer to `GET /v1/models`. */
export const models = (ids: ReadonlyArray<string>, window: number): Answer => ({
  body: {
    data: ids.map((id) => ({
      created: 1_700_000_000,
      id,
      max_model_len: window,
      object: "model",
      owned_by: "simulator"
    })),
    object: "list"
  },
  status: 200
})

/** The answer to a request that no wire accepts. */
export const notFound = (method: string, path: string): Answer =>
  Errors.answer({ ...Errors.invalid(`Invalid URL (${method} ${path})`), status: 404 })
