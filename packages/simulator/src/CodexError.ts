/** What the Codex backend answers beside the errors of the Responses API. */
import type { OpenAiError } from "./OpenAiError.js"
import * as Errors from "./OpenAiError.js"
import { overflow } from "./ResponsesError.js"
import { frame } from "./ResponsesReply.js"
import type { Answer } from "./Wire.js"

/** What the backend itself says to a request, before any model sees it. */
export const detail = (text: string, status = 400): Answer => ({ body: { detail: text }, status })

/** An error of the Responses API is passed on as it is. */
export const passed = (error: OpenAiError): Answer => Errors.answer(error)

export const unauthorized = (token: string | undefined): Answer =>
  token === undefined ? detail("Unauthorized", 401) : {
    body: {
      error: {
        code: "token_expired",
        message: "Provided authentication token is expired. Please try signing in again.",
        param: null,
        type: null
      },
      status: 401
    },
    status: 401
  }

export const unsupportedModel = (model: string): Answer =>
  detail(`The '${model}' model is not supported when using Codex with a ChatGPT account.`)

/** A response that fails, as a frame of its stream. */
export const failed = (message: string, code: string): string =>
  frame({ response: { error: { code, message }, status: "failed" }, sequence_number: 0, type: "response.failed" })

/** The window is found to be too small only once the answer has begun. */
export const windowExceeded: Answer = {
  body: {},
  events: failed(overflow.message, "context_length_exceeded"),
  status: 200
}

/** The subscription is used up; `resetsAt` in seconds since 1970. */
export const usageLimit = (plan: string, resetsIn: number, resetsAt: number): Answer => ({
  body: {
    error: {
      message: "The usage limit has been reached",
      plan_type: plan,
      resets_at: resetsAt,
      resets_in_seconds: resetsIn,
      type: "usage_limit_reached"
    }
  },
  headers: { "x-codex-primary-used-percent": "100" },
  status: 429
})

export const usageNotIncluded: Answer = {
  body: {
    error: {
      message: "To use Codex with your ChatGPT plan, upgrade to Plus: https://openai.com/chatgpt/pricing",
      type: "usage_not_included"
    }
  },
  status: 429
}

export const overloaded: Answer = {
  body: {
    error: { code: "server_is_overloaded", message: "Our servers are currently overloaded. Please try again later." }
  },
  status: 503
}
