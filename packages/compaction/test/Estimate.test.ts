import { assert, describe, it } from "@effect/vitest"
import * as Budget from "@weir/compaction/Budget"
import * as Estimate from "@weir/compaction/Estimate"
import * as Weight from "@weir/compaction/Weight"
import type { Entry, Step } from "@weir/model/Conversation"
import { exchanges, userMessage } from "@weir/model/Conversation"
import * as Usage from "@weir/model/Usage"
import * as FastCheck from "effect/FastCheck"
import { anyStep, anyUser, budgetOf, exchange, many, said, step, weights, words } from "./Samples.js"

const prompt = { system: words(400), tools: [{ name: "bash", description: words(40), parameters: { type: "object" } }] }

const reporting = (self: Step, fresh: number, output = 10): Step => ({
  ...self,
  usage: { ...Usage.zero, fresh, output }
})

const started = (entries: ReadonlyArray<Entry>, multiplier?: number) =>
  Estimate.start({ ...prompt, entries }, weights, multiplier)

describe("Weight", () => {
  it("covers system prompt, tool schemas, calls, results and images", () => {
    const bare = Weight.fixed({ system: "", tools: [] }, weights)
    assert.isAbove(Weight.fixed({ ...prompt, tools: [] }, weights), bare + 300)
    assert.isAbove(Weight.fixed(prompt, weights), Weight.fixed({ ...prompt, tools: [] }, weights) + 40)
    const image = { mediaType: "image/png", data: "A".repeat(100_000) }
    assert.strictEqual(Weight.entry(userMessage("", [image, image]), weights), 4 + 3_000)
    const call = exchange("bash", words(100), { args: words(100) })
    assert.isAtLeast(Weight.entry(step(call), weights), 200 + 10 + 4)
  })

  it("counts reasoning only where it is sent again", () => {
    const thought = step({ _tag: "Reasoning", text: words(500) })
    assert.strictEqual(Weight.entry(thought, weights), 4)
    assert.isAbove(Weight.entry(thought, { ...weights, replaysReasoning: true }), 500)
  })
})

describe("Estimate", () => {
  it("without a report it is the scan of everything, and a margin", () => {
    const self = started([userMessage(words(1_000))])
    assert.strictEqual(Estimate.expected(self), self.scanned)
    assert.strictEqual(Estimate.current(self), self.scanned + Math.ceil(self.scanned * 17 / 100))
  })

  it("a report makes it exact; only what tools added since is scanned", () => {
    const call = exchange("bash", words(200))
    const self = Estimate.answered(started([userMessage(words(1_000))]), reporting(step(call), 1_700, 20))
    const result = Weight.entry(step(call), weights) - Weight.reply(step(call), weights)
    assert.strictEqual(self.anchor?.tokens, 1_720)
    assert.strictEqual(Estimate.expected(self), 1_720 + Math.ceil(result * self.multiplier / 1_000))
    const said10 = Estimate.answered(started([userMessage(words(1_000))]), reporting(said("ok"), 1_700, 20))
    assert.isAtMost(Estimate.expected(said10), 1_720 + 2 * weights.perEntry)
  })

  it("cache reads and writes are input too", () => {
    const usage = { fresh: 10, cacheRead: 1_000, cacheWrite: 500, output: 5, reasoning: 0 }
    assert.strictEqual(
      Estimate.answered(started([userMessage(words(1_000))]), { ...said("ok"), usage }).anchor?.tokens,
      1_515
    )
  })

  it("reasoning counts as input only where it is sent again", () => {
    const usage = { ...Usage.zero, fresh: 1_700, output: 900, reasoning: 800 }
    const self = started([userMessage(words(1_000))])
    const again = { ...self, weights: { ...weights, replaysReasoning: true } }
    assert.strictEqual(Estimate.answered(self, { ...said("ok"), usage }).anchor?.tokens, 1_800)
    assert.strictEqual(Estimate.answered(again, { ...said("ok"), usage }).anchor?.tokens, 2_600)
  })

  it.each([["missing", undefined], ["zero", 0], ["less than half of the estimate", 10_000]])(
    "a report that is %s drops the anchor",
    (_, fresh) => {
      const first = Estimate.answered(started([userMessage(words(1_000))]), reporting(said("ok"), 1_500))
      assert.isDefined(first.anchor)
      const grown = Estimate.added(first, userMessage(words(30_000)))
      const answer = said("ok")
      const self = Estimate.answered(grown, fresh === undefined ? answer : reporting(answer, fresh))
      assert.isUndefined(self.anchor)
      assert.strictEqual(self.multiplier, grown.multiplier)
      assert.isAtLeast(Estimate.expected(self), 30_000)
    }
  )

  it("a report of more output than any model writes drops the anchor", () => {
    const self = started([userMessage(words(1_000))])
    const answered = Estimate.answered(self, reporting(said("ok"), 1_500, 1_000_000_000_000))
    assert.isUndefined(answered.anchor)
    assert.isAtMost(Estimate.expected(answered), 3_000)
  })

  it("a server that cuts its input in silence does not hide a growing history", () => {
    let self = started([userMessage(words(1_000))])
    for (let index = 0; index < 30; index++) {
      const result = step(exchange("bash", words(2_000)))
      self = Estimate.answered(self, reporting(result, Math.min(10_000, 1_500 + 2_000 * index)))
    }
    assert.isUndefined(self.anchor)
    assert.isAtLeast(Estimate.expected(self), 40_000)
  })

  it("what a pruned copy cost says nothing about the whole", () => {
    const first = Estimate.answered(started([userMessage(words(9_000))]), reporting(said("ok"), 9_500))
    const self = Estimate.added(first, reporting(said("ok"), 6_000))
    assert.strictEqual(self.anchor, first.anchor)
    assert.isAtLeast(Estimate.expected(self), Estimate.expected(first))
  })

  it.prop(
    "adding never lowers it, and costs what is added",
    [FastCheck.array(anyStep, { maxLength: 10 })],
    ([steps]) => {
      let self = started([])
      for (const entry of steps) {
        const next = Estimate.added(self, entry)
        assert.isAtLeast(Estimate.current(next), Estimate.current(self))
        assert.strictEqual(next.scanned - self.scanned, Weight.entry(entry, weights))
        self = next
      }
      assert.strictEqual(self.scanned, started(steps).scanned)
    },
    many
  )

  it.prop(
    "whatever a provider reports, estimate and multiplier stay sane",
    [anyUser, FastCheck.array(FastCheck.tuple(anyStep, FastCheck.nat(300_000), FastCheck.nat(10_000)))],
    ([user, reports]) => {
      let self = started([user])
      for (const [entry, fresh, output] of reports) {
        self = Estimate.answered(self, reporting(entry, fresh, output))
        assert.isTrue(self.multiplier >= 700 && self.multiplier <= 2_000 && Number.isInteger(self.multiplier))
        assert.isTrue(Number.isInteger(Estimate.current(self)) && Estimate.current(self) > 0)
      }
    },
    many
  )

  it("a new start keeps what was learned of the provider", () => {
    let self = started([userMessage(words(1_000))])
    for (let index = 0; index < 10; index++) {
      self = Estimate.answered(self, reporting(step(exchange("bash", words(1_000))), Math.round(1.3 * self.scanned)))
    }
    assert.isTrue(self.multiplier > 1_200 && self.multiplier < 1_400, `${self.multiplier}`)
    const again = started([userMessage(words(1_000))], self.multiplier)
    assert.strictEqual(Estimate.expected(again), Estimate.calibrated(self, again.scanned))
  })
})

/** A provider whose counter shares nothing with the scan: bytes, scaled, and something for every message. */
const provider = (scale: number) => ({
  count: (entries: ReadonlyArray<Entry>): number => {
    const bytes = (text: string) => new TextEncoder().encode(text).length / 3.6
    const sum = entries.reduce(
      (sum, entry) =>
        sum + 7 +
        (entry._tag === "UserMessage"
          ? bytes(entry.text)
          : exchanges(entry).reduce(
            (sum, { call, result }) => sum + 14 + bytes(call.arguments) + bytes(result.text),
            0
          )),
      0
    )
    return Math.ceil(scale * (sum + bytes(prompt.system) + bytes(prompt.tools[0]?.description ?? "")))
  }
})

/** What tools print, by kind: the scan and bytes disagree about each in another way. */
const outputs = {
  prose: (size: number) => words(Math.ceil(size / 5)),
  code: (size: number) => "  const value = yield* parse(input, { strict: true })\n".repeat(Math.ceil(size / 54)),
  log: (size: number) => "2026-11-30T01:15:22.103Z INFO [worker-3] status=200 in 4.2ms\n".repeat(Math.ceil(size / 61)),
  hex: (size: number) => "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08".repeat(Math.ceil(size / 64))
}

describe("A run over a 64,000-token window", () => {
  const budget = budgetOf(64_000)
  for (const scale of [0.8, 1, 1.3]) {
    for (const [kind, output] of Object.entries(outputs)) {
      it(`[A01] never overflows at the 90 % trigger: ${kind}, counter at ×${scale}`, () => {
        const { count } = provider(scale)
        const task = userMessage("Do the work.")
        let entries: ReadonlyArray<Entry> = [task]
        let self = started(entries)
        let compactions = 0
        for (let index = 0; index < 120; index++) {
          if (Budget.isDue(budget, "in-turn", Estimate.current(self))) {
            compactions++
            entries = [userMessage(words(1_500))]
            self = started(entries, self.multiplier)
          }
          const size = count(entries)
          assert.isAtMost(size + budget.outputReserve, budget.window, `request ${index}`)
          const done = reporting(step(exchange("bash", output(8_192))), size, 12)
          entries = [...entries, done]
          self = Estimate.answered(self, done)
          if (index > 2) assert.isAtLeast(Estimate.current(self), 0.93 * count(entries))
          // Where scan and provider agree by half, room is not wasted either.
          if (index > 2 && (kind === "prose" || kind === "code")) {
            assert.isAtMost(Estimate.expected(self), 1.05 * count(entries) + 1_000)
          }
        }
        assert.isAtLeast(compactions, 1)
      })
    }
  }
})
