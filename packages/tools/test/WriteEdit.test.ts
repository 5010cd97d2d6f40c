import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { vi } from "vitest"
import { make } from "./harness.js"

// Real processes and files on a machine that may be busy.
vi.setConfig({ testTimeout: 30_000 })

describe("write_file", () => {
  it.scoped("creates a file and its directories, then overwrites it, and says which", () =>
    Effect.gen(function*() {
      const { call, content } = yield* make
      const first = yield* call("write_file", { path: "a/b/c.txt", content: "é\nb" })
      assert.deepEqual(first, {
        text: "Created a/b/c.txt (2 lines, 4 bytes).",
        isError: false,
        images: [],
        facts: [{ _tag: "File", path: "a/b/c.txt", action: "written" }]
      })
      assert.strictEqual(yield* content("a/b/c.txt"), "é\nb")
      const second = yield* call("write_file", { path: "a/b/c.txt", content: "" })
      assert.strictEqual(second.text, "Overwrote a/b/c.txt (0 lines, 0 bytes).")
      assert.strictEqual(yield* content("a/b/c.txt"), "")
    }).pipe(Effect.provide(NodeContext.layer)))

  it.scoped("keeps the mode, writes through a link, and leaves nothing else behind", () =>
    Effect.gen(function*() {
      const { call, content, cwd, fs, path, write } = yield* make
      yield* write("run.sh", "old")
      yield* fs.chmod(path.join(cwd, "run.sh"), 0o751)
      yield* fs.symlink("run.sh", path.join(cwd, "link"))
      yield* call("write_file", { path: "link", content: "new" })
      assert.strictEqual(yield* content("run.sh"), "new")
      assert.strictEqual(yield* fs.readLink(path.join(cwd, "link")), "run.sh")
      assert.strictEqual((yield* fs.stat(path.join(cwd, "run.sh"))).mode & 0o777, 0o751)
      assert.sameMembers(yield* fs.readDirectory(cwd), ["run.sh", "link"])
    }).pipe(Effect.provide(NodeContext.layer)))

  it.scoped("tells why it cannot write, and then changes nothing", () =>
    Effect.gen(function*() {
      const { call, cwd, fs, write } = yield* make
      yield* write("dir/inner", "")
      yield* write("file", "kept")
      const refusal = (path: string) =>
        Effect.map(call("write_file", { path, content: "x" }), ({ facts, isError, text }) => {
          assert.deepStrictEqual([isError, facts], [true, []])
          return text
        })
      assert.strictEqual(yield* refusal("dir"), "dir is not a regular file.")
      assert.match(yield* refusal("file/inner"), /^Cannot create the directory of file\/inner: /)
      assert.match(yield* refusal("x".repeat(300)), /^Cannot write x+: .*ENAMETOOLONG/)
      assert.sameMembers(yield* fs.readDirectory(cwd), ["dir", "file"])
    }).pipe(Effect.provide(NodeContext.layer)))

  it.scoped("a lone surrogate is written as a replacement character", () =>
    Effect.gen(function*() {
      const { content, raw } = yield* make
      yield* raw("write_file", "{\"path\":\"a\",\"content\":\"x\\ud800y\"}")
      assert.strictEqual(yield* content("a"), "x\ufffdy")
    }).pipe(Effect.provide(NodeContext.layer)))
})

describe("edit_file", () => {
  it.scoped("replaces the one place and shows the diff", () =>
    Effect.gen(function*() {
      const { call, content, cwd, fs, path, write } = yield* make
      yield* write("a.ts", "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n")
      yield* fs.chmod(path.join(cwd, "a.ts"), 0o700)
      const result = yield* call("edit_file", { path: "a.ts", old_text: "five\nsix", new_text: "5 $& $1\n" })
      assert.deepEqual(result, {
        text: "Edited a.ts.\n--- a.ts\n+++ a.ts\n@@ -2,7 +2,7 @@\n two\n three\n four\n-five\n-six\n+5 $& $1\n+\n" +
          " seven\n eight\n",
        isError: false,
        images: [],
        facts: [{ _tag: "File", path: "a.ts", action: "edited" }]
      })
      assert.strictEqual(yield* content("a.ts"), "one\ntwo\nthree\nfour\n5 $& $1\n\nseven\neight\n")
      assert.strictEqual((yield* fs.stat(path.join(cwd, "a.ts"))).mode & 0o777, 0o700)
      assert.deepStrictEqual(yield* fs.readDirectory(cwd), ["a.ts"])
    }).pipe(Effect.provide(NodeContext.layer)))

  it.scoped("needs one place unless all are meant", () =>
    Effect.gen(function*() {
      const { call, content, write } = yield* make
      yield* write("a.ts", "x.y\nx_y\nx.y x.y\n")
      const refused = yield* call("edit_file", { path: "a.ts", old_text: "x.y", new_text: "z" })
      assert.deepStrictEqual([refused.isError, refused.text], [
        true,
        "old_text occurs 3 times in a.ts, at lines 1, 3, 3. Add lines around it until it is unique, or set replace_all."
      ])
      assert.strictEqual(yield* content("a.ts"), "x.y\nx_y\nx.y x.y\n")
      yield* call("edit_file", { path: "a.ts", old_text: "x.y", new_text: "z", replace_all: true })
      assert.strictEqual(yield* content("a.ts"), "z\nx_y\nz z\n")
    }).pipe(Effect.provide(NodeContext.layer)))

  it.scoped("tells where a text that does not occur was probably meant to be", () =>
    Effect.gen(function*() {
      const { call, write } = yield* make
      yield* write("a.ts", "import a\n\nfunction foo() {\n\treturn compute(1)\n}\n")
      const said = (old_text: string) =>
        Effect.map(call("edit_file", { path: "a.ts", old_text, new_text: "new" }), ({ isError, text }) => {
          assert.isTrue(isError)
          return text
        })
      assert.strictEqual(
        yield* said("function foo() {\n  return compute(1)\n}"),
        "old_text does not occur in a.ts. Only the white space differs at line 3:\n" +
          "3\tfunction foo() {\n4\t\treturn compute(1)\n5\t}"
      )
      assert.match(yield* said("function foo() {\n\treturn other(1)"), /The nearest place is at line 3:\n3\tfunction/)
      assert.match(yield* said("return compile(1)"), /The nearest place is at line 4:\n4\t\treturn compute/)
      assert.match(yield* said("zzzzzzzzzzzzzzzzzzzzzzzzzzzz"), /nor anything like it\. Read the file again/)
      assert.match(yield* said("\n\n\n\n\n"), /nor anything like it/)
    }).pipe(Effect.provide(NodeContext.layer)))

  it.scoped("keeps line ends and the byte order mark as they are", () =>
    Effect.gen(function*() {
      const { call, content, write } = yield* make
      yield* write("crlf", "\uFEFFa\r\nb\r\nc\r\n")
      const result = yield* call("edit_file", { path: "crlf", old_text: "a\nb", new_text: "1\n2\n3" })
      assert.strictEqual(yield* content("crlf"), "\uFEFF1\r\n2\r\n3\r\nc\r\n")
      assert.notInclude(result.text, "\r")
      yield* call("edit_file", { path: "crlf", old_text: "3", new_text: "x\ny" })
      assert.strictEqual(yield* content("crlf"), "\uFEFF1\r\n2\r\nx\r\ny\r\nc\r\n")
      yield* write("mixed", "a\nb\r\nc\nd\n")
      yield* call("edit_file", { path: "mixed", old_text: "b\nc", new_text: "B\nC" })
      assert.strictEqual(yield* content("mixed"), "a\nB\r\nC\nd\n")
      yield* write("lf", "a\nb\n")
      yield* call("edit_file", { path: "lf", old_text: "a\r\nb", new_text: "x\r\ny" })
      assert.strictEqual(yield* content("lf"), "x\ny\n")
    }).pipe(Effect.provide(NodeContext.layer)))

  it.scoped("refuses edits that mean nothing or would do harm", () =>
    Effect.gen(function*() {
      const { call, cwd, fs, path, raw, write } = yield* make
      const latin = new Uint8Array([0x61, 0xe9, 0x62])
      yield* write("latin", latin)
      yield* write("a.txt", "same 😀\n")
      yield* write("bin", new Uint8Array([0, 1]))
      yield* write("dir/x", "")
      const said = (path: string, old_text: string, new_text: string) =>
        Effect.map(call("edit_file", { path, old_text, new_text }), ({ isError, text }) => isError ? text : "edited")
      assert.match(yield* said("a.txt", "", "x"), /^old_text is empty.*write_file/)
      assert.match(yield* said("a.txt", "same", "same"), /nothing was changed/)
      assert.match(yield* said("latin", "a", "x"), /not valid UTF-8/)
      assert.match(yield* said("bin", "a", "x"), /binary/)
      assert.match(yield* said("dir", "a", "x"), /not a regular file/)
      assert.match(yield* said("b.txt", "a", "x"), /does not exist.*a\.txt/)
      assert.deepStrictEqual(yield* fs.readFile(path.join(cwd, "latin")), latin)
      const half = yield* raw("edit_file", "{\"path\":\"a.txt\",\"old_text\":\"\\ud83d\",\"new_text\":\"x\"}")
      assert.isTrue(half.isError)
    }).pipe(Effect.provide(NodeContext.layer)))

  it.scoped("an edit of very many places still ends soon, without a diff", () =>
    Effect.gen(function*() {
      const { call, content, write } = yield* make
      yield* write("a.txt", "a b\n".repeat(100_000))
      const result = yield* call("edit_file", { path: "a.txt", old_text: "a b", new_text: "c", replace_all: true })
      assert.strictEqual(result.text, "Edited a.txt.\n(Too many lines changed to show a diff.)")
      assert.strictEqual(yield* content("a.txt"), "c\n".repeat(100_000))
    }).pipe(Effect.provide(NodeContext.layer)))
})
