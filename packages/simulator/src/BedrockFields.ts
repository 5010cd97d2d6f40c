/** Fields of a Bedrock request, each refused in the words of the service. Paths are keys joined by dots. */
import * as Either from "effect/Either"
import type { BedrockError } from "./BedrockError.js"
import * as Errors from "./BedrockError.js"
import type { JsonObject } from "./Json.js"
import * as Json from "./Json.js"

export type Read<A> = Either.Either<A, BedrockError>

export const isAbsent = (value: unknown): value is undefined | null => value === undefined || value === null

const typed = <A>(path: string, value: unknown, is: (value: unknown) => value is A): Read<A> =>
  is(value)
    ? Either.right(value)
    : Either.left(isAbsent(value) ? Errors.required(path) : Errors.unreadable(`${path}: Unexpected field type`))

export const object = (path: string, value: unknown): Read<JsonObject> => typed(path, value, Json.isObject)

export const string = (path: string, value: unknown): Read<string> =>
  typed(path, value, (given): given is string => typeof given === "string")

/** An object with no fields but these. */
export const closed = (path: string, value: JsonObject, keys: ReadonlyArray<string>): Read<void> => {
  const unknown = Object.keys(value).find((key) => !keys.includes(key))
  return unknown === undefined ? Either.void : Either.left(Errors.invalid(
    `Malformed input request: #${path === "" ? "" : `/${path.replaceAll(".", "/")}`}: extraneous key [${unknown}] is ` +
      "not permitted, please reformat your input and try again."
  ))
}

/** An object with no fields but these, and those in it that are there. */
export const record = (path: string, value: unknown, keys: ReadonlyArray<string>): Read<JsonObject> =>
  Either.flatMap(object(path, value), (given) => Either.map(closed(path, given, keys), () => given))

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
  Either.flatMap(
    typed(path, value, Json.isArray),
    (items) => Either.all(items.map((item, index) => read(`${path}.${index}`, item)))
  )

/** A text of up to `longest` characters, each as `pattern` says. */
export const matching = (path: string, value: unknown, pattern: string, longest: number): Read<string> =>
  Either.flatMap(string(path, value), (text) => {
    const shown = `'${text}'`
    if (text.length < 1) return Either.left(Errors.constraint(path, shown, "have length greater than or equal to 1"))
    if (text.length > longest) {
      return Either.left(Errors.constraint(path, shown, `have length less than or equal to ${longest}`))
    }
    return new RegExp(`^(?:${pattern})$`).test(text)
      ? Either.right(text)
      : Either.left(Errors.constraint(path, shown, `satisfy regular expression pattern: ${pattern}`))
  })

export const oneOf = (path: string, value: unknown, allowed: ReadonlyArray<string>): Read<string> =>
  Either.flatMap(string(path, value), (text) =>
    allowed.includes(text)
      ? Either.right(text)
      : Either.left(Errors.constraint(path, `'${text}'`, `satisfy enum value set: [${allowed.join(", ")}]`)))

export const number = (path: string, value: unknown, min: number, max: number): Read<number> =>
  Either.flatMap(typed(path, value, (given): given is number => typeof given === "number"), (given) => {
    if (given < min) {
      return Either.left(Errors.constraint(path, `'${given}'`, `have value greater than or equal to ${min}`))
    }
    return given > max
      ? Either.left(Errors.constraint(path, `'${given}'`, `have value less than or equal to ${max}`))
      : Either.right(given)
  })

export const integer = (path: string, value: unknown, min: number): Read<number> =>
  Either.flatMap(
    number(path, value, min, Infinity),
    (given) =>
      Number.isInteger(given) ? Either.right(given) : Either.left(Errors.unreadable(`${path}: Unexpected field type`))
  )

/** The one field of a union, by its name. `what` is the union's own name. */
export const member = <K extends string>(
  path: string,
  value: unknown,
  what: string,
  keys: ReadonlyArray<K>
): Read<readonly [K, unknown]> =>
  Either.flatMap(object(path, value), (union) => {
    const [name, ...more] = Object.keys(union).filter((key) => !isAbsent(union[key]))
    const known = keys.find((key) => key === name)
    return known !== undefined && more.length === 0
      ? Either.right([known, union[known]])
      : Either.left(Errors.invalid(
        `The ${what} object at ${path} must set one of the following keys: ${keys.join(", ")}.`
      ))
  })
