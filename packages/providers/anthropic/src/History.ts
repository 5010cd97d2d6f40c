/**
 * A conversation as the messages of this API, kept as an immutable state that grows entry by entry. Roles
 * alternate, the user begins, and the results of all calls of a step stand first in the message after it.
 */
import type {
  ContentBlockParam,
  ImageBlockParam,
  MessageParam,
  TextBlockParam,
  ToolResultBlockParam,
  ToolUseBlockParam
} from "@anthropic-ai/sdk/resources/messages"
import type { Entry, Exchange, Image, Step, UserMessage } from "@weir/model/Conversation"
import * as Conversation from "@weir/model/Conversation"
import type { Prompt, ToolSpec } from "@weir/model/Prompt"
import * as CallId from "@weir/transport/CallId"
import * as Picture from "@weir/transport/Picture"
import { wellFormed, wellFormedObject } from "@weir/transport/WellFormed"
import * as Chunk from "effect/Chunk"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Native from "./Native.js"

export interface Message {
  readonly role: MessageParam["role"]
  readonly content: ReadonlyArray<ContentBlockParam>
}

export interface History {
  readonly system: string
  readonly tools: ReadonlyArray<ToolSpec>
  /** All messages but the newest. */
  readonly earlier: Chunk.Chunk<Message>
  readonly newest: Message | undefined
  readonly ids: CallId.Claimed
  /** Names of all tools that were called. */
  readonly called: ReadonlySet<string>
}

const longestId = 64
const longestName = 64

/** What a conversation that begins with a reply begins with. */
const opening: Message = { role: "user", content: [{ type: "text", text: "(The conversation so far follows.)" }] }

/** Blank texts are refused. */
const text = (said: string): ReadonlyArray<TextBlockParam> =>
  said.trim() === "" ? [] : [{ type: "text", text: wellFormed(said) }]

const image = (given: Image): ImageBlockParam | TextBlockParam =>
  Picture.isPicture(given)
    ? { type: "image", source: { type: "base64", media_type: given.mediaType, data: given.data } }
    : { type: "text", text: Picture.omitted(given) }

const user = (message: UserMessage): Message => {
  const content = [...text(message.text), ...message.images.map(image)]
  return { role: "user", content: content.length === 0 ? [{ type: "text", text: "(An empty message.)" }] : content }
}

const parseInput = Schema.decodeOption(Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Unknown })))

const toolName = (name: string) => CallId.legal(name, longestName) || "unknown"

/** Malformed arguments have no form in this API; the call's result tells the model about them. */
const toolUse = ({ call }: Exchange, id: string): ToolUseBlockParam => ({
  type: "tool_use",
  id,
  name: toolName(call.name),
  input: wellFormedObject(Option.getOrElse(parseInput(call.arguments), () => ({})))
})

/** The result of an error may hold text alone, and must hold some. */
const toolResult = ({ result }: Exchange, id: string): ToolResultBlockParam => {
  const said = result.text.trim() === "" ? "(No output.)" : wellFormed(result.text)
  if (result.isError) return { type: "tool_result", tool_use_id: id, content: said, is_error: true }
  return {
    type: "tool_result",
    tool_use_id: id,
    content: result.images.length === 0 ? said : [...text(result.text), ...result.images.map(image)]
  }
}

type Numbered = ReadonlyArray<readonly [Exchange, id: string]>

/** The blocks of a reply just as the model wrote them, which is how it wants its thinking back. */
const replayed = (blocks: ReadonlyArray<Native.Block>, exchanges: Numbered): ReadonlyArray<ContentBlockParam> =>
  blocks.flatMap((block): ReadonlyArray<ContentBlockParam> => {
    switch (block.type) {
      case "text":
        return text(block.text)
      case "tool_use":
        return exchanges.flatMap(([exchange, id]) => exchange.call.id === block.id ? [toolUse(exchange, id)] : [])
      default:
        return [block]
    }
  })

/** The same without reasoning. */
const retold = (step: Step, exchanges: Numbered): ReadonlyArray<ContentBlockParam> => {
  let told = 0
  return step.parts.flatMap((part): ReadonlyArray<ContentBlockParam> => {
    switch (part._tag) {
      case "Text":
        return text(part.text)
      case "Exchange":
        return exchanges.slice(told, ++told).map(([exchange, id]) => toolUse(exchange, id))
      case "Reasoning":
        return []
    }
  })
}

const replied = (step: Step, exchanges: Numbered, model: string): ReadonlyArray<ContentBlockParam> =>
  Option.match(Native.blocks(step, model, exchanges.map(([{ call }]) => call.id)), {
    onNone: () => retold(step, exchanges),
    onSome: (blocks) => replayed(blocks, exchanges)
  })

const results = (exchanges: Numbered): ReadonlyArray<ContentBlockParam> => [
  ...exchanges.map(([exchange, id]) => toolResult(exchange, id)),
  ...exchanges.flatMap(([{ result }]) => result.isError ? result.images.map(image) : [])
]

/** A message more; one of the same role becomes part of the one before it. */
const add = (self: History, message: Message): History => {
  const { newest } = self
  if (message.content.length === 0) return self
  if (newest === undefined) {
    return message.role === "user" ? { ...self, newest: message } : add({ ...self, newest: opening }, message)
  }
  return newest.role === message.role
    ? { ...self, newest: { role: newest.role, content: [...newest.content, ...message.content] } }
    : { ...self, earlier: Chunk.append(self.earlier, newest), newest: message }
}

const isSaid = ({ type }: ContentBlockParam) => type !== "thinking" && type !== "redacted_thinking"

const addStep = (self: History, step: Step, model: string): History => {
  const exchanges = Conversation.exchanges(step)
  const [claimed, ids] = CallId.claimAll(self.ids, exchanges.map(({ call }) => call.id), longestId)
  const numbered = exchanges.map((exchange, index) => [exchange, claimed[index] ?? ""] as const)
  const content = replied(step, numbered, model)
  if (!content.some(isSaid)) return self
  const names = exchanges.map(({ call }) => toolName(call.name)).filter((name) => !self.called.has(name))
  const called = names.length === 0 ? self.called : new Set([...self.called, ...names])
  const asked = add({ ...self, called, ids }, { role: "assistant", content })
  return add(asked, { role: "user", content: results(numbered) })
}

/** `model` is who will read it. */
export const append = (self: History, entry: Entry, model: string): History =>
  entry._tag === "Step" ? addStep(self, entry, model) : add(self, user(entry))

export const start = ({ entries, system, tools }: Prompt, model: string): History =>
  entries.reduce<History>((history, entry) => append(history, entry, model), {
    system,
    tools,
    earlier: Chunk.empty(),
    newest: undefined,
    ids: CallId.none,
    called: new Set()
  })

export const messages = ({ earlier, newest }: History): ReadonlyArray<Message> => [
  ...earlier,
  ...(newest === undefined ? [] : [newest])
]
