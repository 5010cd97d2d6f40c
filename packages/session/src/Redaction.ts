/** Keeps the keys that are configured out of what is recorded. */
import * as Redacting from "@weir/model/Redaction"
import * as Either from "effect/Either"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { Batch } from "./Record.js"

/** The batch as it may be recorded. */
export type Redaction = (batch: Batch) => Batch

export const none: Redaction = (batch) => batch

const holds = (value: unknown, redaction: Redacting.Redaction): boolean => {
  if (typeof value === "string") return redaction.holds(value)
  return typeof value === "object" && value !== null && Object.values(value).some((part) => holds(part, redaction))
}

/** A native reply is for verbatim replay: it is left out rather than changed. */
const clean = (value: unknown, redaction: Redacting.Redaction): unknown => {
  if (typeof value === "string") return redaction.clear(value)
  if (Array.isArray(value)) return value.map((part) => clean(part, redaction))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) =>
      name === "native" && holds(part, redaction) ? [] : [[name, clean(part, redaction)]]
    )
  )
}

const encode = Schema.encodeEither(Batch)
const decode = Schema.decodeUnknownEither(Batch)

/** Replaces these keys wherever they occur. More of them may come later. */
export const of = (secrets: Iterable<Redacted.Redacted>): Redaction => {
  const redaction = Redacting.of(secrets)
  return (batch) =>
    holds(batch, redaction)
      ? Either.getOrElse(Either.flatMap(encode(batch), (encoded) => decode(clean(encoded, redaction))), () => batch)
      : batch
}
