/** Texts that were cut in the middle of a character, as program output may be. No API accepts such halves. */
import * as Predicate from "effect/Predicate"

/** The text with every lone half of a surrogate pair replaced. */
export const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, "\uFFFD")

export const isWellFormed = (text: string): boolean => wellFormed(text) === text

/** `wellFormed` for all texts of a JSON value, names included. */
export const wellFormedJson = (value: unknown): unknown => {
  if (typeof value === "string") return wellFormed(value)
  if (Array.isArray(value)) return value.map(wellFormedJson)
  return Predicate.isRecord(value) ? wellFormedObject(value) : value
}

export const wellFormedObject = (object: { readonly [name: string]: unknown }): { [name: string]: unknown } =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [wellFormed(name), wellFormedJson(value)]))
