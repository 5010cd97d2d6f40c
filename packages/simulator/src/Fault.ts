/** What can go wrong at a provider, as data. `after` counts the frames of a stream that still arrive. */
import * as Schema from "effect/Schema"
import type { Arrival } from "./RequestLog.js"

const after = { after: Schema.NonNegativeInt }

export const Fault = Schema.Union(
  /** Answers with this instead of a reply. With status 200 it is an error that calls itself a success. */
  Schema.TaggedStruct("Http", {
    status: Schema.Int,
    body: Schema.optionalWith(Schema.String, { default: () => "" }),
    /** `base64`: the body is bytes, in Base64. */
    encoding: Schema.optionalWith(Schema.Literal("utf-8", "base64"), { exact: true }),
    headers: Schema.optionalWith(Schema.Record({ key: Schema.String, value: Schema.String }), { default: () => ({}) })
  }),
  /** Never answers. */
  Schema.TaggedStruct("Hang", {}),
  /** Resets the connection before any answer. */
  Schema.TaggedStruct("Drop", {}),
  /** The stream reports an error. */
  Schema.TaggedStruct("ErrorFrame", {
    ...after,
    message: Schema.String,
    code: Schema.optionalWith(Schema.String, { exact: true })
  }),
  /** The stream ends as if it were complete. */
  Schema.TaggedStruct("Eof", after),
  /** The connection closes in the middle of the stream. */
  Schema.TaggedStruct("Reset", after),
  /** The stream falls silent and stays open. */
  Schema.TaggedStruct("Stall", after),
  /** A stop for length with nothing said. */
  Schema.TaggedStruct("NoOutput", {}),
  /** Usage other than the truth. */
  Schema.TaggedStruct("Usage", { report: Schema.Literal("missing", "zero", "cached", "absurd") })
)
export type Fault = typeof Fault.Type

/** Which requests meet a fault. */
export interface FaultRule {
  readonly when: (arrival: Arrival) => boolean
  readonly fault: Fault
}

/** The fault for the requests with these numbers, counted from 0, of one kind or of all. */
export const at = (
  numbers: number | ReadonlyArray<number>,
  fault: Fault,
  kind?: Arrival["kind"]
): FaultRule => ({
  fault,
  when: (arrival) =>
    (kind === undefined || arrival.kind === kind) &&
    [numbers].flat().includes(kind === undefined ? arrival.index : arrival.indexOfKind)
})

export const when = (predicate: (arrival: Arrival) => boolean, fault: Fault): FaultRule => ({ fault, when: predicate })

export const find = (rules: ReadonlyArray<FaultRule>, arrival: Arrival): Fault | undefined =>
  rules.find((rule) => rule.when(arrival))?.fault
