/** A conversation as Chat Completions messages, kept as an immutable state that grows entry by entry. */
import type { Entry, Exchange, Image, Step, UserMessage } from "@weir/model/Conversation"
import * as Conversation from "@weir/model/Conversation"
import type { Prompt, ToolSpec } from "@weir/model/Prompt"
import * as CallId from "@weir/transport/CallId"
import * as Picture from "@weir/transport/Picture"
import { wellFormed } from "@weir/transport/WellFormed"
import * as Array from "effect/Array"
import * as Chunk from "effect/Chunk"
import type {
  ChatCompletionAssistantMessageParam,
  ChatCompletionContentPart,
  ChatCompletionFunctionTool,
  ChatCompletionMessageParam
} from "openai/resources/chat/completions"
import type { Dialect } from "./ChatDialect.js"

export interface Messages {
  readonly messages: Chunk.Chunk<ChatCompletionMessageParam>
  readonly tools: ReadonlyArray<ChatCompletionFunctionTool>
  readonly ids: CallId.Claimed
}

const longestId = 40
const longestName = 64

/** What is written before an error result: the API has no flag for it. */
const errorMark = "Error: "

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

/** `""` rather than `null` beside calls, which some hosts reject. */
const assistant = (
  step: Step,
  calls: ReadonlyArray<{ readonly id: string; readonly exchange: Exchange }>,
  dialect: Dialect
): ChatCompletionAssistantMessageParam => {
  const reasoning = step.parts.flatMap((part) => part._tag === "Reasoning" ? [part.text] : []).join("")
  return {
    role: "assistant",
    content: wellFormed(Conversation.text(step)),
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ exchange: { call }, id }) => ({
        id,
        type: "function",
        function: {
          name: CallId.legal(call.name, longestName) || "unknown",
          arguments: wellFormed(call.arguments) || "{}"
        }
      }))
    }),
    ...(calls.length > 0 && dialect.reasoningField && reasoning !== "" &&
      { [dialect.reasoningField]: wellFormed(reasoning) })
  }
}

/** Results stand directly after their calls and hold no images: those follow in a message of their own. */
const appendStep = (self: Messages, step: Step, dialect: Dialect): Messages => {
  const exchanges = Conversation.exchanges(step)
  if (exchanges.length === 0 && Conversation.text(step).trim() === "") return self

  const [claimed, ids] = CallId.claimAll(self.ids, exchanges.map(({ call }) => call.id), longestId)
  const calls = Array.zipWith(exchanges, claimed, (exchange, id) => ({ exchange, id }))
  const results = calls.map(({ exchange: { result }, id }): ChatCompletionMessageParam => ({
    role: "tool",
    tool_call_id: id,
    content: wellFormed(result.isError ? errorMark + result.text : result.text)
  }))
  const images = exchanges.flatMap(({ result }) => result.images)
  const added = [
    assistant(step, calls, dialect),
    ...results,
    ...(images.length === 0 ? [] : [user("The images of the tool results above, in their order:", images)])
  ]
  return { ...self, ids, messages: Chunk.appendAll(self.messages, Chunk.fromIterable(added)) }
}

const appendUser = (self: Messages, message: UserMessage): Messages => ({
  ...self,
  messages: Chunk.append(self.messages, user(message.text, message.images))
})

export const append = (self: Messages, entry: Entry, dialect: Dialect): Messages =>
  entry._tag === "Step" ? appendStep(self, entry, dialect) : appendUser(self, entry)

const tool = (spec: ToolSpec): ChatCompletionFunctionTool => ({
  type: "function",
  function: { name: spec.name, description: spec.description, parameters: spec.parameters }
})

export const start = (prompt: Prompt, dialect: Dialect): Messages =>
  prompt.entries.reduce<Messages>((messages, entry) => append(messages, entry, dialect), {
    ids: CallId.none,
    messages: prompt.system === "" ? Chunk.empty() : Chunk.of({ role: "system", content: wellFormed(prompt.system) }),
    tools: prompt.tools.map(tool)
  })
