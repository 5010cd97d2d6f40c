/** The messages of a Bedrock request: the shape of each, their order, and the pairing of calls with results. */
import * as Either from "effect/Either"
import type { Block } from "./AnthropicBlocks.js"
import type { AnthropicMessage } from "./AnthropicMessages.js"
import { attach, readItem } from "./BedrockBlocks.js"
import * as Errors from "./BedrockError.js"
import type { Read } from "./BedrockFields.js"
import * as Fields from "./BedrockFields.js"

const refuse = (message: string) => Either.left(Errors.invalid(message))

const readMessage = (path: string, value: unknown): Read<AnthropicMessage> =>
  Either.gen(function*() {
    const message = yield* Fields.record(path, value, ["role", "content"])
    const role = yield* Fields.oneOf(`${path}.role`, message.role, ["user", "assistant"])
    const kinds = role === "user"
      ? ["text", "image", "toolResult", "cachePoint"] as const
      : ["text", "toolUse", "reasoningContent", "cachePoint"] as const
    const items = yield* Fields.each(`${path}.content`, message.content, (at, item) =>
      readItem(at, item, "ContentBlock", kinds))
    if (items.length === 0) {
      return yield* refuse(
        `The content field in the Message object at ${path} is empty. Add a ContentBlock object to the content field ` +
          "and try again."
      )
    }
    return { blocks: yield* attach(items), path, role: role === "user" ? role : "assistant" }
  })

const checkOrder = (messages: ReadonlyArray<AnthropicMessage>): Read<void> => {
  if (messages[0]?.role !== "user") {
    return refuse(
      "A conversation must start with a user message. Try again with a conversation that starts with a user message."
    )
  }
  if (messages.some(({ role }, index) => role === messages[index - 1]?.role)) {
    return refuse(
      "A conversation must alternate between user and assistant roles. Make sure the conversation alternates between " +
        "user and assistant roles and try again."
    )
  }
  return messages.at(-1)?.role === "user" ? Either.void : Either.left(Errors.byModel(
    "This model does not support assistant message prefill. The conversation must end with a user message."
  ))
}

type Paired = Extract<Block, { readonly type: "tool_use" | "tool_result" }>

const idsOf = (message: AnthropicMessage | undefined, type: Paired["type"]) =>
  message?.blocks.flatMap((block) => block.type === type ? [block.id] : []) ?? []

const duplicates = (ids: ReadonlyArray<string>) => ids.filter((id, index) => ids.indexOf(id) < index)

/** All results of the calls of one message stand first in the next. */
const checkPairs = (messages: ReadonlyArray<AnthropicMessage>): Read<void> => {
  const seen = new Set<string>()
  for (const [index, message] of messages.entries()) {
    const called = idsOf(messages[index - 1], "tool_use")
    const answered = idsOf(message, "tool_result")
    const at = `${message.path}.content`
    const missing = called.filter((id) => !answered.includes(id))
    if (missing.length > 0) {
      return refuse(`Expected toolResult blocks at ${at} for the following Ids: ${missing.join(", ")}`)
    }
    const twice = duplicates(answered)
    if (twice.length > 0) return refuse(`The toolResult blocks at ${at} contain duplicate Ids: ${twice.join(", ")}`)
    if (answered.length > called.length) {
      return refuse(`The number of toolResult blocks at ${at} exceeds the number of toolUse blocks of previous turn.`)
    }
    if (message.blocks.slice(0, answered.length).some(({ type }) => type !== "tool_result") && answered.length > 0) {
      return Either.left(Errors.byModel(
        `${message.path}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ` +
          `${
            called.join(", ")
          }. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`
      ))
    }
    const calls = idsOf(message, "tool_use")
    const repeated = [...duplicates(calls), ...calls.filter((id) => seen.has(id))]
    if (repeated.length > 0) {
      return refuse(`The toolUse blocks at ${at} contain duplicate Ids: ${repeated.join(", ")}`)
    }
    for (const id of calls) seen.add(id)
  }
  return Either.void
}

export const readMessages = (value: unknown): Read<ReadonlyArray<AnthropicMessage>> =>
  Either.gen(function*() {
    const messages = yield* Fields.each("messages", value, readMessage)
    yield* checkOrder(messages)
    yield* checkPairs(messages)
    return messages
  })
