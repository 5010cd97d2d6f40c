/** The messages of a Chat Completions request: the shape of each, and the pairing of calls with results. */
import * as Either from "effect/Either"
import type { ChatContent } from "./ChatContent.js"
import { readContent } from "./ChatContent.js"
import type { JsonObject } from "./Json.js"
import * as Json from "./Json.js"
import type { OpenAiError } from "./OpenAiError.js"
import * as Errors from "./OpenAiError.js"
import * as Fields from "./OpenAiFields.js"

export interface ChatCall {
  readonly id: string
  readonly name: string
  readonly arguments: string
}

export type ChatMessage =
  | { readonly role: "system" | "developer" | "user"; readonly content: ChatContent }
  | {
    readonly role: "assistant"
    readonly content: ChatContent
    readonly reasoning: string
    readonly calls: ReadonlyArray<ChatCall>
  }
  | { readonly role: "tool"; readonly content: ChatContent; readonly callId: string }

const roles = ["system", "assistant", "user", "function", "tool", "developer"]

const fields: Readonly<Record<string, ReadonlyArray<string>>> = {
  assistant: [
    "role",
    "content",
    "tool_calls",
    "refusal",
    "name",
    "audio",
    "annotations",
    "reasoning_content",
    "reasoning"
  ],
  developer: ["role", "content", "name"],
  system: ["role", "content", "name"],
  tool: ["role", "content", "tool_call_id"],
  user: ["role", "content", "name"]
}

const maxIdLength = 40

const readId = (path: string, id: unknown): Either.Either<string, OpenAiError> => {
  if (id === undefined || id === null) return Either.left(Errors.missing(path))
  if (typeof id !== "string") return Either.left(Errors.wrongType(path, "a string", id))
  if (id === "") {
    return Either.left(Errors.emptyString(path))
  }
  return id.length > maxIdLength ? Either.left(Errors.longString(path, maxIdLength, id.length)) : Either.right(id)
}

const readCall = (path: string, value: unknown): Either.Either<ChatCall, OpenAiError> =>
  Either.gen(function*() {
    if (!Json.isObject(value)) return yield* Either.left(Errors.wrongType(path, "an object", value))
    const id = yield* readId(`${path}.id`, value.id)
    if (value.type === undefined) return yield* Either.left(Errors.missing(`${path}.type`))
    if (value.type !== "function") {
      return yield* Either.left(Errors.unsupported(`${path}.type`, String(value.type), ["function", "custom"]))
    }
    const called = value.function
    if (!Json.isObject(called)) return yield* Either.left(Errors.missing(`${path}.function`))
    const name = yield* Fields.readName(`${path}.function.name`, called.name)
    const at = `${path}.function.arguments`
    if (called.arguments === undefined) return yield* Either.left(Errors.missing(at))
    if (typeof called.arguments !== "string") {
      return yield* Either.left(Errors.wrongType(at, "a string", called.arguments))
    }
    return { arguments: called.arguments, id, name }
  })

const readCalls = (path: string, value: unknown): Either.Either<ReadonlyArray<ChatCall>, OpenAiError> => {
  if (value === undefined || value === null) return Either.right([])
  if (!Json.isArray(value)) return Either.left(Errors.wrongType(path, "an array of objects", value))
  if (value.length === 0) return Either.left(Errors.emptyArray(path))
  return Either.all(value.map((call, index) => readCall(`${path}[${index}]`, call)))
}

const readAssistant = (path: string, value: JsonObject): Either.Either<ChatMessage, OpenAiError> =>
  Either.gen(function*() {
    const calls = yield* readCalls(`${path}.tool_calls`, value.tool_calls)
    const given = value.content
    const absent = given === undefined || given === null
    if (absent && calls.length === 0 && typeof value.refusal !== "string") {
      return yield* Either.left(Errors.invalid(
        "Invalid value for 'content': expected a string, got null.",
        `${path.replace("[", ".[")}.content`
      ))
    }
    const content = yield* readContent(`${path}.content`, absent ? "" : given, "assistant")
    const reasoning = value.reasoning_content ?? value.reasoning ?? ""
    if (typeof reasoning !== "string") {
      return yield* Either.left(Errors.wrongType(`${path}.reasoning_content`, "a string", reasoning))
    }
    return { calls, content, reasoning, role: "assistant" }
  })

const readMessage = (value: unknown, index: number): Either.Either<ChatMessage, OpenAiError> =>
  Either.gen(function*() {
    const path = `messages[${index}]`
    if (!Json.isObject(value)) return yield* Either.left(Errors.wrongType(path, "an object", value))
    const role = value.role
    if (role === undefined) return yield* Either.left(Errors.missing(`${path}.role`))
    const allowed = typeof role === "string" ? fields[role] : undefined
    if (typeof role !== "string" || allowed === undefined) {
      return yield* Either.left(Errors.unsupported(`${path}.role`, String(role), roles))
    }
    const unknown = Object.keys(value).find((key) => !allowed.includes(key))
    if (unknown !== undefined) return yield* Either.left(Errors.unknownParameter(`${path}.${unknown}`))
    switch (role) {
      case "assistant":
        return yield* readAssistant(path, value)
      case "tool": {
        const callId = yield* readId(`${path}.tool_call_id`, value.tool_call_id)
        return { callId, content: yield* readContent(`${path}.content`, value.content, "tool"), role }
      }
      case "user":
      case "developer":
        return { content: yield* readContent(`${path}.content`, value.content, role), role }
      default:
        return { content: yield* readContent(`${path}.content`, value.content, "system"), role: "system" }
    }
  })

/** Every call is answered once, directly after the message that makes it. */
const pairing = (messages: ReadonlyArray<ChatMessage>): OpenAiError | undefined => {
  let caller = -1
  let waiting: ReadonlySet<string> = new Set()
  let called: ReadonlySet<string> = new Set()
  const unanswered = () =>
    Errors.invalid(
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
        `The following tool_call_ids did not have response messages: ${[...waiting].join(", ")}`,
      `messages.[${caller}].role`
    )
  for (const [index, message] of messages.entries()) {
    if (message.role === "tool") {
      if (called.size === 0) {
        return Errors.invalid(
          "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
          `messages.[${index}].role`
        )
      }
      if (!called.has(message.callId)) {
        return Errors.invalid(
          `Invalid parameter: 'tool_call_id' of '${message.callId}' not found in 'tool_calls' of previous message.`,
          `messages.[${index}].tool_call_id`
        )
      }
      if (!waiting.has(message.callId)) {
        return Errors.invalid(
          `Invalid parameter: Duplicate value for 'tool_call_id' of '${message.callId}'.`,
          `messages.[${index}].tool_call_id`
        )
      }
      waiting = new Set([...waiting].filter((id) => id !== message.callId))
      continue
    }
    if (waiting.size > 0) return unanswered()
    const ids = message.role === "assistant" ? message.calls.map((call) => call.id) : []
    const twice = ids.find((id, position) => ids.indexOf(id) !== position)
    if (twice !== undefined) {
      return Errors.invalid(
        `Invalid value for 'tool_calls': the id '${twice}' is used more than once.`,
        `messages.[${index}].tool_calls`
      )
    }
    caller = index
    called = new Set(ids)
    waiting = called
  }
  return waiting.size > 0 ? unanswered() : undefined
}

export const readMessages = (value: unknown): Either.Either<ReadonlyArray<ChatMessage>, OpenAiError> =>
  Either.gen(function*() {
    if (value === undefined || value === null) return yield* Either.left(Errors.missing("messages"))
    if (!Json.isArray(value)) {
      return yield* Either.left(Errors.wrongType("messages", "an array of objects", value))
    }
    if (value.length === 0) return yield* Either.left(Errors.emptyArray("messages"))
    const messages = yield* Either.all(value.map(readMessage))
    const broken = pairing(messages)
    return broken === undefined ? messages : yield* Either.left(broken)
  })
