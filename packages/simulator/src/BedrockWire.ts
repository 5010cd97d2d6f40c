/** Bedrock Converse: `POST /model/{id}/converse-stream`, and `POST /model/{id}/converse`. */
import * as Either from "effect/Either"
import type { AnthropicRequest } from "./AnthropicValidator.js"
import { bearer } from "./Bearer.js"
import * as Errors from "./BedrockError.js"
import * as Frames from "./BedrockFrames.js"
import * as BedrockReply from "./BedrockReply.js"
import { routeOf, validate } from "./BedrockValidator.js"
import { toPieces, toPrompt } from "./BlockPrompt.js"
import type { RawRequest, Received, Wire } from "./Wire.js"

const encode = (request: AnthropicRequest): Received["encode"] => (reply, meta) => {
  const frames = request.stream ? BedrockReply.frames(request, reply, meta) : []
  return {
    body: request.stream ? "" : BedrockReply.whole(request, reply, meta),
    complete: frames.length,
    contentType: request.stream ? "application/vnd.amazon.eventstream" : "application/json",
    frames
  }
}

const toReceived = (request: AnthropicRequest): Received => ({
  counts: false,
  encode: encode(request),
  maxOutput: request.maxOutput,
  mayCall: request.tools.length > 0,
  model: request.model,
  pieces: toPieces(request),
  prompt: toPrompt(request),
  session: "",
  stream: request.stream
})

/** An API key, or the public half of the keys that sign the request; the signature itself is not checked. */
const credential = ({ headers }: RawRequest) =>
  bearer(headers) ?? /^AWS4-HMAC-SHA256 Credential=([^/,]+)\//.exec(headers.authorization ?? "")?.[1]

export const BedrockWire: Wire = {
  accepts: ({ method, path }) => method === "POST" && routeOf(path) !== undefined,
  caching: "marked",
  credential,
  errorFrame: (message, code = "internalServerException") => Frames.exception(code, message),
  identify: (id) => ({ fields: {}, headers: { "x-amzn-requestid": `00000000-0000-4000-8000-000000${id}` } }),
  maxBodyBytes: 25 * 1024 * 1024,
  maxOutput: 64_000,
  name: "bedrock",
  overflow: (overflow) => Errors.answer(Errors.overflow(overflow)),
  read: (request, rules) => Either.mapBoth(validate(request, rules), { onLeft: Errors.answer, onRight: toReceived }),
  serverError: Errors.answer({
    kind: "InternalServerException",
    message: "The system encountered an unexpected error during processing. Try your request again.",
    status: 500
  }),
  tooLarge: () =>
    Errors.answer({ kind: "RequestEntityTooLargeException", message: "Request Entity Too Large", status: 413 }),
  unauthorized: (given) => Errors.answer(Errors.unauthorized(given))
}
