import { assert, describe, it } from "@effect/vitest"
import * as Acceptance from "@weir/compaction/Acceptance"
import type { Reply } from "@weir/model/Reply"
import * as Usage from "@weir/model/Usage"
import { summary, words } from "./Samples.js"

const reply = (text: string, options: Partial<Reply> = {}): Reply => ({
  parts: text === "" ? [] : [{ _tag: "Text", text }],
  stop: "end",
  ...options
})

const context: Acceptance.Context = {
  cap: 2_000,
  covered: 5_000,
  request: ["<user_message>\nPlease change the tokenizer so that it keeps every comma it reads.\n</user_message>"],
  effect: () => ({ freed: 4_500, after: 9_000, bytes: 0 }),
  input: 20_000,
  maxBytes: 100_000
}

const faults = (self: Reply, options: Partial<Acceptance.Context> = {}) =>
  Acceptance.judge(self, { ...context, ...options }).faults.map(({ _tag }) => _tag)

describe("A sound summary", () => {
  it("is accepted, trimmed", () => {
    assert.deepEqual(Acceptance.judge(reply(`\n${summary}\n\n`), context), { summary, faults: [] })
  })

  it.each([
    ["bold headings", summary.replaceAll(/## (.*)/g, "**$1**")],
    ["bold headings with the text on their line", summary.replaceAll(/## (.*)\n/g, "**$1:** ")],
    ["other levels", summary.replaceAll("## ", "#### ")],
    ["numbers", summary.replaceAll("## ", "## 1. ")],
    ["other cases and additions", summary.replace("Relevant Files", "RELEVANT FILES and commands")],
    ["markup inside a code fence", `${summary}\n\`\`\`\n<tool_call>x</tool_call>\n\`\`\``],
    ["inline markup", `${summary}\n- The parser fails on \`<tool_call>\`.`],
    ["sub-headings", summary.replace("- Reproduced", "### Done\n- Reproduced")]
  ])("may have %s", (_, text) => assert.deepEqual(faults(reply(text)), []))

  it("[A15] reasoning beside it is not part of it", () => {
    const parts = [{ _tag: "Reasoning", text: "hm" }, { _tag: "Text", text: summary }] as const
    assert.strictEqual(Acceptance.judge(reply("", { parts }), context).summary, summary)
  })
})

describe("[A16] Hard faults", () => {
  const call = { _tag: "ToolCall", id: "1", name: "bash", arguments: "{}" } as const
  it.each<[string, Reply, string]>([
    ["nothing", reply(""), "Blank"],
    ["blanks", reply(" \n\t"), "Blank"],
    ["reasoning only", reply("", { parts: [{ _tag: "Reasoning", text: "I should summarize." }] }), "ReasoningOnly"],
    ["a tool call", reply("", { parts: [call], stop: "calls" }), "ToolCall"],
    [
      "a tool call after a summary",
      reply("", { parts: [{ _tag: "Text", text: summary }, call], stop: "calls" }),
      "ToolCall"
    ],
    ["a call as text", reply(`${summary}\n<tool_call>\n{"name":"bash"}`), "ToolCall"],
    ["a call as namespaced text", reply("<invoke name=\"bash\">"), "ToolCall"],
    ["a call in brackets", reply("[TOOL_CALLS] [{\"name\":\"bash\"}]"), "ToolCall"],
    ["a call as JSON", reply("{\"tool_calls\": []}"), "ToolCall"],
    ["a refusal by the provider", reply(summary, { stop: "refused" }), "Refusal"],
    ["a refusal in words", reply("I'm sorry, but I can't help with that."), "Refusal"],
    ["an echo of the history", reply("Please change the tokenizer so that it keeps every comma it reads."), "Echo"],
    ["an echo of the frame", reply(`<history>\n${summary}`), "Echo"],
    ["a summary cut off", reply(summary, { stop: "length" }), "CutOff"],
    ["nothing, cut off", reply("", { stop: "length" }), "CutOff"],
    ["a summary over its cap by report", reply(summary, { usage: { ...Usage.zero, output: 2_001 } }), "OverCap"],
    ["a summary over its cap by scan", reply(`${summary}\n${words(2_000)}`), "OverCap"]
  ])("%s", (_, self, fault) => {
    const { faults } = Acceptance.judge(self, context)
    assert.deepEqual(faults.map(({ _tag }) => _tag), [fault])
    assert.isTrue(faults.every(Acceptance.isHard))
    assert.isNotEmpty(faults.map(Acceptance.describe)[0])
  })

  it("reasoning does not count against the cap", () => {
    const usage = { ...Usage.zero, output: 2_500, reasoning: 2_300 }
    assert.deepEqual(faults(reply(summary, { usage })), [])
  })

  it("it must free a tenth of what it covers: exact at the boundary", () => {
    assert.deepEqual(faults(reply(summary), { effect: () => ({ freed: 500, after: 1, bytes: 0 }) }), [])
    assert.deepEqual(faults(reply(summary), { effect: () => ({ freed: 499, after: 1, bytes: 0 }) }), ["FreesTooLittle"])
    assert.deepEqual(faults(reply(summary), { effect: () => ({ freed: -80, after: 1, bytes: 0 }) }), ["FreesTooLittle"])
  })

  it("the next request must fit: exact at the boundary", () => {
    assert.deepEqual(faults(reply(summary), { effect: () => ({ freed: 4_000, after: 20_000, bytes: 0 }) }), [])
    assert.deepEqual(faults(reply(summary), { effect: () => ({ freed: 4_000, after: 20_001, bytes: 0 }) }), [
      "DoesNotFit"
    ])
    const heavy = (bytes: number) => faults(reply(summary), { effect: () => ({ freed: 4_000, after: 1, bytes }) })
    assert.deepEqual([heavy(100_000), heavy(100_001)], [[], ["TooManyBytes"]])
  })
})

describe("Soft faults", () => {
  it.each([
    ["missing", summary.replace("## Discoveries\n", "")],
    ["empty", summary.replace(/(## Discoveries)\n.*/, "$1\n- ")],
    ["inside a code fence", summary.replace("## Discoveries", "```\n## Discoveries\n```")],
    ["only mentioned", summary.replace("## Discoveries", "Discoveries were made:")]
  ])("a heading is %s", (_, text) => {
    const verdict = Acceptance.judge(reply(text), context)
    assert.deepEqual(verdict.faults, [Acceptance.Fault.HeadingsMissing({ headings: ["Discoveries"] })])
    assert.isFalse(verdict.faults.some(Acceptance.isHard))
  })

  it("less than 200 tokens for more than 10,000", () => {
    assert.deepEqual(faults(reply(summary), { covered: 10_000 }), [])
    assert.deepEqual(
      faults(reply(summary), { covered: 10_001, effect: () => ({ freed: 9_000, after: 1, bytes: 0 }) }),
      [
        "TooShort"
      ]
    )
    assert.deepEqual(
      faults(reply(`${summary}\n${words(120)}`), {
        covered: 10_001,
        effect: () => ({ freed: 9_000, after: 1, bytes: 0 })
      }),
      []
    )
  })

  it("hard faults come first", () => {
    assert.deepEqual(faults(reply("A few words."), { effect: () => ({ freed: 0, after: 1, bytes: 0 }) }), [
      "FreesTooLittle",
      "HeadingsMissing"
    ])
  })
})
