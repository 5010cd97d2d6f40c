import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import * as Redacted from "effect/Redacted"
import * as Redaction from "../src/Redaction.js"

const of = (...secrets: ReadonlyArray<string>) => Redaction.of(secrets.map((secret) => Redacted.make(secret)), 1)

/** What becomes of a text that comes in these pieces. */
const inPieces = (redaction: Redaction.Redaction, pieces: ReadonlyArray<string>) => {
  const { finish, push } = redaction.pieces()
  return pieces.map(push).join("") + finish()
}

/** Texts of few letters, in which secrets of the same letters often occur, overlap and begin one another. */
const letters = (max: number) => fc.string({ minLength: 1, maxLength: max, unit: fc.constantFrom("a", "b") })

describe("Redaction", () => {
  it("takes every secret out, the longest where one begins with another, and leaves what is shorter than a key", () => {
    const { clear } = Redaction.of([..."key-12345 key-12345-more short".split(" ")].map((text) => Redacted.make(text)))
    assert.strictEqual(clear("key-12345-more,key-12345,short"), "[redacted],[redacted],short")
  })

  it("knows a secret as it stands in an address", () => {
    assert.strictEqual(of("a/b+c=").clear("?key=a%2Fb%2Bc%3D&b=a/b+c="), "?key=[redacted]&b=[redacted]")
  })

  it("takes letters that mean something in a pattern for themselves", () => {
    assert.strictEqual(of("a.*(b)[c]\\$&").clear("a.*(b)[c]\\$& axxb"), "[redacted] axxb")
  })

  it("knows secrets that come later", () => {
    const secrets = [Redacted.make("first-secret")]
    const { clear, pieces } = Redaction.of(secrets)
    const { push } = pieces()
    assert.strictEqual(clear("first-secret second-secret"), "[redacted] second-secret")
    secrets.push(Redacted.make("second-secret"))
    assert.strictEqual(clear("first-secret second-secret"), "[redacted] [redacted]")
    assert.strictEqual(push("second-secret."), "[redacted].")
  })

  it("of a text in pieces only the beginning of a secret waits for the next one", () => {
    const { finish, push } = of("secret-1", "secret-1-more").pieces()
    assert.deepStrictEqual(["a line\n", "sec", "ret", "-2 secret-", "1", "!", "secret-1-mo"].map(push), [
      "a line\n",
      "",
      "",
      "secret-2 ",
      "",
      "[redacted]!",
      ""
    ])
    assert.strictEqual(finish(), "[redacted]-mo")
  })

  it("a text in pieces, wherever it is cut, becomes what it becomes as a whole", () => {
    fc.assert(
      fc.property(
        fc.array(letters(5), { minLength: 1, maxLength: 3 }),
        fc.array(letters(6), { maxLength: 12 }),
        (secrets, pieces) => {
          const redaction = of(...secrets)
          assert.strictEqual(inPieces(redaction, pieces), redaction.clear(pieces.join("")))
        }
      ),
      { numRuns: 1_000 }
    )
  })

  it("what waits is bounded by the secrets, however long the text", () => {
    const { push } = of("aaaaaaaaab", "aaaaaaaaaa").pieces()
    const given = Array.from({ length: 1_000 }, () => push("aaaaaaa")).join("")
    assert.isAtLeast(given.length, (7_000 - 20) / 10 * Redaction.replacement.length)
  })
})
