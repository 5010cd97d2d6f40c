/** A request as it goes over the wire, without the SDK. */
import type { Entry, NativeReply, Step } from "@weir/model/Conversation"
import type { Prompt } from "@weir/model/Prompt"
import type { Thinking } from "@weir/model/Thinking"
import * as AnthropicThinking from "@weir/simulator/AnthropicThinking"
import * as BedrockValidator from "@weir/simulator/BedrockValidator"
import * as Encoding from "effect/Encoding"
import * as Predicate from "effect/Predicate"
import * as fc from "fast-check"
import { anyConversation, anyStep, tools } from "../../transport/test/Conversations.js"
import * as History from "../src/History.js"
import * as Request from "../src/Request.js"

export const model = "anthropic.claude-sonnet-4-5-20250929-v1:0"

export const native = (payload: unknown, given: Partial<NativeReply> = {}): NativeReply => ({
  codec: "bedrock-converse",
  model,
  payload,
  ...given
})

export const encode = (prompt: Partial<Prompt>, thinking?: Thinking) =>
  Request.make(model, History.start({ entries: [], system: "", tools, ...prompt }, model), 4000, thinking)

const print = (value: unknown) =>
  JSON.stringify(
    value,
    (_, inner: unknown) => inner instanceof Uint8Array ? Encoding.encodeBase64(inner) : inner
  )

/** As JSON: bytes are Base64, and the model stands in the path. */
export const json = (body: object): unknown => {
  const { modelId: _, ...rest }: Record<string, unknown> = { ...body }
  return JSON.parse(print(rest))
}

export const validate = (body: object) =>
  BedrockValidator.validate(
    {
      body: print(json(body)),
      headers: {},
      isUtf8: true,
      json: json(body),
      method: "POST",
      path: `/model/${encodeURIComponent(model)}/converse-stream`
    },
    { maxOutput: 64_000 }
  )

interface Plain {
  readonly role: unknown
  readonly content: ReadonlyArray<unknown>
}

const isMark = (block: unknown) => Predicate.isRecord(block) && "cachePoint" in block

/** The messages as JSON, without the marks for the cache. */
export const messages = (...entries: ReadonlyArray<Entry>): ReadonlyArray<Plain> =>
  (encode({ entries }).messages ?? []).map(({ content, role }) => {
    const plain: unknown = JSON.parse(print(content))
    return { content: Array.isArray(plain) ? plain.filter((block) => !isMark(block)) : [], role }
  })

/** A reply with thinking, some of it hidden, before its step lost or changed anything. */
const anyNative = fc.tuple(anyStep, fc.nat(), fc.constantFrom(model, "another")).map(([plain, reply, author]): Step => {
  const payload = plain.parts.map((part, index) => {
    switch (part._tag) {
      case "Text":
        return { text: part.text, type: "text" }
      case "Reasoning": {
        const signature = AnthropicThinking.sign({ part: index, reply: String(reply) }, part.text, author)
        return part.text === ""
          ? { data: Encoding.encodeHex(Buffer.from(signature, "base64")), type: "redacted_thinking" }
          : { signature, thinking: part.text, type: "thinking" }
      }
      case "Exchange":
        return { id: part.call.id, type: "tool_use" }
    }
  })
  return { ...plain, native: native(payload, { model: author }) }
})

export const conversation = anyConversation(anyNative)
