import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Highlight from "../src/Highlight.js"
import { colours } from "../src/Theme.js"

const bare = (text: string) => text.replaceAll(/\u001b\[\d+m/g, "")

describe("highlighted code", () => {
  it.effect("keeps its text, and styles what is known by a name or by another name of its language", () =>
    Effect.gen(function*() {
      const highlight = yield* Highlight.load(colours)
      const code = "/* one\n   two */\nconst a = `x${1}`\nif (a) return \"<b>&amp;</b>\"\n"
      for (const language of ["ts", "typescript", "tsx", "js", "php", "c", "rust", "go", "cs"]) {
        assert.strictEqual(bare(highlight(code, language)), code, language)
        assert.notStrictEqual(highlight(code, language), code, language)
      }
      assert.include(highlight("const a = 1", "ts"), colours.magenta("const"))
      assert.include(highlight("echo hi # so\n", "sh"), colours.dim("# so"))
      assert.include(highlight("def f(): pass", "py"), colours.magenta("def"))
      assert.include(highlight("<a href=\"b\">", "html"), "\u001b[35m")
      for (const language of ["", "klingon", "constructor", "__proto__"]) {
        assert.strictEqual(highlight(code, language), code)
      }
    }))

  it.effect("ends each style with the line", () =>
    Effect.gen(function*() {
      const highlight = yield* Highlight.load(colours)
      assert.deepStrictEqual(highlight("/* a\nb */", "ts").split("\n"), [colours.dim("/* a"), colours.dim("b */")])
    }))
})
