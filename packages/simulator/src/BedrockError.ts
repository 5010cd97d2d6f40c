/** Bedrock errors: their kind stands in a header. Some come from the service, some from the model behind it. */
import type { Answer, Overflow } from "./Wire.js"

export interface BedrockError {
  readonly status: number
  readonly kind: string
  readonly message: string
}

export const answer = ({ kind, message, status }: BedrockError): Answer => ({
  body: { message },
  headers: { "x-amzn-errortype": `${kind}:http://internal.amazon.com/coral/com.amazon.bedrock/` },
  status
})

export const invalid = (message: string): BedrockError => ({ kind: "ValidationException", message, status: 400 })

/** What the model says. */
export const byModel = (message: string) => invalid(`The model returned the following errors: ${message}`)

export const unreadable = (message: string): BedrockError => ({
  kind: "SerializationException",
  message,
  status: 400
})

/** The service counts the members of lists from 1. */
const member = (path: string) => path.replace(/\.(\d+)/g, (_, index: string) => `.${Number(index) + 1}.member`)

/** `value` as it is shown; `must` completes "Member must". */
export const constraint = (path: string, value: string, must: string) =>
  invalid(
    `1 validation error detected: Value ${value} at '${member(path)}' failed to satisfy constraint: Member must ${must}`
  )

export const required = (path: string) => constraint(path, "null", "not be null")

export const overflow = ({ messages, output, tools, window }: Overflow): BedrockError => {
  const input = messages + tools
  return byModel(
    input > window
      ? `prompt is too long: ${input} tokens > ${window} maximum`
      : `input length and \`max_tokens\` exceed context limit: ${input} + ${output} > ${window}, ` +
        "decrease input length or `max_tokens` and try again"
  )
}

export const unauthorized = (credential: string | undefined): BedrockError =>
  credential === undefined
    ? { kind: "MissingAuthenticationTokenException", message: "Missing Authentication Token", status: 403 }
    : {
      kind: "UnrecognizedClientException",
      message: "The security token included in the request is invalid.",
      status: 403
    }
