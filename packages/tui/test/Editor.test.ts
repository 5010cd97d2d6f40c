import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Editor from "../src/Editor.js"
import { plain } from "../src/Theme.js"

const answered = Effect.repeatN(Effect.promise(() => Promise.resolve()), 20)

const make = () => {
  const submitted: Array<string> = []
  const drafts: Array<string> = []
  const editor = Editor.make({
    complete: (word) =>
      Promise.resolve(
        ["/help", "/model", "@poem.txt", "@\"my notes.md\""].filter((value) => value.startsWith(word)).map((value) => ({
          detail: "",
          label: value,
          value
        }))
      ),
    onChange: (draft) => drafts.push(draft),
    onCompletions: () => undefined,
    onSubmit: (text) => submitted.push(text),
    theme: plain
  })
  const type = (text: string) =>
    Effect.zipRight(Effect.forEach([...text], (key) => Effect.sync(() => editor.handle(key))), answered)
  const text = () => editor.view({ columns: 40, rows: 20 }).lines.slice(1, -1).join("|")
  return { drafts, editor, submitted, text, type }
}

describe("the editor", () => {
  it.effect("takes the chosen completion with Tab, and a command with Enter at once", () =>
    Effect.gen(function*() {
      const { editor, submitted, text, type } = make()
      yield* type("/mo")
      assert.isTrue(editor.isCompleting())
      yield* type("\t")
      assert.strictEqual(text(), "/model")
      yield* type("\u0015/he")
      yield* type("\r")
      assert.deepStrictEqual(submitted, ["/help"])
    }))

  it.effect("completes a path with spaces between quotes, and one after a bracket", () =>
    Effect.gen(function*() {
      const { editor, text, type } = make()
      yield* type("see @\"my n")
      yield* type("\t")
      assert.strictEqual(text(), "see @\"my notes.md\"")
      yield* type("\u0015(@po")
      yield* type("\t")
      assert.strictEqual(text(), "(@poem.txt")
      yield* type("\u0015@\"my \"")
      editor.handle("\u001b[D")
      assert.strictEqual(text(), "@\"my \"")
      yield* type("n")
      yield* type("\t")
      assert.strictEqual(text(), "@\"my notes.md\"")
      assert.isFalse(editor.isCompleting())
    }))

  it.effect("lets completions go with the word that they were for", () =>
    Effect.gen(function*() {
      const { editor, submitted, text, type } = make()
      yield* type("/")
      assert.isTrue(editor.isCompleting())
      yield* type("\u0015")
      assert.isFalse(editor.isCompleting())
      yield* type("\r")
      assert.strictEqual(text(), "")
      assert.deepStrictEqual(submitted.filter((sent) => sent !== ""), [])
    }))

  it.effect("folds a large paste, and gives all of it when it is sent", () =>
    Effect.gen(function*() {
      const { editor, submitted, text, type } = make()
      const pasted = Array.from({ length: 30 }, (_, at) => `line ${at}\u001b[2J`).join("\r\n")
      yield* type("See ")
      editor.paste(pasted)
      assert.strictEqual(text(), "See [paste #1 +30 lines]")
      yield* type("\r")
      assert.strictEqual(submitted.join(), `See ${pasted.replaceAll("\r", "").replaceAll("\u001b", "␛")}`)
    }))

  it.effect("folds a long text that comes back, with the pastes in it, and keeps it from the arrow keys", () =>
    Effect.gen(function*() {
      const { drafts, editor, submitted, text, type } = make()
      const pasted = "line\n".repeat(30)
      const long = "QUJD".repeat(50_000)
      editor.paste(pasted)
      editor.setText(`${long} ${drafts.at(-1)}`)
      assert.match(text(), /^\[paste #2 \+31 lines\]$/)
      yield* type("\r")
      assert.deepStrictEqual(submitted, [`${long} ${pasted}`.trim()])
      editor.remember("short")
      editor.remember(long)
      editor.handle("\u001b[A")
      assert.strictEqual(text(), "short")
    }))

  it.effect("begins a new line with Shift and Enter, and with a backslash before Enter", () =>
    Effect.gen(function*() {
      const { editor, submitted, text, type } = make()
      yield* type("a\\\rb")
      editor.handle("\u001b[13;2u")
      yield* type("c")
      assert.strictEqual(text(), "a|b|c")
      yield* type("\r")
      assert.deepStrictEqual(submitted, ["a\nb\nc"])
    }))
})
