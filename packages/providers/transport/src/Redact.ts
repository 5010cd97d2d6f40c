/** Clears keys out of texts that a provider or an SDK wrote. */
import * as Redacted from "effect/Redacted"

const cleared = "[redacted]"

/** What looks like a key even when it is not ours; the groups around it stay. */
const shapes: ReadonlyArray<RegExp> = [
  /(\bbearer\s+)[^\s"',;]+/gi,
  /(\b(?:api[-_ ]?key|x-api-key|x-goog-api-key|access[-_ ]?token|key)["']?\s*[=:]\s*["']?)[\w.~+/*-]{8,}/gi,
  /(\/\/)[^/\s@]+@/g,
  /(\b)(?:sk|pk|rk|gsk|xai|nvapi|hf|key)[-_][\w*-]{8,}/g,
  /(\b)AIza[\w-]{20,}/g,
  /(\b)A(?:KIA|SIA)[A-Z0-9]{12,}/g
]

/** A secret as it is written, and as it stands in an address. */
const spellings = (secret: Redacted.Redacted) => {
  const value = Redacted.value(secret)
  return value.length < 4 ? [] : [value, encodeURIComponent(value)]
}

export const make = (secrets: ReadonlyArray<Redacted.Redacted>) => {
  const known = secrets.flatMap(spellings)
  return (text: string): string =>
    shapes.reduce(
      (cleaned, shape) => cleaned.replace(shape, `$1${cleared}`),
      known.reduce((cleaned, secret) => cleaned.replaceAll(secret, cleared), text)
    )
}
