import { assert, describe, it } from "@effect/vitest"
import * as Evidence from "../src/Evidence.js"
import * as Question from "../src/Question.js"
import * as Ranking from "../src/Ranking.js"
import * as Summary from "../src/Summary.js"

const question = Question.parse("Where is the boiling point worked out?")

describe("Summary", () => {
  it("of many files found by name it keeps those that say most", () => {
    const collector = new Evidence.Collector()
    for (let at = 0; at < 60; at++) collector.addPath(`archive/notes/of-earlier-years/points-${at}.md`)
    collector.addPath("kettle/src/Boiling.ts")
    const history = { answer: "", answered: [], exchanges: [], question: question.text, summary: "" }
    const summary = Summary.render(history, question, collector.build(), { focus: "", next: [], tokens: 1_200 })
    assert.include(summary, "- kettle/src/Boiling.ts (found by name)")
  })

  it("a file whose whole name is the word comes before one that has it in its name", () => {
    const collector = new Evidence.Collector()
    for (const path of ["src/ABoilingChart.ts", "src/Boiling.ts"]) collector.addPath(path)
    const files = question.parts.flatMap((part) => Ranking.rank(part, collector.build()))
    assert.strictEqual(files[0]?.path, "src/Boiling.ts")
  })
})
