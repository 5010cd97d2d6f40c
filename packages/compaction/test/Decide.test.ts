import { assert, describe, it } from "@effect/vitest"
import * as Decide from "@weir/compaction/Decide"
import * as Gate from "@weir/compaction/Gate"
import * as FastCheck from "effect/FastCheck"
import { anyOutputCap, anyWindow, budgetOf, many } from "./Samples.js"

const budget = budgetOf(64_000)

const calm: Decide.Situation = {
  phase: "in-turn",
  estimate: 1_000,
  bytes: 1_000,
  floorFits: true,
  budget,
  automatic: true,
  gate: Gate.initial,
  fingerprint: "now",
  outcome: "none",
  refusals: 0,
  lowered: false,
  prunedFits: false
}

const act = (situation: Partial<Decide.Situation>) => Decide.decide({ ...calm, ...situation }).action

const due = budget.inTurnTrigger
const over = budget.window
const open: Gate.Gate = { ...Gate.initial, failures: Gate.maxFailures }

describe("Gate", () => {
  it("[A20] suppresses proactive attempts until the conversation advances; a forced one is still allowed", () => {
    for (const gate of [Gate.cancelled(Gate.initial), Gate.failed(Gate.initial, "then")]) {
      assert.isFalse(Gate.allowsProactive(gate, budget, "now", due))
      assert.isTrue(Gate.allows(gate, "now"))
      assert.isTrue(Gate.allowsProactive(Gate.advanced(gate), budget, "now", due))
    }
  })

  it("three failures in a row open the breaker, for forced attempts too; cancels never count", () => {
    let gate = Gate.initial
    for (let index = 0; index < 10; index++) gate = Gate.advanced(Gate.cancelled(gate))
    gate = Gate.advanced(Gate.failed(Gate.failed(gate, "a"), "b"))
    assert.isTrue(Gate.allowsProactive(gate, budget, "now", due))
    assert.isTrue(Gate.allows(Gate.failed(Gate.applied(0), "c"), "now"))
    gate = Gate.advanced(Gate.failed(gate, "c"))
    assert.isFalse(Gate.allows(gate, "now") || Gate.allowsProactive(gate, budget, "now", due))
  })

  it("what failed is not tried again unchanged", () => {
    assert.isFalse(Gate.allows(Gate.advanced(Gate.failed(Gate.initial, "now")), "now"))
  })

  it("still at the trigger after a replacement: the next attempt waits for 10 % of the budget", () => {
    const gate = Gate.applied(due)
    const enough = due + Math.floor(budget.input / 10)
    assert.isFalse(Gate.allowsProactive(gate, budget, "now", enough - 1))
    assert.isTrue(Gate.allowsProactive(gate, budget, "now", enough))
    assert.isTrue(Gate.allowsProactive(Gate.applied(budget.trigger - 1), budget, "now", due))
  })
})

describe("Decide", () => {
  it("[A01] compacts at the trigger, and not one token below", () => {
    assert.strictEqual(act({ estimate: due }), "CompactProactive")
    assert.strictEqual(act({ estimate: due - 1 }), "Send")
  })

  it("[B02] before a turn the other trigger counts as well", () => {
    const wide = budgetOf(32_768)
    assert.strictEqual(
      act({ budget: wide, phase: "turn-boundary", estimate: wide.boundaryTrigger }),
      "CompactProactive"
    )
    assert.strictEqual(act({ budget: wide, phase: "in-turn", estimate: wide.boundaryTrigger }), "Send")
  })

  it("[A18][A20] after a cancelled, failed or applied attempt at this boundary the request goes out", () => {
    for (const outcome of ["cancelled", "failed", "applied"] as const) {
      assert.strictEqual(act({ estimate: due, outcome }), "Send")
    }
    assert.strictEqual(act({ estimate: due, gate: Gate.cancelled(Gate.initial) }), "Send")
    assert.strictEqual(act({ estimate: due, gate: open }), "Send")
  })

  it("over the budget: lower output, else prune, else force, else end", () => {
    const gate = Gate.cancelled(Gate.initial)
    assert.strictEqual(act({ gate, estimate: budget.input + 1, prunedFits: true }), "LowerOutput")
    assert.strictEqual(act({ gate, estimate: over, prunedFits: true }), "Prune")
    assert.strictEqual(act({ gate, estimate: over }), "CompactForced")
    assert.strictEqual(act({ gate: open, estimate: over }), "End")
    assert.strictEqual(act({ estimate: over, outcome: "applied" }), "End")
  })

  it("[A21] no forced compaction where the user has just cancelled one", () => {
    assert.strictEqual(act({ estimate: over, outcome: "cancelled", prunedFits: true }), "Prune")
    assert.strictEqual(act({ estimate: over, outcome: "cancelled" }), "End")
    assert.strictEqual(act({ refusals: 1, outcome: "cancelled", prunedFits: true }), "End")
  })

  it("a window that is only assumed ends no turn before the provider refuses", () => {
    const guess = { ...budget, certain: false }
    assert.strictEqual(act({ budget: guess, estimate: over, outcome: "failed" }), "Send")
    assert.strictEqual(act({ budget: guess, estimate: over, outcome: "failed", refusals: 1 }), "End")
  })

  it("too many bytes: a copy with fewer images, else a compaction; a lower output limit is no help", () => {
    const heavy = { bytes: 2_000_000, budget: { ...budget, bytes: { limit: 1_000_000, guessed: false } } }
    assert.strictEqual(act({ ...heavy, prunedFits: true }), "Prune")
    assert.strictEqual(act(heavy), "CompactForced")
    assert.strictEqual(act({ ...heavy, outcome: "failed" }), "End")
    const gate = Gate.cancelled(Gate.initial)
    assert.strictEqual(act({ ...heavy, gate, estimate: budget.input + 1, prunedFits: true }), "Prune")
    assert.strictEqual(act({ ...heavy, refusals: 1, prunedFits: true }), "Prune")
    assert.strictEqual(act({ ...heavy, refusals: 1 }), "CompactForced")
    const guessed = { ...heavy, budget: { ...budget, bytes: { limit: 1_000_000, guessed: true } } }
    assert.strictEqual(act({ ...guessed, outcome: "failed" }), "Send")
  })

  it("no summary is asked for where system prompt, tools and message alone are too large", () => {
    assert.strictEqual(act({ floorFits: false, estimate: over }), "End")
    assert.strictEqual(act({ floorFits: false, estimate: due }), "Send")
    assert.strictEqual(act({ floorFits: false, estimate: budget.input + 1 }), "LowerOutput")
    assert.strictEqual(act({ floorFits: false, refusals: 1 }), "End")
  })

  it("[A07][A21] a refused request is compacted for, once; then it ends", () => {
    assert.strictEqual(act({ refusals: 1 }), "CompactForced")
    assert.strictEqual(act({ refusals: 1, outcome: "applied" }), "Send")
    assert.strictEqual(act({ refusals: 2 }), "End")
    assert.strictEqual(act({ refusals: 1, outcome: "failed" }), "End")
    assert.strictEqual(act({ refusals: 1, outcome: "failed", prunedFits: true }), "Prune")
    assert.strictEqual(act({ refusals: 2, outcome: "failed", prunedFits: true }), "End")
    assert.strictEqual(act({ refusals: 2, lowered: true }), "CompactForced")
    assert.strictEqual(act({ refusals: 2, lowered: true, outcome: "failed", prunedFits: true }), "Prune")
    assert.strictEqual(act({ refusals: 3, lowered: true }), "End")
  })

  it("[A24] the off switch is honoured before the provider refuses and after", () => {
    assert.strictEqual(act({ automatic: false, estimate: due }), "Send")
    assert.strictEqual(act({ automatic: false, estimate: over }), "End")
    assert.strictEqual(act({ automatic: false, refusals: 1, prunedFits: true }), "End")
  })

  const anySituation: FastCheck.Arbitrary<Decide.Situation> = FastCheck.record({
    phase: FastCheck.constantFrom("in-turn" as const, "turn-boundary" as const),
    share: FastCheck.integer({ min: 0, max: 200 }),
    budget: FastCheck.tuple(anyWindow, anyOutputCap).map(([window, cap]) => budgetOf(window, cap)),
    automatic: FastCheck.boolean(),
    gate: FastCheck.record({
      suppressed: FastCheck.boolean(),
      failures: FastCheck.nat(4),
      replaced: FastCheck.constantFrom(0, 100_000),
      failing: FastCheck.constantFrom("now", "then")
    }),
    outcome: FastCheck.constantFrom("none" as const, "applied" as const, "cancelled" as const, "failed" as const),
    refusals: FastCheck.nat(3),
    lowered: FastCheck.boolean(),
    prunedFits: FastCheck.boolean(),
    certain: FastCheck.boolean(),
    bytes: FastCheck.constantFrom(1_000, 1_000, 2_000_000),
    byteLimit: FastCheck.record({ limit: FastCheck.constantFrom(1_000_000, Infinity), guessed: FastCheck.boolean() }),
    floorFits: FastCheck.integer({ min: 0, max: 4 }).map((n) => n > 0)
  }).map(({ budget, byteLimit, certain, share, ...rest }) => ({
    ...rest,
    fingerprint: "now",
    budget: { ...budget, certain, bytes: byteLimit },
    estimate: Math.floor(budget.window * share / 100)
  }))

  it.prop("in every situation: one answer, and none that breaks a rule", [anySituation], ([situation]) => {
    const { action } = Decide.decide(situation)
    const { budget, estimate, gate, outcome, refusals } = situation
    if (action.startsWith("Compact")) {
      assert.isTrue(situation.automatic)
      assert.strictEqual(outcome, "none")
      assert.isTrue(Gate.allows(gate, "now"))
    }
    if (action === "CompactProactive") {
      assert.isAtLeast(estimate, budget.trigger)
      assert.isTrue(Gate.allowsProactive(gate, budget, "now", estimate))
    }
    const heavy = situation.bytes > budget.bytes.limit
    if (action.startsWith("Compact")) assert.isTrue(situation.floorFits)
    if (action === "Send" && budget.certain) assert.isAtMost(estimate, budget.input)
    if (action === "Send" && heavy) assert.isTrue(budget.bytes.guessed)
    if (action === "LowerOutput") assert.isFalse(heavy)
    if (action === "Send") assert.isTrue(refusals === 0 || outcome === "applied")
    const known = (budget.certain && estimate > budget.input) || (heavy && !budget.bytes.guessed)
    if (action === "End") assert.isTrue(refusals > 0 || known)
    if (action === "Prune") assert.isTrue(situation.prunedFits)
    if (refusals === 0 && estimate < budget.trigger && !heavy) assert.strictEqual(action, "Send")
  }, many)

  it("every row is the answer somewhere, but for the last that no test should need", () => {
    const answered = new Set(
      FastCheck.sample(anySituation, { numRuns: 5_000, seed: 7 }).map((s) => Decide.decide(s).when)
    )
    assert.deepEqual(Decide.rows.map(({ when }) => when).filter((when) => !answered.has(when)), [])
  })

  it.prop(
    "a boundary ends after at most 3 sends and 3 compactions, whatever the world does",
    [anySituation, FastCheck.infiniteStream(FastCheck.nat(5))],
    ([first, world]) => {
      let situation: Decide.Situation = { ...first, outcome: "none", refusals: 0, lowered: false }
      let sends = 0
      let compactions = 0
      const next = () => Number(world.next().value)
      while (true) {
        const { action } = Decide.decide(situation)
        if (action === "End") return
        if (action === "CompactProactive" || action === "CompactForced") {
          compactions++
          const outcome = (["applied", "cancelled", "failed"] as const)[next() % 3] ?? "failed"
          const estimate = outcome === "applied" ? Math.floor(situation.estimate * next() / 5) : situation.estimate
          const fingerprint = outcome === "applied" ? `${situation.fingerprint}'` : situation.fingerprint
          const gate = outcome === "applied"
            ? Gate.applied(estimate)
            : outcome === "failed"
            ? Gate.failed(situation.gate, situation.fingerprint)
            : Gate.cancelled(situation.gate)
          situation = { ...situation, outcome, estimate, fingerprint, gate, prunedFits: next() % 2 === 0 }
        } else {
          sends++
          if (next() === 0) return
          const lowered = action === "LowerOutput"
          situation = { ...situation, outcome: "none", refusals: situation.refusals + 1, lowered }
          if (next() === 1) situation = { ...situation, bytes: 2_000_000 }
        }
        assert.isAtMost(sends, 3)
        assert.isAtMost(compactions, 3)
      }
    },
    many
  )
})
