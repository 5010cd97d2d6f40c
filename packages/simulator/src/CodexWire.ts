/** The Codex backend of ChatGPT: `POST /backend-api/codex/responses`. Its key is an access token that may have expired. */
import * as Either from "effect/Either"
import * as Errors from "./CodexError.js"
import * as Rules from "./CodexRules.js"
import { ResponsesWire, toReceived } from "./ResponsesWire.js"
import type { Wire } from "./Wire.js"

export const CodexWire: Wire = {
  ...ResponsesWire,
  accepts: ({ method, path }) => method === "POST" && path === "/backend-api/codex/responses",
  errorFrame: (message, code = "server_error") => Errors.failed(message, code),
  name: "codex",
  overflow: () => Errors.windowExceeded,
  read: (request, rules) => Either.map(Rules.read(request, rules), toReceived),
  unauthorized: Errors.unauthorized
}
