/** A conversation as items of the Responses API, kept as an immutable state that grows entry by entry. */
import type { Entry, Exchange, Image, Step, ToolResult, UserMessage } from "@weir/model/Conversation"
import * as Conversation from "@weir/model/Conversation"
import type { Prompt, ToolSpec } from "@weir/model/Prompt"
import * as CallId from "@weir/transport/CallId"
import * as Filler from "@weir/transport/Filler"
import * as Picture from "@weir/transport/Picture"
import { wellFormed, wellFormedObject } from "@weir/transport/WellFormed"
import * as Chunk from "effect/Chunk"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import type {
  FunctionTool,
  ResponseInputContent,
  ResponseInputItem,
  ResponseOutputMessage
} from "openai/resources/responses/responses"
import * as Native from "./ResponsesNative.js"

export interface Items {
  readonly system: string
  readonly tools: ReadonlyArray<FunctionTool>
  readonly items: Chunk.Chunk<ResponseInputItem>
  /** Ids of calls, which pair them with their outputs. */
  readonly ids: CallId.Claimed
  /** Ids of items. */
  readonly itemIds: CallId.Claimed
}

const longestId = 64

const image = (picture: Image): ResponseInputContent =>
  Picture.isPicture(picture)
    ? { type: "input_image", detail: "auto", image_url: `data:${picture.mediaType};base64,${picture.data}` }
    : { type: "input_text", text: Picture.omitted(picture) }

const content = (text: string, images: ReadonlyArray<Image>): Array<ResponseInputContent> => [
  ...(text.trim() === "" ? [] : [{ type: "input_text" as const, text: wellFormed(text) }]),
  ...images.map(image)
]

const user = ({ images, text }: UserMessage): ResponseInputItem => {
  const said = content(text, images)
  return {
    type: "message",
    role: "user",
    content: said.length === 0 ? [{ type: "input_text", text: Filler.emptyMessage }] : said
  }
}

const output = ({ images, isError, text }: ToolResult) => {
  const said = isError ? Filler.errorMark + text : text
  return images.length === 0 ? wellFormed(said) : content(said, images)
}

const toolName = ({ call }: Exchange) => CallId.toolName(call.name, longestId)

const message = (id: string, parts: ResponseOutputMessage["content"]): ResponseOutputMessage => ({
  type: "message",
  id,
  role: "assistant",
  status: "completed",
  content: parts
})

const text = (value: string): ResponseOutputMessage["content"][number] => ({
  type: "output_text",
  annotations: [],
  text: value
})

const call = (exchange: Exchange, callId: string, id?: string): ResponseInputItem => ({
  type: "function_call",
  ...(id !== undefined && { id }),
  call_id: callId,
  name: toolName(exchange),
  arguments: wellFormed(exchange.call.arguments) || "{}"
})

type Numbered = ReadonlyArray<readonly [Exchange, callId: string]>

const add = (self: Items, item: ResponseInputItem): Items => ({ ...self, items: Chunk.append(self.items, item) })

/** A message under an id of our own, which is the same for the same history. */
const say = (self: Items, build: (id: string) => ResponseInputItem): Items => {
  const [id, itemIds] = CallId.claim(self.itemIds, `msg_${Chunk.size(self.items)}`, longestId)
  return add({ ...self, itemIds }, build(id))
}

/** The reply without reasoning. */
const retell = (self: Items, step: Step, exchanges: Numbered): Items => {
  let told = 0
  return step.parts.reduce<Items>((items, part) => {
    switch (part._tag) {
      case "Text":
        return part.text.trim() === "" ? items : say(items, (id) => message(id, [text(wellFormed(part.text))]))
      case "Exchange":
        return exchanges.slice(told, ++told).reduce(
          (all, [exchange, callId]) => add(all, call(exchange, callId)),
          items
        )
      case "Reasoning":
        return items
    }
  }, self)
}

const replayed = (self: Items, item: Native.Item, next: Numbered[number] | undefined): Items => {
  switch (item.type) {
    case "reasoning":
      return add(self, { ...item, summary: [...item.summary] })
    case "message": {
      const parts = item.content.map((part) => part.type === "output_text" ? text(part.text) : part)
      const build = (id: string) => ({ ...message(id, parts), ...(item.phase && { phase: item.phase }) })
      return item.id === undefined ? say(self, build) : add(self, build(item.id))
    }
    case "function_call":
      return next === undefined ? self : add(self, call(...next, item.id))
  }
}

/** The reply as it was. */
const replay = (self: Items, items: ReadonlyArray<Native.Item>, exchanges: Numbered): Items => {
  let told = 0
  return items.reduce(
    (all, item) => replayed(all, item, item.type === "function_call" ? exchanges[told++] : undefined),
    self
  )
}

/** An item can stand in a request only once. */
const claimed = (self: Items, items: ReadonlyArray<Native.Item>): Option.Option<Items> => {
  const ids = items.flatMap(({ id }) => id === undefined ? [] : [id])
  const isFresh = new Set(ids).size === ids.length && !ids.some((id) => HashMap.has(self.itemIds, id))
  return isFresh
    ? Option.some({ ...self, itemIds: ids.reduce((used, id) => HashMap.set(used, id, 2), self.itemIds) })
    : Option.none()
}

const addStep = (self: Items, step: Step, author: Native.Author): Items => {
  const exchanges = Conversation.exchanges(step)
  const [callIds, ids] = CallId.claimAll(self.ids, exchanges.map(({ call }) => call.id), longestId)
  const numbered = exchanges.map((exchange, index) => [exchange, callIds[index] ?? ""] as const)
  const before = { ...self, ids }
  const told = Option.gen(function*() {
    const items = yield* Native.items(step, author)
    return replay(yield* claimed(before, items), items, numbered)
  }).pipe(Option.getOrElse(() => retell(before, step, numbered)))
  return numbered.reduce(
    (all, [{ result }, id]) => add(all, { type: "function_call_output", call_id: id, output: output(result) }),
    told
  )
}

/** `author` is who will read it. */
export const append = (self: Items, entry: Entry, author: Native.Author): Items =>
  entry._tag === "Step" ? addStep(self, entry, author) : add(self, user(entry))

const tool = ({ description, name, parameters }: ToolSpec): FunctionTool => ({
  type: "function",
  name,
  description: wellFormed(description),
  parameters: wellFormedObject(parameters),
  strict: false
})

export const start = ({ entries, system, tools }: Prompt, author: Native.Author): Items =>
  entries.reduce<Items>((items, entry) => append(items, entry, author), {
    system: wellFormed(system),
    tools: tools.map(tool),
    items: Chunk.empty(),
    ids: CallId.none,
    itemIds: CallId.none
  })

/** No id of an item may stay that is bound to reasoning before it. */
const unbound = (item: ResponseInputItem, index: number): ReadonlyArray<ResponseInputItem> => {
  switch (item.type) {
    case "reasoning":
      return []
    case "function_call": {
      const { id: _, ...rest } = item
      return [rest]
    }
    case "message":
      return "id" in item ? [{ ...item, id: `msg_own_${index}` }] : [item]
    default:
      return [item]
  }
}

/** The same without the reasoning among the first `count` items. */
export const withoutReasoning = (self: Items, count: number): Items => {
  if (count === 0) return self
  const [first, rest] = Chunk.splitAt(self.items, count)
  return {
    ...self,
    items: Chunk.appendAll(Chunk.flatMap(first, (item, index) => Chunk.fromIterable(unbound(item, index))), rest)
  }
}

const opening: ResponseInputItem = {
  type: "message",
  role: "user",
  content: [{ type: "input_text", text: Filler.opening }]
}

/** The items of a request, which has at least one. */
export const all = ({ items }: Items): Array<ResponseInputItem> => Chunk.isEmpty(items) ? [opening] : [...items]
