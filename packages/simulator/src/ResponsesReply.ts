/** A reply of the Responses API: its items, the whole response, and the events of a stream. */
import type * as Reply from "@weir/model/Reply"
import * as Usage from "@weir/model/Usage"
import { split } from "./Fragments.js"
import type { JsonObject } from "./Json.js"
import * as Json from "./Json.js"
import * as Reasoning from "./ResponsesReasoning.js"
import type { ResponsesRequest } from "./ResponsesValidator.js"
import type { Encoded, Generated, Received } from "./Wire.js"

type Meta = Parameters<Received["encode"]>[1]

type Event = JsonObject & { readonly type: string }

interface Item {
  readonly whole: JsonObject
  /** The item as it begins, and what comes between its beginning and its end. */
  readonly begun: JsonObject
  readonly events: (at: { readonly item_id: string; readonly output_index: number }) => ReadonlyArray<Event>
}

const reasoning = (text: string, place: Reasoning.Place, request: ResponsesRequest): Item => {
  const id = Reasoning.reasoningId(place)
  const texts = text === "" ? [] : [text]
  const content = request.encrypts ? { encrypted_content: Reasoning.encrypt(place, texts, request.model) } : {}
  return {
    begun: { id, summary: [], type: "reasoning" },
    events: (at) =>
      texts.flatMap((summary) => {
        const part = { ...at, summary_index: 0 }
        const name = "response.reasoning_summary"
        return [
          { ...part, part: { text: "", type: "summary_text" }, type: `${name}_part.added` },
          ...split(summary).map((delta) => ({ ...part, delta, type: `${name}_text.delta` })),
          { ...part, text: summary, type: `${name}_text.done` },
          { ...part, part: { text: summary, type: "summary_text" }, type: `${name}_part.done` }
        ]
      }),
    whole: {
      id,
      summary: texts.map((summary) => ({ text: summary, type: "summary_text" })),
      type: "reasoning",
      ...content
    }
  }
}

const outputText = (text: string) => ({ annotations: [], logprobs: [], text, type: "output_text" })

const message = (text: string, id: string, status: string, phase: string | undefined): Item => {
  const head = { id, role: "assistant", type: "message", ...(phase !== undefined && { phase }) }
  return {
    begun: { ...head, content: [], status: "in_progress" },
    events: (at) => {
      const part = { ...at, content_index: 0 }
      return [
        { ...part, part: outputText(""), type: "response.content_part.added" },
        ...split(text).map((delta) => ({ ...part, delta, logprobs: [], type: "response.output_text.delta" })),
        { ...part, logprobs: [], text, type: "response.output_text.done" },
        { ...part, part: outputText(text), type: "response.content_part.done" }
      ]
    },
    whole: { ...head, content: [outputText(text)], status }
  }
}

const call = (part: Extract<Reply.Reply["parts"][number], { _tag: "ToolCall" }>, id: string, status: string): Item => {
  const head = { call_id: part.id, id, name: part.name, type: "function_call" }
  const name = "response.function_call_arguments"
  return {
    begun: { ...head, arguments: "", status: "in_progress" },
    events: (at) => [
      ...split(part.arguments).map((delta) => ({ ...at, delta, type: `${name}.delta` })),
      { ...at, arguments: part.arguments, name: part.name, type: `${name}.done` }
    ],
    whole: { ...head, arguments: part.arguments, status }
  }
}

/** Newer models say whether they go on after a message. */
const hasPhases = (model: string) => /^gpt-(?:5\.[3-9]|[6-9])/.test(model)

const toItems = (request: ResponsesRequest, { parts, stop }: Generated, { id }: Meta): ReadonlyArray<Item> =>
  parts.map((part, index): Item => {
    const place = { index, reply: id }
    const isLed = parts[index - 1]?._tag === "Reasoning"
    const status = stop === "length" && index === parts.length - 1 ? "incomplete" : "completed"
    switch (part._tag) {
      case "Reasoning":
        return reasoning(part.text, place, request)
      case "Text": {
        const phase = parts.slice(index + 1).some(({ _tag }) => _tag === "ToolCall") ? "commentary" : "final_answer"
        return message(
          part.text,
          Reasoning.itemId("msg", place, isLed),
          status,
          hasPhases(request.model) ? phase : undefined
        )
      }
      case "ToolCall":
        return call(part, Reasoning.itemId("fc", place, isLed), status)
    }
  })

const toUsage = (usage: Usage.Usage) => ({
  input_tokens: Usage.input(usage),
  input_tokens_details: { cache_write_tokens: usage.cacheWrite, cached_tokens: usage.cacheRead },
  output_tokens: usage.output,
  output_tokens_details: { reasoning_tokens: usage.reasoning },
  total_tokens: Usage.input(usage) + usage.output
})

const incomplete = ({ stop }: Generated) =>
  stop === "length" ? "max_output_tokens" : stop === "refused" ? "content_filter" : undefined

const toResponse = (request: ResponsesRequest, { created, id }: Meta, more: JsonObject) => ({
  created_at: created,
  error: null,
  id: `resp_${id}`,
  incomplete_details: null,
  model: request.model,
  object: "response",
  output: [],
  status: "in_progress",
  store: false,
  usage: null,
  ...more
})

export const frame = (event: Event): string => `event: ${event.type}\ndata: ${Json.print(event)}\n\n`

export const encode = (request: ResponsesRequest) => (reply: Generated, meta: Meta): Encoded => {
  const items = toItems(request, reply, meta)
  const reason = incomplete(reply)
  const status = reason === undefined ? "completed" : "incomplete"
  const response = toResponse(request, meta, {
    incomplete_details: reason === undefined ? null : { reason },
    output: items.map(({ whole }) => whole),
    status,
    usage: reply.usage ? toUsage(reply.usage) : null
  })
  const begun = toResponse(request, meta, {})
  const events: ReadonlyArray<Event> = [
    { response: begun, type: "response.created" },
    { response: begun, type: "response.in_progress" },
    ...items.flatMap((item, index) => [
      { item: item.begun, output_index: index, type: "response.output_item.added" },
      ...item.events({ item_id: String(item.whole.id), output_index: index }),
      { item: item.whole, output_index: index, type: "response.output_item.done" }
    ]),
    { response, type: `response.${status}` }
  ]
  const frames = request.stream ? events.map((event, index) => frame({ ...event, sequence_number: index })) : []
  return {
    body: request.stream ? "" : Json.print(response),
    complete: frames.length,
    contentType: request.stream ? "text/event-stream; charset=utf-8" : "application/json",
    frames
  }
}
