/** The body of one request, with the marks up to which its input is to be cached. */
import type {
  ContentBlock,
  ConverseStreamCommandInput,
  Message as MessageParam,
  SystemContentBlock,
  Tool,
  ToolConfiguration
} from "@aws-sdk/client-bedrock-runtime"
import type { ToolSpec } from "@weir/model/Prompt"
import type { Thinking } from "@weir/model/Thinking"
import * as ClaudeThinking from "@weir/transport/ClaudeThinking"
import * as StandIns from "@weir/transport/StandIns"
import { wellFormed, wellFormedObject } from "@weir/transport/WellFormed"
import * as Document from "./Document.js"
import * as Family from "./Family.js"
import type { History, Message } from "./History.js"
import * as Histories from "./History.js"

const mark: { readonly cachePoint: { readonly type: "default" } } = { cachePoint: { type: "default" } }

/**
 * The newest two messages of the user are marked: the older mark is where the last request ended, so what that
 * wrote into the cache is found however much was added since. With tools and system prompt that makes four.
 */
const markedMessages = 2

const toMessages = (messages: ReadonlyArray<Message>, caches: boolean): Array<MessageParam> => {
  const users = messages.filter(({ role }) => role === "user")
  const marked = new Set(caches ? users.slice(-markedMessages) : [])
  return messages.map((message) => ({
    role: message.role,
    content: marked.has(message) ? [...message.content, mark] : [...message.content]
  }))
}

const toTool = ({ description, name, parameters }: ToolSpec): Tool => ({
  toolSpec: {
    name,
    ...(description.trim() !== "" && { description: wellFormed(description) }),
    inputSchema: { json: Document.make({ ...wellFormedObject(parameters), type: "object" }) }
  }
})

/** This API has no word to forbid the use of stand-ins. */
const toTools = (history: History, caches: boolean): { readonly toolConfig?: ToolConfiguration } => {
  const all = [...history.tools, ...StandIns.make(history)].map(toTool)
  return all.length === 0 ? {} : { toolConfig: { tools: caches ? [...all, mark] : all } }
}

const toSystem = ({ system }: History, caches: boolean): { readonly system?: Array<SystemContentBlock> } =>
  system.trim() === "" ? {} : { system: [{ text: wellFormed(system) }, ...(caches ? [mark] : [])] }

const is = {
  result: ({ toolResult }: ContentBlock) => toolResult !== undefined,
  thought: ({ reasoningContent }: ContentBlock) => reasoningContent !== undefined
}

/** `maxTokens` is the output limit, in tokens. */
export const make = (
  model: string,
  history: History,
  maxTokens: number,
  thinking: Thinking | undefined
): ConverseStreamCommandInput => {
  const family = Family.of(model)
  const messages = Histories.messages(history)
  const fields = thinking && family.thinking(thinking, maxTokens, ClaudeThinking.goesOnWithout(messages, is))
  return {
    modelId: model,
    ...toSystem(history, family.caches.system),
    ...toTools(history, family.caches.tools),
    messages: toMessages(messages, family.caches.messages),
    inferenceConfig: { maxTokens },
    ...(fields && { additionalModelRequestFields: Document.make(fields) })
  }
}
