/** Anthropic errors: the body every one has, and the wordings that several fields share. */
import type { Answer, Overflow } from "./Wire.js"

export interface AnthropicError {
  readonly status: number
  readonly type: string
  readonly message: string
}

export const invalid = (message: string): AnthropicError => ({ status: 400, type: "invalid_request_error", message })

export const answer = ({ message, status, type }: AnthropicError): Answer => ({
  status,
  body: { type: "error", error: { type, message } }
})

/** What is wrong with the value at a path of keys, for example `messages.0.content`. */
export const at = (path: string, problem: string): AnthropicError => invalid(`${path}: ${problem}`)

export const required = (path: string) => at(path, "Field required")

export const extra = (path: string) => at(path, "Extra inputs are not permitted")

/** `what` with its article, for example `a valid string`. */
export const should = (path: string, what: string) => at(path, `Input should be ${what}`)

const quoted = (values: ReadonlyArray<string>) => values.map((value) => `'${value}'`)

export const oneOf = (path: string, values: ReadonlyArray<string>) => {
  const names = quoted(values)
  return should(path, names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`)
}

/** An object whose `type` is none of those known. */
export const unknownTag = (path: string, tag: unknown, known: ReadonlyArray<string>) =>
  typeof tag === "string"
    ? at(
      path,
      `Input tag '${tag}' found using 'type' does not match any of the expected tags: ${quoted(known).join(", ")}`
    )
    : required(`${path}.type`)

export const pattern = (path: string, expression: string) => at(path, `String should match pattern '${expression}'`)

export const overflow = ({ messages, output, tools, window }: Overflow): AnthropicError => {
  const input = messages + tools
  return invalid(
    input > window
      ? `prompt is too long: ${input} tokens > ${window} maximum`
      : `input length and \`max_tokens\` exceed context limit: ${input} + ${output} > ${window}, ` +
        "decrease input length or `max_tokens` and try again"
  )
}

export const unauthorized = (key: string | undefined): AnthropicError => ({
  status: 401,
  type: "authentication_error",
  message: key === undefined ? "x-api-key header is required" : "invalid x-api-key"
})
