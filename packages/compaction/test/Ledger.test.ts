import { assert, describe, it } from "@effect/vitest"
import * as Ledger from "@weir/compaction/Ledger"
import * as TokenScan from "@weir/compaction/TokenScan"
import type { Fact } from "@weir/model/Conversation"
import * as FastCheck from "effect/FastCheck"
import { anyFacts, anyText, budgetOf, many, words } from "./Samples.js"

const caps = budgetOf(200_000).caps
const tight = budgetOf(8_192).caps

const file = (path: string, action: "read" | "written" | "edited"): Fact => ({ _tag: "File", path, action })
const command = (command: string, exitCode: number | null) => ({ _tag: "Command", command, exitCode }) as const

const typed = (texts: ReadonlyArray<string>, self = Ledger.empty, within = caps) =>
  Ledger.add(self, { facts: [], instructions: texts }, within).instructions

const did = (facts: ReadonlyArray<Fact>, self = Ledger.empty, within = caps) =>
  Ledger.add(self, { facts, instructions: [] }, within).facts

/** A share of history between two compactions. */
const anyShare = FastCheck.record({
  facts: anyFacts,
  instructions: FastCheck.array(FastCheck.oneof(anyText, FastCheck.integer({ min: 1, max: 400 }).map(words)), {
    maxLength: 5
  })
})

describe("Ledger", () => {
  it("keeps the last action on each file and the last exit code of each command, newest first", () => {
    assert.deepEqual(
      did([
        file("a.ts", "read"),
        command("npm test", 1),
        file("b.ts", "read"),
        file("a.ts", "edited"),
        command("npm test", 0)
      ]),
      [command("npm test", 0), file("a.ts", "edited"), file("b.ts", "read")]
    )
  })

  it("names the tests that failed, a few of them, until the command succeeds", () => {
    const failing = Array.from({ length: 9 }, (_, test) => `test ${test}`)
    const failed: Fact = { ...command("npm test", 1), failing }
    const [fact] = did([failed])
    assert.strictEqual(
      fact && Ledger.describe(fact),
      "exit code 1: npm test (failing: test 0; test 1; test 2; test 3; test 4; 4 more)"
    )
    assert.deepEqual(did([failed, command("npm test", 0)]), [command("npm test", 0)])
    const wordy: Fact = { ...failed, failing: failing.map(() => words(30)) }
    assert.deepEqual(did([wordy], Ledger.empty, tight), [command("npm test", 1)])
  })

  it("the same after 1, 3 and 10 compactions, plus what was added since", () => {
    const did = (number: number) => ({
      facts: [
        file(`src/file-${number % 7}.ts`, number % 3 === 0 ? "edited" : "read"),
        { ...command(`test ${number % 4}`, number % 2), failing: [`case ${number}`] }
      ],
      instructions: [`Wish ${number}: ${words(number % 9)}`]
    })
    const history = Array.from({ length: 40 }, (_, number) => did(number))
    const after = (compactions: number) => {
      const size = Math.ceil(history.length / compactions)
      return Array.from({ length: compactions }, (_, at) => history.slice(at * size, (at + 1) * size)).reduce(
        (self, share) =>
          Ledger.add(self, {
            facts: share.flatMap(({ facts }) => facts),
            instructions: share.flatMap(({ instructions }) => instructions)
          }, caps),
        Ledger.empty
      )
    }
    const once = after(1)
    assert.isAbove(once.facts.length, 8)
    for (const compactions of [3, 10]) assert.deepEqual(after(compactions), once)
    const added = Ledger.add(once, did(40), caps)
    assert.deepEqual(added.instructions[0]?.head, did(40).instructions[0])
    for (const compactions of [3, 10]) assert.deepEqual(Ledger.add(after(compactions), did(40), caps), added)
  })

  it("a command takes one line, however long it is", () => {
    const [fact] = did([command(`cat > f <<'END'\n${words(5_000)}\nEND`, null)])
    assert.isTrue(fact?._tag === "Command" && fact.command.length <= 161 && !fact.command.includes("\n"))
    assert.include(fact ? Ledger.describe(fact) : "", "did not finish: cat > f")
  })

  it("a path of absurd length takes nobody's place", () => {
    const facts = did([file("kept.ts", "edited"), file("x/".repeat(50_000), "read")])
    assert.deepEqual(facts, [file("kept.ts", "edited")])
  })

  it("instructions are verbatim and newest first; blank ones are not instructions", () => {
    assert.deepEqual(
      typed(["first\n  indented ", " \n", "second"]).map(({ head }) => head),
      ["second", "first\n  indented "]
    )
  })

  it("an instruction larger than the cap keeps head and tail, also when a small one follows it", () => {
    const huge = `BEGIN ${words(20_000)} END`
    for (
      const instructions of [
        typed([huge]),
        typed([huge, "continue"]),
        typed(["continue"], { facts: [], instructions: typed([huge]) })
      ]
    ) {
      const cut = instructions.at(-1)
      assert.isTrue(cut?.head.startsWith("BEGIN") && cut.tail.endsWith("END"))
      assert.strictEqual((cut?.head.length ?? 0) + (cut?.omitted ?? 0) + (cut?.tail.length ?? 0), huge.length)
      const kept = instructions.reduce((sum, { head, tail }) => sum + TokenScan.count(head) + TokenScan.count(tail), 0)
      assert.isTrue(kept <= caps.instructions && kept > 0.9 * caps.instructions, `${kept}`)
    }
  })

  it.prop(
    "the same after one compaction as after several",
    [FastCheck.array(anyShare, { minLength: 1, maxLength: 6 }), FastCheck.constantFrom(caps, tight)],
    ([shares, within]) => {
      const several = shares.reduce((self, share) => Ledger.add(self, share, within), Ledger.empty)
      const once = Ledger.add(Ledger.empty, {
        facts: shares.flatMap(({ facts }) => facts),
        instructions: shares.flatMap(({ instructions }) => instructions)
      }, within)
      assert.deepEqual(several, once)
      assert.deepEqual(Ledger.add(once, { facts: [], instructions: [] }, within), once)
    },
    many
  )

  it.prop("stays within its caps", [anyShare, FastCheck.constantFrom(caps, tight)], ([share, within]) => {
    const { facts, instructions } = Ledger.add(Ledger.empty, share, within)
    const factTokens = facts.reduce((sum, fact) => sum + TokenScan.count(Ledger.describe(fact)), 0)
    const typedTokens = instructions.reduce(
      (sum, { head, tail }) => sum + TokenScan.count(head) + TokenScan.count(tail),
      0
    )
    assert.isAtMost(factTokens, within.ledger)
    assert.isAtMost(typedTokens, within.instructions)
    for (const { head, tail } of instructions) {
      // Nothing is cut in the middle of a character.
      assert.isFalse(/[\uD800-\uDBFF]$/.test(head) || /^[\uDC00-\uDFFF]/.test(tail))
    }
  }, many)
})
