/** A reply in the words of Anthropic Messages: as a whole, and as the events of a stream. */
import type { Reasoning, Text, ToolCall } from "@weir/model/Conversation"
import type { Usage } from "@weir/model/Usage"
import * as Either from "effect/Either"
import * as Thinking from "./AnthropicThinking.js"
import type { AnthropicRequest } from "./AnthropicValidator.js"
import { split } from "./Fragments.js"
import * as Json from "./Json.js"
import type { Generated, Received } from "./Wire.js"

type Meta = Parameters<Received["encode"]>[1]

type Part = Text | Reasoning | ToolCall

/** A block of the reply: whole, as its stream begins, and the deltas in between. */
interface Streamed {
  readonly whole: object
  readonly start: object
  readonly deltas: ReadonlyArray<object>
}

/** A thought without text stays hidden. */
const toBlock = (part: Part, place: Thinking.Place, model: string, thoughts: number): Streamed => {
  switch (part._tag) {
    case "Text":
      return {
        deltas: split(part.text).map((text) => ({ text, type: "text_delta" })),
        start: { text: "", type: "text" },
        whole: { text: part.text, type: "text" }
      }
    case "Reasoning": {
      const signature = Thinking.sign(place, part.text, model)
      const hidden = { data: signature, type: "redacted_thinking" }
      return part.text === "" ? { deltas: [], start: hidden, whole: hidden } : {
        deltas: [
          ...split(part.text).map((thinking) => ({ thinking, type: "thinking_delta" })),
          { signature, type: "signature_delta" }
        ],
        start: { signature: "", thinking: "", type: "thinking" },
        whole: { signature, thinking: part.text, type: "thinking" }
      }
    }
    case "ToolCall": {
      const head = {
        id: Thinking.callId(place, thoughts, { model, prefix: "toolu" }),
        name: part.name,
        type: "tool_use"
      }
      return {
        deltas: ["", ...split(part.arguments)].map((text) => ({ partial_json: text, type: "input_json_delta" })),
        start: { ...head, input: {} },
        whole: { ...head, input: Either.getOrElse(Json.parse(part.arguments), () => part.arguments) }
      }
    }
  }
}

const toBlocks = (request: AnthropicRequest, reply: Generated, { id }: Meta): ReadonlyArray<Streamed> => {
  const thoughts = reply.parts.filter(({ _tag }) => _tag === "Reasoning").length
  return reply.parts.map((part, index) => toBlock(part, { part: index, reply: id }, request.model, thoughts))
}

const stopReason = ({ stop, windowFull }: Generated) => {
  switch (stop) {
    case "calls":
      return "tool_use"
    case "length":
      return windowFull ? "model_context_window_exceeded" : "max_tokens"
    case "refused":
      return "refusal"
    default:
      return "end_turn"
  }
}

const toStop = (reply: Generated) => ({
  stop_reason: stopReason(reply),
  stop_sequence: null,
  ...(reply.stop === "refused" && { stop_details: { category: null, explanation: null, type: "refusal" } })
})

const toCounts = (usage: Usage, output: number) => ({
  cache_creation_input_tokens: usage.cacheWrite,
  cache_read_input_tokens: usage.cacheRead,
  input_tokens: usage.fresh,
  output_tokens: output
})

const toUsage = (request: AnthropicRequest, usage: Usage, output: number) => {
  const long = request.longLived ? usage.cacheWrite : 0
  return {
    ...toCounts(usage, output),
    cache_creation: { ephemeral_1h_input_tokens: long, ephemeral_5m_input_tokens: usage.cacheWrite - long },
    service_tier: "standard"
  }
}

const toMessage = (request: AnthropicRequest, { id }: Meta) => ({
  id: `msg_${id}`,
  model: request.model,
  role: "assistant",
  type: "message"
})

/** The JSON of a reply that does not stream. */
export const whole = (request: AnthropicRequest, reply: Generated, meta: Meta): string =>
  Json.print({
    ...toMessage(request, meta),
    content: toBlocks(request, reply, meta).map((block) => block.whole),
    ...toStop(reply),
    ...(reply.usage && { usage: toUsage(request, reply.usage, reply.usage.output) })
  })

export const frame = <T extends string>(event: { readonly type: T }): string =>
  `event: ${event.type}\ndata: ${Json.print(event)}\n\n`

/** The frames of a stream; the message is complete with the last. */
export const frames = (request: AnthropicRequest, reply: Generated, meta: Meta): ReadonlyArray<string> => {
  const { usage } = reply
  const begun = usage && toUsage(request, usage, Math.min(1, usage.output))
  const message = {
    ...toMessage(request, meta),
    content: [],
    stop_reason: null,
    stop_sequence: null,
    ...(begun && { usage: begun })
  }
  return [
    { message, type: "message_start" },
    { type: "ping" },
    ...toBlocks(request, reply, meta).flatMap(({ deltas, start }, index) => [
      { content_block: start, index, type: "content_block_start" },
      ...deltas.map((delta) => ({ delta, index, type: "content_block_delta" })),
      { index, type: "content_block_stop" }
    ]),
    { delta: toStop(reply), type: "message_delta", ...(usage && { usage: toCounts(usage, usage.output) }) },
    { type: "message_stop" }
  ].map(frame)
}
