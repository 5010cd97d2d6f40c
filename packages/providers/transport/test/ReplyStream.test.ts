import { assert, describe, it } from "@effect/vitest"
import { ModelEvent } from "@weir/model/ModelEvent"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"
import * as ReplyStream from "../src/ReplyStream.js"

const finished = ModelEvent.Finished({ stop: "end" })

/** Says what is text, and nothing of anything else. */
const reader: ReplyStream.Reader<null> = {
  start: null,
  append: (reading, value) =>
    Either.right([reading, typeof value === "string" ? [ModelEvent.TextDelta({ text: value })] : []]),
  end: () => Either.right([finished])
}

const pulling = (elements: ReadonlyArray<unknown>) =>
  Effect.map(Ref.make(elements), (left) =>
    Effect.flatMap(
      Ref.modify(left, ([first, ...rest]) => [first, rest]),
      (first) => first === undefined ? Effect.fail(Option.none()) : Effect.succeed(first)
    ))

describe("ReplyStream", () => {
  it.effect("lets every element be noticed, also one that says nothing", () =>
    Effect.gen(function*() {
      const events = yield* pulling([1, "Hello", 2, 3]).pipe(
        ReplyStream.events({ model: "m", provider: "p", secrets: [] }, reader),
        Stream.runCollect
      )
      assert.deepStrictEqual(Chunk.toReadonlyArray(events), [
        ModelEvent.Heartbeat(),
        ModelEvent.TextDelta({ text: "Hello" }),
        ModelEvent.Heartbeat(),
        ModelEvent.Heartbeat(),
        finished
      ])
    }))
})
