/**
 * What holds of every story, whatever the world. Each law reads the moments of one story and throws where it is broken.
 */
import { assert } from "@effect/vitest"
import type { AutoCompactionStarted, SessionEvent } from "@weir/agent/SessionEvent"
import * as Budget from "@weir/compaction/Budget"
import * as LearnedLimit from "@weir/compaction/LearnedLimit"
import * as Plan from "@weir/compaction/Plan"
import * as Projection from "@weir/compaction/Projection"
import * as Tags from "@weir/compaction/Tags"
import * as Weight from "@weir/compaction/Weight"
import type { Entry, Step } from "@weir/model/Conversation"
import { exchanges } from "@weir/model/Conversation"
import type * as TestModel from "@weir/model/TestModel"
import * as Usage from "@weir/model/Usage"
import * as Fold from "@weir/session/Fold"
import { Line, type Record } from "@weir/session/Record"
import * as Either from "effect/Either"
import * as Equal from "effect/Equal"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Moment, Story } from "./Story.js"
import { marks } from "./Texts.js"

export interface Law {
  readonly title: string
  readonly holds: (story: Story) => void
}

type Asked = Extract<Moment, { readonly _tag: "Asked" }>

const records = ({ moments }: Story, until?: Moment): ReadonlyArray<Record> =>
  moments.slice(0, until && moments.indexOf(until)).flatMap((moment) =>
    moment._tag === "Recorded" ? [moment.record] : []
  )

const told = ({ moments }: Story): ReadonlyArray<SessionEvent> =>
  moments.flatMap((moment) => moment._tag === "Told" ? [moment.event] : [])

const turnRequests = ({ moments }: Story): ReadonlyArray<Asked> =>
  moments.flatMap((moment) => moment._tag === "Asked" && !moment.isSummary ? [moment] : [])

const advances = (record: Record) =>
  record._tag === "TurnStarted" || record._tag === "StepCompleted" || record._tag === "StepInterrupted"

const terminal = (tag: SessionEvent["_tag"]) =>
  tag === "AutoCompactionApplied" || tag === "AutoCompactionCancelled" || tag === "AutoCompactionFailed"

/** A number between the boundary before and the one after. */
interface Boundary {
  readonly moments: Array<Moment>
}

/** The moments between one advance of the history and the next. */
const boundaries = ({ moments }: Story): ReadonlyArray<Boundary> => {
  const all: Array<Boundary> = [{ moments: [] }]
  for (const moment of moments) {
    all.at(-1)?.moments.push(moment)
    if (moment._tag === "Opened" || (moment._tag === "Recorded" && advances(moment.record))) all.push({ moments: [] })
  }
  return all
}

const started = ({ moments }: Boundary): ReadonlyArray<AutoCompactionStarted> =>
  moments.flatMap((moment) =>
    moment._tag === "Told" && moment.event._tag === "AutoCompactionStarted" ? [moment.event] : []
  )

const placeholder = /^\[Output of about \d+ tokens left out/

type Part = Step["parts"][number]

const isSamePart = (sent: Part, part: Part | undefined): boolean =>
  sent === part ||
  (sent._tag === "Exchange" && part?._tag === "Exchange" && sent.call === part.call &&
    sent.result.text === part.result.text && sent.result.images.length === part.result.images.length)

const isPrunedPart = (sent: Part, part: Part | undefined): boolean =>
  sent._tag === "Exchange" && part?._tag === "Exchange" && sent.call === part.call &&
  placeholder.test(sent.result.text) && sent.result.images.length === 0

/** Whether the one is the other with some tool outputs replaced. */
const isPrunedStep = (sent: Step, step: Step): boolean =>
  sent.parts.length === step.parts.length &&
  sent.parts.every((part, index) => isSamePart(part, step.parts[index]) || isPrunedPart(part, step.parts[index]))

const isSameEntry = (sent: Entry, entry: Entry | undefined): boolean => {
  if (sent === entry) return true
  if (sent._tag === "UserMessage") {
    return entry?._tag === "UserMessage" && sent.text === entry.text && sent.images.length === entry.images.length
  }
  return entry?._tag === "Step" && sent.parts.length === entry.parts.length &&
    sent.parts.every((part, index) => isSamePart(part, entry.parts[index]))
}

const learnedIn = ({ limits }: Fold.Folded) => Option.fromNullable([...limits.values()][0])

const budgetIn = ({ limits }: Story, folded: Fold.Folded): Budget.Budget =>
  Budget.of(LearnedLimit.apply(limits, learnedIn(folded)))

/** What a session that is opened now would see. */
const seenBy = (story: Story, { folded }: Asked): ReadonlyArray<Entry> => {
  const { projection } = folded
  return Projection.entries(
    folded.limits.size === 0
      ? projection
      : Projection.capped(projection, budgetIn(story, folded).caps.toolOutput)
  )
}

const isSame = (sent: ReadonlyArray<Entry>, entries: ReadonlyArray<Entry>): boolean =>
  sent.length === entries.length && sent.every((one, index) => isSameEntry(one, entries[index]))

const isPruned = (sent: ReadonlyArray<Entry>, entries: ReadonlyArray<Entry>): boolean =>
  sent.length === entries.length && sent.every((one, index) => {
    const entry = entries[index]
    return isSameEntry(one, entry) || (one._tag === "Step" && entry?._tag === "Step" && isPrunedStep(one, entry))
  })

/** Each request of a turn with the event that announced it, the budget of that moment, and its boundary's refusals. */
interface Sending {
  readonly request: Asked
  readonly estimate: number
  readonly told: number
  readonly budget: Budget.Budget
  readonly refusals: number
}

const sendings = (story: Story): ReadonlyArray<Sending> => {
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
      const { budget, estimate } = announced
      const of = {
        budget: budgetIn(story, moment.folded),
        estimate,
        refusals: sends - 1,
        request: moment,
        told: budget
      }
      all.push(of)
    }
  }
  return all
}

const ends: Law = {
  title: "every story ends, and every prompt returns",
  holds: ({ end, messages, moments }) => {
    assert.isTrue(Exit.isSuccess(end), String(end))
    const returned = moments.flatMap((moment) => moment._tag === "Returned" ? [moment] : [])
    assert.strictEqual(returned.length, messages.length)
    for (const { exit } of returned) assert.isTrue(Exit.isSuccess(exit) || Exit.isInterrupted(exit), String(exit))
  }
}

const bounded: Law = {
  title: "the number of requests is bounded",
  holds: (story) => {
    const { world } = story
    for (const boundary of boundaries(story)) {
      // At most 3 sends of a step's request, each with at most 3 retries of passing faults.
      const sends = boundary.moments.filter((moment) => moment._tag === "Told" && moment.event._tag === "StepStarted")
      const asked = boundary.moments.filter((moment) => moment._tag === "Asked" && !moment.isSummary)
      assert.isAtMost(sends.length, 3)
      assert.isAtMost(asked.length, 4 * sends.length)
      // One compaction before the first send, one more after a refusal.
      assert.isAtMost(started(boundary).length, 2)
    }
    let compaction: { covered: number; window: number; refused: number; asked: number } | undefined
    let folded = Fold.empty
    const summaries = new Set<number>()
    for (const moment of story.moments) {
      if (moment._tag === "Recorded") folded = Fold.append(folded, moment.record)
      if (moment._tag === "Told" && moment.event._tag === "AutoCompactionStarted") {
        const { window } = budgetIn(story, folded)
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

/** The moments of each turn, from its start to its end as told. */
const turnsOf = ({ moments }: Story): ReadonlyArray<ReadonlyArray<Moment>> => {
  const turns: Array<Array<Moment>> = []
  let current: Array<Moment> | undefined
  for (const moment of moments) {
    if (moment._tag === "Recorded" && moment.record._tag === "TurnStarted") turns.push(current = [])
    current?.push(moment)
    if (moment._tag === "Told" && moment.event._tag === "TurnFinished") current = undefined
  }
  return turns
}

const isTheFold: Law = {
  title: "[E04] every request is the fold of what is recorded, or a pruned copy of it where one is due",
  holds: (story) => {
    for (const { budget, estimate, refusals, request } of sendings(story)) {
      const entries = seenBy(story, request)
      const sent = request.asked.prompt.entries
      assert.strictEqual(request.asked.prompt.system, "You are an agent.")
      assert.strictEqual(request.asked.prompt.tools.length, 3)
      if (isSame(sent, entries)) continue
      assert.isTrue(isPruned(sent, entries), `request ${request.index} is not what was recorded`)
      assert.isTrue(estimate > budget.input || refusals > 0, `request ${request.index} is pruned for nothing`)
    }
  }
}

const survivesAFile: Law = {
  title: "[E04] what is recorded folds to the same conversation when a file gives it back",
  holds: (story) => {
    const all = records(story)
    const again = all.flatMap((record) => Schema.decodeSync(Line)(Schema.encodeSync(Line)([record])))
    assert.deepStrictEqual(
      Projection.entries(Fold.fold(again).projection),
      Projection.entries(Fold.fold(all).projection)
    )
  }
}

const opening = "<compacted_context>\nThe prior conversation context was compacted automatically to fit the\n"

const oneWrapper: Law = {
  title: "[A09] [A11] [A12] one wrapper at most, first; the last user message byte for byte",
  holds: (story) => {
    for (const { asked, folded: { projection } } of turnRequests(story)) {
      const users = asked.prompt.entries.flatMap((entry) => entry._tag === "UserMessage" ? [entry] : [])
      const wrappers = users.filter(({ text }) => text.startsWith(opening))
      assert.isAtMost(wrappers.length, 1)
      if (wrappers.length > 0) assert.strictEqual(asked.prompt.entries[0], wrappers[0])
      const typed = projection.turns.at(-1)?.user
      const last = users.at(-1)
      assert.isDefined(typed)
      if (!typed || !last) return
      assert.isTrue(
        last.text === typed.text ||
          (last === wrappers[0] && last.text.endsWith(
            `\nThe following is the most recent user message. Treat it as ` +
              `the current\ntask and its requirements as authoritative.\n\n${typed.text}\n</last_user_message>`
          )),
        "the last user message has changed"
      )
      assert.deepStrictEqual(last.images, typed.images)
      for (const wrapper of wrappers) {
        const [head = ""] = wrapper.text.split("\n<last_user_message>\nThe following")
        assert.strictEqual(head.split("<compacted_context>").length, 2, "a tag got through")
        assert.strictEqual(head.split("</compacted_context>").length, 2, "a tag got through")
      }
    }
  }
}

const nothingSplit: Law = {
  title: "[A03] no request, of a turn or for a summary, has a call without its result",
  holds: ({ moments }) => {
    for (const moment of moments) {
      if (moment._tag !== "Asked") continue
      for (const entry of moment.asked.prompt.entries) {
        if (entry._tag === "Step") {
          for (const { result } of exchanges(entry)) assert.isString(result.text)
        } else if (moment.isSummary && entry.text.includes("<history>")) {
          const [, history = ""] = entry.text.split("<history>\n")
          assert.strictEqual(history.split("\n<tool_result>\n").length, history.split("<tool_call>\n").length)
        }
      }
    }
  }
}

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
  if (record._tag === "CompactionApplied") return { ...fresh, replaced: record.after }
  if (record._tag !== "CompactionFailed") return memory
  return { ...memory, suppressed: true, failures: memory.failures + 1, failing: record.fingerprint }
}

const attempts: Law = {
  title: "[A01] [A20] [A24] a compaction begins when it is due and may be tried, and never else",
  holds: (story) => {
    const { weights, world } = story
    let memory = fresh
    let folded = Fold.empty
    let attempted = false
    let refused = false
    for (const moment of story.moments) {
      const { projection } = folded
      const budget = budgetIn(story, folded)
      const fingerprint = Projection.fingerprint(projection)
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
      if (event._tag === "AutoCompactionCancelled") memory = { ...memory, suppressed: true }
      if (event._tag === "AutoCompactionStarted") {
        const { estimate, phase, reason } = event
        assert.isTrue(world.automatic, "the switch is off")
        assert.isBelow(memory.failures, 3, "the breaker is open")
        assert.notStrictEqual(fingerprint, memory.failing, "this very input has failed before")
        assert.strictEqual(event.budget, budget.input)
        if (reason === "local-exhaustion") assert.isAbove(estimate, budget.input)
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
        if (memory.failures >= 3 || memory.failing === fingerprint) continue
        if (!Budget.isDue(budget, phase, estimate)) continue
        const weigh = (entry: Entry) => Weight.entry(entry, weights)
        const plan = Plan.make({ projection, place: phase, manual: false, budget, fixed: 0, weigh })
        const user = projection.turns.at(-1)?.user
        const isFloor = user !== undefined && 2 * weigh(user) >= budget.input
        assert.isTrue(Either.isLeft(plan) || isFloor || projection.turns.length <= 4 && step === 1, "due, not tried")
      }
    }
  }
}

const fits: Law = {
  title: "[A02] [A05] no request is sent that is estimated or known to be over the limit",
  holds: (story) => {
    for (const { budget, estimate, refusals, request, told } of sendings(story)) {
      const { maxOutputTokens } = request.asked.options
      assert.strictEqual(told, budget.input)
      assert.isAtMost(maxOutputTokens, budget.outputReserve)
      const lowered = maxOutputTokens < budget.outputReserve
      if (lowered) assert.isAtLeast(maxOutputTokens, Math.min(1_024, budget.outputReserve))
      if (!budget.certain) continue
      const pruned = !isSame(request.asked.prompt.entries, seenBy(story, request))
      if (!pruned) {
        assert.isTrue(
          estimate <= budget.input || (lowered && estimate + maxOutputTokens + budget.safety <= budget.window),
          `request ${request.index}: ${estimate} of ${budget.input}, output ${maxOutputTokens}`
        )
      } else {
        assert.isTrue(estimate > budget.input || refusals > 0)
      }
    }
  }
}

const neverAgain: Law = {
  title: "[A07] [A21] a refused request is never sent again",
  holds: (story) => {
    const refused: Array<TestModel.Asked> = []
    const open = new Map<number, Asked>()
    for (const moment of story.moments) {
      if (moment._tag === "Asked" && !moment.isSummary) {
        const { options, prompt } = moment.asked
        const again = refused.some((one) =>
          options.maxOutputTokens >= one.options.maxOutputTokens && isSameRequest(prompt.entries, one.prompt.entries)
        )
        assert.isFalse(again, `request ${moment.index} was refused before`)
        open.set(moment.index, moment)
      }
      if (moment._tag === "Answered" && moment.how === "refused") {
        const asked = open.get(moment.index)
        if (asked) refused.push(asked.asked)
      }
    }
  }
}

const isSameRequest = (some: ReadonlyArray<Entry>, others: ReadonlyArray<Entry>): boolean =>
  some.length === others.length && some.every((one, index) => {
    const other = others[index]
    return isSameEntry(one, other) || (one._tag === "Step" && other?._tag === "Step" && Equal.equals(
      one.parts.map((part) => part._tag === "Exchange" ? part.result.text : part.text).join("\n"),
      other.parts.map((part) => part._tag === "Exchange" ? part.result.text : part.text).join("\n")
    ))
  })

const oneForced: Law = {
  title: "[A06] at most one forced compaction after refusals of one request",
  holds: (story) => {
    for (const boundary of boundaries(story)) {
      const forced = started(boundary).filter(({ reason }) => reason === "context-error")
      assert.isAtMost(forced.length, 1)
    }
  }
}

const alone: Law = {
  title: "[A03] [A19] a compaction runs when nothing else does, and nothing outlives its turn",
  holds: ({ moments }) => {
    const open = new Map<number, boolean>()
    const tools = new Set<string>()
    let compacting = false
    for (const moment of moments) {
      if (moment._tag === "Asked") {
        assert.strictEqual(open.size, 0, "two requests at once")
        assert.strictEqual(moment.isSummary, compacting, "the wrong request for this phase")
        open.set(moment.index, moment.isSummary)
      }
      if (moment._tag === "Answered") open.delete(moment.index)
      if (moment._tag === "Opened") assert.strictEqual(open.size, 0)
      if (moment._tag !== "Told") continue
      const { event } = moment
      if (event._tag === "ToolCallStarted") {
        assert.isFalse(compacting)
        tools.add(event.callId)
      }
      if (event._tag === "ToolCallFinished") tools.delete(event.callId)
      if (event._tag === "AutoCompactionStarted") {
        assert.strictEqual(open.size, 0)
        assert.strictEqual(tools.size, 0, "a tool still runs")
        assert.isFalse(compacting, "two compactions at once")
        compacting = true
      }
      if (terminal(event._tag)) {
        assert.isTrue(compacting, `${event._tag} without a start`)
        assert.strictEqual(open.size, 0, "the end is told while the summary is still being written")
        compacting = false
      }
      if (event._tag === "TurnFinished") {
        assert.strictEqual(open.size, 0, "a request outlives its turn")
        const isUnwritten = event.error?._tag === "TranscriptError"
        if (compacting && !isUnwritten) assert.strictEqual(event.reason, "interrupted", "an end is missing")
        compacting = false
        tools.clear()
      }
    }
  }
}

const framed: Law = {
  title: "[A17] [A19] one end for each start, none when the turn is interrupted; the turn's end is the last word",
  holds: (story) => {
    let running = false
    let compacting: AutoCompactionStarted | undefined
    for (const event of told(story)) {
      if (event._tag === "TurnStarted") {
        assert.isFalse(running)
        running = true
      } else if (event._tag !== "TurnFinished" || !running) {
        // A turn whose first record cannot be written ends before it starts.
        assert.isTrue(running || event._tag === "TurnFinished", `${event._tag} outside of a turn`)
      }
      if (event._tag === "AutoCompactionStarted") compacting = event
      if (terminal(event._tag)) compacting = undefined
      if (event._tag === "TurnFinished") running = false
    }
    assert.isFalse(running)
    const applied = told(story).filter(({ _tag }) => _tag === "AutoCompactionApplied")
    assert.strictEqual(applied.length, records(story).filter(({ _tag }) => _tag === "CompactionApplied").length)
    assert.isTrue(compacting === undefined || told(story).some((event) => event._tag === "TurnFinished"))
  }
}

const cancels: Law = {
  title: "[A18] [A21] Esc in a compaction ends the compaction alone; after a forced one the turn ends, unsent",
  holds: (story) => {
    let compacting: AutoCompactionStarted | undefined
    let cancelled: AutoCompactionStarted | undefined
    let pressed = false
    let mayInterrupt = false
    for (const moment of story.moments) {
      if (moment._tag === "Pressed") {
        if (moment.act !== "esc" || !compacting) mayInterrupt = true
        else pressed = true
      }
      if (moment._tag === "Asked" && cancelled) {
        assert.notStrictEqual(cancelled.reason, "context-error", "sent after a forced compaction was cancelled")
        cancelled = undefined
      }
      if (moment._tag !== "Told") continue
      const { event } = moment
      switch (event._tag) {
        case "TurnStarted":
          mayInterrupt = false
          break
        case "AutoCompactionStarted":
          assert.isUndefined(cancelled, "compacted again where it was cancelled")
          compacting = event
          pressed = false
          break
        case "AutoCompactionCancelled":
          assert.isTrue(pressed, "nobody has cancelled it")
          cancelled = compacting
          compacting = undefined
          break
        case "AutoCompactionApplied":
        case "AutoCompactionFailed":
          compacting = undefined
          break
        case "StepStarted":
          if (cancelled && cancelled.reason !== "context-error") {
            assert.strictEqual(event.estimate, cancelled.estimate, "the request has changed")
          }
          break
        case "TurnFinished":
          if (event.reason === "interrupted") assert.isTrue(mayInterrupt, "nobody has interrupted the turn")
          if (cancelled?.reason === "context-error" && event.reason !== "interrupted") {
            assert.strictEqual(event.reason, "context_limit")
          }
          cancelled = undefined
          compacting = undefined
      }
    }
  }
}

const texts: Law = {
  title: "[D02] a turn's text is what was shown of it and not taken back; no word of a summary is in it",
  holds: (story) => {
    let shown: Array<string> = []
    let current = ""
    const next = () => {
      if (current !== "") shown.push(current)
      current = ""
    }
    for (const moment of story.moments) {
      if (moment._tag === "Returned") {
        if (Exit.isSuccess(moment.exit)) assert.strictEqual(moment.exit.value.text, shown.join("\n\n"))
        shown = []
      }
      if (moment._tag !== "Told") continue
      const { event } = moment
      if (event._tag === "TextDelta") current += event.text
      if (event._tag === "Rewound") current = ""
      if (event._tag === "StepStarted" || event._tag === "TurnFinished") next()
      if (event._tag === "TurnStarted") shown = []
      if (event._tag === "TextDelta" || event._tag === "ReasoningDelta") assert.notInclude(event.text, marks.summary)
    }
  }
}

const accounts: Law = {
  title: "[A17] a turn's usage is that of its steps; its compactions are counted apart",
  holds: (story) => {
    let usage = Usage.zero
    let applied = 0
    for (const moment of story.moments) {
      if (moment._tag === "Told" && moment.event._tag === "TurnStarted") {
        usage = Usage.zero
        applied = 0
      }
      if (moment._tag === "Recorded") {
        const { record } = moment
        const step = record._tag === "StepCompleted" || record._tag === "StepInterrupted" ? record.step : undefined
        if (step?.usage) usage = Usage.add(usage, step.usage)
      }
      if (moment._tag === "Told" && moment.event._tag === "AutoCompactionApplied") applied++
      if (moment._tag === "Returned" && Exit.isSuccess(moment.exit) && moment.exit.value.error === undefined) {
        if (moment.exit.value.steps === 0) continue
        assert.deepStrictEqual(moment.exit.value.usage, usage)
        assert.strictEqual(moment.exit.value.compaction.count, applied)
      }
    }
  }
}

const noOutputs: Law = {
  title: "[A23] no checkpoint holds a tool output",
  holds: (story) => {
    for (const record of records(story)) {
      if (record._tag !== "CompactionApplied") continue
      const { ledger, summary } = record.checkpoint
      assert.notInclude(summary, marks.output)
      for (const { head, tail } of ledger.instructions) assert.notInclude(head + tail, marks.output)
    }
  }
}

const instructionsStay: Law = {
  title: "[A10] [B06] no instruction is lost: what was typed before is there verbatim, the newest first",
  holds: (story) => {
    for (const { asked, folded: { projection } } of turnRequests(story)) {
      const { checkpoint } = projection
      if (!checkpoint) continue
      const shown = asked.prompt.entries[0]
      const text = shown?._tag === "UserMessage" ? shown.text : ""
      for (const { head } of checkpoint.ledger.instructions) {
        assert.include(text, Tags.escape(head, Tags.replacement).slice(0, 200).trimEnd())
      }
    }
    const typed = records(story).flatMap((record) => record._tag === "TurnStarted" ? [record.user.text] : [])
    for (const record of records(story)) {
      if (record._tag !== "CompactionApplied") continue
      for (const { head, tail } of record.checkpoint.ledger.instructions) {
        assert.isTrue(typed.some((text) => text.startsWith(head) && text.endsWith(tail)), "an instruction nobody typed")
      }
    }
  }
}

export const laws: ReadonlyArray<Law> = [
  ends,
  bounded,
  isTheFold,
  survivesAFile,
  oneWrapper,
  nothingSplit,
  attempts,
  fits,
  neverAgain,
  oneForced,
  alone,
  framed,
  cancels,
  texts,
  accounts,
  noOutputs,
  instructionsStay
]
