import { assert, describe, it } from "@effect/vitest"
import * as Usage from "@weir/model/Usage"
import * as ContextChart from "@weir/session/ContextChart"
import * as CostTable from "@weir/session/CostTable"
import * as ExportHtml from "@weir/session/ExportHtml"
import * as ExportJson from "@weir/session/ExportJson"
import * as ExportMarkdown from "@weir/session/ExportMarkdown"
import * as Fold from "@weir/session/Fold"
import { type Record, SessionStarted } from "@weir/session/Record"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { attempt, began, compacted, end, stepped, turn } from "./Samples.js"

const start = SessionStarted.make({
  version: 1,
  id: "s1",
  cwd: "/project",
  provider: "test",
  model: "m",
  at: DateTime.unsafeMake(0)
})

const hostile = "<script>alert(\"1\")</script> & \u001b[31m</pre>\n```\nfence"

const told: ReadonlyArray<Record> = [
  began("t1", hostile, [{ mediaType: "image/png", data: "aGk=" }, { mediaType: "text/html", data: "\"><script>" }]),
  stepped(hostile, `${hostile} ${"words of output ".repeat(200)}`),
  stepped("two", "short")
]

const withCompaction: ReadonlyArray<Record> = [
  ...told,
  compacted("c1", Fold.fold(told).projection, true, 2),
  stepped("three", "more"),
  end("failed"),
  ...turn("t2", "next")
]

const session = { start, records: [start, ...withCompaction], notices: [] }

describe("export", () => {
  it("HTML holds everything, needs nothing, and obeys nothing that was said", () => {
    const page = ExportHtml.render(session, { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 })
    assert.notMatch(page, /<script|\u001b|<link|@import|url\(|src="(?!data:image\/png;base64,aGk=")|https?:/)
    assert.include(page, "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; \ufffd[31m&lt;/pre&gt;")
    assert.include(page, "an image that cannot be shown")
    for (const text of ["two", "three", "Failed.", "next", "US dollars"]) assert.include(page, text)
    assert.match(page, /prefers-color-scheme: dark/)
    assert.match(page, /@media print/)
    assert.match(page, /Compaction 1: 1,000 to 100 tokens, removed 900, cost 1,007 tokens and 2\.5 s/)
    assert.strictEqual(page.match(/<details>/g)?.length, 3)
    const priced = session.records.map((one) => one._tag === "CompactionApplied" ? { ...one, cost: 0.0123 } : one)
    assert.match(ExportHtml.render({ ...session, records: priced }), /cost 1,007 tokens \(\$0\.0123\) and 2\.5 s/)
  })

  it("the chart shares out what the provider counted, and nothing else", () => {
    const { bars, marks } = ContextChart.make(session.records)
    const inputs = session.records.flatMap((record) =>
      record._tag === "StepCompleted" && record.step.usage ? [Usage.input(record.step.usage)] : []
    )
    assert.deepStrictEqual(
      bars.map(({ tokens }) => ContextChart.parts.reduce((sum, part) => sum + tokens[part], 0)),
      inputs
    )
    assert.strictEqual(bars[0]?.tokens.results, 0)
    assert.isAbove(bars[1]?.tokens.results ?? 0, 0)
    assert.strictEqual(bars[1]?.tokens.summary, 0)
    assert.isAbove(bars[2]?.tokens.summary ?? 0, 0)
    assert.deepInclude(marks[0], { at: 2, before: 1_000, after: 100, cost: 1_007 })
  })

  it("the cost of compactions stands apart", () => {
    const rows = CostTable.make(session.records, { input: 1_000_000, output: 0, cacheRead: 0, cacheWrite: 0 })
    const [turns, compactions, all] = rows
    assert.deepStrictEqual(compactions?.usage, attempt.usage)
    assert.strictEqual(compactions?.cost, 1_000)
    assert.strictEqual(all?.usage.fresh, (turns?.usage.fresh ?? 0) + 1_000)
    assert.strictEqual(all?.requests, 4)
  })

  it.effect("JSON comes back as the very records", () =>
    Effect.gen(function*() {
      const back = yield* Schema.decode(ExportJson.Json)(yield* ExportJson.render(session))
      assert.deepStrictEqual([...back.records], session.records)
    }))

  it("Markdown keeps fences closed, whatever an output holds", () => {
    const page = ExportMarkdown.render(session)
    assert.include(page, "````\n<script>")
    assert.include(page, "**read_file**")
    assert.include(page, "*Failed.*")
    assert.notInclude(page, "Summary c1")
  })

  it("an empty session can be shown", () => {
    assert.include(ExportHtml.render({ start, records: [start], notices: [] }), "No request was answered.")
  })
})
