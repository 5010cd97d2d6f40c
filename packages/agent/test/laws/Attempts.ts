/** When a compaction begins that nobody asked for. */
import * as Budget from "@weir/compaction/Budget"
import * as Plan from "@weir/compaction/Plan"
import * as Projection from "@weir/compaction/Projection"
import * as Weight from "@weir/compaction/Weight"
import type { Entry } from "@weir/model/Conversation"
import * as Fold from "@weir/session/Fold"
import type { Record } from "@weir/session/Record"
import * as Either from "effect/Either"
import { advances, assert, type Law, records } from "./Law.js"
import { budgetIn, isHeavy } from "./Sending.js"

/** What is known of earlier attempts, from what was told and recorded alone. */
interface Memory {
  readonly suppressed: boolean
  readonly failures: number
  readonly failing: string | undefined
  readonly replaced: number
}

const fresh: Memory = { suppressed: false, failures: 0, failing: undefined, replaced: 0 }

const remember = (memory: Memory, record: Record): Memory => {
  if (advances(record)) return { ...memory, suppressed: false }
  if (record._tag === "ModelChanged") return fresh
  if (record._tag === "CompactionApplied") return { ...fresh, replaced: record.after }
  if (record._tag !== "CompactionFailed") return memory
  return { ...memory, suppressed: true, failures: memory.failures + 1, failing: record.fingerprint }
}

export const attempts: Law = {
  title: "[A01] [A20] [A24] a compaction begins when it is due and may be tried, and never else",
  holds: (story) => {
    const { weights, world } = story
    let memory = fresh
    let folded = Fold.empty
    let { leader } = story
    let attempted = false
    let refused = false
    for (const moment of story.moments) {
      if (moment._tag === "Opened") leader = moment.leader
      const { projection } = folded
      const budget = budgetIn(leader, folded)
      const mayBeDue = (estimate: number) =>
        !memory.suppressed &&
        (memory.replaced < budget.trigger || estimate >= memory.replaced + Math.floor(budget.input / 10))
      if (moment._tag === "Opened") memory = records(story, moment).reduce(remember, fresh)
      if (moment._tag === "NotRecorded" && moment.batch[0]._tag === "CompactionFailed") {
        memory = { ...memory, suppressed: true }
      }
      if (moment._tag === "Recorded") {
        folded = Fold.append(folded, moment.record)
        memory = remember(memory, moment.record)
        if (advances(moment.record)) attempted = refused = false
      }
      if (moment._tag === "Answered" && moment.how === "refused") refused = true
      if (moment._tag !== "Told") continue
      const { event } = moment
      const isUnchanged = event._tag === "ManualCompactionFinished" && event.end._tag === "Unchanged"
      if (event._tag === "AutoCompactionCancelled" || isUnchanged) memory = { ...memory, suppressed: true }
      if (event._tag === "AutoCompactionStarted") {
        const { estimate, phase, reason } = event
        assert.isTrue(world.automatic, "the switch is off")
        assert.isBelow(memory.failures, 3, "the breaker is open")
        assert.notStrictEqual(Projection.fingerprint(projection), memory.failing, "this very input has failed before")
        assert.strictEqual(event.budget, budget.input)
        if (reason === "local-exhaustion") {
          assert.isTrue(estimate > budget.input || isHeavy(story, { folded, leader }), "the request fits")
        }
        if (reason === "in-turn-trigger" || reason === "turn-boundary-trigger") {
          assert.isTrue(mayBeDue(estimate), "suppressed, or to wait")
          assert.isFalse(attempted, "tried twice at one boundary")
          const isInTurn = 10 * estimate >= 9 * budget.input
          const isOther = !isInTurn && phase === "turn-boundary" && estimate >= budget.boundaryTrigger
          assert.isTrue(reason === "in-turn-trigger" ? isInTurn : isOther, `not due: ${estimate} of ${budget.input}`)
        }
        attempted = true
      }
      if (event._tag === "StepStarted") {
        const { estimate, step } = event
        const phase = step === 1 ? "turn-boundary" : "in-turn"
        if (attempted || refused || !world.automatic || !mayBeDue(estimate)) continue
        if (memory.failures >= 3 || memory.failing === Projection.fingerprint(projection)) continue
        if (!Budget.isDue(budget, phase, estimate)) continue
        const weigh = (entry: Entry) => Weight.entry(entry, weights)
        const plan = Plan.make({ projection, place: phase, manual: false, budget, fixed: 0, fixedBytes: 0, weigh })
        const user = projection.turns.at(-1)?.user
        const isFloor = user !== undefined && 2 * weigh(user) >= budget.input
        assert.isTrue(Either.isLeft(plan) || isFloor || projection.turns.length <= 4 && step === 1, "due, not tried")
      }
    }
  }
}
