import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Ref from "effect/Ref"
import * as TestClock from "effect/TestClock"
import { ScreenEvent } from "../src/Input.js"
import * as Screen from "../src/Screen.js"
import { type LineEvent, TerminalEvent } from "../src/Terminal.js"
import { plain } from "../src/Theme.js"
import { finished, started, text } from "./Play.js"

/** A screen of 40 columns that has drawn its first frame, and the frames that it draws from then on. */
const make = Effect.gen(function*() {
  const frames = yield* Ref.make<ReadonlyArray<string>>([])
  const received = yield* Queue.unbounded<TerminalEvent>()
  const screen = yield* Screen.make({
    complete: () => Promise.resolve([]),
    history: [],
    terminal: {
      lines: Queue.unbounded<LineEvent>(),
      open: Effect.succeed(received),
      size: Effect.succeed({ columns: 40, rows: 24 }),
      suspend: Effect.void,
      write: (more) => Ref.update(frames, (before) => [...before, more])
    },
    theme: plain
  })
  yield* screen.dispatch(ScreenEvent.Submitted({ text: "Go." }), started)
  yield* TestClock.adjust("1 second")
  yield* Ref.set(frames, [])
  return {
    drawn: Ref.getAndSet(frames, []),
    press: (data: string) =>
      Effect.zipRight(Queue.offer(received, TerminalEvent.Sent({ data })), TestClock.adjust("1 millis")),
    screen
  }
})

describe("the screen", () => {
  it.scoped("draws a fast stream fifteen times a second, all of it, and each piece once", () =>
    Effect.gen(function*() {
      const { drawn, screen } = yield* make
      const piece = screen.dispatch(text("word "))
      for (let at = 0; at < 200; at++) {
        yield* piece
        yield* TestClock.adjust("5 millis")
      }
      const frames = yield* drawn
      assert.isAtLeast(frames.length, 14)
      assert.isAtMost(frames.length, 16)
      yield* screen.dispatch(finished)
      yield* TestClock.adjust("1 second")
      const { said } = yield* screen.state
      const words = said.flatMap((block) => block._tag === "Prose" ? block.text.split(/\s+/) : [])
      assert.deepStrictEqual(words, Array.from({ length: 200 }, () => "word"))
    }))

  it.scoped("draws a key at once, also between two frames", () =>
    Effect.gen(function*() {
      const { drawn, press, screen } = yield* make
      // The spinner has drawn a frame at the full second.
      yield* TestClock.adjust("80 millis")
      yield* drawn
      yield* screen.dispatch(text("one"))
      yield* TestClock.adjust("1 millis")
      assert.include((yield* drawn).join(""), "one")
      yield* screen.dispatch(text(" two"))
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(yield* drawn, [])
      yield* press("x")
      const echoed = (yield* drawn).join("")
      assert.include(echoed, "x")
      assert.include(echoed, "one two")
      yield* press("y")
      assert.include((yield* drawn).join(""), "xy")
    }))
})
