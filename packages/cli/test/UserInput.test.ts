import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import { Host } from "../src/Host.js"
import * as UserInput from "../src/UserInput.js"
import { directory } from "./Process.js"
import * as TestHost from "./TestHost.js"

const files = {
  "a.ts": "const a = 1\n",
  "big.txt": "x".repeat(262_145),
  "blob": Uint8Array.of(1, 0, 2),
  "broken.png": "not found\n",
  "huge.png": new Uint8Array(3_750_001),
  "dir/b.md": "# b",
  "@types/x@2.ts": "x",
  "my notes.md": "n",
  "pkg/@types/y.ts": "y",
  "latin.txt": Uint8Array.of(...new TextEncoder().encode("caf"), 0xe9, ...new TextEncoder().encode(" au lait")),
  "pixel.png": Uint8Array.of(137, 80, 78, 71)
}

const read = (words: string, stdin?: string) =>
  Effect.gen(function*() {
    const cwd = yield* directory(files)
    return yield* UserInput.read({ cwd, words: words.split(" ") })
  }).pipe(
    Effect.scoped,
    Effect.provide(TestHost.layer(stdin === undefined ? {} : { stdin: new TextEncoder().encode(stdin) }))
  )

describe("the user's message", () => {
  it.effect("is known by its words, whatever it mentions", () =>
    Effect.gen(function*() {
      for (
        const typed of ["See @a.ts and @dir/b.md", "fix\n\n<file path=\"x\">\nit\n</file>", "<file path=\"@a.ts\">"]
      ) {
        assert.strictEqual(UserInput.words((yield* read(typed)).text), typed)
      }
    }))

  it.effect("is the words as they are", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* read("fix  it, please"), {
        _tag: "UserMessage",
        images: [],
        text: "fix  it, please"
      })
    }))

  it.effect("holds mentioned files after the words, each once", () =>
    Effect.gen(function*() {
      const { text } = yield* read("compare @a.ts (and @dir/b.md), then @a.ts.")
      assert.strictEqual(
        text,
        "compare @a.ts (and @dir/b.md), then @a.ts.\n\n" +
          "<file path=\"a.ts\">\nconst a = 1\n\n</file>\n\n<file path=\"dir/b.md\">\n# b\n</file>"
      )
    }))

  it.effect("leaves what names no file as text", () =>
    Effect.gen(function*() {
      const words = "ask ada@example.org about @nobody, @dir and @"
      assert.strictEqual((yield* read(words)).text, words)
    }))

  it.effect("takes a path with an @ in it, and one with spaces between quotes", () =>
    Effect.gen(function*() {
      const words = "see @pkg/@types/y.ts, (@@types/x@2.ts) @\"my notes.md\". And @a.ts@dir/b.md"
      const { text } = yield* read(words)
      const paths = [...text.matchAll(/<file path="([^"]*)">/g)].map(([, path]) => path)
      assert.deepStrictEqual(paths, ["pkg/@types/y.ts", "@types/x@2.ts", "my notes.md", "a.ts"])
      assert.strictEqual(UserInput.words(text), words)
      assert.strictEqual(UserInput.words((yield* read("see @\"my notes.md\"")).text), "see @\"my notes.md\"")
      for (const none of ["@\"my notes.md", "@\"\"", "@my notes.md", "a@\"my notes.md\""]) {
        assert.strictEqual((yield* read(none)).text, none)
      }
    }))

  it.effect("mentions nothing in standard input", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* read("why?", "see @a.ts\n")).text, "why?\n\nsee @a.ts")
    }))

  it.effect("holds images as images", () =>
    Effect.gen(function*() {
      const { images, text } = yield* read("what is on @pixel.png ?")
      assert.deepStrictEqual(images, [{ data: "iVBORw==", mediaType: "image/png" }])
      assert.strictEqual(text, "what is on @pixel.png ?")
    }))

  it.effect("takes a file for what it holds, not for its name", () =>
    Effect.gen(function*() {
      const { images, text } = yield* read("see @broken.png")
      assert.deepStrictEqual(images, [])
      assert.include(text, "<file path=\"broken.png\">\nnot found\n")
    }))

  it.effect("takes text that is cut within a character, or in an old encoding, for text", () =>
    Effect.gen(function*() {
      const cut = new TextEncoder().encode("the end of the café").subarray(0, -1)
      const { text } = yield* UserInput.read({ cwd: yield* directory(files), words: ["why? @latin.txt"] }).pipe(
        Effect.provide(TestHost.layer({ stdin: cut }))
      )
      assert.include(text, "the end of the caf\uFFFD")
      assert.include(text, "caf\uFFFD au lait")
    }).pipe(Effect.scoped, Effect.provide(TestHost.layer())))

  it.effect("refuses binary and huge files, saying what to do", () =>
    Effect.gen(function*() {
      assert.match((yield* Effect.flip(read("read @blob"))).message, /@blob is a binary file/)
      assert.match(
        (yield* Effect.flip(read("read @big.txt"))).message,
        /@big\.txt holds 262145 bytes.*Leave out/
      )
      assert.match((yield* Effect.flip(read("see @huge.png"))).message, /@huge\.png holds 3750001 bytes/)
    }))

  it.effect("says after three seconds that it waits for standard input", () =>
    Effect.gen(function*() {
      const stderr = yield* TestHost.output()
      const silent = Layer.succeed(Host, {
        terminal: TestHost.noTerminal,
        platform: "test x64",
        stderr: stderr.output,
        stdin: { isTerminal: false, read: Effect.never },
        stdout: stderr.output
      })
      const fiber = yield* Effect.fork(UserInput.read({ cwd: "/", words: ["hi"] }).pipe(Effect.provide(silent)))
      yield* TestClock.adjust("2999 millis")
      assert.strictEqual(yield* stderr.text, "")
      yield* TestClock.adjust("1 millis")
      assert.match(yield* stderr.text, /standard input/)
      yield* Fiber.interrupt(fiber)
    }).pipe(Effect.provide(TestHost.layer())))
})
