/** What every request of the Responses API holds, over whichever backend it goes. */
import type { Thinking } from "@weir/model/Thinking"
import type { ResponseCreateParamsStreaming, ResponseInputItem } from "openai/resources/responses/responses"
import type { Items } from "./ResponsesItems.js"
import * as ResponsesItems from "./ResponsesItems.js"

export interface Asked {
  readonly model: string
  readonly thinking: Thinking | undefined
  readonly sessionId: string
}

const longestKey = 64

/** Models that do not reason refuse to be asked for what they would have thought. */
const reasons = (model: string) => !/(?:^|\/)(?:gpt-[34]|chatgpt)|-chat-latest$/.test(model)

const reasoning = (thinking: Thinking): NonNullable<ResponseCreateParamsStreaming["reasoning"]> =>
  thinking === "off" ? { effort: "none" } : { effort: thinking, summary: "auto" }

export interface Request extends ResponseCreateParamsStreaming {
  readonly input: Array<ResponseInputItem>
}

/** The server keeps nothing: encrypted reasoning comes with the reply, and goes back with it. */
export const make = (items: Items, { model, sessionId, thinking }: Asked): Request => ({
  model,
  input: ResponsesItems.all(items),
  prompt_cache_key: sessionId.slice(0, longestKey),
  store: false,
  stream: true,
  ...(items.tools.length > 0 && { tools: [...items.tools] }),
  ...(reasons(model) && { include: ["reasoning.encrypted_content"] }),
  ...(thinking && { reasoning: reasoning(thinking) })
})
