/** A conversation as Chat Completions messages, kept as an immutable state that grows entry by entry. */
import type { Entry, Exchange, Image, NativeReply, Step } from "@weir/model/Conversation"
import * as Conversation from "@weir/model/Conversation"
import type { Prompt, ToolSpec } from "@weir/model/Prompt"
import * as TextOnly from "@weir/model/TextOnly"
import * as CallArguments from "@weir/transport/CallArguments"
import * as CallId from "@weir/transport/CallId"
import * as Filler from "@weir/transport/Filler"
import * as Picture from "@weir/transport/Picture"
import * as StandIns from "@weir/transport/StandIns"
import { wellFormed } from "@weir/transport/WellFormed"
import * as Array from "effect/Array"
import * as Chunk from "effect/Chunk"
import * as Option from "effect/Option"
import type {
  ChatCompletionAssistantMessageParam,
  ChatCompletionContentPart,
  ChatCompletionCreateParams,
  ChatCompletionFunctionTool,
  ChatCompletionMessageParam
} from "openai/resources/chat/completions"
import * as ChatCallId from "./ChatCallId.js"
import type { Dialect } from "./ChatDialect.js"

export interface Messages {
  readonly messages: Chunk.Chunk<ChatCompletionMessageParam>
  readonly tools: ReadonlyArray<ChatCompletionFunctionTool>
  readonly ids: CallId.Claimed
  /** Names of all tools that were called. */
  readonly called: ReadonlySet<string>
}

/** Who will read them. */
export interface Reader {
  readonly model: string
  readonly dialect: Dialect
}

export const codec = "openai-chat"

/** Marks a reply as this model's own: its reasoning goes back to no other. */
export const author = (model: string): NativeReply => ({ codec, model, payload: null })

const longestName = 64

const imagePart = (image: Image): ChatCompletionContentPart =>
  Picture.isPicture(image)
    ? { type: "image_url", image_url: { url: `data:${image.mediaType};base64,${image.data}` } }
    : { type: "text", text: Picture.omitted(image) }

const textPart = (text: string): ReadonlyArray<ChatCompletionContentPart> =>
  text === "" ? [] : [{ type: "text", text: wellFormed(text) }]

const user = (text: string, images: ReadonlyArray<Image>): ChatCompletionMessageParam => ({
  role: "user",
  content: images.length === 0 ? wellFormed(text) : [...textPart(text), ...images.map(imagePart)]
})

const toolName = ({ call }: Exchange) => CallId.toolName(call.name, longestName)

/** What went before the calls in the model's mind, where it is to be told. */
const reasoning = ({ native, parts }: Step, { dialect, model }: Reader) => {
  if (dialect.reasoning === undefined) return {}
  const isOwn = native?.codec === codec && native.model === model
  const text = isOwn ? parts.flatMap((part) => part._tag === "Reasoning" ? [part.text] : []).join("") : ""
  return text === "" && !dialect.reasoning.demanded ? {} : { [dialect.reasoning.field]: wellFormed(text) }
}

const argumentsOf = ({ call }: Exchange, { dialect }: Reader): string =>
  dialect.readsArguments ? CallArguments.toText(call.arguments) : wellFormed(call.arguments) || "{}"

const assistant = (
  step: Step,
  calls: ReadonlyArray<{ readonly id: string; readonly exchange: Exchange }>,
  reader: Reader
): ChatCompletionAssistantMessageParam => {
  const text = wellFormed(Conversation.text(step))
  if (calls.length === 0) return { role: "assistant", content: text }
  return {
    role: "assistant",
    content: text === "" ? reader.dialect.emptyContent : text,
    tool_calls: calls.map(({ exchange, id }) => ({
      id,
      type: "function",
      function: { name: toolName(exchange), arguments: argumentsOf(exchange, reader) }
    })),
    ...reasoning(step, reader)
  }
}

/** What the model is made to say between results of tools and the user, where it may not stay silent. */
const noted: ChatCompletionMessageParam = { role: "assistant", content: "(Noted.)" }

const isResult = (message: ChatCompletionMessageParam) => message.role === "tool"

const appendUser = (self: Messages, message: ChatCompletionMessageParam, { dialect }: Reader): Messages => {
  const isHasty = dialect.strictOrder && Option.exists(Chunk.last(self.messages), isResult)
  const before = isHasty ? Chunk.append(self.messages, noted) : self.messages
  return { ...self, messages: Chunk.append(before, message) }
}

/** Results stand directly after their calls and hold no images: those follow in a message of their own. */
const appendStep = (self: Messages, step: Step, reader: Reader): Messages => {
  const exchanges = Conversation.exchanges(step)
  if (exchanges.length === 0 && Conversation.text(step).trim() === "") return self

  const [claimed, ids] = ChatCallId.claimAll(self.ids, exchanges.map(({ call }) => call.id), reader.dialect)
  const calls = Array.zipWith(exchanges, claimed, (exchange, id) => ({ exchange, id }))
  const results = calls.map(({ exchange: { result }, id }): ChatCompletionMessageParam => ({
    role: "tool",
    tool_call_id: id,
    content: wellFormed(result.isError ? Filler.errorMark + result.text : result.text)
  }))
  const images = exchanges.flatMap(({ result }) => result.images)
  const names = exchanges.map(toolName).filter((name) => !self.called.has(name))
  const told: Messages = {
    ...self,
    called: names.length === 0 ? self.called : new Set([...self.called, ...names]),
    ids,
    messages: Chunk.appendAll(self.messages, Chunk.make(assistant(step, calls, reader), ...results))
  }
  if (images.length === 0) return told
  return appendUser(told, user("The images of the tool results above, in their order:", images), reader)
}

export const append = (self: Messages, entry: Entry, reader: Reader): Messages =>
  entry._tag === "Step" ? appendStep(self, entry, reader) : appendUser(self, user(entry.text, entry.images), reader)

const tool = (spec: ToolSpec): ChatCompletionFunctionTool => ({
  type: "function",
  function: { name: spec.name, description: spec.description, parameters: spec.parameters }
})

export const start = (prompt: Prompt, reader: Reader): Messages =>
  prompt.entries.reduce<Messages>((messages, entry) => append(messages, entry, reader), {
    called: new Set(),
    ids: CallId.none,
    messages: prompt.system === ""
      ? Chunk.empty()
      : Chunk.of({ role: reader.dialect.systemRole, content: wellFormed(prompt.system) }),
    tools: prompt.tools.map(tool)
  })

const isImage = ({ type }: ChatCompletionContentPart) => type === "image_url"

/** The parts of a message of the user that holds images; only such messages do. */
const pictured = (message: ChatCompletionMessageParam): ReadonlyArray<ChatCompletionContentPart> =>
  message.role === "user" && typeof message.content !== "string" && message.content.some(isImage) ? message.content : []

export const holdsImages = ({ messages }: Messages): boolean =>
  Chunk.some(messages, (message) => pictured(message).length > 0)

/** The same with a note in place of each image. */
export const withoutImages = (self: Messages): Messages => ({
  ...self,
  messages: Chunk.map(self.messages, (message) => {
    const parts = pictured(message)
    const texts = parts.map((part) => part.type === "text" ? part.text : TextOnly.omitted)
    return parts.length === 0 ? message : user(texts.join("\n\n"), [])
  })
})

/** The messages and tools of a request. */
export const toRequest = (
  self: Messages,
  { dialect }: Reader
): Pick<ChatCompletionCreateParams, "messages" | "tools" | "tool_choice"> => {
  const isReply = Option.exists(Chunk.last(self.messages), ({ role }) => role === "assistant")
  const messages = [
    ...self.messages,
    ...(dialect.strictOrder && isReply ? [user(Filler.closing, [])] : [])
  ]
  const standIns = dialect.needsTools ? StandIns.make(self).map(tool) : []
  const tools = [...self.tools, ...standIns]
  return {
    messages,
    ...(tools.length > 0 && { tools }),
    ...(standIns.length > 0 && { tool_choice: "none" })
  }
}
