/** Headers that a user gives for every request. Some of them are secrets, wrapped as such or only named so. */
import * as Redacted from "effect/Redacted"

export type Headers = Readonly<Record<string, string | Redacted.Redacted>>

export const reveal = (headers: Headers = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Redacted.isRedacted(value) ? Redacted.value(value) : value])
  )

/** With those of the user in the place of others that differ in capitals only: both would be sent, and one be heard. */
export const over = (others: Readonly<Record<string, string>>, own: Headers = {}): Record<string, string> =>
  Object.fromEntries(
    [...Object.entries(others), ...Object.entries(reveal(own))].map(([name, value]) => [name.toLowerCase(), value])
  )

const isSecretName = (name: string) => /auth|key|token|secret|cookie/i.test(name)

/** A value, and what follows the scheme in one such as `Bearer abc`: that alone is the secret. */
const withoutScheme = (value: string): ReadonlyArray<Redacted.Redacted> =>
  [value, ...value.split(/\s+/).slice(1).filter((part) => part !== "")].map((part) => Redacted.make(part))

/** The values that must not show up in a text. */
export const secrets = (headers: Headers = {}): ReadonlyArray<Redacted.Redacted> =>
  Object.entries(headers).flatMap(([name, value]) =>
    Redacted.isRedacted(value) ? [value] : isSecretName(name) ? withoutScheme(value) : []
  )
