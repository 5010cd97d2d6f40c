/** Keeps the keys that are configured out of what is recorded. */
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { Batch } from "./Record.js"

/** The batch as it may be recorded. */
export type Redaction = (batch: Batch) => Batch

export const none: Redaction = (batch) => batch

/** Anything shorter is no key, and could be a word. */
const shortest = 8

const replacement = "[redacted]"

const holds = (value: unknown, keys: ReadonlyArray<string>): boolean => {
  if (typeof value === "string") return keys.some((key) => value.includes(key))
  return typeof value === "object" && value !== null && Object.values(value).some((part) => holds(part, keys))
}

/** A native reply is for verbatim replay: it is left out rather than changed. */
const clean = (value: unknown, keys: ReadonlyArray<string>): unknown => {
  if (typeof value === "string") return keys.reduce((text, key) => text.replaceAll(key, replacement), value)
  if (Array.isArray(value)) return value.map((part) => clean(part, keys))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) =>
      name === "native" && holds(part, keys) ? [] : [[name, clean(part, keys)]]
    )
  )
}

const encode = Schema.encodeEither(Batch)
const decode = Schema.decodeUnknownEither(Batch)

/** Replaces these keys wherever they occur. More of them may come later. */
export const of = (secrets: Iterable<Redacted.Redacted>): Redaction => (batch) => {
  const keys = [...new Set(Array.from(secrets, Redacted.value))].filter((key) => key.length >= shortest)
    // One may be a part of another.
    .sort((a, b) => b.length - a.length)
  return keys.length > 0 && holds(batch, keys)
    ? Either.getOrElse(Either.flatMap(encode(batch), (encoded) => decode(clean(encoded, keys))), () => batch)
    : batch
}
