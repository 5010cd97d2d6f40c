/** Errors of the OpenAI APIs: the body every one has, and the wordings that several fields share. */
import type { Answer, Overflow } from "./Wire.js"

export interface OpenAiError {
  readonly status: number
  readonly message: string
  readonly type: string
  readonly param: string | null
  readonly code: string | null
}

export const invalid = (message: string, param: string | null = null, code: string | null = null): OpenAiError => ({
  status: 400,
  message,
  type: "invalid_request_error",
  param,
  code
})

export const answer = ({ status, ...error }: OpenAiError): Answer => ({
  status,
  body: { error }
})

export const unreadable = invalid(
  "We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library " +
    "correctly. The OpenAI API expects a JSON payload, but what was sent was not valid JSON. If you have trouble " +
    "figuring out how to fix this, please contact us through our help center at help.openai.com.)"
)

export const missing = (path: string) =>
  invalid(`Missing required parameter: '${path}'.`, path, "missing_required_parameter")

const described = (value: unknown): string => {
  if (value === null) return "null"
  if (Array.isArray(value)) return "an array"
  if (typeof value === "number") return Number.isInteger(value) ? "an integer" : "a decimal number"
  return typeof value === "object" ? "an object" : `a ${typeof value}`
}

/** `expected` with its article, for example `a string`. */
export const wrongType = (path: string, expected: string, value: unknown) =>
  invalid(
    `Invalid type for '${path}': expected ${expected}, but got ${described(value)} instead.`,
    path,
    "invalid_type"
  )

const listed = (values: ReadonlyArray<string>) => {
  const quoted = values.map((value) => `'${value}'`)
  return quoted.length < 3 ? quoted.join(" and ") : `${quoted.slice(0, -1).join(", ")}, and ${quoted.at(-1)}`
}

export const unsupported = (path: string, value: string, supported: ReadonlyArray<string>) =>
  invalid(`Invalid value: '${value}'. Supported values are: ${listed(supported)}.`, path, "invalid_value")

export const unknownParameter = (path: string) => invalid(`Unknown parameter: '${path}'.`, path, "unknown_parameter")

export const emptyString = (path: string) =>
  invalid(
    `Invalid '${path}': empty string. Expected a string with minimum length 1, but got an empty string instead.`,
    path,
    "empty_string"
  )

export const emptyArray = (path: string) =>
  invalid(
    `Invalid '${path}': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
    path,
    "empty_array"
  )

export const longArray = (path: string, limit: number, length: number) =>
  invalid(
    `Invalid '${path}': array too long. Expected an array with maximum length ${limit}, ` +
      `but got an array with length ${length} instead.`,
    path,
    "array_above_max_length"
  )

export const longString = (path: string, limit: number, length: number) =>
  invalid(
    `Invalid '${path}': string too long. Expected a string with maximum length ${limit}, ` +
      `but got a string with length ${length} instead.`,
    path,
    "string_above_max_length"
  )

export const outOfRange = (
  path: string,
  kind: "integer" | "decimal",
  side: "below" | "above",
  bound: number,
  value: number
) =>
  invalid(
    `Invalid '${path}': ${kind} ${side} ${side === "below" ? "minimum" : "maximum"} value. ` +
      `Expected a value ${side === "below" ? ">=" : "<="} ${bound}, but got ${value} instead.`,
    path,
    `${kind}_${side}_${side === "below" ? "min" : "max"}_value`
  )

export const overflow = ({ messages, output, tools, window }: Overflow): OpenAiError => {
  const head = `This model's maximum context length is ${window} tokens. However, `
  const total = messages + tools + output
  const inTools = `, ${tools} in the functions`
  const text = output > 0
    ? tools > 0
      ? `you requested ${total} tokens (${messages} in the messages${inTools}, and ${output} in the completion). ` +
        "Please reduce the length of the messages, functions, or completion."
      : `you requested ${total} tokens (${messages} in the messages, ${output} in the completion). ` +
        "Please reduce the length of the messages or completion."
    : tools > 0
    ? `your messages resulted in ${total} tokens (${messages} in the messages${inTools}). ` +
      "Please reduce the length of the messages or functions."
    : `your messages resulted in ${total} tokens. Please reduce the length of the messages.`
  return invalid(head + text, "messages", "context_length_exceeded")
}

/** The wrong key is named with all but its ends hidden, as the API does. */
export const unauthorized = (key: string | undefined): OpenAiError =>
  key === undefined
    ? {
      ...invalid(
        "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth " +
          "(i.e. Authorization: Bearer YOUR_KEY), or as the password field (with blank username) if you're accessing " +
          "the API from your browser and are prompted for a username and password. You can obtain an API key from " +
          "https://platform.openai.com/account/api-keys."
      ),
      status: 401
    }
    : {
      ...invalid(
        `Incorrect API key provided: ${key.length > 12 ? `${key.slice(0, 4)}****${key.slice(-4)}` : "****"}. ` +
          "You can find your API key at https://platform.openai.com/account/api-keys.",
        null,
        "invalid_api_key"
      ),
      status: 401
    }

export const serverError: OpenAiError = {
  ...invalid("The server had an error while processing your request. Sorry about that!"),
  status: 500,
  type: "server_error"
}

export const tooLarge = (limit: number): OpenAiError => ({
  ...invalid(`Request body is too large. The limit is ${limit} bytes.`, null, "request_too_large"),
  status: 413
})
