/**
 * Everything ends. With at most `s` steps a turn sends at most 4 · 3 · s requests: each step's request at most 3 times,
 * each time with at most 3 retries of passing faults. A step has at most 2 compactions that nobody asked for. One over
 * `n` requests' worth of history asks at most 4 · (4n + 5 + r) times, where r is how often it was refused, each time
 * for half as much or less, so at most log2 of the window often.
 */
import * as ByteSize from "@weir/compaction/ByteSize"
import * as Gate from "@weir/compaction/Gate"
import * as Projection from "@weir/compaction/Projection"
import * as Weight from "@weir/compaction/Weight"
import * as Fold from "@weir/session/Fold"
import * as Exit from "effect/Exit"
import { advances, assert, boundaries, type Law, started, turnsOf } from "./Law.js"
import { budgetIn } from "./Sending.js"

export const ends: Law = {
  title: "every story ends, and every prompt returns",
  holds: ({ end, messages, moments }) => {
    assert.isTrue(Exit.isSuccess(end), String(end))
    const returned = moments.flatMap((moment) => moment._tag === "Returned" ? [moment] : [])
    assert.strictEqual(returned.length, messages.length)
    for (const { exit } of returned) assert.isTrue(Exit.isSuccess(exit) || Exit.isInterrupted(exit), String(exit))
  }
}

export const lastResort: Law = {
  title: "[A05] what could still be compacted ends no turn",
  holds: (story) => {
    const { fixed, weights, world } = story
    let { leader } = story
    let folded = Fold.empty
    let tried = false
    let refused = false
    for (const moment of story.moments) {
      if (moment._tag === "Opened") leader = moment.leader
      if (moment._tag === "Answered" && moment.how === "refused") refused = true
      if (moment._tag === "Recorded") {
        folded = Fold.append(folded, moment.record)
        if (advances(moment.record)) tried = refused = false
      }
      if (moment._tag !== "Told") continue
      const { event } = moment
      if (event._tag === "AutoCompactionFailed" || event._tag === "AutoCompactionCancelled") tried = true
      if (event._tag === "AutoCompactionApplied" && event.reason === "local-exhaustion") tried = true
      if (event._tag !== "TurnFinished" || event.reason !== "context_limit") continue
      const { gate, projection } = folded
      const user = projection.turns.at(-1)?.user
      if (tried || refused || !world.automatic || user === undefined) continue
      if (!Gate.allows(gate, Projection.fingerprint(projection))) continue
      const budget = budgetIn(leader, folded)
      const isFloor = 2 * (Weight.fixed(fixed, weights) + Weight.entry(user, weights)) >= budget.input ||
        ByteSize.prompt({ ...fixed, entries: [user] }) > budget.bytes.limit
      assert.isTrue(isFloor, `${event.error?.message}`)
    }
  }
}

export const bounded: Law = {
  title: "the number of requests is bounded",
  holds: (story) => {
    const { leader: first, world } = story
    for (const boundary of boundaries(story)) {
      // At most 3 sends of a step's request, one more with a lower output limit, each with at most 3 retries of passing
      // faults.
      const sends = boundary.moments.filter((moment) => moment._tag === "Told" && moment.event._tag === "StepStarted")
      const asked = boundary.moments.filter((moment) => moment._tag === "Asked" && !moment.isSummary)
      const isClamped = boundary.moments.some((moment) =>
        moment._tag === "Recorded" && moment.record._tag === "LimitLearned" && moment.record.limit.output !== undefined
      )
      assert.isAtMost(sends.length, isClamped ? 4 : 3)
      assert.isAtMost(asked.length, 4 * sends.length)
      // One compaction before the first send, one more after a refusal.
      assert.isAtMost(started(boundary).length, 2)
    }
    let compaction: { covered: number; window: number; refused: number; asked: number } | undefined
    let folded = Fold.empty
    let leader = first
    const summaries = new Set<number>()
    for (const moment of story.moments) {
      if (moment._tag === "Recorded") folded = Fold.append(folded, moment.record)
      if (moment._tag === "Opened") leader = moment.leader
      if (
        moment._tag === "Told" &&
        (moment.event._tag === "AutoCompactionStarted" || moment.event._tag === "ManualCompactionStarted")
      ) {
        const { window } = budgetIn(leader, folded)
        compaction = { covered: 2 * moment.event.estimate, window, refused: 0, asked: 0 }
      }
      if (moment._tag === "Asked" && moment.isSummary) {
        assert.isDefined(compaction, "a summary is asked for outside of a compaction")
        if (compaction) compaction.asked++
        summaries.add(moment.index)
      }
      if (moment._tag === "Answered" && moment.how === "refused" && summaries.has(moment.index) && compaction) {
        compaction.refused++
      }
      if (compaction === undefined) continue
      // 4n + 4 for n requests' worth of history, where a request holds half as much after each refusal; one stricter
      // request; each refused one; all of them with 3 retries.
      const { asked, covered, refused, window } = compaction
      const least = Math.max(256, Math.floor(window / 4 / 2 ** refused) - 1_000)
      assert.isAtMost(asked, 4 * (4 * Math.ceil(covered / least) + 5 + refused), `${refused} refused`)
      assert.isAtMost(refused, Math.ceil(Math.log2(window)))
    }
    for (const turn of turnsOf(story)) {
      const steps = turn.filter((moment) => moment._tag === "Recorded" && moment.record._tag === "StepCompleted")
      assert.isAtMost(steps.length, world.maxSteps)
    }
  }
}
