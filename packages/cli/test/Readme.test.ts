import * as NodeContext from "@effect/platform-node/NodeContext"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { directory, run } from "./Process.js"

const root = Effect.gen(function*() {
  const path = yield* Path.Path
  return yield* path.fromFileUrl(new URL("../../..", import.meta.url))
})

const captured = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const text = yield* fs.readFileString(`${yield* root}README.md`)
  const [, command = "", output = ""] =
    /<!-- capture: [^\n]*\n```\n\$ ([^\n]*)\n([^]*?)\n```\n<!-- end of capture -->/.exec(text) ?? []
  return { command, output }
})

/** What kind of line each is, repetitions told once. */
const structure = (output: string) =>
  output.split("\n").map((line) => {
    if (/^(grep|glob|read_file) .* \((ok|failed), .*\)$/.test(line)) return "tool"
    if (/^compacting at [\d,]+ tokens of [\d,]+ \(in-turn-trigger\)$/.test(line)) return "compacting"
    if (/^compacted: [\d,]+ → [\d,]+ tokens \(isolated\)$/.test(line)) return "compacted"
    if (/^ {4}\S+:\d+:/.test(line)) return "reference"
    if (/^\*\*.*\*\*$/.test(line)) return "question"
    return line.startsWith("weir: ") ? "notice" : ""
  }).filter((kind, at, all) => kind !== "" && kind !== all[at - 1])

/** The kinds that any run of the command has, whatever the tree holds by now. */
const kinds = ["compacted", "compacting", "notice", "question", "reference", "tool"]

describe("the README", () => {
  it.live(
    "shows a run of its first command as it is: a compaction in the middle, then answers whose references are true",
    () =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const { command, output } = yield* captured
        const [, question = ""] = /^\.\/scripts\/weir run --verbose "(.*)"$/.exec(command) ?? []
        const home = yield* directory()
        const fresh = yield* run(["run", "--verbose", question], { cwd: yield* root, env: { WEIR_HOME: home } })
        assert.strictEqual(fresh.code, 0)
        for (const shown of [structure(output), structure(`${fresh.stderr}\n${fresh.stdout}`)]) {
          assert.deepStrictEqual([...new Set(shown)].sort(), kinds)
          assert.strictEqual(shown[shown.indexOf("compacting") + 1], "compacted")
          assert.isBelow(shown.indexOf("tool"), shown.indexOf("compacting"))
          assert.isBelow(shown.indexOf("compacted"), shown.indexOf("reference"))
        }
        const references = [...fresh.stdout.matchAll(/^ {4}(\S+?):(\d+):(.*)$/gm)]
        assert.isAtLeast(references.length, 4, output)
        for (const [, file = "", line = "", quote = ""] of references) {
          const lines = (yield* fs.readFileString(`${yield* root}${file}`)).split("\n")
          assert.strictEqual(lines[Number(line) - 1]?.trim(), quote.trim(), `${file}:${line}`)
        }
      }).pipe(Effect.scoped, Effect.provide(NodeContext.layer)),
    120_000
  )
})
