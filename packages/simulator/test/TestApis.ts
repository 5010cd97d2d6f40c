/** The wires of the simulator behind one client, for tests that must hold on all of them. */
import type { HttpClientError } from "@effect/platform/HttpClientError"
import type { StopReason } from "@weir/model/ModelEvent"
import * as Json from "@weir/simulator/Json"
import type { Simulator } from "@weir/simulator/Simulator"
import type * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as AnthropicClient from "./AnthropicClient.js"
import * as GeminiClient from "./GeminiClient.js"
import * as ResponsesClient from "./ResponsesClient.js"
import * as ChatClient from "./TestClient.js"
import { at } from "./TestClient.js"

interface Message {
  readonly role: string
  readonly content: unknown
}

export interface TestApi {
  readonly name: string
  readonly post: (body: unknown) => Effect.Effect<ChatClient.Response, HttpClientError, Simulator>
  readonly request: (more?: object) => object
  readonly streaming: (more?: object) => object
  /** A conversation under a system prompt. */
  readonly under: (system: string, messages: ReadonlyArray<Message>) => object
  readonly tools: ReadonlyArray<unknown>
  readonly noCalls: object
  readonly limit: (tokens: number) => object
  /** Absent where nothing in a request tells sessions apart. */
  readonly session?: (id: string) => object
  readonly events: (text: string) => ReadonlyArray<unknown>
  readonly fold: (text: string) => {
    readonly calls: ReadonlyArray<{ readonly id: unknown; readonly name: unknown; readonly arguments: string }>
    readonly finish: unknown
    readonly reasoning: string
    readonly text: string
    /** In tokens, `input` with what was cached. */
    readonly usage: { readonly input: number; readonly cached: number; readonly output: number } | undefined
  }
  readonly finish: Readonly<Record<StopReason, string>>
  /** The type of an error that is an event of a stream. */
  readonly errorType: (event: unknown) => unknown
  readonly serverError: string
}

const count = (usage: unknown, ...path: ReadonlyArray<string>) => Number(at(usage, ...path))

export const chat: TestApi = {
  errorType: (event) => at(event, "error", "code"),
  events: (text) =>
    ChatClient.events(text).map((data) => data === "[DONE]" ? data : Either.getOrThrow(Json.parse(data))),
  finish: { calls: "tool_calls", end: "stop", length: "length", refused: "content_filter" },
  fold: (text) => {
    const { usage, ...folded } = ChatClient.fold(text)
    return {
      ...folded,
      usage: usage === undefined ? undefined : {
        cached: count(usage, "prompt_tokens_details", "cached_tokens"),
        input: count(usage, "prompt_tokens"),
        output: count(usage, "completion_tokens")
      }
    }
  },
  limit: (tokens) => ({ max_completion_tokens: tokens }),
  name: "chat",
  noCalls: { tool_choice: "none" },
  post: ChatClient.post,
  request: ChatClient.request,
  serverError: "server_error",
  session: (id) => ({ prompt_cache_key: id }),
  streaming: ChatClient.streaming,
  tools: [{ function: { name: "bash", parameters: { properties: {}, type: "object" } }, type: "function" }],
  under: (system, messages) => ({ messages: [{ content: system, role: "system" }, ...messages] })
}

export const anthropic: TestApi = {
  errorType: (event) => at(event, "error", "type"),
  events: AnthropicClient.events,
  finish: { calls: "tool_use", end: "end_turn", length: "max_tokens", refused: "refusal" },
  fold: (text) => {
    const { usage, ...folded } = AnthropicClient.fold(text)
    const cached = count(usage, "cache_read_input_tokens")
    return {
      ...folded,
      usage: usage === undefined ? undefined : {
        cached,
        input: count(usage, "input_tokens") + count(usage, "cache_creation_input_tokens") + cached,
        output: count(usage, "output_tokens")
      }
    }
  },
  limit: (tokens) => ({ max_tokens: tokens }),
  name: "anthropic",
  noCalls: { tool_choice: { type: "none" } },
  post: AnthropicClient.post,
  request: AnthropicClient.request,
  serverError: "api_error",
  session: (id) => ({ metadata: { user_id: id } }),
  streaming: (more) => AnthropicClient.streaming({ max_tokens: 64_000, ...more }),
  tools: [{ input_schema: { properties: {}, type: "object" }, name: "bash" }],
  under: (system, messages) => ({ messages, system })
}

/** The method stands in the address, so requests are wrapped together with it. */
const geminiRequest = (method: GeminiClient.Method) => (more: object = {}) => {
  const { messages, system, ...rest }: Json.JsonObject = { messages: [{ content: "hi", role: "user" }], ...more }
  const contents = (Json.isArray(messages) ? messages : []).map((message) => ({
    parts: [{ text: at(message, "content") }],
    role: at(message, "role") === "assistant" ? "model" : "user"
  }))
  const instruction = system === undefined ? {} : { systemInstruction: { parts: [{ text: system }] } }
  return { body: { contents, ...instruction, ...rest }, method }
}

export const gemini: TestApi = {
  errorType: (event) => at(event, "error", "status"),
  events: GeminiClient.chunks,
  finish: { calls: "STOP", end: "STOP", length: "MAX_TOKENS", refused: "SAFETY" },
  fold: (text) => {
    const { usage, ...folded } = GeminiClient.fold(text)
    return {
      ...folded,
      usage: usage === undefined ? undefined : {
        cached: count(at(usage, "cachedContentTokenCount") ?? 0),
        input: count(usage, "promptTokenCount"),
        output: count(usage, "candidatesTokenCount") + count(at(usage, "thoughtsTokenCount") ?? 0)
      }
    }
  },
  limit: (tokens) => ({ generationConfig: { maxOutputTokens: tokens } }),
  name: "gemini",
  noCalls: { toolConfig: { functionCallingConfig: { mode: "NONE" } } },
  post: (request) => {
    const method = at(request, "method") === "generateContent" ? "generateContent" : "streamGenerateContent"
    return GeminiClient.post(at(request, "body"), { method })
  },
  request: geminiRequest("generateContent"),
  serverError: "INTERNAL",
  streaming: geminiRequest("streamGenerateContent"),
  tools: [{ functionDeclarations: [{ name: "bash", parametersJsonSchema: { properties: {}, type: "object" } }] }],
  under: (system, messages) => ({ messages, system })
}

/** Messages are items, too. */
const responsesRequest = (make: (more: object) => object) => (more: object = {}) => {
  const { messages, ...rest }: Json.JsonObject = { ...more }
  return make({ ...rest, ...(messages !== undefined && { input: messages }) })
}

export const responses: TestApi = {
  errorType: (event) => at(event, "error", "code") ?? at(event, "code"),
  events: ResponsesClient.events,
  finish: { calls: "completed", end: "completed", length: "max_output_tokens", refused: "content_filter" },
  fold: (text) => {
    const { usage, ...folded } = ResponsesClient.fold(text)
    return {
      ...folded,
      usage: usage === undefined ? undefined : {
        cached: count(usage, "input_tokens_details", "cached_tokens"),
        input: count(usage, "input_tokens"),
        output: count(usage, "output_tokens")
      }
    }
  },
  limit: (tokens) => ({ max_output_tokens: tokens }),
  name: "responses",
  noCalls: { tool_choice: "none" },
  post: ResponsesClient.post,
  request: responsesRequest(ResponsesClient.request),
  serverError: "server_error",
  session: (id) => ({ prompt_cache_key: id }),
  streaming: responsesRequest(ResponsesClient.streaming),
  tools: [{ name: "bash", parameters: { properties: {}, type: "object" }, type: "function" }],
  under: (system, messages) => ({ messages: [{ content: system, role: "system" }, ...messages] })
}

export const apis = [chat, anthropic, gemini, responses]
