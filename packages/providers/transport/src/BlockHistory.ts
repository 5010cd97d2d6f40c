/**
 * A conversation as messages of blocks, for APIs whose roles alternate: an immutable state that grows entry by
 * entry. The user begins, and the results of all calls of a step stand first in the message after it.
 */
import type { Entry, Exchange, Image, Step, UserMessage } from "@weir/model/Conversation"
import * as Conversation from "@weir/model/Conversation"
import type { Prompt, ToolSpec } from "@weir/model/Prompt"
import * as Chunk from "effect/Chunk"
import * as Option from "effect/Option"
import * as CallArguments from "./CallArguments.js"
import * as CallId from "./CallId.js"
import * as Filler from "./Filler.js"
import { wellFormed } from "./WellFormed.js"

export interface Message<Block> {
  readonly role: "user" | "assistant"
  readonly content: ReadonlyArray<Block>
}

/** Exchanges with the ids of their calls in this history. */
export type Numbered = ReadonlyArray<readonly [Exchange, id: string]>

/** How one API writes the parts of a conversation. */
export interface Blocks<Block> {
  /** In characters. */
  readonly longestId: number
  readonly longestName: number
  /** Of text that is not blank. */
  readonly text: (said: string) => Block
  readonly image: (image: Image) => Block
  readonly call: (id: string, name: string, input: Record<string, unknown>) => Block
  readonly results: (exchanges: Numbered) => ReadonlyArray<Block>
  /** A reply just as this model wrote it, where that is known; `call` gives the block of the call with that id. */
  readonly replay: (step: Step, call: (id: string) => ReadonlyArray<Block>) => Option.Option<ReadonlyArray<Block>>
  /** Whether a block is more than a thought. */
  readonly isSaid: (block: Block) => boolean
}

export interface History<Block> {
  readonly system: string
  readonly tools: ReadonlyArray<ToolSpec>
  /** All messages but the newest. */
  readonly earlier: Chunk.Chunk<Message<Block>>
  readonly newest: Message<Block> | undefined
  readonly ids: CallId.Claimed
  /** Names of all tools that were called. */
  readonly called: ReadonlySet<string>
}

/** Blank texts are refused. */
export const text = <Block>({ text }: Pick<Blocks<Block>, "text">, said: string): ReadonlyArray<Block> =>
  said.trim() === "" ? [] : [text(wellFormed(said))]

const user = <Block>(blocks: Blocks<Block>, message: UserMessage): Message<Block> => {
  const content = [...text(blocks, message.text), ...message.images.map(blocks.image)]
  return { role: "user", content: content.length === 0 ? [blocks.text(Filler.emptyMessage)] : content }
}

const opening = <Block>(blocks: Blocks<Block>): Message<Block> => ({
  role: "user",
  content: [blocks.text(Filler.opening)]
})

const toolName = ({ longestName }: Pick<Blocks<unknown>, "longestName">, { call }: Exchange) =>
  CallId.toolName(call.name, longestName)

const toCall = <Block>(blocks: Blocks<Block>, exchange: Exchange, id: string): Block =>
  blocks.call(id, toolName(blocks, exchange), CallArguments.toObject(exchange.call.arguments))

/** The reply without reasoning. */
const retold = <Block>(blocks: Blocks<Block>, step: Step, exchanges: Numbered): ReadonlyArray<Block> => {
  let told = 0
  return step.parts.flatMap((part): ReadonlyArray<Block> => {
    switch (part._tag) {
      case "Text":
        return text(blocks, part.text)
      case "Exchange":
        return exchanges.slice(told, ++told).map(([exchange, id]) => toCall(blocks, exchange, id))
      case "Reasoning":
        return []
    }
  })
}

const replied = <Block>(blocks: Blocks<Block>, step: Step, exchanges: Numbered): ReadonlyArray<Block> =>
  Option.getOrElse(
    blocks.replay(
      step,
      (callId) =>
        exchanges.flatMap(([exchange, id]) => exchange.call.id === callId ? [toCall(blocks, exchange, id)] : [])
    ),
    () => retold(blocks, step, exchanges)
  )

/** A message more; one of the same role becomes part of the one before it. */
const add = <Block>(blocks: Blocks<Block>, self: History<Block>, message: Message<Block>): History<Block> => {
  const { newest } = self
  if (message.content.length === 0) return self
  if (newest === undefined) {
    return message.role === "user"
      ? { ...self, newest: message }
      : add(blocks, { ...self, newest: opening(blocks) }, message)
  }
  return newest.role === message.role
    ? { ...self, newest: { role: newest.role, content: [...newest.content, ...message.content] } }
    : { ...self, earlier: Chunk.append(self.earlier, newest), newest: message }
}

const addStep = <Block>(blocks: Blocks<Block>, self: History<Block>, step: Step): History<Block> => {
  const exchanges = Conversation.exchanges(step)
  const [claimed, ids] = CallId.claimAll(self.ids, exchanges.map(({ call }) => call.id), blocks.longestId)
  const numbered = exchanges.map((exchange, index) => [exchange, claimed[index] ?? ""] as const)
  const content = replied(blocks, step, numbered)
  if (!content.some(blocks.isSaid)) return self
  const names = exchanges.map((exchange) => toolName(blocks, exchange)).filter((name) => !self.called.has(name))
  const called = names.length === 0 ? self.called : new Set([...self.called, ...names])
  const asked = add(blocks, { ...self, called, ids }, { role: "assistant", content })
  return add(blocks, asked, { role: "user", content: blocks.results(numbered) })
}

export const append = <Block>(blocks: Blocks<Block>, self: History<Block>, entry: Entry): History<Block> =>
  entry._tag === "Step" ? addStep(blocks, self, entry) : add(blocks, self, user(blocks, entry))

export const start = <Block>(blocks: Blocks<Block>, { entries, system, tools }: Prompt): History<Block> =>
  entries.reduce<History<Block>>((history, entry) => append(blocks, history, entry), {
    system,
    tools,
    earlier: Chunk.empty(),
    newest: undefined,
    ids: CallId.none,
    called: new Set()
  })

/** The messages of a request: they end with the user, since newer models do not go on with a reply of their own. */
export const messages = <Block>(
  blocks: Pick<Blocks<Block>, "text">,
  { earlier, newest }: History<Block>
): ReadonlyArray<Message<Block>> => [
  ...earlier,
  ...(newest === undefined ? [] : [newest]),
  ...(newest?.role === "user" ? [] : [{ role: "user" as const, content: [blocks.text(Filler.closing)] }])
]
