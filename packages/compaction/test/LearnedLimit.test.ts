import { assert, describe, it } from "@effect/vitest"
import type { Limits } from "@weir/model/Model"
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
