/**
 * Reasoning as the Responses API hands it out and demands it back where nothing is stored. The id of an item holds the
 * request that was answered and the item's place in the reply, the encrypted content also a digest of model and summary.
 * So a request shows by itself whether reasoning came back unchanged, and beside the item that it led to.
 */
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import * as Hash from "effect/Hash"
import * as Json from "./Json.js"
import * as Errors from "./OpenAiError.js"
import type { Read } from "./OpenAiFields.js"
import type { ResponsesItem } from "./ResponsesInput.js"

export interface Place {
  /** Id of the request. */
  readonly reply: string
  /** Number of the item in the reply, counted from 0. */
  readonly index: number
}

export const reasoningId = ({ index, reply }: Place): string => `rs_${reply}_${index}`

/** `isLed`: reasoning stands directly before the item. */
export const itemId = (prefix: "msg" | "fc", { index, reply }: Place, isLed: boolean): string =>
  `${prefix}_${reply}_${index}_${isLed ? 1 : 0}`

export const encrypt = ({ index, reply }: Place, summary: ReadonlyArray<string>, model: string): string => {
  const sealed = `${model}\n${Json.print(summary)}`
  return Encoding.encodeBase64(
    `reasoning:${reply}:${index}:${Hash.string(sealed)}:${Hash.string(`${sealed.length}${sealed}`)}`
  )
}

const ownId = /^(?:rs|msg|fc)_(\d+)_(\d+)(?:_([01]))?$/

const placeOf = (id: string): (Place & { readonly isLed: boolean }) | undefined => {
  const [, reply, index, led] = ownId.exec(id) ?? []
  return reply === undefined ? undefined : { index: Number(index), isLed: led === "1", reply }
}

const idOf = (item: ResponsesItem | undefined) => item !== undefined && "id" in item ? item.id : undefined

const refuse = (message: string, code: string | null = null): Read<never> =>
  Either.left(Errors.invalid(message, "input", code))

const isFollower = (place: Place | undefined, next: ResponsesItem | undefined): boolean => {
  if (next === undefined || next.type === "output" || next.type === "given") return false
  const following = placeOf(idOf(next) ?? "")
  return place === undefined || (following?.reply === place.reply && following.index === place.index + 1)
}

const checkReasoning = (
  item: Extract<ResponsesItem, { readonly type: "reasoning" }>,
  next: ResponsesItem | undefined,
  model: string
): Read<void> => {
  const place = placeOf(item.id)
  if (item.encrypted === "") {
    return Either.left({
      ...Errors.invalid(
        `Item with id '${item.id}' not found. Items are not persisted when \`store\` is set to false. ` +
          "Try again with `store` set to true, or remove this item from your input.",
        "input"
      ),
      status: 404
    })
  }
  if (!isFollower(place, next)) {
    return refuse(`Item '${item.id}' of type 'reasoning' was provided without its required following item.`)
  }
  return place !== undefined && item.encrypted === encrypt(place, item.summary, model)
    ? Either.void
    : refuse("The encrypted content could not be verified.", "invalid_encrypted_content")
}

const checkLed = (id: string, kind: string, before: ResponsesItem | undefined): Read<void> => {
  const place = placeOf(id)
  if (place === undefined || !place.isLed) return Either.void
  const wanted = reasoningId({ index: place.index - 1, reply: place.reply })
  return idOf(before) === wanted
    ? Either.void
    : refuse(`Item '${id}' of type '${kind}' was provided without its required 'reasoning' item: '${wanted}'.`)
}

export const check = (items: ReadonlyArray<ResponsesItem>, model: string): Read<void> =>
  Either.gen(function*() {
    const seen = new Set<string>()
    for (const [index, item] of items.entries()) {
      const id = idOf(item)
      if (id === undefined) continue
      if (seen.has(id)) {
        return yield* refuse(
          `Duplicate item found with id ${id}. Remove duplicate items from your input and try again.`
        )
      }
      seen.add(id)
      if (item.type === "reasoning") yield* checkReasoning(item, items[index + 1], model)
      else yield* checkLed(id, item.type === "call" ? "function_call" : "message", items[index - 1])
    }
  })
