/** Anthropic Messages: `POST /v1/messages`, and `POST /v1/messages/count_tokens`. */
import * as Usage from "@weir/model/Usage"
import * as Either from "effect/Either"
import * as Errors from "./AnthropicError.js"
import * as AnthropicReply from "./AnthropicReply.js"
import type { AnthropicRequest } from "./AnthropicValidator.js"
import { validate } from "./AnthropicValidator.js"
import { bearer } from "./Bearer.js"
import { toPieces, toPrompt } from "./BlockPrompt.js"
import { print } from "./Json.js"
import type { Received, Wire } from "./Wire.js"

const encode = (request: AnthropicRequest, counts: boolean): Received["encode"] => (reply, meta) => {
  const frames = request.stream ? AnthropicReply.frames(request, reply, meta) : []
  return {
    body: request.stream
      ? ""
      : counts
      ? print({ input_tokens: Usage.input(reply.usage ?? Usage.zero) })
      : AnthropicReply.whole(request, reply, meta),
    complete: frames.length,
    contentType: request.stream ? "text/event-stream; charset=utf-8" : "application/json",
    frames
  }
}

const toReceived = (request: AnthropicRequest, counts: boolean): Received => ({
  counts,
  encode: encode(request, counts),
  maxOutput: request.maxOutput,
  mayCall: request.choice.type !== "none",
  model: request.model,
  pieces: toPieces(request),
  prompt: toPrompt(request),
  session: request.user ?? "",
  stream: request.stream
})

const countPath = "/v1/messages/count_tokens"

export const AnthropicWire: Wire = {
  accepts: ({ method, path }) => method === "POST" && (path === "/v1/messages" || path === countPath),
  caching: "marked",
  credential: ({ headers }) => headers["x-api-key"] ?? bearer(headers),
  errorFrame: (message, code = "api_error") =>
    AnthropicReply.frame({ type: "error", ...Errors.answer({ message, status: 200, type: code }).body }),
  identify: (id) => ({ fields: { request_id: `req_${id}` }, headers: { "request-id": `req_${id}` } }),
  maxBodyBytes: 32 * 1024 * 1024,
  maxOutput: 64_000,
  name: "anthropic",
  overflow: (overflow) => Errors.answer(Errors.overflow(overflow)),
  read: (request, rules) => {
    const counts = request.path === countPath
    return Either.mapBoth(validate(request, rules, counts), {
      onLeft: Errors.answer,
      onRight: (accepted) => toReceived(accepted, counts)
    })
  },
  serverError: Errors.answer({ message: "Internal server error", status: 500, type: "api_error" }),
  tooLarge: () =>
    Errors.answer({
      message: "Request exceeds the maximum allowed number of bytes.",
      status: 413,
      type: "request_too_large"
    }),
  unauthorized: (credential) => Errors.answer(Errors.unauthorized(credential))
}
