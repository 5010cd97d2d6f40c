import { assert, describe, it } from "@effect/vitest"
import * as Checkpoint from "@weir/compaction/Checkpoint"
import * as Plan from "@weir/compaction/Plan"
import * as Projection from "@weir/compaction/Projection"
import * as Replacement from "@weir/compaction/Replacement"
import * as Weight from "@weir/compaction/Weight"
import type { Entry, Turn } from "@weir/model/Conversation"
import { exchanges, TurnId, userMessage } from "@weir/model/Conversation"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as Schema from "effect/Schema"
import {
  anyStep,
  anyText,
  anyTurns,
  anyUser,
  budgetOf,
  checkpoint,
  exchange,
  many,
  said,
  step,
  turn,
  weights
} from "./Samples.js"

const budget = budgetOf(32_768)
const weigh = (entry: Entry) => Weight.entry(entry, weights)

/** Compacts with a given summary, or leaves the projection when there is nothing to compact. */
const compacted = (projection: Projection.Projection, place: Plan.Place, id: string, summary = `summary ${id}`) =>
  Either.match(Plan.make({ projection, place, manual: false, budget, fixed: 0, fixedBytes: 0, weigh }), {
    onLeft: () => projection,
    onRight: (plan) =>
      Projection.apply(projection, { ...plan.checkpoint, id: Checkpoint.CheckpointId.make(id), summary })
  })

const CheckpointJson = Schema.parseJson(Schema.UndefinedOr(Checkpoint.Checkpoint))

const wrappers = (entries: ReadonlyArray<Entry>) =>
  entries.filter((entry) => entry._tag === "UserMessage" && entry.text.startsWith("<compacted_context>\nThe prior"))

describe("Projection", () => {
  it("without a checkpoint it is the turns, in order", () => {
    const turns = [turn("t0", "one", [said("a")]), turn("t1", "two")]
    const projection = turns.reduce(Projection.addTurn, Projection.empty)
    assert.deepEqual(Projection.entries(projection), [userMessage("one"), said("a"), userMessage("two")])
    const grown = Projection.addStep(projection, said("b"))
    assert.deepEqual(Projection.entries(grown).at(-1), said("b"))
    assert.deepEqual(Projection.addStep(Projection.empty, said("b")), Projection.empty)
  })

  it("[A11] in a turn exactly one user message replaces all history; steps that follow are verbatim", () => {
    const image = { mediaType: "image/png", data: "aGk=" }
    const running: Turn = { id: TurnId.make("t1"), user: userMessage("Task", [image]), steps: [said("a"), said("b")] }
    const before = { turns: [turn("t0", "Earlier", [said("x")]), running] }
    const after = Projection.addStep(compacted(before, "in-turn", "c1"), said("c"))
    const [message, ...rest] = Projection.entries(after)
    assert.deepEqual(rest, [said("c")])
    assert.isTrue(message?._tag === "UserMessage" && message.text.endsWith("\n\nTask\n</last_user_message>"))
    assert.deepEqual(message?._tag === "UserMessage" ? message.images : [], [image])
  })

  it("[A12] ten compactions of one turn leave one wrapper, one summary and the task", () => {
    let projection: Projection.Projection = { turns: [turn("t0", "Earlier", [said("x")]), turn("t1", "The <task>.\n")] }
    for (let index = 0; index < 10; index++) {
      projection = Projection.addStep(projection, step(exchange("bash", `output ${index}`)))
      projection = compacted(projection, "in-turn", `c${index}`)
    }
    const entries = Projection.entries(projection)
    assert.strictEqual(entries.length, 1)
    const text = entries[0]?._tag === "UserMessage" ? entries[0].text : ""
    assert.strictEqual(text.match(/<compacted_context>/g)?.length, 1)
    assert.deepEqual(text.match(/summary c\d/g), ["summary c9"])
    assert.isTrue(text.endsWith("\n\nThe <task>.\n\n</last_user_message>"))
    assert.include(text, "1. Earlier")
    assert.strictEqual(projection.checkpoint?.coverage.partial?.steps, 10)
  })

  it("the newest step's unread results follow the summary, once", () => {
    const newest = step(exchange("grep", "src/a.ts:3: found"))
    const before = { turns: [turn("t0", "Task", [step(exchange("bash", "old output")), newest])] }
    const after = compacted(before, "in-turn", "c1")
    assert.strictEqual(after.unread, newest)
    const [message] = Projection.entries(after)
    const text = message?._tag === "UserMessage" ? message.text : ""
    assert.include(text, "src/a.ts:3: found")
    assert.notInclude(text, "old output")
    const next = compacted(Projection.addStep(after, said("read it")), "in-turn", "c2")
    assert.isUndefined(next.unread)
    assert.notInclude(JSON.stringify(Projection.entries(next)), "src/a.ts:3: found")
  })

  it("a turn compacted while it ran is, in a later tail, its own message and the steps after", () => {
    const running = compacted({ turns: [turn("t0", "Task", [said("a"), said("b")])] }, "in-turn", "c1")
    const done = Projection.addStep(running, said("done"))
    const typed = Projection.addTurn(
      Projection.addTurn(
        Projection.addTurn(Projection.addTurn(done, turn("t1", "1", [said("1")])), turn("t2", "2")),
        turn("t3", "3")
      ),
      turn("t4", "New")
    )
    const three = Projection.entries(compacted(typed, "turn-boundary", "c2"))
    assert.deepEqual(three.slice(1).map((entry) => entry._tag === "UserMessage" ? entry.text : "step"), [
      "1",
      "step",
      "2",
      "3",
      "New"
    ])
    const inTail = compacted({ ...done, turns: [...done.turns, turn("t1", "New")] }, "turn-boundary", "c2")
    // Nothing but an earlier summary to fold: the same conversation.
    assert.strictEqual(inTail.checkpoint?.id, "c1")
    const shown = Projection.entries(
      Projection.apply(
        { ...done, turns: [...done.turns, turn("t1", "New")] },
        checkpoint({ kind: "turn-boundary", coverage: { turns: [], partial: { turn: TurnId.make("t0"), steps: 2 } } })
      )
    )
    assert.deepEqual(shown.slice(1), [userMessage("Task"), said("done"), userMessage("New")])
  })

  it.prop(
    "[A12][B06] after any compactions: one wrapper at most, the last user text byte-identical, no step split or invented",
    [
      anyTurns,
      FastCheck.array(
        FastCheck.record({
          user: anyUser,
          steps: FastCheck.array(anyStep, { maxLength: 4 }),
          boundary: FastCheck.boolean(),
          inTurn: FastCheck.array(FastCheck.nat(4), { maxLength: 3 }),
          summary: anyText
        }),
        { maxLength: 4 }
      )
    ],
    ([history, work]) => {
      let projection: Projection.Projection = { turns: history }
      const all = new Set(history.flatMap(({ steps }) => steps))
      work.forEach(({ boundary, inTurn, steps, summary, user }, index) => {
        projection = Projection.addTurn(projection, { id: TurnId.make(`w${index}`), user, steps: [] })
        if (boundary) projection = compacted(projection, "turn-boundary", `b${index}`, summary)
        steps.forEach((step, at) => {
          all.add(step)
          projection = Projection.addStep(projection, step)
          if (inTurn.includes(at)) projection = compacted(projection, "in-turn", `i${index}-${at}`, summary)
        })
        const entries = Projection.entries(projection)
        assert.isAtMost(wrappers(entries).length, 1)
        if (projection.checkpoint) assert.strictEqual(wrappers(entries)[0], entries[0])
        for (const entry of entries) if (entry._tag === "Step") assert.isTrue(all.has(entry))
        const last = entries.filter((entry) => entry._tag === "UserMessage").at(-1)
        const isTask = projection.checkpoint?.task === projection.turns.at(-1)?.id
        if (isTask) assert.isTrue(last?.text.endsWith(`as authoritative.\n\n${user.text}\n</last_user_message>`))
        else assert.strictEqual(last?.text, user.text)
        assert.deepEqual(last?.images, user.images)
      })
    },
    many
  )

  it.prop("[A23] a checkpoint holds no tool output, and survives a file", [anyTurns, anyText], ([turns, output]) => {
    const marker = `raw<${output}>output`
    const running = turn("run", "Task", [step(exchange("bash", `${marker}1`)), step(exchange("bash", `${marker}2`))])
    const { checkpoint } = compacted({ turns: [...turns, running] }, "in-turn", "c1")
    const json = Schema.encodeSync(CheckpointJson)(checkpoint)
    assert.notInclude(json, "output1")
    assert.notInclude(json, "output2")
    assert.deepEqual(Schema.decodeSync(CheckpointJson)(json), checkpoint)
  }, many)

  it.prop("applying a checkpoint drops exactly what it covers", [anyTurns], ([turns]) => {
    const running = { turns: [...turns, turn("run", "Task", [said("a"), step(exchange("bash", "b"))])] }
    const after = compacted(running, "in-turn", "c1")
    assert.deepEqual(after.turns.map(({ id, steps }) => [id, steps.length]), [["run", 0]])
    assert.deepEqual(after.checkpoint?.coverage.turns, turns.map(({ id }) => id))
    assert.isTrue(exchanges(after.unread ?? said("")).length === 1)
    assert.include(Replacement.withTask(after.checkpoint ?? checkpoint(), "Task"), "summary c1")
  }, many)

  it("a fingerprint changes with every step, turn and checkpoint", () => {
    const one: Projection.Projection = { turns: [turn("t0", "a")] }
    const grown = Projection.addStep(one, said("x"))
    const typed = Projection.addTurn(one, turn("t1", "b"))
    const names = [one, grown, typed, compacted(grown, "in-turn", "c1")].map(Projection.fingerprint)
    assert.strictEqual(new Set(names).size, names.length)
    assert.strictEqual(Projection.fingerprint({ turns: [turn("t0", "a")] }), names[0])
  })
})
