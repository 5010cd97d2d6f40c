/** `weir context` and `weir compact`: what they say is what then happens. */
import * as FileSystem from "@effect/platform/FileSystem"
import { assert, describe, it } from "@effect/vitest"
import * as Script from "@weir/simulator/Script"
import * as Simulator from "@weir/simulator/Simulator"
import * as Effect from "effect/Effect"
import { directory } from "./Process.js"
import * as TestHost from "./TestHost.js"

const script = Script.sequence([
  {
    at: (index) => ({ parts: [Script.text("Part."), Script.call("read_file", { path: `part${index}.txt` })] }),
    length: 6
  },
  Script.reply("Done.")
])

const files = Object.fromEntries(
  Array.from({ length: 6 }, (_, index) => [`part${index}.txt`, `line ${index}, ${"abcdefgh ".repeat(8)}\n`.repeat(20)])
)

const numbers = (text: string) => (text.match(/[\d,]+/g) ?? []).map((digits) => Number(digits.replaceAll(",", "")))

const at = (stdout: string, name: string) =>
  numbers(stdout.split("\n").find((line) => line.trim().startsWith(name)) ?? "").at(-1) ?? NaN

describe("weir compact", () => {
  it.scopedLive("the dry run asks nothing and changes nothing, and its numbers are those of the compaction", () =>
    Effect.gen(function*() {
      const cwd = yield* directory(files)
      const simulator = yield* Simulator.make({ script })
      const options = ["--base-url", simulator.url, "--model", "sim-1", "--context-window", "32000"]
      const session = (...args: ReadonlyArray<string>) => TestHost.command(`${cwd}/home`, args)
      yield* session("run", ...options, "--cwd", cwd, "Read all parts.")
      const id = /\d{8}T\d{6}-\w{6}/.exec((yield* session("sessions")).stdout)?.[0] ?? ""
      const asked = (yield* simulator.requests).length

      // Both only look: a session that another process has open is as good.
      const fs = yield* FileSystem.FileSystem
      const lock = `${cwd}/home/sessions/${id}.lock`
      yield* fs.writeFileString(lock, "{\"pid\":1,\"host\":\"elsewhere\",\"since\":\"2026-11-30T01:02:03.000Z\"}")
      const shown = yield* session("context", id, ...options)
      assert.strictEqual(shown.stderr, "")
      const dry = yield* session("compact", id, "--dry-run", ...options)
      assert.strictEqual(dry.stderr, "")
      assert.strictEqual((yield* simulator.requests).length, asked)
      yield* fs.remove(lock)
      assert.strictEqual(at(shown.stdout, "window"), 32_000)
      assert.isAbove(at(shown.stdout, "results of read_file"), 1_000)
      assert.strictEqual(at(dry.stdout, "before"), at(shown.stdout, "estimate"))

      const done = yield* session("compact", id, "--focus", "the second part", ...options)
      assert.strictEqual(done.code, 0)
      const [before = 0, after = 0] = numbers(done.stdout)
      assert.strictEqual(before, at(dry.stdout, "before"))
      assert.isAbove(after, at(dry.stdout, "after"))
      assert.isAtMost(after, at(dry.stdout, "after") + at(dry.stdout, "the summary"))
      const requests = yield* simulator.requests
      assert.strictEqual(requests.at(-1)?.kind, "compaction")
      assert.include(requests.at(-1)?.body, "the second part")

      const again = (yield* session("context", id, ...options)).stdout
      assert.strictEqual(at(again, "estimate"), after)
      assert.match(again, /Compactions so far:\n {2}[\d,]+ to [\d,]+ tokens \(asked\)/)
      assert.match((yield* session("sessions", "replay", id)).stdout, /\n\nCompacted [\d,]+ to [\d,]+ tokens\.\n$/)

      // Nothing of a deleted session stays.
      const outputs = `${cwd}/home/outputs/${id}`
      yield* fs.makeDirectory(outputs, { recursive: true })
      yield* fs.writeFileString(`${outputs}/bash-1.txt`, "long")
      assert.strictEqual((yield* session("sessions", "delete", id)).stdout, `Deleted ${id}.\n`)
      assert.isFalse(yield* fs.exists(outputs))
    }).pipe(Effect.provide(TestHost.layer())))
})
