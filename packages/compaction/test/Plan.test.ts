import { assert, describe, it } from "@effect/vitest"
import * as Plan from "@weir/compaction/Plan"
import * as Projection from "@weir/compaction/Projection"
import * as Weight from "@weir/compaction/Weight"
import type { Entry, Turn } from "@weir/model/Conversation"
import { userMessage } from "@weir/model/Conversation"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import {
  anyBudget,
  anyTurns,
  budgetOf,
  checkpoint,
  exchange,
  many,
  said,
  step,
  turn,
  weights,
  words
} from "./Samples.js"

const budget = budgetOf(32_768)
const weigh = (entry: Entry) => Weight.entry(entry, weights)

const make = (projection: Projection.Projection, place: Plan.Place, manual = false, within = budget) =>
  Plan.make({ projection, place, manual, budget: within, fixed: 1_000, fixedBytes: 0, weigh })

const planned = (turns: ReadonlyArray<Turn>, place: Plan.Place, manual = false) =>
  Either.getOrThrow(make({ turns }, place, manual))

const big = (id: string, tokens: number) => turn(id, id, [said(words(tokens)), said("end")])

describe("In a turn", () => {
  it("[A10] everything is covered, the running turn's steps and their raw results included", () => {
    const newest = step(exchange("bash", "raw result"))
    const turns = [turn("t0", "Earlier", [said("x")]), turn("t1", "Task", [said("a"), newest])]
    const plan = planned(turns, "in-turn")
    assert.deepEqual(plan.covered, Projection.entries({ turns }))
    assert.strictEqual(plan.unread, newest)
    const [earlier, task] = turns.map(({ id }) => id)
    assert.deepEqual<unknown>([plan.checkpoint.kind, plan.checkpoint.task, plan.checkpoint.unread], [
      "in-turn",
      task,
      true
    ])
    assert.deepEqual<unknown>(plan.checkpoint.coverage, { turns: [earlier], partial: { turn: task, steps: 2 } })
    assert.deepEqual(plan.checkpoint.ledger.instructions.map(({ head }) => head), ["Earlier"])
  })

  it("unread results too large to stay are left to the summary", () => {
    const at = (tokens: number) => planned([turn("t0", "Task", [step(exchange("bash", words(tokens)))])], "in-turn")
    const quarter = Math.floor(budget.input / 4)
    assert.isTrue(at(quarter - 30).checkpoint.unread)
    assert.isFalse(at(quarter + 1).checkpoint.unread)
    assert.isDefined(at(quarter + 1).unread)
  })

  it("an earlier summary is handed on as such, and what was covered is not covered again", () => {
    const projection = {
      checkpoint: checkpoint({
        task: turn("t0", "").id,
        coverage: { turns: [], partial: { turn: turn("t0", "").id, steps: 3 } }
      }),
      unread: step(exchange("bash", "once unread")),
      turns: [turn("t0", "Task", [said("a"), said("b")])]
    }
    const plan = Either.getOrThrow(make(projection, "in-turn"))
    assert.strictEqual(plan.previousSummary, projection.checkpoint.summary)
    assert.deepEqual(plan.covered, [userMessage("Task"), projection.unread, said("a"), said("b")])
    assert.strictEqual(plan.checkpoint.coverage.partial?.steps, 5)
    assert.isFalse(plan.checkpoint.unread)
  })

  it("[A09] without a user message, or with nothing behind it, there is nothing to compact", () => {
    assert.isTrue(Either.isLeft(make(Projection.empty, "in-turn")))
    assert.isTrue(Either.isLeft(make({ turns: [turn("t0", "Task")] }, "in-turn")))
    const again = { checkpoint: checkpoint({ task: turn("t0", "").id }), turns: [turn("t0", "Task")] }
    assert.isTrue(Either.isLeft(make(again, "in-turn")))
  })
})

describe("Before a turn", () => {
  const typed = turn("new", "New")

  it("[B04] the 3 newest turns stay, whole", () => {
    const turns = ["t0", "t1", "t2", "t3"].map((id) => big(id, 100))
    const plan = planned([...turns, typed], "turn-boundary")
    assert.deepEqual(plan.checkpoint.coverage, { turns: [turns[0]?.id ?? typed.id] })
    assert.deepEqual(plan.covered, Projection.entries({ turns: turns.slice(0, 1) }))
  })

  it("[B04] over the cap the oldest goes, until it fits or one is left", () => {
    const covered = (sizes: ReadonlyArray<number>) =>
      planned([...sizes.map((size, index) => big(`t${index}`, size)), typed], "turn-boundary").checkpoint.coverage.turns
        .map(String)
    assert.deepEqual(covered([10, 3_000, 3_000, 3_000]), ["t0", "t1"])
    assert.deepEqual(covered([10, 10, 5_000, 5_000]), ["t0", "t1", "t2"])
    assert.deepEqual(covered([10, 10, 100, 8_100]), ["t0", "t1", "t2"])
  })

  it("[B05] one turn over the cap keeps its newest step, whole and whatever its size", () => {
    const newest = step(exchange("bash", words(20_000)), exchange("grep", words(20_000)))
    const giant = turn("t1", "Giant", [said(words(9_000)), said("b"), newest])
    const plan = planned([turn("t0", "x"), giant, typed], "turn-boundary")
    assert.deepEqual(plan.checkpoint.coverage, { turns: [turn("t0", "").id], partial: { turn: giant.id, steps: 2 } })
    assert.deepEqual(plan.covered.slice(-3), [userMessage("Giant"), ...giant.steps.slice(0, 2)])
    const alone = turn("t1", "One step", [newest])
    assert.isTrue(Either.isLeft(make({ turns: [alone, typed] }, "turn-boundary")))
  })

  it("what was just typed is neither covered nor kept as an earlier instruction", () => {
    const plan = planned([big("t0", 9_000), big("t1", 9_000), typed], "turn-boundary")
    assert.notInclude(plan.covered.map((entry) => entry._tag === "UserMessage" ? entry.text : ""), "New")
    assert.deepEqual(plan.checkpoint.ledger.instructions.map(({ head }) => head), ["t0"])
    assert.isUndefined(plan.checkpoint.task)
  })
})

describe("Between turns", () => {
  it("[B08] a single giant turn has its completed steps folded", () => {
    const giant = turn("t0", "Giant", [said(words(9_000)), said("b"), said("end")])
    const plan = planned([giant], "between-turns", true)
    assert.deepEqual(plan.checkpoint.coverage, { turns: [], partial: { turn: giant.id, steps: 2 } })
    assert.strictEqual(plan.checkpoint.kind, "manual")
  })

  it("[B08] what the user asks to compact is compacted, even where all of it fits the tail", () => {
    assert.deepEqual(planned([big("t0", 50)], "between-turns", true).checkpoint.coverage.partial?.steps, 1)
    const single = turn("t0", "Hi", [said("Hello")])
    assert.deepEqual(planned([single], "between-turns", true).checkpoint.coverage, { turns: [single.id] })
    assert.isTrue(Either.isLeft(make(Projection.empty, "between-turns", true)))
  })
})

describe("Any plan", () => {
  it.prop(
    "covers what it takes out, keeps the rest, and is the same twice",
    [
      anyTurns,
      FastCheck.constantFrom<Plan.Place>("in-turn", "turn-boundary", "between-turns"),
      FastCheck.boolean(),
      anyBudget
    ],
    ([turns, place, manual, within]) => {
      const made = make({ turns }, place, manual, within)
      assert.deepEqual(make({ turns }, place, manual, within), made)
      if (Either.isLeft(made)) return
      const { checkpoint: parts, covered } = made.right
      const after = Projection.apply({ turns }, { ...checkpoint(), ...parts })
      const steps = (turns: ReadonlyArray<Turn>) => turns.flatMap((turn) => turn.steps)
      const taken = covered.filter((entry) => entry._tag === "Step")
      assert.deepEqual([...taken, ...steps(after.turns)], steps(turns))
      assert.isAbove(made.right.coveredTokens, 0)
      if (place !== "between-turns") assert.strictEqual(after.turns.at(-1)?.user, turns.at(-1)?.user)
      if (place === "turn-boundary") assert.deepEqual(after.turns.at(-1), turns.at(-1))
    },
    many
  )
})
