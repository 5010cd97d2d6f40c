/** What is kept, in files, texts, accounts and checkpoints. */
import * as LiveConversation from "@weir/agent/LiveConversation"
import * as Estimate from "@weir/compaction/Estimate"
import * as Projection from "@weir/compaction/Projection"
import * as Tags from "@weir/compaction/Tags"
import type { Model } from "@weir/model/Model"
import * as TestModel from "@weir/model/TestModel"
import * as Usage from "@weir/model/Usage"
import * as Fold from "@weir/session/Fold"
import { Line } from "@weir/session/Record"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { first, type Story } from "../Story.js"
import { marks } from "../Texts.js"
import { assert, type Law, records, turnRequests } from "./Law.js"
import { sendings } from "./Sending.js"

const openedNow = (model: Model["Type"], opened: Fold.Folded, { fixed }: Story) => {
  const transcript = { append: Effect.succeed, notices: [], opened, start: first, sync: Effect.void }
  return Effect.flatMap(LiveConversation.make({ fixed, learned: Option.none(), model, transcript }), ({ get }) => get)
}

export const survivesAFile: Law = {
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

export const weighsAlike: Law = {
  title: "[E04] a session that is opened at any request weighs it as the live one does, but where outputs are cut",
  holds: (story) => {
    for (const { budget, estimate, request: { folded, index, leader } } of sendings(story)) {
      // Nobody can tell which of its requests were cut as this one is.
      if (Projection.capped(folded.projection, budget.caps.toolOutput) !== folded.projection) continue
      const { model } = TestModel.make(leader.limits, () => Stream.empty, { id: leader.model, weights: story.weights })
      const again = Effect.runSync(openedNow(model, folded, story))
      assert.strictEqual(Estimate.current(again.estimate), estimate, `request ${index}`)
    }
  }
}

export const texts: Law = {
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

export const accounts: Law = {
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

export const noOutputs: Law = {
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

export const instructionsStay: Law = {
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
