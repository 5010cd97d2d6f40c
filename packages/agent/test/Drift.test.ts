/** What ten compactions in a row leave of what was there before the first. */
import { assert, describe, it } from "@effect/vitest"
import * as Budget from "@weir/compaction/Budget"
import type { Checkpoint } from "@weir/compaction/Checkpoint"
import * as Ledger from "@weir/compaction/Ledger"
import * as SummaryPrompt from "@weir/compaction/SummaryPrompt"
import * as TokenScan from "@weir/compaction/TokenScan"
import { type Fact, userMessage } from "@weir/model/Conversation"
import * as TestModel from "@weir/model/TestModel"
import type { Tool } from "@weir/model/Tool"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as VirtualTime from "../../model/test/VirtualTime.js"
import { isSummaryRequest, limits, start } from "./fixture.js"

/** The in-turn trigger is 6,990 tokens: every turn of seven outputs compacts. */
const small = limits({ window: 14_336 })
const { caps } = Budget.of(small)

const words = "The quick brown fox jumps over the lazy dog. ".repeat(100)

const factsOf = (call: number): ReadonlyArray<Fact> => [
  { _tag: "File", path: `src/module-${call}.ts`, action: "edited" },
  { _tag: "Command", command: "npm test", exitCode: call }
]

/** Each call has edited a file and run the tests. */
const work = (): Tool => {
  let calls = 0
  return {
    spec: { name: "work", description: "Works.", parameters: { type: "object", properties: {} } },
    access: "read",
    run: () => Effect.sync(() => ({ text: words, isError: false, images: [], facts: factsOf(calls++) }))
  }
}

/** A summary that says which one it is, without the heading that is left out. */
const summaryOf = (index: number, without?: string) =>
  SummaryPrompt.headings.filter((heading) => heading !== without).map((heading) => `## ${heading}\nSummary ${index}.`)
    .join("\n\n") + "\n- and more of it".repeat(60)

const instruction = (turn: number) => `Rule ${turn}: keep  "module-${turn}" as it is,\n\tand say so. 規則 🎉`

const rounds = 10

/** Ten turns; the first summary of each lacks a heading, and is asked for again. */
const told = () => {
  let made = 0
  let summaries = 0
  let faulty = 0
  const story = Effect.scoped(Effect.gen(function*() {
    const fixture = yield* start({
      limits: small,
      tools: [work()],
      answer: (asked) => {
        if (isSummaryRequest(asked)) {
          const index = summaries++
          const isFirst = faulty <= made / 8
          if (isFirst) faulty++
          const without = isFirst ? SummaryPrompt.headings[faulty % SummaryPrompt.headings.length] : undefined
          return TestModel.reply({ text: summaryOf(index, without) })
        }
        return made++ % 8 < 7
          ? TestModel.reply({ calls: [["work", "{}"]], id: `call-${made}` })
          : TestModel.reply({ text: "Done." })
      }
    })
    for (let turn = 1; turn <= rounds; turn++) yield* fixture.session.prompt(userMessage(instruction(turn)))
    return fixture
  }))
  return Exit.getOrElse(VirtualTime.run(story, { seed: 1 }), (cause) => {
    throw new Error(String(cause))
  })
}

describe("after k = 1 to 10 compactions", () => {
  const { records, turns } = told()
  const checkpoints: Array<{ readonly checkpoint: Checkpoint; readonly calls: number; readonly turn: number }> = []
  let calls = 0
  let turn = 0
  for (const record of records) {
    if (record._tag === "TurnStarted") turn++
    if (record._tag === "StepCompleted" && record.step.parts.some((part) => part._tag === "Exchange")) calls++
    if (record._tag === "CompactionApplied") checkpoints.push({ checkpoint: record.checkpoint, calls, turn })
  }

  it("there is one in every turn at least, and the summary has all headings each time", () => {
    assert.isAtLeast(checkpoints.length, rounds)
    for (const { checkpoint: { summary } } of checkpoints) {
      for (const heading of SummaryPrompt.headings) assert.include(summary, `## ${heading}\nSummary`)
    }
  })

  it("the ledger is within its caps, and what it would be had all been compacted at once", () => {
    for (const { calls, checkpoint: { ledger }, turn } of checkpoints) {
      const facts = Array.from({ length: calls }, (_, call) => factsOf(call)).flat()
      const instructions = Array.from({ length: turn - 1 }, (_, index) => instruction(index + 1))
      assert.deepStrictEqual(ledger, Ledger.add(Ledger.empty, { facts, instructions }, caps))
      const tokens = ledger.facts.reduce((sum, fact) => sum + TokenScan.count(Ledger.describe(fact)), 0)
      assert.isAtMost(tokens, caps.ledger)
    }
    // So much was done that the oldest had to go.
    assert.isBelow(checkpoints.at(-1)?.checkpoint.ledger.facts.length ?? 0, calls)
  })

  it("everything that the user has typed stands in every request, verbatim", () => {
    for (const { prompt: { entries } } of turns()) {
      const shown = entries.flatMap((entry) => entry._tag === "UserMessage" ? [entry.text] : []).join("\n")
      const newest = Math.max(...[...shown.matchAll(/Rule (\d+):/g)].map(([, number]) => Number(number)))
      for (let turn = 1; turn <= newest; turn++) assert.include(shown, instruction(turn))
    }
  })
})
