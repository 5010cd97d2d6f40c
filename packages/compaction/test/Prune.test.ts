import { assert, describe, it } from "@effect/vitest"
import * as ByteSize from "@weir/compaction/ByteSize"
import * as Prune from "@weir/compaction/Prune"
import * as Weight from "@weir/compaction/Weight"
import type { Entry } from "@weir/model/Conversation"
import { exchanges, userMessage } from "@weir/model/Conversation"
import * as FastCheck from "effect/FastCheck"
import { anyStep, anyUser, exchange, many, step, weights, words } from "./Samples.js"

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

  it("too many bytes: images become notes first, the oldest first; those of the task stay", () => {
    const image = { mediaType: "image/png", data: "A".repeat(100_000) }
    const pictured: ReadonlyArray<Entry> = [
      userMessage("Before", [image]),
      step(exchange("screenshot", "taken", { images: [image] }), exchange("grep", words(1_000))),
      userMessage("Task", [image]),
      step(exchange("screenshot", "taken again", { images: [image] }))
    ]
    const to = (bytes: number) => Prune.prune(pictured, { weigh, target: Infinity, bytes })
    const left = ({ entries }: Prune.Pruned) =>
      entries.map((entry) =>
        entry._tag === "UserMessage"
          ? entry.images.length
          : exchanges(entry).flatMap(({ result }) => result.images).length
      )
    assert.deepStrictEqual(left(to(1_000_000)), [1, 1, 1, 1])
    assert.deepStrictEqual(left(to(350_000)), [0, 1, 1, 1])
    assert.deepStrictEqual(left(to(250_000)), [0, 0, 1, 1])
    assert.deepStrictEqual(left(to(150_000)), [0, 0, 1, 0])
    const [before, , task] = to(150_000).entries
    assert.isTrue(before?._tag === "UserMessage" && /^Before\n\[image\/png left out/.test(before.text))
    assert.deepStrictEqual(task, pictured[2])
    assert.strictEqual(to(150_000).outputs, 0)
    assert.isAbove(to(103_000).outputs, 0)
    for (const bytes of [350_000, 150_000, 103_000]) {
      const pruned = to(bytes)
      assert.strictEqual(pruned.bytes, pruned.entries.reduce((sum, entry) => sum + ByteSize.entry(entry), 0))
      assert.isAtMost(pruned.bytes, bytes)
    }
  })

  it("what seemed enough, and by rounding was not, is gone on with in the same step", () => {
    const outputs = [words(100), words(101), words(102), words(103), words(104), words(105)]
    const self = [userMessage("Task"), step(...outputs.map((output) => exchange("bash", output)))]
    for (let target = 0; target < total(self); target++) {
      const pruned = Prune.prune(self, { weigh, target })
      assert.isTrue(pruned.tokens <= target || pruned.outputs === outputs.length, `${pruned.tokens} for ${target}`)
    }
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
    },
    many
  )
})
