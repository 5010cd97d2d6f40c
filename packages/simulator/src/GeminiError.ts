/** Gemini errors: the body every one has, and the wordings that several fields share. */
import type { JsonObject } from "./Json.js"
import { print } from "./Json.js"
import type { Answer, Overflow } from "./Wire.js"

export interface GeminiError {
  readonly code: number
  readonly status: string
  readonly message: string
  readonly details?: ReadonlyArray<JsonObject>
}

export const invalid = (message: string): GeminiError => ({ code: 400, message, status: "INVALID_ARGUMENT" })

export const answer = (error: GeminiError): Answer => ({ body: { error }, status: error.code })

/** What the reader of the JSON says, before anything is known to mean something. `field` is a path. */
const violation = (description: string, field: string): GeminiError => ({
  ...invalid(description),
  details: [{
    "@type": "type.googleapis.com/google.rpc.BadRequest",
    fieldViolations: [{ ...(field !== "" && { field }), description }]
  }]
})

export const unreadable = (problem: string) => violation(`Invalid JSON payload received. ${problem}`, "")

const unknown = (name: string, path: string, problem: string) =>
  violation(
    `Invalid JSON payload received. Unknown name "${name}"${path === "" ? "" : ` at '${path}'`}: ${problem}`,
    path
  )

export const unknownField = (path: string, name: string) => unknown(name, path, "Cannot find field.")

/** A list in place of a single value. */
export const notRepeating = (path: string) => {
  const [, parent = "", name = path] = /^(.*)\.([^.]+)$/.exec(path) ?? []
  return unknown(name, parent, "Proto field is not repeating, cannot start list.")
}

const typeUrl = "type.googleapis.com/"
const packageName = "google.ai.generativelanguage.v1beta."

/** A value that its type does not have; `type` is a scalar such as `TYPE_STRING` or the name of a message. */
export const wrongValue = (path: string, type: string, value: unknown) => {
  const full = /^TYPE_|^oneof$/.test(type) ? type : `${typeUrl}${/^google\./.test(type) ? "" : packageName}${type}`
  return violation(`Invalid value at '${path}' (${full}), ${print(value)}`, path)
}

export const undecodable = (path: string, data: string) =>
  violation(`Invalid value at '${path}' (TYPE_BYTES), Base64 decoding failed for ${print(data)}`, path)

export const alreadySet = (path: string, second: string) =>
  violation(`Invalid value at '${path}' (oneof), oneof field 'data' is already set. Cannot set '${second}'`, path)

/** What is wrong with a request that could be read. */
export const at = (path: string, problem: string) => invalid(`* GenerateContentRequest.${path}: ${problem}\n`)

/** This API counts input alone. Where the sum with the output is enforced all the same, it is called input. */
export const overflow = ({ messages, output, tools, window }: Overflow): GeminiError =>
  invalid(
    `The input token count (${messages + tools + output}) exceeds the maximum number of tokens allowed (${window}).`
  )

export const tooLarge = (limit: number) => invalid(`Request payload size exceeds the limit: ${limit} bytes.`)

export const unauthorized = (key: string | undefined): GeminiError =>
  key === undefined
    ? {
      code: 403,
      message: "Method doesn't allow unregistered callers (callers without established identity). Please use API Key " +
        "or other form of API consumer identity to call this API.",
      status: "PERMISSION_DENIED"
    }
    : {
      ...invalid("API key not valid. Please pass a valid API key."),
      details: [{
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        domain: "googleapis.com",
        metadata: { service: "generativelanguage.googleapis.com" },
        reason: "API_KEY_INVALID"
      }]
    }

export const unknownModel = (model: string, method: string): GeminiError => ({
  code: 404,
  message: `models/${model} is not found for API version v1beta, or is not supported for ${method}. ` +
    "Call ListModels to see the list of available models and their supported methods.",
  status: "NOT_FOUND"
})

const codes: Readonly<Record<string, number>> = {
  INTERNAL: 500,
  INVALID_ARGUMENT: 400,
  RESOURCE_EXHAUSTED: 429,
  UNAVAILABLE: 503
}

/** An error by the name of its status. */
export const named = (message: string, status: string): GeminiError => ({ code: codes[status] ?? 500, message, status })
