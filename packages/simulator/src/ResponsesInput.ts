/** The input of a Responses request: the shape of each item, and the pairing of calls with outputs. */
import * as Either from "effect/Either"
import type { JsonObject } from "./Json.js"
import * as Json from "./Json.js"
import * as Errors from "./OpenAiError.js"
import type { Read } from "./OpenAiFields.js"
import * as Fields from "./OpenAiFields.js"
import type { ResponsesContent } from "./ResponsesContent.js"
import { readContent } from "./ResponsesContent.js"

export type ResponsesItem =
  | { readonly type: "given"; readonly role: "user" | "system" | "developer"; readonly content: ResponsesContent }
  | { readonly type: "said"; readonly id: string | undefined; readonly text: string }
  | {
    readonly type: "reasoning"
    readonly id: string
    readonly summary: ReadonlyArray<string>
    /** Empty when it is not given. */
    readonly encrypted: string
  }
  | {
    readonly type: "call"
    readonly id: string | undefined
    readonly callId: string
    readonly name: string
    readonly arguments: string
  }
  | { readonly type: "output"; readonly callId: string; readonly content: ResponsesContent }

const longestId = 64

const fields: Readonly<Record<string, ReadonlyArray<string>>> = {
  function_call: ["type", "id", "call_id", "name", "arguments", "status", "namespace", "caller"],
  function_call_output: ["type", "id", "call_id", "output", "status", "caller"],
  message: ["type", "id", "role", "content", "status", "phase"],
  reasoning: ["type", "id", "summary", "content", "encrypted_content", "status"]
}

const readText = (path: string, value: unknown): Read<string> => {
  if (value === undefined || value === null) return Either.left(Errors.missing(path))
  return typeof value === "string" ? Either.right(value) : Either.left(Errors.wrongType(path, "a string", value))
}

const readId = (path: string, value: unknown, prefix: string): Read<string> =>
  Either.flatMap(readText(path, value), (id) => {
    if (id.length > longestId) return Either.left(Errors.longString(path, longestId, id.length))
    return id.startsWith(`${prefix}_`) ? Either.right(id) : Either.left(
      Errors.invalid(
        `Invalid '${path}': '${id}'. Expected an ID that begins with '${prefix}'.`,
        path,
        "invalid_value"
      )
    )
  })

const optionalId = (path: string, value: unknown, prefix: string): Read<string | undefined> =>
  value === undefined || value === null ? Either.right(undefined) : readId(path, value, prefix)

const readCallId = (path: string, value: unknown): Read<string> =>
  Either.flatMap(readText(path, value), (id) => {
    if (id === "") return Either.left(Errors.emptyString(path))
    return id.length > longestId ? Either.left(Errors.longString(path, longestId, id.length)) : Either.right(id)
  })

const statuses = ["in_progress", "completed", "incomplete"]
const phases = ["commentary", "final_answer"]

const oneOf = (path: string, value: unknown, allowed: ReadonlyArray<string>): Read<void> =>
  value === undefined || value === null || allowed.some((one) => one === value)
    ? Either.void
    : Either.left(Errors.unsupported(path, String(value), allowed))

const roles = ["assistant", "system", "developer", "user"]

const readMessage = (path: string, item: JsonObject): Read<ResponsesItem> =>
  Either.gen(function*() {
    const role = yield* readText(`${path}.role`, item.role)
    yield* oneOf(`${path}.phase`, item.phase, phases)
    switch (role) {
      case "assistant": {
        const id = yield* optionalId(`${path}.id`, item.id, "msg")
        const { text } = yield* readContent(`${path}.content`, item.content, "output")
        return { id, text, type: "said" }
      }
      case "user":
      case "system":
      case "developer":
        return { content: yield* readContent(`${path}.content`, item.content, "input"), role, type: "given" }
      default:
        return yield* Either.left(Errors.unsupported(`${path}.role`, role, roles))
    }
  })

const readSummary = (path: string, value: unknown): Read<ReadonlyArray<string>> => {
  if (value === undefined || value === null) return Either.left(Errors.missing(path))
  if (!Json.isArray(value)) return Either.left(Errors.wrongType(path, "an array of objects", value))
  return Either.all(value.map((part, index) => {
    const at = `${path}[${index}]`
    if (!Json.isObject(part)) return Either.left(Errors.wrongType(at, "an object", part))
    return part.type === "summary_text"
      ? readText(`${at}.text`, part.text)
      : Either.left(Errors.unsupported(`${at}.type`, String(part.type), ["summary_text"]))
  }))
}

const readReasoning = (path: string, item: JsonObject): Read<ResponsesItem> =>
  Either.gen(function*() {
    const id = yield* readId(`${path}.id`, item.id, "rs")
    const summary = yield* readSummary(`${path}.summary`, item.summary)
    const encrypted = (yield* Fields.string(item, "encrypted_content")) ?? ""
    return { encrypted, id, summary, type: "reasoning" }
  })

const readCall = (path: string, item: JsonObject): Read<ResponsesItem> =>
  Either.gen(function*() {
    return {
      arguments: yield* readText(`${path}.arguments`, item.arguments),
      callId: yield* readCallId(`${path}.call_id`, item.call_id),
      id: yield* optionalId(`${path}.id`, item.id, "fc"),
      name: yield* Fields.readName(`${path}.name`, item.name),
      type: "call"
    }
  })

const readItem = (value: unknown, index: number): Read<ResponsesItem> =>
  Either.gen(function*() {
    const path = `input[${index}]`
    if (!Json.isObject(value)) return yield* Either.left(Errors.wrongType(path, "an object", value))
    const type = value.type ?? (value.role === undefined ? undefined : "message")
    if (type === undefined) return yield* Either.left(Errors.missing(`${path}.type`))
    if (type === "item_reference") {
      return yield* Either.left({ ...Errors.invalid(`Item with id '${String(value.id)}' not found.`), status: 404 })
    }
    const allowed = typeof type === "string" ? fields[type] : undefined
    if (allowed === undefined) {
      return yield* Either.left(Errors.unsupported(path, String(type), [...Object.keys(fields), "item_reference"]))
    }
    const unknown = Object.keys(value).find((key) => !allowed.includes(key))
    if (unknown !== undefined) return yield* Either.left(Errors.unknownParameter(`${path}.${unknown}`))
    yield* oneOf(`${path}.status`, value.status, statuses)
    switch (type) {
      case "reasoning":
        return yield* readReasoning(path, value)
      case "function_call":
        return yield* readCall(path, value)
      case "function_call_output":
        return {
          callId: yield* readCallId(`${path}.call_id`, value.call_id),
          content: yield* readContent(`${path}.output`, value.output, "input"),
          type: "output"
        }
      default:
        return yield* readMessage(path, value)
    }
  })

/** Every call has one output, somewhere after it. */
const checkPairs = (items: ReadonlyArray<ResponsesItem>): Read<void> => {
  const refuse = (message: string) => Either.left(Errors.invalid(message, "input"))
  const waiting = new Set<string>()
  const called = new Set<string>()
  for (const item of items) {
    if (item.type === "call") {
      if (called.has(item.callId)) return refuse(`Duplicate function call with call_id ${item.callId}.`)
      called.add(item.callId)
      waiting.add(item.callId)
    } else if (item.type === "output") {
      const { callId } = item
      if (!called.has(callId)) return refuse(`No tool call found for function call output with call_id ${callId}.`)
      if (!waiting.delete(callId)) return refuse(`Duplicate function call output with call_id ${callId}.`)
    }
  }
  const [unanswered] = waiting
  return unanswered === undefined ? Either.void : refuse(`No tool output found for function call ${unanswered}.`)
}

export const readInput = (value: unknown): Read<ReadonlyArray<ResponsesItem>> =>
  Either.gen(function*() {
    if (value === undefined || value === null) {
      return yield* Either.left(Errors.invalid(
        "One of 'input' or 'previous_response_id' or 'prompt' or 'conversation_id' must be provided.",
        null,
        "missing_required_parameter"
      ))
    }
    if (typeof value === "string") return [{ content: { images: [], text: value }, role: "user", type: "given" }]
    if (!Json.isArray(value)) {
      return yield* Either.left(Errors.wrongType("input", "one of an array of objects or string", value))
    }
    if (value.length === 0) return yield* Either.left(Errors.emptyArray("input"))
    const items = yield* Either.all(value.map(readItem))
    yield* checkPairs(items)
    return items
  })
