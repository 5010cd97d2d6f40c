/**
 * All that an error body says, whatever its shape. Providers and proxies put an error at the top level, under
 * `error`, in an array, or as JSON text inside the message of another error.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

export interface ErrorBody {
  /** Every string, outermost first; of one that holds JSON, what stands around that. */
  readonly texts: ReadonlyArray<string>
  /** What is meant to be read by people. */
  readonly messages: ReadonlyArray<string>
  /** Names and numbers of the error's kind, in lower case. */
  readonly codes: ReadonlyArray<string>
  /** The first value of each key, keys in lower case. */
  readonly fields: ReadonlyMap<string, string | number>
}

const messageKeys = new Set([
  "detail",
  "error",
  "error_description",
  "error_message",
  "errormessage",
  "message",
  "msg",
  "status_msg"
])

const codeKeys = new Set([
  "__type",
  "code",
  "error",
  "error_code",
  "error_type",
  "exception",
  "finish_reason",
  "name",
  "reason",
  "status",
  "status_code",
  "type"
])

/**
 * What the model wrote or was asked, which some servers give back with the error. It may speak of anything, also of
 * rate limits and full contexts.
 */
const quotedKeys = new Set(["failed_generation", "input", "input_value"])

const deepest = 8

/** Braces and brackets alone are no JSON: texts have ranges such as `[1, 8192]` in them. */
const NonEmptyObject = Schema.Record({ key: Schema.String, value: Schema.Unknown }).pipe(
  Schema.filter((object) => Object.keys(object).length > 0)
)

const parse = Schema.decodeUnknownOption(
  Schema.parseJson(Schema.Union(NonEmptyObject, Schema.NonEmptyArray(NonEmptyObject)))
)

/** The object or array that a text is or holds, and what stands around it. */
const embedded = (text: string) => {
  const start = text.search(/[{[]/)
  if (start < 0) return Option.none()
  const end = Math.max(text.lastIndexOf("}"), text.lastIndexOf("]")) + 1
  return Option.map(
    Option.orElse(parse(text.slice(start)), () => parse(text.slice(start, end))),
    (value) => ({ value, around: text.slice(0, start) + text.slice(end) })
  )
}

/** A page says little; its words are enough. */
const words = (text: string) =>
  text
    .replace(/<(script|style)\b[\s\S]*?<\/\1>/gi, " ")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim()

/** Reads raw text, or a value that was parsed already. `kind` is what was said about it elsewhere. */
export const read = (body: unknown, kind = ""): ErrorBody => {
  const texts: Array<string> = []
  const messages = new Set<string>()
  const codes = new Set(kind === "" ? [] : [kind.toLowerCase()])
  const fields = new Map<string, string | number>()

  const visit = (value: unknown, key: string, depth: number): void => {
    if (depth > deepest || value === null || quotedKeys.has(key)) return
    if (typeof value === "string" || typeof value === "number") {
      if (!fields.has(key)) fields.set(key, value)
      if (codeKeys.has(key)) codes.add(String(value).toLowerCase())
    }
    if (typeof value === "string") {
      const inner = embedded(value)
      const said = Option.match(inner, { onNone: () => value, onSome: ({ around }) => around })
      if (said.trim() !== "") texts.push(said)
      if (Option.isSome(inner)) visit(inner.value.value, key, depth + 1)
      else if (messageKeys.has(key) && value.trim() !== "") messages.add(words(value))
    } else if (Array.isArray(value)) {
      for (const item of value) visit(item, key, depth + 1)
    } else if (typeof value === "object") {
      for (const [name, item] of Object.entries(value)) visit(item, name.toLowerCase(), depth + 1)
    }
  }

  visit(body, "message", 0)
  return { codes: [...codes], fields, messages: [...messages], texts }
}
