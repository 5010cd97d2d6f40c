/**
 * Thinking as the API hands it out and demands it back. A signature holds the request that was answered, the place in
 * the reply, and a digest of text and model; an id of a call holds the first two, how many thoughts the reply has and a
 * digest of the model. So a request shows by itself whether the thoughts of its tool loop came back complete, unchanged
 * and in order; calls of other APIs and models owe none.
 */
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import * as Hash from "effect/Hash"
import type { Block } from "./AnthropicBlocks.js"
import * as Errors from "./AnthropicError.js"
import type { Read } from "./AnthropicFields.js"
import type { AnthropicMessage } from "./AnthropicMessages.js"

export interface Place {
  /** Id of the request. */
  readonly reply: string
  /** Number of the part in the reply, counted from 0. */
  readonly part: number
}

/** The signature of a thought, or the data of one that stays hidden and so has no text. */
export const sign = ({ part, reply }: Place, text: string, model: string): string =>
  Encoding.encodeBase64(
    `thought:${reply}:${part}:${Hash.string(`${model}\n${text}`)}:${Hash.string(`${text.length}${text}${model}`)}`
  )

/** Who wrote a reply, or reads it. */
export interface Author {
  /** With which word the API begins the ids of calls. */
  readonly prefix: "toolu" | "tooluse"
  readonly model: string
}

const digest = ({ model }: Author) => Hash.string(model) >>> 0

export const callId = ({ part, reply }: Place, thoughts: number, author: Author): string =>
  `${author.prefix}_${reply}_${part}_${thoughts}_${digest(author)}`

const signed = /^thought:(\d+):(\d+):/

const anyId = /^([a-z]+)_(\d+)_(\d+)_(\d+)_(\d+)$/

/** What the id of a call holds that the reader itself has made. */
const ownCall = (id: string, reader: Author): (Place & { readonly thoughts: number }) | undefined => {
  const [, prefix, reply, part, thoughts, sealed] = anyId.exec(id) ?? []
  return reply !== undefined && prefix === reader.prefix && Number(sealed) === digest(reader)
    ? { part: Number(part), reply, thoughts: Number(thoughts) }
    : undefined
}

const placeOf = (signature: string): Place | undefined => {
  const decoded = Either.getOrElse(Encoding.decodeBase64String(signature), () => "")
  const [, reply, part] = signed.exec(decoded) ?? []
  return reply === undefined ? undefined : { part: Number(part), reply }
}

type Thought = Extract<Block, { readonly type: "thinking" | "redacted_thinking" }>

const isThought = (block: Block): block is Thought => block.type === "thinking" || block.type === "redacted_thinking"

const seal = (thought: Thought) =>
  thought.type === "thinking"
    ? { field: "signature", text: thought.thinking, value: thought.signature }
    : { field: "data", text: "", value: thought.data }

const checkSignature = (thought: Thought, model: string): Read<void> => {
  const { field, text, value } = seal(thought)
  const place = placeOf(value)
  return place !== undefined && value === sign(place, text, model)
    ? Either.void
    : Either.left(Errors.at(thought.path, `Invalid \`${field}\` in \`${thought.type}\` block`))
}

/** The assistant messages since the user last said something besides results of tools. */
const latestLoop = (messages: ReadonlyArray<AnthropicMessage>): ReadonlyArray<AnthropicMessage> => {
  const start = messages.findLastIndex(({ blocks, role }) =>
    role === "user" && !blocks.some(({ type }) => type === "tool_result")
  )
  return messages.slice(start + 1).filter(({ role }) => role === "assistant")
}

const expected = (message: AnthropicMessage): Read<never> =>
  Either.left(Errors.at(
    `${message.path}.content.0.type`,
    `Expected \`thinking\` or \`redacted_thinking\`, but found \`${message.blocks[0]?.type ?? "text"}\`. When ` +
      "`thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost " +
      "set of `tool_use` and `tool_result` blocks). We recommend you include thinking blocks from previous turns. To " +
      "avoid this requirement, disable `thinking`. Please consult our documentation at " +
      "https://docs.claude.com/en/docs/build-with-claude/extended-thinking"
  ))

const modified = (block: Block | undefined, message: AnthropicMessage): Read<never> =>
  Either.left(Errors.at(
    block?.path ?? `${message.path}.content.0`,
    "`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must " +
      "remain as they were in the original response."
  ))

/** A message that replays a reply of ours holds all of its thoughts, and its parts in their order. */
const checkReplay = (message: AnthropicMessage, reader: Author): Read<void> => {
  const thoughts = message.blocks.filter(isThought)
  const ids = message.blocks.flatMap((block) => {
    const own = block.type === "tool_use" ? ownCall(block.id, reader) : undefined
    return own === undefined ? [] : [{ ...own, block }]
  })
  const [first] = ids
  if (first === undefined) return Either.void
  if (thoughts.length === 0 && first.thoughts > 0) return expected(message)
  const places = message.blocks.flatMap((block) => {
    const place = isThought(block) ? placeOf(seal(block).value) : ids.find((id) => id.block === block)
    return place === undefined ? [] : [{ ...place, block }]
  })
  const wrong = places.find(({ part, reply }, index) =>
    reply !== first.reply || part <= (places[index - 1]?.part ?? -1)
  )
  if (wrong !== undefined) return modified(isThought(wrong.block) ? wrong.block : thoughts.at(-1), message)
  return thoughts.length === first.thoughts ? Either.void : modified(thoughts[0], message)
}

/** `mode` is the type of thinking that the request asks for. */
export const check = (
  messages: ReadonlyArray<AnthropicMessage>,
  reader: Author,
  mode: string | undefined
): Read<void> =>
  Either.gen(function*() {
    yield* Either.all(
      messages.flatMap(({ blocks }) => blocks.filter(isThought)).map((thought) => checkSignature(thought, reader.model))
    )
    if (mode === "disabled") return
    const loop = latestLoop(messages)
    yield* Either.all(loop.map((message) => checkReplay(message, reader)))
    const [first] = loop
    const isForeign = first?.blocks.some((block) =>
      block.type === "tool_use" && ownCall(block.id, reader) === undefined
    ) ?? false
    if (mode === "enabled" && first !== undefined && isForeign && !first.blocks.slice(0, 1).some(isThought)) {
      yield* expected(first)
    }
    const last = messages.at(-1)
    if (mode === undefined || last?.role !== "assistant") return
    return last.blocks.slice(0, 1).some(isThought)
      ? yield* Either.left(Errors.invalid(
        "This model does not support assistant message prefill. The conversation must end with a user message."
      ))
      : yield* expected(last)
  })
