/**
 * Numbers of tokens as hosts and the gateways before them report them: as numbers, as their digits, or as what makes no
 * sense. That says nothing; it never spoils the reply that it stands beside.
 */
import * as Predicate from "effect/Predicate"

/** More than any model reads or writes, and small enough to be added up. */
const most = 1_000_000_000_000

const read = (value: unknown): number | undefined => {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value
  return typeof number === "number" && Number.isFinite(number)
    ? Math.min(most, Math.max(0, Math.trunc(number)))
    : undefined
}

/** The number in the field of these names, each within the one before it; undefined where there is none. */
export const at = (value: unknown, ...names: ReadonlyArray<string>): number | undefined =>
  read(names.reduce((inner, name) => Predicate.isRecord(inner) ? inner[name] : undefined, value))
