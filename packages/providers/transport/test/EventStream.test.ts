// @effect-diagnostics asyncFunction:off
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import * as EventStream from "../src/EventStream.js"

/** An answer in these pieces. */
const answer = (pieces: Iterable<Uint8Array>) => {
  const left = [...pieces]
  return new Response(
    new ReadableStream({
      pull: (controller) => {
        const piece = left.shift()
        if (piece === undefined) controller.close()
        else controller.enqueue(piece)
      }
    })
  )
}

/** All that is pulled, and why no more is. */
const read = (pieces: Iterable<Uint8Array>) =>
  Effect.scoped(Effect.gen(function*() {
    const pull = yield* EventStream.fromSdk({
      onError: (error, phase) => Effect.fail({ error, phase }),
      open: () => Promise.resolve(answer(pieces))
    })
    const pulled: Array<ReadonlyArray<unknown>> = []
    const end = yield* Effect.flip(
      Effect.forever(Effect.map(pull, (values) => {
        pulled.push(values)
      }))
    )
    return { end: Option.getOrUndefined(end), values: pulled.flat(), pulled }
  }))

const write = Schema.encodeSync(Schema.parseJson(Schema.Struct({ text: Schema.String })))
const bytes = (text: string) => new TextEncoder().encode(text)

const cut = (whole: Uint8Array, places: ReadonlyArray<number>) => {
  const at = [0, ...places.map((place) => place % (whole.length + 1)).sort((a, b) => a - b), whole.length]
  return at.slice(1).map((end, index) => whole.subarray(at[index], end))
}

describe("EventStream", () => {
  it("gives the same values however the answer is cut, and however its lines end", () =>
    fc.assert(fc.asyncProperty(
      fc.array(fc.tuple(fc.fullUnicodeString(), fc.constantFrom("", "event: named", ": a comment", "id: 1"))),
      fc.array(fc.nat()),
      fc.constantFrom("\n", "\r\n"),
      async (values, places, lineEnd) => {
        const texts = values.map(([text]) => ({ text: `${text} é 漢 😀` }))
        const events = texts.flatMap((value, at) => [values[at]?.[1] ?? "", `data: ${write(value)}`, ""])
        const whole = bytes([...events, "data: [DONE]", "", `data: ${write({ text: "late" })}`, "", ""].join(lineEnd))
        const found: Array<unknown> = []
        for await (const values of EventStream.values(answer(cut(whole, places)))) found.push(...values)
        assert.deepStrictEqual(found, texts)
      }
    )))

  it.effect("takes together what a piece holds", () =>
    Effect.gen(function*() {
      const { pulled } = yield* read([bytes("data: 1\n\ndata: 2\n\nda"), bytes("ta: 3\n\n")])
      assert.deepStrictEqual(pulled[0]?.slice(0, 2), [1, 2])
    }))

  it.effect("gives what came before an event that is no JSON, or an error", () =>
    Effect.gen(function*() {
      const broken = yield* read([bytes("data: 1\n\ndata: {\"a\n\ndata: 2\n\n")])
      assert.deepStrictEqual(broken.values, [1])
      assert.strictEqual(broken.end?.phase, "reading")
      assert.instanceOf(broken.end?.error, SyntaxError)
      const failed = yield* read([bytes("data: 1\n\ndata: {\"error\":{\"code\":\"full\"}}\n\ndata: 2\n\n")])
      assert.deepStrictEqual(failed.values, [1])
      assert.deepInclude(failed.end?.error, { error: { code: "full" } })
    }))

  it.effect("finds the error that is no event", () =>
    Effect.gen(function*() {
      const error = "{\"code\":400,\"message\":\"the request exceeds the available context size\"}"
      const named = yield* read([bytes("data: 1\n\nerr"), bytes(`or: ${error}\n\n`)])
      assert.deepStrictEqual(named.values, [1])
      assert.deepInclude(named.end?.error, { error })
      // In the place of all events, whole and pretty, with and without a last line break.
      for (const text of [error, `${error}\n`, "{\r\n  \"code\": 400\r\n}", "upstream: no answer"]) {
        const { end, values } = yield* read(cut(bytes(`: waiting\n\n${text}`), [3, 17]))
        assert.deepStrictEqual(values, [])
        assert.deepInclude(end?.error, { error: text.replaceAll("\r\n", "\n").trim() })
      }
      for (
        const nothing of [
          "",
          "\n\n",
          ": waiting\n\n: still waiting",
          "event: ping\nid: 1\n\n",
          "data: [DONE]\n\n",
          "data"
        ]
      ) {
        assert.isUndefined((yield* read([bytes(nothing)])).end)
      }
      const late = yield* read([bytes("data: 1\n\nupstream: no answer\n")])
      assert.deepStrictEqual([late.values, late.end], [[1], undefined])
    }))

  it.effect("takes no event that is not whole, nor an error that is none", () =>
    Effect.gen(function*() {
      const { end, values } = yield* read([bytes("data: {\"error\":null}\n\ndata: {\"a\":1}\n")])
      assert.deepStrictEqual(values, [{ error: null }])
      assert.isUndefined(end)
    }))
})
