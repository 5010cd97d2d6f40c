/** What a request to the Codex backend of ChatGPT holds beside what the Responses API takes, and what it must not hold. */
import type * as Headers from "@weir/transport/Headers"
import type { ResponseCreateParamsStreaming, ResponseInputItem } from "openai/resources/responses/responses"
import type { Items } from "./ResponsesItems.js"
import * as ResponsesRequest from "./ResponsesRequest.js"

export const headers = (accountId: string, sessionId: string): Headers.Headers => ({
  accept: "text/event-stream",
  "chatgpt-account-id": accountId,
  "openai-beta": "responses=experimental",
  originator: "weir",
  "session-id": sessionId,
  "x-client-request-id": sessionId
})

/** Instructions that stand apart from the input are put after it by the backend, where they spoil the prompt cache. */
const instructions = ({ system }: Items): ReadonlyArray<ResponseInputItem> =>
  system.trim() === ""
    ? []
    : [{ type: "message", role: "developer", content: [{ type: "input_text", text: system }] }]

/** Without a limit of the output, which the backend refuses. */
export const make = (items: Items, asked: ResponsesRequest.Asked): ResponseCreateParamsStreaming => {
  const request = ResponsesRequest.make(items, asked)
  return { ...request, input: [...instructions(items), ...request.input], text: { verbosity: "medium" } }
}
