import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Command from "@effect/platform/Command"
import { assert, describe, it } from "@effect/vitest"
import type { ToolResult } from "@weir/model/Conversation"
import * as Effect from "effect/Effect"
import { vi } from "vitest"
import { make } from "./harness.js"

// Real processes and files on a machine that may be busy.
vi.setConfig({ testTimeout: 30_000 })

const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`)

const numbered = (from: number, to: number) =>
  lines(from, to).map((line, index) => `${from + index}\t${line}`).join("\n")

describe("read_file", () => {
  it.scoped("gives a small file whole, with numbers and its fact", () =>
    Effect.gen(function*() {
      const { call, cwd, path, write } = yield* make
      yield* write("src/a.ts", "const a = 1\n\n\treturn\n")
      const expected = { text: "1\tconst a = 1\n2\t\n3\t\treturn", isError: false, images: [] }
      const facts = [{ _tag: "File", path: "src/a.ts", action: "read" } as const]
      assert.deepEqual(yield* call("read_file", { path: "src/a.ts" }), { ...expected, facts })
      assert.deepEqual(yield* call("read_file", { path: "./src/../src/a.ts" }), { ...expected, facts })
      assert.deepEqual(yield* call("read_file", { path: path.join(cwd, "src/a.ts") }), { ...expected, facts })
    }).pipe(Effect.provide(NodeContext.layer)))

  it.scoped("says how to go on", () =>
    Effect.gen(function*() {
      const { call, write } = yield* make
      yield* write("a.txt", lines(1, 2500).join("\n"))
      const read = (range: object) => Effect.map(call("read_file", { path: "a.txt", ...range }), ({ text }) => text)
      assert.strictEqual(
        yield* read({}),
        `${numbered(1, 2000)}\n[Lines 1-2000 of 2500. Continue with offset=2001.]`
      )
      assert.strictEqual(yield* read({ offset: 2001 }), `${numbered(2001, 2500)}\n[Lines 2001-2500 of 2500, the end.]`)
      assert.strictEqual(
        yield* read({ offset: 7, limit: 2 }),
        `${numbered(7, 8)}\n[Lines 7-8 of 2500. Continue with offset=9.]`
      )
      assert.strictEqual(yield* read({ offset: 2501 }), "a.txt has only 2500 lines; offset 2501 is past its end.")
    }).pipe(Effect.provide(NodeContext.layer)))

  it.scoped("keeps within its byte budget and continues at the line it stopped at", () =>
    Effect.gen(function*() {
      const { call, write } = yield* make
      const long = Array.from({ length: 300 }, (_, index) => `${index + 1} ${"é".repeat(500)}`)
      yield* write("a.txt", long.join("\n"))
      const seen: Array<string> = []
      for (let offset: number | undefined = 1; offset !== undefined;) {
        const { text }: ToolResult = yield* call("read_file", { path: "a.txt", offset })
        assert.isBelow(new TextEncoder().encode(text).length, 41_000)
        seen.push(...text.split("\n").filter((line) => !line.startsWith("[")).map((line) => line.split("\t")[1] ?? ""))
        const next: string | undefined = /Continue with offset=(\d+)/.exec(text)?.[1]
        offset = next === undefined ? undefined : Number(next)
      }
      assert.deepStrictEqual(seen, long)
    }).pipe(Effect.provide(NodeContext.layer)))

  it.scoped("stops where a larger result would be cut, and says how to go on", () =>
    Effect.gen(function*() {
      const { call, write } = yield* make
      yield* write("a.txt", lines(1, 500).join("\n"))
      const { text } = yield* call("read_file", { path: "a.txt" }, 200)
      const [, to = "0"] = /\[Lines 1-(\d+) of 500\. Continue with offset=\d+\.\]$/.exec(text) ?? []
      assert.isAbove(Number(to), 30)
      assert.isBelow(text.length, 700)
    }).pipe(Effect.provide(NodeContext.layer)))

  it.scoped("cuts very long lines with a mark, never inside a character", () =>
    Effect.gen(function*() {
      const { call, write } = yield* make
      yield* write("a.min.js", `${"x".repeat(1999)}${"😀".repeat(1_000_000)}\nend`)
      const { text } = yield* call("read_file", { path: "a.min.js" })
      assert.strictEqual(text, `1\t${"x".repeat(1999)}… [2000000 more characters]\n2\tend`)
    }).pipe(Effect.provide(NodeContext.layer)))

  it.scoped("takes CRLF, a byte order mark, no final line break and bytes that are not UTF-8", () =>
    Effect.gen(function*() {
      const { call, write } = yield* make
      const read = (path: string) => Effect.map(call("read_file", { path }), ({ isError, text }) => [isError, text])
      yield* write("crlf", "\uFEFFa\r\nb\r\n")
      assert.deepStrictEqual(yield* read("crlf"), [false, "1\ta\n2\tb"])
      yield* write("latin", new Uint8Array([0x63, 0x61, 0x66, 0xe9]))
      assert.deepStrictEqual(yield* read("latin"), [
        false,
        "1\tcaf\uFFFD\n[Bytes that are not UTF-8 are shown as \uFFFD.]"
      ])
      yield* write("empty", "")
      assert.deepStrictEqual(yield* read("empty"), [false, "(The file is empty.)"])
      // A character across the border of two chunks of the stream.
      yield* write("border", `${"x\n".repeat(32_767)}xé`)
      assert.include((yield* call("read_file", { path: "border", offset: 32_768 })).text, "32768\txé\n")
    }).pipe(Effect.provide(NodeContext.layer)))

  it.scoped("refuses what is no text with advice, and never waits for a device or a pipe", () =>
    Effect.gen(function*() {
      const { call, cwd, path, write } = yield* make
      const refusal = (file: string) =>
        Effect.map(call("read_file", { path: file }), ({ isError, text }) => isError ? text : `read: ${text}`)
      yield* write("logo.png", new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d]))
      yield* write("data", new Uint8Array([0x41, 0x00, 0x42]))
      yield* write("wide.txt", new Uint8Array([0xff, 0xfe, 0x41, 0x00]))
      yield* write("dir/inner.txt", "")
      assert.strictEqual(yield* Command.exitCode(Command.make("mkfifo", path.join(cwd, "pipe"))), 0)
      assert.match(yield* refusal("logo.png"), /^logo.png is a PNG image, not text\. .*xxd/)
      assert.match(yield* refusal("data"), /^data is a binary file, not text\. .*xxd/)
      assert.match(yield* refusal("wide.txt"), /UTF-16.*iconv/)
      assert.match(yield* refusal("dir"), /^dir is a directory\. .*glob/)
      assert.match(yield* refusal("pipe"), /not a regular file/)
      assert.match(yield* refusal("/dev/zero"), /not a regular file/)
    }).pipe(Effect.provide(NodeContext.layer)))

  it.scoped("names what lies near a missing file", () =>
    Effect.gen(function*() {
      const { call, write } = yield* make
      const refusal = (path: string) => Effect.map(call("read_file", { path }), ({ text }) => text)
      yield* write("src/Budget.ts", "")
      yield* write("src/Budget.test.ts", "")
      yield* write("src/unrelated-and-long.md", "")
      assert.strictEqual(
        yield* refusal("src/budgets.ts"),
        "src/budgets.ts does not exist. Similar names there: src/Budget.ts."
      )
      assert.include(yield* refusal("src/budget"), "src/Budget.ts, src/Budget.test.ts")
      assert.strictEqual(yield* refusal("src/zzzzzzzz"), "src/zzzzzzzz does not exist. Use glob to find it.")
      assert.include(yield* refusal("lib/a.ts"), "nor does its directory")
      assert.match(yield* refusal("src/Budget.ts/a"), /^Cannot read .*ENOTDIR/)
    }).pipe(Effect.provide(NodeContext.layer)))

  it.scoped("reads a range of a huge file only as far as it goes, and refuses it whole", () =>
    Effect.gen(function*() {
      const { call, cwd, fs, path, write } = yield* make
      yield* write("huge.log", `${lines(1, 1000).join("\n")}\n`)
      yield* fs.truncate(path.join(cwd, "huge.log"), 4_000_000_000)
      const whole = yield* call("read_file", { path: "huge.log" })
      assert.deepStrictEqual([whole.isError, whole.text], [
        true,
        "huge.log has 4000.0 MB. Give offset and limit to read a part, or search it with grep."
      ])
      const part = yield* call("read_file", { path: "huge.log", offset: 10, limit: 3 })
      assert.strictEqual(
        part.text.replaceAll("\0", ""),
        part.isError ? "" : `${numbered(10, 12)}\n[Lines 10-12; the file has more. Continue with offset=13.]`
      )
    }).pipe(Effect.provide(NodeContext.layer)))
})
