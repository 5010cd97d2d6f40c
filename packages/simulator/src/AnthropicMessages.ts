/** The messages of an Anthropic request: the shape of each, and the pairing of calls with results. */
import * as Either from "effect/Either"
import type { Block } from "./AnthropicBlocks.js"
import { readContent } from "./AnthropicBlocks.js"
import * as Errors from "./AnthropicError.js"
import type { Read } from "./AnthropicFields.js"
import * as Fields from "./AnthropicFields.js"

export interface AnthropicMessage {
  readonly path: string
  readonly role: "user" | "assistant"
  readonly blocks: ReadonlyArray<Block>
}

const maxMessages = 100_000

const readMessage = (path: string, value: unknown): Read<AnthropicMessage> =>
  Either.gen(function*() {
    const message = yield* Fields.object(path, value)
    if (message.role === "system") {
      return yield* Either.left(Errors.invalid(
        "messages: Unexpected role \"system\". The Messages API accepts a top-level `system` parameter, " +
          "not \"system\" as an input message role."
      ))
    }
    const role = yield* Fields.literal(`${path}.role`, message.role, ["user", "assistant"])
    yield* Fields.closed(path, message, ["role", "content"])
    const at = `${path}.content`
    return role === "user"
      ? { blocks: yield* readContent(at, message.content, ["text", "image", "tool_result"]), path, role }
      : {
        blocks: yield* readContent(at, message.content, ["text", "tool_use", "thinking", "redacted_thinking"]),
        path,
        role: "assistant"
      }
  })

const checkEmpty = (messages: ReadonlyArray<AnthropicMessage>): Read<void> => {
  const empty = messages.find(({ blocks, role }, index) =>
    blocks.length === 0 && !(role === "assistant" && index === messages.length - 1)
  )
  return empty === undefined ? Either.void : Either.left(Errors.at(
    empty.path,
    empty.role === "user"
      ? "user messages must have non-empty content"
      : "all messages must have non-empty content except for the optional final assistant message"
  ))
}

const callsOf = (message: AnthropicMessage | undefined) =>
  message?.blocks.flatMap((block) => block.type === "tool_use" ? [block] : []) ?? []

/** The results with which a message begins. */
const leadingResults = (message: AnthropicMessage | undefined) => {
  const blocks = message?.blocks ?? []
  const end = blocks.findIndex(({ type }) => type !== "tool_result")
  return blocks.slice(0, end < 0 ? undefined : end).flatMap((block) => block.type === "tool_result" ? [block] : [])
}

const checkCalls = (messages: ReadonlyArray<AnthropicMessage>): Read<void> => {
  const seen = new Set<string>()
  for (const [index, message] of messages.entries()) {
    const calls = callsOf(message)
    for (const { id, path } of calls) {
      if (seen.has(id)) return Either.left(Errors.at(path, "`tool_use` ids must be unique"))
      seen.add(id)
    }
    const answered = new Set(leadingResults(messages[index + 1]).map(({ id }) => id))
    const open = calls.map(({ id }) => id).filter((id) => !answered.has(id))
    if (open.length > 0) {
      return Either.left(Errors.at(
        message.path,
        `\`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(", ")}. ` +
          "Each `tool_use` block must have a corresponding `tool_result` block in the next message."
      ))
    }
  }
  return Either.void
}

const checkResults = (messages: ReadonlyArray<AnthropicMessage>): Read<void> => {
  for (const [index, message] of messages.entries()) {
    const called = new Set(callsOf(messages[index - 1]).map(({ id }) => id))
    const answered = new Set<string>()
    for (const block of message.blocks) {
      if (block.type !== "tool_result") continue
      if (!called.has(block.id)) {
        return Either.left(Errors.at(
          block.path,
          `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${block.id}. ` +
            "Each `tool_result` block must have a corresponding `tool_use` block in the previous message."
        ))
      }
      if (answered.has(block.id)) {
        return Either.left(Errors.at(
          block.path,
          `each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${block.id}`
        ))
      }
      answered.add(block.id)
    }
  }
  return Either.void
}

/** A message that the model is to go on with. */
const checkPrefill = (messages: ReadonlyArray<AnthropicMessage>): Read<void> => {
  const last = messages.at(-1)
  const end = last?.blocks.at(-1)
  return last?.role === "assistant" && end?.type === "text" && end.text !== end.text.trimEnd()
    ? Either.left(Errors.invalid("messages: final assistant content cannot end with trailing whitespace"))
    : Either.void
}

export const readMessages = (value: unknown): Read<ReadonlyArray<AnthropicMessage>> =>
  Either.gen(function*() {
    const given = yield* Fields.array("messages", value)
    if (given.length > maxMessages) {
      const problem = `List should have at most ${maxMessages} items after validation, not ${given.length}`
      return yield* Either.left(Errors.at("messages", problem))
    }
    const messages = yield* Fields.each("messages", given, readMessage)
    const [first] = messages
    if (first === undefined) return yield* Either.left(Errors.at("messages", "at least one message is required"))
    if (first.role !== "user") {
      return yield* Either.left(Errors.at("messages", "first message must use the \"user\" role"))
    }
    yield* checkEmpty(messages)
    yield* checkResults(messages)
    yield* checkCalls(messages)
    yield* checkPrefill(messages)
    return messages
  })
