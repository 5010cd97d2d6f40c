import { assert, describe, it } from "@effect/vitest"
import * as Prune from "@weir/compaction/Prune"
import * as Weight from "@weir/compaction/Weight"
import type { Entry } from "@weir/model/Conversation"
import { exchanges, userMessage } from "@weir/model/Conversation"
import * as FastCheck from "effect/FastCheck"
import { anyStep, anyUser, exchange, step, weights, words } from "./Samples.js"

const weigh = (entry: Entry) => Math.ceil(1.3 * Weight.entry(entry, weights))
const total = (entries: ReadonlyArray<Entry>) => entries.reduce((sum, entry) => sum + weigh(entry), 0)

const entries: ReadonlyArray<Entry> = [
  userMessage("Task"),
  step(exchange("bash", words(1_000), { savedTo: "/out/1.txt" }), exchange("grep", words(1_000))),
  step(exchange("read_file", words(1_000)))
]

const replaced = (self: Prune.Pruned) =>
  self.entries.flatMap((entry) =>
    entry._tag === "Step" ? exchanges(entry).map(({ result }) => result.text.startsWith("[Output")) : []
  )

describe("Prune", () => {
  it("replaces the oldest outputs first, the newest step last, and only as many as are needed", () => {
    const size = total(entries)
    const to = (target: number) => Prune.prune(entries, { weigh, target })
    assert.strictEqual(to(size).outputs, 0)
    assert.deepEqual(to(size).entries, entries)
    assert.deepEqual(replaced(to(size - 1)), [true, false, false])
    assert.deepEqual(replaced(to(size - 1_500)), [true, true, false])
    assert.deepEqual(replaced(to(0)), [true, true, true])
  })

  it("a placeholder names the file that holds the whole output, or how to get it back", () => {
    const [, older] = Prune.prune(entries, { weigh, target: 0 }).entries
    const texts = older?._tag === "Step" ? exchanges(older).map(({ result }) => result.text) : []
    assert.match(texts[0] ?? "", /^\[Output of about \d+ tokens left out .* The whole output is in \/out\/1\.txt\.\]$/)
    assert.match(texts[1] ?? "", /Run the tool again if it is needed\.\]$/)
  })

  it.prop(
    "never grows, drops no entry or call, weighs what it says, and reaches the target or has nothing left",
    [FastCheck.array(FastCheck.oneof(anyStep, anyUser), { maxLength: 8 }), FastCheck.nat(4_000)],
    ([entries, target]) => {
      const pruned = Prune.prune(entries, { weigh, target })
      assert.strictEqual(pruned.tokens, total(pruned.entries))
      assert.isAtMost(pruned.tokens, total(entries))
      assert.strictEqual(pruned.entries.length, entries.length)
      const calls = (entries: ReadonlyArray<Entry>) =>
        entries.flatMap((entry) => entry._tag === "Step" ? exchanges(entry).map(({ call }) => call) : [])
      assert.deepEqual(calls(pruned.entries), calls(entries))
      if (pruned.tokens > target) {
        assert.strictEqual(Prune.prune(pruned.entries, { weigh, target }).outputs, 0)
      }
    }
  )
})
