/** A reply in the words of Bedrock Converse: as a whole, and as the framed events of a stream. */
import type { Reasoning, Text, ToolCall } from "@weir/model/Conversation"
import * as Usage from "@weir/model/Usage"
import * as Either from "effect/Either"
import * as Thinking from "./AnthropicThinking.js"
import type { AnthropicRequest } from "./AnthropicValidator.js"
import * as Frames from "./BedrockFrames.js"
import { split } from "./Fragments.js"
import * as Json from "./Json.js"
import type { Generated, Received } from "./Wire.js"

type Meta = Parameters<Received["encode"]>[1]

type Part = Text | Reasoning | ToolCall

/** A block of the reply: whole, as its stream begins where it does so with a word, and the deltas in between. */
interface Streamed {
  readonly whole: object
  readonly start?: object
  readonly deltas: ReadonlyArray<object>
}

/** A thought without text stays hidden. Signatures are Base64, as bytes are in JSON. */
const toBlock = (part: Part, place: Thinking.Place, model: string, thoughts: number): Streamed => {
  switch (part._tag) {
    case "Text":
      return { deltas: split(part.text).map((text) => ({ text })), whole: { text: part.text } }
    case "Reasoning": {
      const signature = Thinking.sign(place, part.text, model)
      const hidden = { reasoningContent: { redactedContent: signature } }
      return part.text === "" ? { deltas: [hidden], whole: hidden } : {
        deltas: [
          ...split(part.text).map((text) => ({ reasoningContent: { text } })),
          { reasoningContent: { signature } }
        ],
        whole: { reasoningContent: { reasoningText: { signature, text: part.text } } }
      }
    }
    case "ToolCall": {
      const head = { name: part.name, toolUseId: Thinking.callId(place, thoughts, { model, prefix: "tooluse" }) }
      return {
        deltas: split(part.arguments).map((input) => ({ toolUse: { input } })),
        start: { toolUse: head },
        whole: { toolUse: { ...head, input: Either.getOrElse(Json.parse(part.arguments), () => part.arguments) } }
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
      return "content_filtered"
    default:
      return "end_turn"
  }
}

const toUsage = (usage: Usage.Usage) => ({
  cacheReadInputTokens: usage.cacheRead,
  cacheWriteInputTokens: usage.cacheWrite,
  inputTokens: usage.fresh,
  outputTokens: usage.output,
  totalTokens: Usage.input(usage) + usage.output
})

const metrics = { latencyMs: 100 }

/** The JSON of a reply that does not stream. */
export const whole = (request: AnthropicRequest, reply: Generated, meta: Meta): string =>
  Json.print({
    metrics,
    output: { message: { content: toBlocks(request, reply, meta).map((block) => block.whole), role: "assistant" } },
    stopReason: stopReason(reply),
    ...(reply.usage && { usage: toUsage(reply.usage) })
  })

/** The frames of a stream; the usage comes after the end of the message. */
export const frames = (request: AnthropicRequest, reply: Generated, meta: Meta): ReadonlyArray<Uint8Array> => [
  Frames.event("messageStart", { role: "assistant" }),
  ...toBlocks(request, reply, meta).flatMap(({ deltas, start }, contentBlockIndex) => [
    ...(start === undefined ? [] : [Frames.event("contentBlockStart", { contentBlockIndex, start })]),
    ...deltas.map((delta) => Frames.event("contentBlockDelta", { contentBlockIndex, delta })),
    Frames.event("contentBlockStop", { contentBlockIndex })
  ]),
  Frames.event("messageStop", { stopReason: stopReason(reply) }),
  Frames.event("metadata", { metrics, ...(reply.usage && { usage: toUsage(reply.usage) }) })
]
