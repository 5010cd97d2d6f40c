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
