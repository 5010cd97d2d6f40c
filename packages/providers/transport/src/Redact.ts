/** Clears keys out of texts that a provider or an SDK wrote. */
import * as Redaction from "@weir/model/Redaction"
import type * as Redacted from "effect/Redacted"

/** What looks like a key even when it is not ours; the groups around it stay. */
const shapes: ReadonlyArray<RegExp> = [
  /(\bbearer\s+)[^\s"',;]+/gi,
  /(\b(?:api[-_ ]?key|x-api-key|x-goog-api-key|access[-_ ]?token|key)["']?\s*[=:]\s*["']?)[\w.~+/*-]{8,}/gi,
  /(\/\/)[^/\s@]+@/g,
  /(\b)(?:sk|pk|rk|gsk|xai|nvapi|hf|key)[-_][\w*-]{8,}/g,
  /(\b)AIza[\w-]{20,}/g,
  /(\b)A(?:KIA|SIA)[A-Z0-9]{12,}/g
]

export const make = (secrets: ReadonlyArray<Redacted.Redacted>) => {
  const { clear } = Redaction.of(secrets, 4)
  return (text: string): string =>
    shapes.reduce((cleaned, shape) => cleaned.replace(shape, `$1${Redaction.replacement}`), clear(text))
}
