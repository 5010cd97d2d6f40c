/** What a law is, and what laws read out of a story. */
import { assert as asserting } from "@effect/vitest"
import type { EventOf, SessionEvent } from "@weir/agent/SessionEvent"
import type { Record } from "@weir/session/Record"
import type { Moment, Story } from "../Story.js"

/** Reads the moments of one story and throws where it is broken. */
export interface Law {
  readonly title: string
  readonly holds: (story: Story) => void
}

export type Asked = Extract<Moment, { readonly _tag: "Asked" }>

export const records = ({ moments }: Story, until?: Moment): ReadonlyArray<Record> =>
  moments.slice(0, until && moments.indexOf(until)).flatMap((moment) =>
    moment._tag === "Recorded" ? [moment.record] : []
  )

export const told = ({ moments }: Story): ReadonlyArray<SessionEvent> =>
  moments.flatMap((moment) => moment._tag === "Told" ? [moment.event] : [])

export const turnRequests = ({ moments }: Story): ReadonlyArray<Asked> =>
  moments.flatMap((moment) => moment._tag === "Asked" && !moment.isSummary ? [moment] : [])

export const advances = (record: Record) =>
  record._tag === "TurnStarted" || record._tag === "StepCompleted" || record._tag === "StepInterrupted"

export const begins = (event: SessionEvent) =>
  event._tag === "AutoCompactionStarted" || event._tag === "ManualCompactionStarted"

export const terminal = (event: SessionEvent) =>
  event._tag === "AutoCompactionApplied" || event._tag === "AutoCompactionCancelled" ||
  event._tag === "AutoCompactionFailed" || event._tag === "ManualCompactionFinished"

export interface Boundary {
  readonly moments: Array<Moment>
}

/** The moments between one advance of the history and the next. */
export const boundaries = ({ moments }: Story): ReadonlyArray<Boundary> => {
  const all: Array<Boundary> = [{ moments: [] }]
  for (const moment of moments) {
    all.at(-1)?.moments.push(moment)
    if (moment._tag === "Opened" || (moment._tag === "Recorded" && advances(moment.record))) all.push({ moments: [] })
  }
  return all
}

export const started = ({ moments }: Boundary): ReadonlyArray<EventOf<"AutoCompactionStarted">> =>
  moments.flatMap((moment) =>
    moment._tag === "Told" && moment.event._tag === "AutoCompactionStarted" ? [moment.event] : []
  )

/** The moments of each turn, from its start to its end as told. */
export const turnsOf = ({ moments }: Story): ReadonlyArray<ReadonlyArray<Moment>> => {
  const turns: Array<Array<Moment>> = []
  let current: Array<Moment> | undefined
  for (const moment of moments) {
    if (moment._tag === "Recorded" && moment.record._tag === "TurnStarted") turns.push(current = [])
    current?.push(moment)
    if (moment._tag === "Told" && moment.event._tag === "TurnFinished") current = undefined
  }
  return turns
}

/** Chai's, asked only where they fail: to ask them always costs more than all that is judged. */
export const assert = {
  isTrue: (value: boolean, why?: string) => value || asserting.isTrue(value, why),
  isFalse: (value: boolean, why?: string) => !value || asserting.isFalse(value, why),
  isAtMost: (value: number, most: number, why?: string) => value <= most || asserting.isAtMost(value, most, why),
  isAtLeast: (value: number, least: number, why?: string) => value >= least || asserting.isAtLeast(value, least, why),
  isAbove: (value: number, bound: number, why?: string) => value > bound || asserting.isAbove(value, bound, why),
  isBelow: (value: number, bound: number, why?: string) => value < bound || asserting.isBelow(value, bound, why),
  include: (text: string, part: string) => text.includes(part) || asserting.include(text, part),
  notInclude: (text: string, part: string) => !text.includes(part) || asserting.notInclude(text, part),
  strictEqual: (value: unknown, wanted: unknown, why?: string) =>
    value === wanted || asserting.strictEqual(value, wanted, why),
  notStrictEqual: (value: unknown, other: unknown, why?: string) =>
    value !== other || asserting.notStrictEqual(value, other, why),
  isUndefined: (value: unknown, why?: string) => value === undefined || asserting.isUndefined(value, why),
  isDefined: (value: unknown, why?: string) => value !== undefined || asserting.isDefined(value, why),
  deepStrictEqual: <A>(value: A, wanted: A) => value === wanted || asserting.deepStrictEqual(value, wanted)
}
