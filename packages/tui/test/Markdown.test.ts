import { assert, describe, it } from "@effect/vitest"
import * as Markdown from "../src/Markdown.js"
import { colours, plain } from "../src/Theme.js"

const shown = (text: string) => Markdown.lines(text, 60, plain).join("\n")

const bare = (text: string) => Markdown.lines(text, 60, colours).join("\n").replaceAll(/\u001b\[\d+m/g, "")

describe("Markdown", () => {
  it("keeps the boxes of tasks", () => {
    const list = "- [ ] open\n- [x] done\n  - [X] inside\n\n1. [ ] first"
    assert.strictEqual(shown(list), list)
    assert.strictEqual(shown("> - [x] quoted"), "│ - [x] quoted")
  })

  it("keeps where references lead", () => {
    const text = "See [the manual][1].\n\n[1]: https://example.org/manual \"Manual\"\n[two]: https://example.org"
    assert.strictEqual(shown(text), text)
  })

  it("leaves code and links that look like these as they are", () => {
    const code = "- one\n  ```\n  - [ ] open\n  [1]: x\n  ```"
    assert.include(shown(code), "- [ ] open\n")
    assert.notInclude(shown(code), "\\")
    assert.strictEqual(shown("- [x](http://a.b)\n- `[ ]`\n- []"), "- x (http://a.b)\n- [ ]\n- []")
  })

  it("indents lists inside of lists the same with and without colours", () => {
    const list = "- a\n  - b\n    - c\n      1. d\n- e"
    assert.strictEqual(shown(list), "- a\n  - b\n    - c\n      1. d\n- e")
    assert.strictEqual(bare(list), shown(list))
    assert.notInclude(shown(list), "\u001b")
  })
})
