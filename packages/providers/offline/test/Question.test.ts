import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import * as Question from "../src/Question.js"
import * as Term from "../src/Term.js"

const words = (text: string) => Question.parse(text).parts.map((part) => part.terms.map((term) => term.word))

describe("Question", () => {
  it("keeps what is asked for and drops the grammar around it", () => {
    assert.deepStrictEqual(words("Where is the boiling point computed?"), [["point", "boiling", "computed"]])
  })

  it("takes a second question apart and resolves its pronoun", () => {
    const { parts } = Question.parse("Where is the kettle filled, and which tests touch its lid?")
    assert.deepStrictEqual(parts.map((part) => part.tests), [false, true])
    assert.deepStrictEqual(parts[1]?.terms.map((term) => term.word), ["touch", "lid", "kettle", "filled"])
  })

  it("a bare demand for tests asks about what was asked before", () => {
    const { parts } = Question.parse("Where is the lid closed? And what about tests?")
    assert.isTrue(parts[1]?.tests)
    assert.deepStrictEqual(parts[1]?.terms.map((term) => term.word), ["lid", "closed"])
  })

  it.each(["hi", "Hello there!", "thanks a lot", "", "???", "how are you?"])(
    "finds nothing to search for in %j",
    (text) => {
      assert.deepStrictEqual(Question.parse(text).parts, [])
    }
  )

  it("speaks of code as such only where nothing else is asked", () => {
    assert.deepStrictEqual(words("Which package is this?"), [["package"]])
    assert.deepStrictEqual(words("Which function fills the kettle?"), [["fills", "kettle"]])
  })

  it("sees an order to change something, and no order in a question", () => {
    assert.isTrue(Question.parse("please fix the lid in src/lid.ts").change)
    assert.isFalse(Question.parse("How does the update of the lid work?").change)
  })

  it("knows files by their names", () => {
    assert.deepStrictEqual(Question.parse("What does src/lidHinge.ts do with `a.json`?").files, [
      "a.json",
      "src/lidHinge.ts"
    ])
    assert.deepStrictEqual(Question.parse("Where is Effect.gen explained?").files, [])
  })

  it("keeps quoted text whole", () => {
    assert.deepStrictEqual(words("Where does \"out of water (again)\" come from?"), [["out of water (again)"]])
  })

  it.each([
    ["retryDelay", "const retry_delay = 1", true],
    ["retryDelay", "RETRY_DELAY", true],
    ["retry-delay", "class RetryDelay", true],
    ["retryDelay", "retries delayed", false],
    ["bakeries", "the bakery", true],
    ["computed", "const computation = 1", true],
    ["port", "import { a }", false],
    ["port", "getPort()", true],
    ["port", "the ports", true],
    ["cap", "recapture", false],
    ["cap", "it is capped", true],
    ["caching", "readCache()", true]
  ])("%s in %j: %s", (asked, line, expected) => {
    const term = Question.parse(`Where is ${asked}?`).parts[0]?.terms[0]
    assert.strictEqual(term?.regex.test(line), expected)
  })

  it.prop("a term finds the word it was made of", [fc.stringMatching(/^[a-z]{3,14}$/)], ([word]) => {
    const term = Term.word(word, 1)
    assert.isTrue(term.regex.test(`the ${word} here`))
    assert.isTrue(term.regex.test(`x${word.slice(0, 1).toUpperCase()}${word.slice(1)}`))
  })

  it.prop(
    "any text can be asked",
    [fc.oneof(fc.fullUnicodeString({ maxLength: 300 }), fc.string({ maxLength: 300 }))],
    ([text]) => {
      const { parts } = Question.parse(text)
      for (const part of parts) {
        assert.isAtLeast(part.terms.length, 1)
        assert.isAtMost(part.terms.length, 6)
      }
    }
  )

  it("reads a very long question in linear time", () => {
    const before = performance.now()
    for (const unit of ["a ", "\"", "and which ", "aB", "'x' ", "-", "\n"]) Question.parse(unit.repeat(500_000))
    assert.isBelow(performance.now() - before, 2_000)
  })
})
