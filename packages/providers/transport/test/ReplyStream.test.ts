import { assert, describe, it } from "@effect/vitest"
import { ModelUnavailable } from "@weir/model/ModelError"
import { ModelEvent } from "@weir/model/ModelEvent"
import * as Usage from "@weir/model/Usage"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import * as ReplyStream from "../src/ReplyStream.js"
import type { Pull } from "../src/SdkStream.js"

const finished = ModelEvent.Finished({ stop: "end" })

/** Says what is text, nothing of a number, and takes the rest for a fault. */
const reader: ReplyStream.Reader<null> = {
  start: null,
  append: (reading, value) =>
    typeof value === "string" || typeof value === "number"
      ? Either.right([reading, typeof value === "string" ? [ModelEvent.TextDelta({ text: value })] : []])
      : Either.left(ReplyStream.Fault.Refused({ detail: "no" })),
  end: () => Either.right([finished])
}

const pulling = (elements: ReadonlyArray<ReadonlyArray<unknown>>) =>
  Effect.map(Ref.make(elements), (left) =>
    Effect.flatMap(
      Ref.modify(left, ([first, ...rest]) => [first, rest]),
      (first) => first === undefined ? Effect.fail(Option.none()) : Effect.succeed(first)
    ))

const events = (elements: ReadonlyArray<ReadonlyArray<unknown>>) =>
  Stream.fromPull(ReplyStream.events({ model: "m", provider: "p", secrets: [] }, () => reader)(pulling(elements)))

describe("ReplyStream", () => {
  it.effect("lets all that arrives be noticed, also what says nothing", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(
        Chunk.toReadonlyArray(yield* Stream.runCollect(events([[1], ["Hello", 2, " you"], [3, 4]]))),
        [
          ModelEvent.Heartbeat(),
          ModelEvent.TextDelta({ text: "Hello" }),
          ModelEvent.TextDelta({ text: " you" }),
          ModelEvent.Heartbeat(),
          finished
        ]
      )
    }))

  it.effect("takes the size of a full window from a usage that counts the input", () =>
    Effect.gen(function*() {
      const limit = (usage: Usage.Usage) =>
        ReplyStream.events({ model: "m", provider: "p", secrets: [] }, () => ({
          ...reader,
          append: () => Either.left(ReplyStream.Fault.Full({ detail: "", usage }))
        }))(pulling([[1]])).pipe(
          Effect.flatten,
          Effect.flip,
          Effect.map((error) =>
            Option.isSome(error) && error.value._tag === "ContextWindowExceeded" ? error.value.limit : "none"
          )
        )
      assert.strictEqual(yield* limit({ ...Usage.zero, cacheRead: 90, fresh: 10, output: 20 }), 120)
      assert.isUndefined(yield* limit({ ...Usage.zero, output: 4_000 }))
      assert.isUndefined(yield* limit({ ...Usage.zero, fresh: 1_000_000_000_000 }))
    }))

  it.effect("is whole when the connection breaks after the end, and not before", () =>
    Effect.gen(function*() {
      const broken = new ModelUnavailable({ detail: "", model: "m", provider: "p", reason: "interrupted" })
      const overloaded = new ModelUnavailable({ detail: "", model: "m", provider: "p", reason: "overloaded" })
      const read = (elements: ReadonlyArray<string>, error: ModelUnavailable) => {
        let isOver = false
        const breaking: Effect.Effect<Pull<unknown, ModelUnavailable>> = Effect.map(
          pulling([elements]),
          Effect.mapError(() => Option.some(error))
        )
        const pulled = ReplyStream.events({ model: "m", provider: "p", secrets: [] }, () => ({
          ...reader,
          append: (reading, value) => {
            isOver ||= value === "end"
            return reader.append(reading, value)
          },
          end: () => isOver ? Either.right([finished]) : Either.left(ReplyStream.Fault.Cut({ detail: "cut" }))
        }))(breaking)
        return Stream.unwrapScoped(Effect.map(pulled, Stream.repeatEffectChunkOption)).pipe(
          Stream.runCollect,
          Effect.map(Chunk.toReadonlyArray)
        )
      }
      assert.deepStrictEqual((yield* read(["Hello", "end"], broken)).at(-1), finished)
      assert.deepInclude(yield* Effect.flip(read(["Hello"], broken)), { detail: "", reason: "interrupted" })
      assert.deepInclude(yield* Effect.flip(read(["Hello", "end"], overloaded)), { reason: "overloaded" })
    }))

  it.effect("is whole ten seconds after its end when the server leaves it open, and not before its end", () =>
    Effect.gen(function*() {
      const stalling = (...elements: ReadonlyArray<string>) =>
        ReplyStream.events({ model: "m", provider: "p", secrets: [] }, () => ({
          ...reader,
          append: (_, value) => Either.right([value === "end", []]),
          end: (isOver) => isOver ? Either.right([finished]) : Either.left(ReplyStream.Fault.Cut({ detail: "cut" })),
          start: false
        }))(Effect.map(pulling([elements]), Effect.catchAll(() => Effect.never))).pipe(
          Effect.map(Stream.repeatEffectChunkOption),
          Stream.unwrapScoped,
          Stream.runCollect,
          Effect.fork
        )
      const ended = yield* stalling("Hello", "end")
      const silent = yield* stalling("Hello")
      yield* TestClock.adjust("9 seconds")
      assert.isTrue(Option.isNone(yield* Fiber.poll(ended)))
      yield* TestClock.adjust("1 seconds")
      assert.deepStrictEqual(Chunk.toReadonlyArray(yield* Fiber.join(ended)), [ModelEvent.Heartbeat(), finished])
      yield* TestClock.adjust("1 hours")
      assert.isTrue(Option.isNone(yield* Fiber.poll(silent)))
      yield* Fiber.interrupt(silent)
    }))

  it.effect("says what came before a fault that arrived with it", () =>
    Effect.gen(function*() {
      const said: Array<ModelEvent> = []
      const error = yield* events([["Hello", null, "lost"]]).pipe(
        Stream.runForEach((event) => Effect.sync(() => said.push(event))),
        Effect.flip
      )
      assert.deepStrictEqual(said, [ModelEvent.TextDelta({ text: "Hello" })])
      assert.strictEqual(error._tag, "ContentRefused")
    }))
})
