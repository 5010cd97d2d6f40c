/** How long a provider asks to wait, wherever it says so. */
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { ErrorBody } from "./ErrorBody.js"

const unitMillis: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

const amounts = /(\d+(?:\.\d+)?)\s*(ms|milliseconds?|s|sec(?:ond)?s?|m|min(?:ute)?s?|h|hours?|d|days?)(?![a-z])/gi

const unitOf = (name: string) => /^(ms|milli)/i.test(name) ? "ms" : name.charAt(0).toLowerCase()

/** The milliseconds of a text such as `7m12s`, `120ms` or `20 seconds`. */
const spelled = (text: string) =>
  [...text.matchAll(amounts)].reduce(
    (total, [, amount, unit]) => total + Number(amount) * (unitMillis[unitOf(unit ?? "")] ?? 0),
    0
  )

const request = /(?:try again|retry|wait|available)(?: again)? (?:in|after|for) ((?:\d+(?:\.\d+)?\s*[a-z]+[\s,]*)+)/i

const parseDate = Schema.decodeOption(Schema.Date)

/** The milliseconds until an HTTP date. */
const untilDate = (text: string, now: number) =>
  Option.match(Number.isNaN(Number(text)) ? parseDate(text) : Option.none(), {
    onNone: () => NaN,
    onSome: (date) => date.getTime() - now
  })

/** When a quota is restored, in milliseconds from now; given in seconds from now, or since the epoch. */
const resets = (body: ErrorBody, now: number): ReadonlyArray<() => number> => [
  () => Number(body.fields.get("resets_in_seconds")) * 1000,
  () => Number(body.fields.get("resets_at")) * 1000 - now
]

/** The first of these that names a time to come. Milliseconds. */
const sources = (
  headers: Readonly<Record<string, string>>,
  body: ErrorBody,
  now: number
): ReadonlyArray<() => number> => {
  const field = (name: string) => body.fields.get(name)
  return [
    () => Number(headers["retry-after-ms"]),
    () => Number(headers["retry-after"]) * 1000,
    () => untilDate(headers["retry-after"] ?? "", now),
    () => spelled(String(field("retrydelay") ?? "")),
    ...resets(body, now),
    () => Number(field("retry_after")) * 1000,
    ...body.texts.map((text) => () => spelled(request.exec(text)?.[1] ?? ""))
  ]
}

const first = (delays: ReadonlyArray<() => number>): Option.Option<Duration.Duration> => {
  for (const millis of delays) {
    const delay = Math.ceil(millis())
    if (Number.isFinite(delay) && delay > 0) return Option.some(Duration.millis(delay))
  }
  return Option.none()
}

/** `now` in milliseconds since the epoch; header names in lower case. */
export const read = (
  headers: Readonly<Record<string, string>>,
  body: ErrorBody,
  now: number
): Option.Option<Duration.Duration> => first(sources(headers, body, now))

/** How long a quota stays used up: no delay that is worth waiting for. */
export const reset = (body: ErrorBody, now: number): Option.Option<Duration.Duration> => first(resets(body, now))
