/** A reply in the words of the Gemini API: as a whole, and as the chunks of a stream. */
import type { Usage } from "@weir/model/Usage"
import * as Usages from "@weir/model/Usage"
import * as Either from "effect/Either"
import { split } from "./Fragments.js"
import * as Model from "./GeminiModel.js"
import * as Signature from "./GeminiSignature.js"
import type { GeminiRequest } from "./GeminiValidator.js"
import * as Json from "./Json.js"
import type { Generated, Received } from "./Wire.js"

type Meta = Parameters<Received["encode"]>[1]

interface TextPart {
  readonly text: string
  readonly thought?: true
  readonly thoughtSignature?: string
}

interface CallPart {
  readonly functionCall: { readonly id?: string; readonly name: string; readonly args: Json.JsonObject }
  readonly thoughtSignature?: string
}

type Part = TextPart | CallPart

/** A reply as parts; one with a call that cannot be written as a part breaks off before it. */
interface Written {
  readonly parts: ReadonlyArray<Part>
  readonly isMalformed: boolean
  /** What signs a reply without calls: the model has thought, and its place is after all parts. */
  readonly signer: Signature.Place | undefined
}

const argumentsOf = (text: string): Json.JsonObject | undefined => {
  const value = Either.getOrUndefined(Json.parse(text === "" ? "{}" : text))
  return Json.isObject(value) ? value : undefined
}

/** Only the first call of a reply is signed. */
const toCall = (
  { model }: GeminiRequest,
  place: Signature.Place,
  first: number,
  name: string,
  args: Json.JsonObject
): CallPart => ({
  functionCall: { ...(Model.isThird(model) && { id: Signature.callId(place, first) }), args, name },
  ...(place.part === first && { thoughtSignature: Signature.sign(place, Signature.sealed({ args, name }), model) })
})

const write = (request: GeminiRequest, reply: Generated, { id }: Meta): Written => {
  const parts: Array<Part> = []
  const first = reply.parts.findIndex(({ _tag }) => _tag === "ToolCall")
  const thinks = reply.parts.some(({ _tag }) => _tag === "Reasoning")
  const signer = first < 0 && thinks ? { part: reply.parts.length, reply: id } : undefined
  for (const [index, part] of reply.parts.entries()) {
    if (part._tag === "ToolCall") {
      const args = argumentsOf(part.arguments)
      if (args === undefined) return { isMalformed: true, parts, signer }
      parts.push(toCall(request, { part: index, reply: id }, first, part.name, args))
    } else if (part.text !== "") {
      parts.push({ text: part.text, ...(part._tag === "Reasoning" && { thought: true }) })
    }
  }
  return { isMalformed: false, parts, signer }
}

const finishReason = ({ stop }: Generated, isMalformed: boolean) => {
  if (stop === "length") return "MAX_TOKENS"
  if (isMalformed) return "MALFORMED_FUNCTION_CALL"
  return stop === "refused" ? "SAFETY" : "STOP"
}

const toUsage = (usage: Usage | undefined) =>
  usage && {
    usageMetadata: {
      promptTokenCount: Usages.input(usage),
      ...(usage.cacheRead > 0 && { cachedContentTokenCount: usage.cacheRead }),
      candidatesTokenCount: usage.output - usage.reasoning,
      ...(usage.reasoning > 0 && { thoughtsTokenCount: usage.reasoning }),
      totalTokenCount: Usages.input(usage) + usage.output
    }
  }

const response = (
  { model }: GeminiRequest,
  { id }: Meta,
  usage: Usage | undefined,
  parts: ReadonlyArray<Part>,
  finish?: string
) => ({
  candidates: [{
    content: { ...(parts.length > 0 && { parts }), role: "model" },
    ...(finish !== undefined && { finishReason: finish }),
    index: 0
  }],
  ...toUsage(usage),
  modelVersion: model,
  responseId: id
})

const signature = ({ model }: GeminiRequest, signer: Signature.Place | undefined, text: string) =>
  signer && { thoughtSignature: Signature.sign(signer, text, model) }

/** The JSON of a reply that does not stream: a signature that is on no call is on the last text. */
export const whole = (request: GeminiRequest, reply: Generated, meta: Meta): string => {
  const { isMalformed, parts, signer } = write(request, reply, meta)
  const last = parts.at(-1)
  const signed = last !== undefined && "text" in last
    ? [...parts.slice(0, -1), { ...last, ...signature(request, signer, last.text) }]
    : parts
  return Json.print(response(request, meta, reply.usage, signed, finishReason(reply, isMalformed)))
}

export const frame = (value: object): string => `data: ${Json.print(value)}\r\n\r\n`

const pieces = (part: Part): ReadonlyArray<Part> =>
  "text" in part ? split(part.text).map((text) => ({ ...part, text })) : [part]

/** The frames of a stream, one part each. The last has the reason of the end, and a signature that is on no call. */
export const frames = (request: GeminiRequest, reply: Generated, meta: Meta): ReadonlyArray<string> => {
  const { isMalformed, parts, signer } = write(request, reply, meta)
  const { usage } = reply
  const begun = usage && { ...usage, output: 0, reasoning: 0 }
  const end = [{ text: "", ...signature(request, signer, "") }]
  return [
    ...parts.flatMap(pieces).map((part) => response(request, meta, begun, [part])),
    response(request, meta, usage, isMalformed ? [] : end, finishReason(reply, isMalformed))
  ].map(frame)
}
