/** Beginnings and ends, keys that are pressed, and what runs beside what. */
import { type EventOf, type ManualCompactionEnd, SessionEvent } from "@weir/agent/SessionEvent"
import * as Schema from "effect/Schema"
import { assert, begins, boundaries, type Law, records, started, terminal, told } from "./Law.js"

const isWhole = Schema.is(SessionEvent, { onExcessProperty: "error" })

export const shaped: Law = {
  title: "an event has what its schema says, and nothing else",
  holds: (story) => {
    for (const event of told(story)) assert.isTrue(isWhole(event), event._tag)
  }
}

export const oneForced: Law = {
  title: "[A06] at most one forced compaction after refusals of one request",
  holds: (story) => {
    for (const boundary of boundaries(story)) {
      const forced = started(boundary).filter(({ reason }) => reason === "context-error")
      assert.isAtMost(forced.length, 1)
    }
  }
}

/** It is told that there was nothing to compact, and nothing began. */
const isForNothing = (event: SessionEvent) =>
  event._tag === "ManualCompactionFinished" && event.end._tag === "Unchanged" &&
  event.end.because === "nothing-to-compact"

export const alone: Law = {
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
      if (moment._tag === "Opened") {
        assert.strictEqual(open.size, 0, "a request outlives its session")
        // Whoever listened to the session before was gone with it, and did not hear the end of what was cancelled so.
        compacting = false
      }
      if (moment._tag !== "Told") continue
      const { event } = moment
      if (event._tag === "ToolCallStarted") {
        assert.isFalse(compacting)
        tools.add(event.callId)
      }
      if (event._tag === "ToolCallFinished") tools.delete(event.callId)
      if (begins(event)) {
        assert.strictEqual(open.size, 0)
        assert.strictEqual(tools.size, 0, "a tool still runs")
        assert.isFalse(compacting, "two compactions at once")
        compacting = true
      }
      if (terminal(event)) {
        assert.isTrue(compacting || isForNothing(event), `${event._tag} without a start`)
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

export const framed: Law = {
  title: "[A17] [A19] one end for each start, none when the turn is interrupted; the turn's end is the last word",
  holds: (story) => {
    let running = false
    let compacting: SessionEvent | undefined
    for (const event of told(story)) {
      if (event._tag === "TurnStarted") {
        assert.isFalse(running)
        running = true
      } else if (event._tag !== "TurnFinished" || !running) {
        // A turn whose first record cannot be written ends before it starts.
        const isManual = event._tag.startsWith("Manual") || compacting?._tag === "ManualCompactionStarted"
        assert.isTrue(running || isManual || event._tag === "TurnFinished", `${event._tag} outside of a turn`)
      }
      if (begins(event)) compacting = event
      if (terminal(event)) compacting = undefined
      if (event._tag === "TurnFinished") running = false
    }
    assert.isFalse(running)
    const applied = told(story).filter((event) =>
      event._tag === "AutoCompactionApplied" ||
      (event._tag === "ManualCompactionFinished" && event.end._tag === "Compacted")
    )
    assert.strictEqual(applied.length, records(story).filter(({ _tag }) => _tag === "CompactionApplied").length)
    assert.isTrue(compacting === undefined || told(story).some((event) => event._tag === "TurnFinished"))
  }
}

export const cancels: Law = {
  title: "[A18] [A21] Esc in a compaction ends the compaction alone; after a forced one the turn ends, unsent",
  holds: (story) => {
    let compacting: EventOf<"AutoCompactionStarted"> | undefined
    let cancelled: EventOf<"AutoCompactionStarted"> | undefined
    let pressed = false
    let mayInterrupt = false
    for (const moment of story.moments) {
      if (moment._tag === "Pressed" && moment.act !== "compact") {
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

export const asked: Law = {
  title: "[C07] what the user asked for is carried out at a boundary, ends once, and is told as it is returned",
  holds: ({ moments }) => {
    const asks = moments.filter((moment) => moment._tag === "Pressed" && moment.act === "compact")
    const returned = moments.flatMap((moment) => moment._tag === "Compacted" ? [moment.end] : [])
    const ends = moments.flatMap((moment) =>
      moment._tag === "Told" && moment.event._tag === "ManualCompactionFinished" ? [moment.event.end] : []
    )
    assert.strictEqual(returned.length, asks.length)
    // One that is cancelled while it waits has no end to be told.
    const isCertain = (end: ManualCompactionEnd) => end._tag !== "Unchanged" || end.because !== "cancelled"
    assert.deepStrictEqual(ends.filter(isCertain), returned.filter(isCertain))
    assert.isAtMost(ends.length, returned.length)
  }
}
