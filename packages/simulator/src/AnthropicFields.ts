/** Fields of an Anthropic request, each refused in the words of the API's schema. Paths are keys joined by dots. */
import * as Either from "effect/Either"
import type { AnthropicError } from "./AnthropicError.js"
import * as Errors from "./AnthropicError.js"
import type { JsonObject } from "./Json.js"
import * as Json from "./Json.js"

export type Read<A> = Either.Either<A, AnthropicError>

export const join = (path: string, key: string | number) => path === "" ? String(key) : `${path}.${key}`

export const isAbsent = (value: unknown): value is undefined | null => value === undefined || value === null

export const object = (path: string, value: unknown): Read<JsonObject> =>
  Json.isObject(value)
    ? Either.right(value)
    : Either.left(value === undefined ? Errors.required(path) : Errors.should(path, "a valid dictionary"))

/** An object with no fields but these. */
export const closed = (path: string, value: JsonObject, keys: Iterable<string>): Read<void> => {
  const known = new Set(keys)
  const unknown = Object.keys(value).find((key) => !known.has(key))
  return unknown === undefined ? Either.void : Either.left(Errors.extra(join(path, unknown)))
}

export const array = (path: string, value: unknown): Read<ReadonlyArray<unknown>> =>
  Json.isArray(value)
    ? Either.right(value)
    : Either.left(value === undefined ? Errors.required(path) : Errors.should(path, "a valid list"))

export const string = (path: string, value: unknown): Read<string> =>
  typeof value === "string"
    ? Either.right(value)
    : Either.left(value === undefined ? Errors.required(path) : Errors.should(path, "a valid string"))

export const boolean = (path: string, value: unknown): Read<boolean | undefined> =>
  isAbsent(value) || typeof value === "boolean"
    ? Either.right(value ?? undefined)
    : Either.left(Errors.should(path, "a valid boolean"))

export const literal = (path: string, value: unknown, allowed: ReadonlyArray<string>): Read<string> => {
  if (value === undefined) return Either.left(Errors.required(path))
  return typeof value === "string" && allowed.includes(value)
    ? Either.right(value)
    : Either.left(Errors.oneOf(path, allowed))
}

export const number = (
  path: string,
  value: unknown,
  { integer = false, max = Infinity, min }: { readonly min: number; readonly max?: number; readonly integer?: boolean }
): Read<number> => {
  if (value === undefined) return Either.left(Errors.required(path))
  if (typeof value !== "number" || (integer && !Number.isInteger(value))) {
    return Either.left(Errors.should(path, integer ? "a valid integer" : "a valid number"))
  }
  if (value < min) return Either.left(Errors.should(path, `greater than or equal to ${min}`))
  return value > max ? Either.left(Errors.should(path, `less than or equal to ${max}`)) : Either.right(value)
}

/** A value that may be left out. */
export const optional = <A>(
  path: string,
  value: unknown,
  read: (path: string, value: unknown) => Read<A>
): Read<A | undefined> => isAbsent(value) ? Either.right(undefined) : read(path, value)

/** Every element of a list. */
export const each = <A>(
  path: string,
  value: unknown,
  read: (path: string, value: unknown) => Read<A>
): Read<ReadonlyArray<A>> =>
  Either.flatMap(array(path, value), (items) => Either.all(items.map((item, index) => read(join(path, index), item))))

export const matching = (path: string, value: unknown, expression: string): Read<string> =>
  Either.flatMap(
    string(path, value),
    (text) => new RegExp(expression).test(text) ? Either.right(text) : Either.left(Errors.pattern(path, expression))
  )
