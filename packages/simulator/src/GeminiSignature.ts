/**
 * Thought signatures as the API hands them out and demands them back. A signature holds the request that was answered,
 * the place in the reply, and a digest of model and part; the id of a call holds the first two and the place of the
 * reply's first call, which is the one that is signed. So a request shows by itself what came back unchanged.
 */
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import * as Hash from "effect/Hash"
import type { GeminiContent } from "./GeminiContents.js"
import * as Errors from "./GeminiError.js"
import type { Read } from "./GeminiFields.js"
import * as Model from "./GeminiModel.js"
import type { CallPart, GeminiPart } from "./GeminiParts.js"
import * as Json from "./Json.js"

export interface Place {
  /** Id of the request. */
  readonly reply: string
  /** Number of the part in the reply, counted from 0. */
  readonly part: number
}

/** What the API takes in place of a signature, for calls that no model of its own has made. */
const unsigned = "skip_thought_signature_validator"

/** What a signature covers. */
export const sealed = (part: { readonly text: string } | { readonly name: string; readonly args: unknown }): string =>
  "text" in part ? part.text : `${part.name}${Json.print(part.args)}`

export const sign = ({ part, reply }: Place, content: string, model: string): string =>
  Encoding.encodeBase64(
    `signature:${reply}:${part}:${Hash.string(`${model}\n${content}`)}:${
      Hash.string(`${content.length}${content}${model}`)
    }`
  )

/** `first` is the place of the reply's first call. */
export const callId = ({ part, reply }: Place, first: number): string => `fc_${reply}_${part}_${first}`

const ownId = /^fc_(\d+)_(\d+)_(\d+)$/

const placeOf = (signature: string): Place | undefined => {
  const decoded = Either.getOrElse(Encoding.decodeBase64String(signature), () => "")
  const [, reply, part] = /^signature:(\d+):(\d+):/.exec(decoded) ?? []
  return reply === undefined ? undefined : { part: Number(part), reply }
}

const corrupted = Either.left(Errors.invalid("Corrupted thought signature."))

const isGenuine = (part: GeminiPart, signature: string, model: string): boolean => {
  const place = placeOf(signature)
  const content = part.type === "text" || part.type === "call" ? sealed(part) : ""
  return place !== undefined && signature === sign(place, content, model)
}

/** A call of a reply of ours is signed where the reply's first call was, and nowhere else. */
const checkOwn = (part: CallPart, model: string): Read<void> => {
  const [, reply, number, first] = ownId.exec(part.id ?? "") ?? []
  if (reply === undefined) return Either.void
  const expected = number === first
    ? sign({ part: Number(number), reply }, sealed(part), model)
    : undefined
  return part.signature === expected ? Either.void : corrupted
}

const checkPart = (part: GeminiPart, model: string): Read<void> =>
  Either.gen(function*() {
    if (part.type === "call") yield* checkOwn(part, model)
    const { signature } = part
    if (signature === undefined || (part.type === "call" && signature === unsigned)) return
    return isGenuine(part, signature, model) ? undefined : yield* corrupted
  })

const missing = (name: string, position: number): Read<never> =>
  Either.left(Errors.invalid(
    "Function call is missing a thought_signature in functionCall parts. This is required for tools to work " +
      "correctly, and missing thought_signature may lead to degraded model performance. Additional data, function " +
      `call \`default_api:${name}\` , position ${position}. Please refer to ` +
      "https://ai.google.dev/gemini-api/docs/thought-signatures for more details."
  ))

const checkContent = ({ parts }: GeminiContent, position: number, model: string): Read<void> =>
  Either.gen(function*() {
    const first = parts.find((part) => part.type === "call")
    if (first !== undefined && first.signature === undefined && Model.isThird(model)) {
      yield* missing(first.name, position)
    }
    yield* Either.all(parts.map((part) => checkPart(part, model)))
  })

export const check = (contents: ReadonlyArray<GeminiContent>, model: string): Read<void> =>
  Either.map(
    Either.all(contents.map((content, index) => checkContent(content, index + 1, model))),
    () => undefined
  )
