/** What requests for a summary have cost is counted, told and written down, whatever becomes of the compaction. */
import { assert, describe, it } from "@effect/vitest"
import { userMessage } from "@weir/model/Conversation"
import { InvalidRequest } from "@weir/model/ModelError"
import * as TestModel from "@weir/model/TestModel"
import * as Usage from "@weir/model/Usage"
import * as CostTable from "@weir/session/CostTable"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as VirtualTime from "../../model/test/VirtualTime.js"
import { type Fixture, isSummaryRequest, limits, start, summary, tool, usage } from "./fixture.js"

const words = "The quick brown fox jumps over the lazy dog. ".repeat(100)

const cost = usage(5_000, 40)

/** A summary that is none, and so is asked for again. */
const faulty = TestModel.reply({ text: "", usage: cost })

/** One turn that compacts after six outputs: the first answer to that is `first`, the next ones are `second`. */
const turn = (
  second: TestModel.Answer,
  press?: (session: Fixture["session"]) => Effect.Effect<void>,
  first = faulty
) => {
  let made = 0
  let asked = 0
  const story = Effect.scoped(Effect.gen(function*() {
    const fixture = yield* start({
      limits: limits({ window: 14_336 }),
      settings: { costOf: ({ fresh, output }) => (fresh + 2 * output) / 1_000 },
      tools: [tool("look", () => Effect.succeed(words))],
      answer: (request) => {
        if (isSummaryRequest(request)) return asked++ === 0 ? first : second
        return made < 6
          ? TestModel.reply({ calls: [["look", "{}"]], id: `call-${made++}`, usage: usage(1_000 * made) })
          : TestModel.reply({ text: "Done." })
      }
    })
    const running = yield* Effect.fork(fixture.session.prompt(userMessage("Fix all of it.")))
    yield* Effect.sleep("30 seconds")
    if (press) yield* press(fixture.session)
    return { fixture, result: yield* Fiber.join(running) }
  }))
  return Exit.getOrElse(VirtualTime.run(story, { seed: 1 }), (cause) => {
    throw new Error(String(cause))
  })
}

const compactions = ({ records }: Fixture) => CostTable.make(records).find(({ name }) => name === "compactions")?.usage

const ended = ({ events }: Fixture) =>
  events.flatMap((event) => event._tag.startsWith("AutoCompaction") && "usage" in event ? [event.usage] : [])

const slow = TestModel.after("1 hour", TestModel.reply({ text: summary, usage: cost }))

const broken = Stream.fail(new InvalidRequest({ detail: "no", model: "test-model", provider: "test" }))

describe("[A17] the cost of a compaction", () => {
  it("that is applied is that of all its requests", () => {
    const { fixture, result } = turn(TestModel.reply({ text: summary, usage: cost }))
    const both = usage(10_000, 80)
    assert.strictEqual(result.compaction.count, 1)
    assert.deepStrictEqual([result.compaction.usage, compactions(fixture), ...ended(fixture)], [both, both, both])
  })

  it("in money is told and written down as well, where prices are known", () => {
    const { fixture: { events, records } } = turn(TestModel.reply({ text: summary, usage: cost }))
    const told = [...events, ...records].flatMap((one) => "millis" in one && "usage" in one ? [one.cost] : [])
    assert.deepStrictEqual(told, [10.16, 10.16])
  })

  it("that is cancelled is that of the requests answered by then", () => {
    const { fixture, result } = turn(slow, ({ escape }) => escape)
    assert.strictEqual(result.reason, "finished")
    assert.strictEqual(result.compaction.count, 0)
    assert.include(fixture.story(), "AutoCompactionCancelled")
    assert.deepStrictEqual([result.compaction.usage, compactions(fixture), ...ended(fixture)], [cost, cost, cost])
  })

  it("that ends with its turn is the same, though no end of it is told", () => {
    const { fixture, result } = turn(slow, ({ interrupt }) => interrupt)
    assert.strictEqual(result.reason, "interrupted")
    assert.deepStrictEqual([result.compaction.usage, compactions(fixture), ...ended(fixture)], [cost, cost])
  })

  it.each([["fails", broken], ["meets a bug", Stream.die("a bug")]] as const)("that %s is the same", (_, answer) => {
    const { fixture, result } = turn(answer)
    assert.include(fixture.story(), "AutoCompactionFailed")
    assert.deepStrictEqual([result.compaction.usage, compactions(fixture), ...ended(fixture)], [cost, cost, cost])
  })

  it("that nobody has answered is nothing, and is not written down", () => {
    const { fixture, result } = turn(slow, ({ escape }) => escape, slow)
    assert.include(fixture.story(), "AutoCompactionCancelled")
    assert.deepStrictEqual(result.compaction.usage, Usage.zero)
    assert.isFalse(fixture.records.some((record) => record._tag === "CompactionCancelled"))
  })
})
