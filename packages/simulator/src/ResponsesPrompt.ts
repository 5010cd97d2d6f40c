/** What the model reads of a Responses request: as a prompt, and as what can be counted and cached. */
import type { Entry, Step } from "@weir/model/Conversation"
import * as Conversation from "@weir/model/Conversation"
import type { Prompt } from "@weir/model/Prompt"
import { print } from "./Json.js"
import * as OpenAiImage from "./OpenAiImage.js"
import type { ResponsesItem } from "./ResponsesInput.js"
import type { ResponsesRequest } from "./ResponsesValidator.js"
import type { Piece } from "./Wire.js"

type Output = Extract<ResponsesItem, { readonly type: "output" }>

const toPart = (item: ResponsesItem, outputs: ReadonlyMap<string, Output>): Step["parts"] => {
  switch (item.type) {
    case "said":
      return [Conversation.Text.make({ text: item.text })]
    case "reasoning":
      return [Conversation.Reasoning.make({ text: item.summary.join("\n\n") })]
    case "call": {
      const { images = [], text = "" } = outputs.get(item.callId)?.content ?? {}
      return [{
        _tag: "Exchange",
        call: { _tag: "ToolCall", arguments: item.arguments, id: item.callId, name: item.name },
        result: { facts: [], images: images.map(OpenAiImage.read), isError: false, text }
      }]
    }
    default:
      return []
  }
}

/** What the model said between two things that it was told is one step. */
const toEntries = (items: ReadonlyArray<ResponsesItem>): ReadonlyArray<Entry> => {
  const outputs = new Map(items.flatMap((item) => item.type === "output" ? [[item.callId, item]] : []))
  const entries: Array<Entry> = []
  let parts: Step["parts"] = []
  const close = () => {
    if (parts.length > 0) entries.push({ _tag: "Step", parts })
    parts = []
  }
  for (const item of items) {
    if (item.type === "output" || item.type === "given") close()
    if (item.type === "given" && item.role === "user") {
      entries.push(Conversation.userMessage(item.content.text, item.content.images.map(OpenAiImage.read)))
    }
    parts = [...parts, ...toPart(item, outputs)]
  }
  close()
  return entries
}

export const toPrompt = ({ instructions, items, tools }: ResponsesRequest): Prompt => ({
  entries: toEntries(items),
  system: [
    instructions,
    ...items.flatMap((item) => item.type === "given" && item.role !== "user" ? [item.content.text] : [])
  ].filter((text) => text !== "").join("\n\n"),
  tools
})

const countable = (item: ResponsesItem): Pick<Piece, "calls" | "images" | "text"> => {
  switch (item.type) {
    case "given":
      return { calls: 0, images: item.content.images.length, text: item.content.text }
    case "said":
      return { calls: 0, images: 0, text: item.text }
    case "reasoning":
      return { calls: 0, images: 0, text: item.summary.join("\n") }
    case "call":
      return { calls: 1, images: 0, text: `${item.name}${item.arguments}` }
    case "output":
      return { calls: 1, images: item.content.images.length, text: item.content.text }
  }
}

export const toPieces = ({ instructions, items, tools }: ResponsesRequest): ReadonlyArray<Piece> => [
  ...tools.map((tool): Piece => ({ calls: 0, images: 0, kind: "tool", text: print(tool) })),
  ...(instructions === "" ? [] : [{ calls: 0, images: 0, kind: "message" as const, text: instructions }]),
  ...items.map((item): Piece => ({ ...countable(item), key: print(item), kind: "message" }))
]
