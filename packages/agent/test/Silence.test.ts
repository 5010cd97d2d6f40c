import { assert, describe, it } from "@effect/vitest"
import { userMessage } from "@weir/model/Conversation"
import { ModelEvent } from "@weir/model/ModelEvent"
import * as TestModel from "@weir/model/TestModel"
import * as Usage from "@weir/model/Usage"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { start, tool, usage } from "./fixture.js"

const finished = (stop: "calls" | "end" | "length") => ModelEvent.Finished({ stop, usage: usage(100) })

const thought = ModelEvent.ReasoningDelta({ text: "Hm." })
const blank = ModelEvent.TextDelta({ text: "\n" })

const slips: ReadonlyArray<readonly [name: string, reply: ReadonlyArray<ModelEvent>]> = [
  ["at all", [finished("end")]],
  ["but a blank line", [blank, finished("end")]],
  ["but a thought", [thought, finished("end")]],
  ["and announces calls", [finished("calls")]]
]

const asking = (...replies: ReadonlyArray<ReadonlyArray<ModelEvent>>) =>
  start({
    tools: [tool("look", () => Effect.succeed("seen"))],
    answer: (_, index) =>
      index === 0
        ? TestModel.reply({ calls: [["look", "{}"]], usage: usage(100) })
        : Stream.fromIterable(replies[index - 1] ?? [ModelEvent.TextDelta({ text: "Done." }), finished("end")])
  })

describe("a model that says nothing", () => {
  for (const [name, slip] of slips) {
    it.scoped(`${name}, is asked once more, unchanged; both replies are paid for, one is kept`, () =>
      Effect.gen(function*() {
        const { asked, records, session } = yield* asking(slip)
        const result = yield* session.prompt(userMessage("Look."))
        assert.deepInclude(result, { reason: "finished", steps: 2, text: "Done." })
        assert.deepStrictEqual(result.usage, [1, 2, 3].reduce((sum) => Usage.add(sum, usage(100)), Usage.zero))
        assert.lengthOf(asked, 3)
        assert.deepStrictEqual(asked[2], asked[1])
        assert.lengthOf(records.filter(({ _tag }) => _tag === "StepCompleted"), 2)
      }))
  }

  it.scoped("twice is taken at its word", () =>
    Effect.gen(function*() {
      const { asked, session, story } = yield* asking([thought, finished("end")], [finished("end")])
      const result = yield* session.prompt(userMessage("Look."))
      yield* Effect.yieldNow()
      assert.deepInclude(result, { reason: "finished", steps: 2, text: "" })
      assert.lengthOf(asked, 3)
      assert.lengthOf(story().filter((tag) => tag === "Rewound"), 1)
    }))

  it.scoped("in each of many steps is asked once more in each", () =>
    Effect.gen(function*() {
      const { asked, session } = yield* start({
        tools: [tool("look", () => Effect.succeed("seen"))],
        answer: (_, index) =>
          index % 2 === 0
            ? Stream.make(finished("end"))
            : TestModel.reply(index < 9 ? { calls: [["look", "{}"]], id: `call-${index}` } : { text: "Done." })
      })
      assert.deepInclude(yield* session.prompt(userMessage("Look.")), { steps: 5, text: "Done." })
      assert.lengthOf(asked, 10)
    }))

  it.scoped("because its output limit was reached is not asked again", () =>
    Effect.gen(function*() {
      const { asked, session } = yield* asking([thought, finished("length")])
      assert.strictEqual((yield* session.prompt(userMessage("Look."))).error?._tag, "OutputLimitExceeded")
      assert.lengthOf(asked, 2)
    }))
})
