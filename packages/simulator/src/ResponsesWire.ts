/** The OpenAI Responses API: `POST /v1/responses`. Nothing is stored, whatever a request asks for. */
import * as Either from "effect/Either"
import { bearer } from "./Bearer.js"
import * as Errors from "./OpenAiError.js"
import { overflow } from "./ResponsesError.js"
import * as Prompts from "./ResponsesPrompt.js"
import { encode, frame } from "./ResponsesReply.js"
import type { ResponsesRequest } from "./ResponsesValidator.js"
import { validate } from "./ResponsesValidator.js"
import type { Received, Wire } from "./Wire.js"

export const toReceived = (request: ResponsesRequest): Received => ({
  counts: false,
  encode: encode(request),
  maxOutput: request.maxOutput,
  mayCall: request.mayCall,
  model: request.model,
  pieces: Prompts.toPieces(request),
  prompt: Prompts.toPrompt(request),
  session: request.cacheKey ?? "",
  stream: request.stream
})

export const ResponsesWire: Wire = {
  accepts: ({ method, path }) => method === "POST" && path === "/v1/responses",
  caching: "automatic",
  credential: ({ headers }) => bearer(headers),
  errorFrame: (message, code = "server_error") =>
    frame({ code, message, param: null, sequence_number: 0, type: "error" }),
  identify: (id) => ({ fields: {}, headers: { "x-request-id": `req_${id}` } }),
  maxOutput: 128_000,
  name: "responses",
  overflow: () => Errors.answer(overflow),
  read: (request, rules) => Either.mapBoth(validate(request, rules), { onLeft: Errors.answer, onRight: toReceived }),
  serverError: Errors.answer(Errors.serverError),
  tooLarge: (limit) => Errors.answer(Errors.tooLarge(limit)),
  unauthorized: (credential) => Errors.answer(Errors.unauthorized(credential))
}
