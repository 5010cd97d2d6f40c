/** JSON values as the SDK wants them. */
import type { ToolUseBlock } from "@aws-sdk/client-bedrock-runtime"
import * as Predicate from "effect/Predicate"

export type Document = NonNullable<ToolUseBlock["input"]> | null

const fromEntries = (object: { readonly [name: string]: unknown }) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, make(value)]))

/** The same value; what JSON cannot hold becomes null. */
export const make = (value: unknown): Document => {
  if (typeof value === "string" || typeof value === "boolean") return value
  if (typeof value === "number") return Number.isFinite(value) ? value : null
  if (Array.isArray(value)) return value.map(make)
  return Predicate.isRecord(value) ? fromEntries(value) : null
}
