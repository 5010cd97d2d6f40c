/** JSON text, for wires that must read and write it exactly as providers do. */
import type * as Either from "effect/Either"
import type * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"

export type JsonObject = { readonly [key: string]: unknown }

const text = Schema.parseJson(Schema.Unknown)

export const parse: (source: string) => Either.Either<unknown, ParseResult.ParseError> = Schema.decodeEither(text)

/** The JSON text of a plain value, without spaces. */
export const print: (value: unknown) => string = Schema.encodeSync(text)

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const isArray = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value)

const loneSurrogate = /\p{Surrogate}/u

/** Whether a string of a parsed body holds half a character: it can only come in by an escape, so text is asked first. */
export const hasLoneSurrogate = (body: string, value: unknown): boolean => {
  if (!/\\u[dD][89a-fA-F]/.test(body)) return false
  const walk = (item: unknown): boolean =>
    typeof item === "string"
      ? loneSurrogate.test(item)
      : isArray(item)
      ? item.some(walk)
      : isObject(item) && Object.entries(item).some(([key, field]) => loneSurrogate.test(key) || walk(field))
  return walk(value)
}

export const isBase64 = (text: string) =>
  text.length > 0 && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text)
