import { assert, describe, it } from "@effect/vitest"
import type { Limits } from "@weir/model/Model"
import { ContextWindowExceeded } from "@weir/model/ModelError"
import * as Option from "effect/Option"
import * as LearnedLimit from "../src/LearnedLimit.js"

const limits = (source: Limits["source"]): Limits => ({ outputCap: 8_192, source, window: 200_000 })

const applied = (source: Limits["source"], window: number, guessed = false) => {
  const { source: now, window: left } = LearnedLimit.apply(limits(source), Option.some({ guessed, window }))
  return [left, now]
}

describe("a learned window", () => {
  it("narrows what the user has declared and what the catalogue says", () => {
    assert.deepStrictEqual(applied("declared", 64_000), [64_000, "learned"])
    assert.deepStrictEqual(applied("catalogued", 64_000), [64_000, "learned"])
  })

  it("widens neither", () => {
    assert.deepStrictEqual(applied("declared", 1_000_000), [200_000, "declared"])
    assert.deepStrictEqual(applied("catalogued", 1_000_000), [200_000, "catalogued"])
  })

  it("replaces an assumption, in either direction", () => {
    assert.deepStrictEqual(applied("assumed", 64_000), [64_000, "learned"])
    assert.deepStrictEqual(applied("assumed", 1_000_000), [1_000_000, "learned"])
  })

  it("that is guessed only narrows, and makes no window certain", () => {
    for (const source of ["assumed", "catalogued", "declared"] as const) {
      assert.deepStrictEqual(applied(source, 64_000, true), [64_000, "assumed"])
      assert.deepStrictEqual(applied(source, 1_000_000, true), [200_000, "assumed"])
    }
  })

  it("a limit on bytes is learned beside the window, narrows what is declared, and grows with what is accepted", () => {
    const asked = { window: 200_000, estimate: 50_000, maxBytes: Infinity, bytes: 8_000_000 }
    const refusal = (limit?: number) =>
      new ContextWindowExceeded({
        provider: "p",
        model: "m",
        detail: "",
        kind: "bytes",
        ...(limit !== undefined && { limit })
      })
    const window = { window: 100_000, guessed: false }
    const named = LearnedLimit.fromRefusal(Option.some(window), refusal(5_000_000), asked)
    assert.deepStrictEqual(named, Option.some({ ...window, bytes: { limit: 5_000_000, guessed: false } }))
    const guessed = LearnedLimit.fromRefusal(Option.none(), refusal(), asked)
    assert.deepStrictEqual(guessed, Option.some({ guessed: false, bytes: { limit: 6_000_000, guessed: true } }))
    assert.isTrue(
      Option.isNone(LearnedLimit.fromRefusal(Option.none(), refusal(5_000_000), { ...asked, maxBytes: 4e6 }))
    )
    assert.isTrue(Option.isNone(LearnedLimit.fromRefusal(Option.none(), refusal(413), asked)))

    assert.deepInclude(LearnedLimit.apply(limits("declared"), named), {
      window: 100_000,
      maxBytes: { limit: 5_000_000, guessed: false }
    })
    const declared: Limits = { ...limits("declared"), maxBytes: { limit: 1_000_000, guessed: false } }
    assert.deepStrictEqual(LearnedLimit.apply(declared, guessed), declared)

    const raised = Option.flatMap(guessed, (limit) => LearnedLimit.fromAccepted(limit, { used: 9, bytes: 7_000_000 }))
    assert.deepStrictEqual(raised, Option.some({ guessed: false, bytes: { limit: 7_000_000, guessed: true } }))
    const none = Option.flatMap(guessed, (limit) => LearnedLimit.fromAccepted(limit, { used: 9, bytes: 6_000_000 }))
    assert.isTrue(Option.isNone(none))
  })

  it("leaves the other limits alone", () => {
    const given: Limits = { maxInput: 150_000, maxOutput: 9_000, ...limits("catalogued") }
    assert.deepInclude(LearnedLimit.apply(given, Option.some({ guessed: false, window: 64_000 })), {
      maxInput: 150_000,
      maxOutput: 9_000,
      outputCap: 8_192
    })
    assert.strictEqual(LearnedLimit.apply(given, Option.none()), given)
  })
})
