/** The requests of turns: what was announced of each, and how it compares with what was recorded. */
import * as Budget from "@weir/compaction/Budget"
import * as ByteSize from "@weir/compaction/ByteSize"
import * as LearnedLimit from "@weir/compaction/LearnedLimit"
import * as Projection from "@weir/compaction/Projection"
import type { Entry, Step } from "@weir/model/Conversation"
import * as Fold from "@weir/session/Fold"
import * as Equal from "effect/Equal"
import * as Option from "effect/Option"
import type { Leader, Story } from "../Story.js"
import { advances, type Asked } from "./Law.js"

export const placeholder = /^\[Output of about \d+ tokens left out/

export type Part = Step["parts"][number]

export const isSamePart = (sent: Part, part: Part | undefined): boolean =>
  sent === part ||
  (sent._tag === "Exchange" && part?._tag === "Exchange" && sent.call === part.call &&
    sent.result.text === part.result.text && sent.result.images.length === part.result.images.length)

interface Illustrated {
  readonly text: string
  readonly images: ReadonlyArray<unknown>
}

/** Whether the one is the other with notes for images. */
const isNoted = (sent: Illustrated, whole: Illustrated): boolean =>
  sent.images.length === 0 && whole.images.length > 0 && sent.text.startsWith(whole.text) &&
  sent.text.split("left out to fit the request's size limit]").length > whole.images.length

export const isPrunedPart = (sent: Part, part: Part | undefined): boolean =>
  sent._tag === "Exchange" && part?._tag === "Exchange" && sent.call === part.call &&
  ((placeholder.test(sent.result.text) && sent.result.images.length === 0) || isNoted(sent.result, part.result))

/** Whether the one is the other with some tool outputs replaced. */
export const isPrunedStep = (sent: Step, step: Step): boolean =>
  sent.parts.length === step.parts.length &&
  sent.parts.every((part, index) => isSamePart(part, step.parts[index]) || isPrunedPart(part, step.parts[index]))

export const isSameEntry = (sent: Entry, entry: Entry | undefined): boolean => {
  if (sent === entry) return true
  if (sent._tag === "UserMessage") {
    return entry?._tag === "UserMessage" && sent.text === entry.text && sent.images.length === entry.images.length
  }
  return entry?._tag === "Step" && sent.parts.length === entry.parts.length &&
    sent.parts.every((part, index) => isSamePart(part, entry.parts[index]))
}

const learnedIn = ({ limits }: Fold.Folded, { endpoint, model }: Leader) =>
  Option.fromNullable(limits.get(Fold.limitKey({ endpoint, model })))

export const budgetIn = (leader: Leader, folded: Fold.Folded): Budget.Budget =>
  Budget.of(LearnedLimit.apply(leader.limits, learnedIn(folded, leader)))

/** What a session that is opened now would see. */
export const seenBy = ({ folded, leader }: Pick<Asked, "folded" | "leader">): ReadonlyArray<Entry> => {
  const { projection } = folded
  // What was recorded for this very window needs no second look.
  const isForThis = folded.limits.size === 0 && !leader.hasFollowed
  return Projection.entries(
    isForThis ? projection : Projection.capped(projection, budgetIn(leader, folded).caps.toolOutput)
  )
}

export const isSame = (sent: ReadonlyArray<Entry>, entries: ReadonlyArray<Entry>): boolean =>
  sent.length === entries.length && sent.every((one, index) => isSameEntry(one, entries[index]))

export const isPruned = (sent: ReadonlyArray<Entry>, entries: ReadonlyArray<Entry>): boolean =>
  sent.length === entries.length && sent.every((one, index) => {
    const entry = entries[index]
    if (isSameEntry(one, entry)) return true
    return one._tag === "UserMessage"
      ? entry?._tag === "UserMessage" && isNoted(one, entry)
      : entry?._tag === "Step" && isPrunedStep(one, entry)
  })

/** Each request of a turn with the event that announced it, the budget of that moment, and its boundary's refusals. */
export interface Sending {
  readonly request: Asked
  readonly estimate: number
  readonly told: number
  readonly budget: Budget.Budget
  readonly refusals: number
  /** Whether the unreduced request has more bytes than may be sent. */
  readonly heavy: boolean
}

/** Whether the unreduced request has more bytes than may be sent. */
export const isHeavy = ({ fixed }: Story, at: Pick<Asked, "folded" | "leader">): boolean => {
  const { bytes } = budgetIn(at.leader, at.folded)
  return bytes.limit < Infinity && ByteSize.prompt({ ...fixed, entries: seenBy(at) }) > bytes.limit
}

export const sendings = (story: Story): ReadonlyArray<Sending> => {
  const all: Array<Sending> = []
  let announced = { budget: 0, estimate: 0 }
  let sends = 0
  for (const moment of story.moments) {
    if (moment._tag === "Recorded" && advances(moment.record)) sends = 0
    if (moment._tag === "Told" && moment.event._tag === "StepStarted") {
      announced = moment.event
      sends++
    }
    if (moment._tag === "Asked" && !moment.isSummary) {
      const { budget: told, estimate } = announced
      const budget = budgetIn(moment.leader, moment.folded)
      const heavy = isHeavy(story, moment)
      const of = { budget, estimate, heavy, refusals: sends - 1, request: moment, told }
      all.push(of)
    }
  }
  return all
}

export const isSameRequest = (some: ReadonlyArray<Entry>, others: ReadonlyArray<Entry>): boolean =>
  some.length === others.length && some.every((one, index) => {
    const other = others[index]
    return isSameEntry(one, other) || (one._tag === "Step" && other?._tag === "Step" && Equal.equals(
      one.parts.map((part) => part._tag === "Exchange" ? part.result.text : part.text).join("\n"),
      other.parts.map((part) => part._tag === "Exchange" ? part.result.text : part.text).join("\n")
    ))
  })
