// The promises and generators of an SDK.
// @effect-diagnostics asyncFunction:off newPromise:off runEffectInsideEffect:off
import { assert, describe, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as SdkStream from "../src/SdkStream.js"

/** An iterable whose `next` never settles after these elements, and whose `return` waits for it, as a generator's does. */
const stalling = (elements: ReadonlyArray<number>): AsyncIterable<number> => ({
  [Symbol.asyncIterator]: () => {
    const left = [...elements]
    const pending = new Promise<IteratorResult<number>>(() => undefined)
    return {
      next: () => {
        const value = left.shift()
        return value === undefined ? pending : Promise.resolve({ done: false, value })
      },
      return: () => pending
    }
  }
})

const signals: Array<AbortSignal> = []

const from = (open: () => Promise<AsyncIterable<number>>) =>
  Stream.unwrapScoped(Effect.map(
    SdkStream.fromSdk({
      onError: (error, phase) => Effect.fail({ error, phase }),
      open: (signal) => {
        signals.push(signal)
        return open()
      }
    }),
    (pull) => Stream.repeatEffectChunkOption(Effect.map(pull, Chunk.unsafeFromArray))
  ))

async function* failing(elements: ReadonlyArray<number>, error: unknown) {
  yield* elements
  throw error
}

describe("SdkStream", () => {
  it.effect("gives all elements, and aborts at the end", () =>
    Effect.gen(function*() {
      async function* three() {
        yield* [1, 2, 3]
      }
      const all = yield* Stream.runCollect(from(() => Promise.resolve(three())))
      assert.deepStrictEqual(Chunk.toReadonlyArray(all), [1, 2, 3])
      assert.isTrue(signals.at(-1)?.aborted)
    }))

  it.effect("takes together what has arrived, all of it, and lets others go first in between", () =>
    Effect.gen(function*() {
      async function* many() {
        for (let at = 0; at < 1_000; at++) yield at
      }
      let turns = 0
      const count = () => {
        turns++
        turning = setImmediate(count)
      }
      let turning = setImmediate(count)
      const chunks = yield* from(() => Promise.resolve(many())).pipe(Stream.chunks, Stream.runCollect)
      clearImmediate(turning)
      assert.deepStrictEqual([...Chunk.flatten(chunks)], Array.from({ length: 1_000 }, (_, at) => at))
      assert.isBelow(chunks.length, 50)
      assert.isAtLeast(turns, chunks.length - 1)
    }))

  it.effect("opens nothing before it is run", () =>
    Effect.gen(function*() {
      const count = signals.length
      const stream = from(() => Promise.resolve(failing([1], "x")))
      assert.lengthOf(signals, count)
      yield* Effect.exit(Stream.runDrain(stream))
      yield* Effect.exit(Stream.runDrain(stream))
      assert.lengthOf(signals, count + 2)
    }))

  it.effect("tells an error before the answer from one in it", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(
        yield* Effect.flip(Stream.runDrain(from(() => Promise.reject("x")))),
        { error: "x", phase: "opening" }
      )
      assert.deepStrictEqual(
        yield* Effect.flip(Stream.runDrain(from(() => Promise.resolve(failing([1, 2], "y"))))),
        { error: "y", phase: "reading" }
      )
      assert.isTrue(signals.at(-1)?.aborted)
    }))

  for (const elements of [[], [1, 2]]) {
    it.effect(
      `is interrupted although its iterable never settles, after ${elements.length} elements`,
      () =>
        Effect.gen(function*() {
          const seen = yield* Deferred.make<void>()
          const fiber = yield* from(() => {
            Effect.runSync(Deferred.succeed(seen, undefined))
            return Promise.resolve(stalling(elements))
          }).pipe(Stream.runDrain, Effect.fork)
          yield* Deferred.await(seen)
          assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(fiber)))
          assert.isTrue(signals.at(-1)?.aborted)
        }),
      2000
    )
  }

  it.effect("is interrupted while it opens, and ended by a reader that has enough", () =>
    Effect.gen(function*() {
      const fiber = yield* Effect.fork(Stream.runDrain(from(() => new Promise(() => undefined))))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(fiber)
      assert.isTrue(signals.at(-1)?.aborted)
      yield* from(() => Promise.resolve(stalling([1, 2]))).pipe(Stream.take(2), Stream.runDrain)
      assert.isTrue(signals.at(-1)?.aborted)
    }), 2000)
})
