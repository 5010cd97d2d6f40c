/**
 * Fields of a Gemini request, each refused in the words of the reader of its JSON. Names may be written in camel case
 * or with underscores; paths have underscores. A field that is null is absent.
 */
import * as Either from "effect/Either"
import type { GeminiError } from "./GeminiError.js"
import * as Errors from "./GeminiError.js"
import type { JsonObject } from "./Json.js"
import * as Json from "./Json.js"

export type Read<A> = Either.Either<A, GeminiError>

const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

export const join = (path: string, name: string) => path === "" ? snake(name) : `${path}.${snake(name)}`

/** An object with no fields but these, named in camel case. */
export const message = (
  path: string,
  value: unknown,
  type: string,
  fields: ReadonlyArray<string>
): Read<JsonObject> => {
  if (Json.isArray(value)) return Either.left(Errors.notRepeating(path))
  if (!Json.isObject(value)) return Either.left(Errors.wrongValue(path, type, value))
  const unknown = Object.keys(value).find((name) => !fields.includes(camel(name)))
  return unknown === undefined
    ? Either.right(
      Object.fromEntries(
        Object.entries(value).flatMap(([name, field]) => field === null ? [] : [[camel(name), field]])
      )
    )
    : Either.left(Errors.unknownField(path, unknown))
}

const scalar = (path: string, value: unknown, type: string): Read<never> =>
  Either.left(
    Json.isArray(value) ? Errors.notRepeating(path) : Errors.wrongValue(path, type, value)
  )

export const string = (path: string, value: unknown): Read<string> =>
  typeof value === "string" ? Either.right(value) : scalar(path, value, "TYPE_STRING")

export const boolean = (path: string, value: unknown): Read<boolean> =>
  typeof value === "boolean" ? Either.right(value) : scalar(path, value, "TYPE_BOOL")

export const integer = (path: string, value: unknown): Read<number> =>
  typeof value === "number" && Number.isInteger(value) ? Either.right(value) : scalar(path, value, "TYPE_INT32")

export const float = (path: string, value: unknown): Read<number> =>
  typeof value === "number" ? Either.right(value) : scalar(path, value, "TYPE_FLOAT")

/** Base64, of either alphabet. */
export const bytes = (path: string, value: unknown): Read<string> => {
  if (typeof value !== "string") return scalar(path, value, "TYPE_BYTES")
  return Json.isBase64(value.replaceAll("-", "+").replaceAll("_", "/")) || value === ""
    ? Either.right(value)
    : Either.left(Errors.undecodable(path, value))
}

export const literal = (path: string, value: unknown, type: string, allowed: ReadonlyArray<string>): Read<string> =>
  typeof value === "string" && allowed.includes(value) ? Either.right(value) : scalar(path, value, type)

/** An object with any fields. */
export const struct = (path: string, value: unknown): Read<JsonObject> =>
  Json.isObject(value) ? Either.right(value) : scalar(path, value, "google.protobuf.Struct")

/** A field that may be left out. */
export const optional = <A>(
  path: string,
  value: unknown,
  read: (path: string, value: unknown) => Read<A>
): Read<A | undefined> => value === undefined || value === null ? Either.right(undefined) : read(path, value)

/** Every element of a list; none when it is absent, and one when it is no list. */
export const each = <A>(
  path: string,
  value: unknown,
  read: (path: string, value: unknown) => Read<A>
): Read<ReadonlyArray<A>> => {
  if (value === undefined || value === null) return Either.right([])
  if (!Json.isArray(value)) return Either.map(read(path, value), (one) => [one])
  return Either.all(value.map((item, index) => read(`${path}[${index}]`, item)))
}
