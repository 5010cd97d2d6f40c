/** The body of one request, with the marks up to which its input is to be cached. */
import type {
  CacheControlEphemeral,
  ContentBlockParam,
  MessageCreateParamsStreaming,
  MessageParam,
  Tool
} from "@anthropic-ai/sdk/resources/messages"
import type { ToolSpec } from "@weir/model/Prompt"
import type { Thinking } from "@weir/model/Thinking"
import * as ClaudeThinking from "@weir/transport/ClaudeThinking"
import * as StandIns from "@weir/transport/StandIns"
import { wellFormed, wellFormedObject } from "@weir/transport/WellFormed"
import type { History, Message } from "./History.js"
import * as Histories from "./History.js"

const mark: { readonly cache_control: CacheControlEphemeral } = { cache_control: { type: "ephemeral" } }

/**
 * The newest two messages of the user are marked: the older mark is where the last request ended, so what that
 * wrote into the cache is found however much was added since. With tools and system prompt that makes four.
 */
const markedMessages = 2

const is = {
  result: ({ type }: ContentBlockParam) => type === "tool_result",
  thought: ({ type }: ContentBlockParam) => type === "thinking" || type === "redacted_thinking"
}

const markBlock = (block: ContentBlockParam): ContentBlockParam =>
  block.type === "thinking" || block.type === "redacted_thinking" ? block : { ...block, ...mark }

const toParam = ({ content, role }: Message, isMarked: boolean): MessageParam => ({
  role,
  content: content.map((block, index) => isMarked && index === content.length - 1 ? markBlock(block) : block)
})

const toMessages = (all: ReadonlyArray<Message>): Array<MessageParam> => {
  const users = all.filter(({ role }) => role === "user")
  const marked = new Set(users.slice(-markedMessages))
  return all.map((message) => toParam(message, marked.has(message)))
}

const toTool = ({ description, name, parameters }: ToolSpec): Tool => ({
  name,
  description: wellFormed(description),
  input_schema: { ...wellFormedObject(parameters), type: "object" }
})

const toTools = (history: History) => {
  const standIns = StandIns.make(history)
  const all = [...history.tools, ...standIns].map(toTool)
  const last = all.length - 1
  if (last < 0) return {}
  return {
    tools: all.map((tool, index) => index === last ? { ...tool, ...mark } : tool),
    ...(standIns.length > 0 && { tool_choice: { type: "none" as const } })
  }
}

/** `maxTokens` is the output limit, in tokens. */
export const make = (
  model: string,
  history: History,
  maxTokens: number,
  thinking?: Thinking
): MessageCreateParamsStreaming => {
  const messages = Histories.messages(history)
  return {
    model,
    max_tokens: maxTokens,
    stream: true,
    ...(thinking && ClaudeThinking.make(thinking, model, maxTokens, ClaudeThinking.goesOnWithout(messages, is))),
    ...(history.system.trim() !== "" && { system: [{ type: "text", text: wellFormed(history.system), ...mark }] }),
    ...toTools(history),
    messages: toMessages(messages)
  }
}
