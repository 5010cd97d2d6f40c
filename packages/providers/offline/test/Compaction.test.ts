import { assert, describe, it } from "@effect/vitest"
import type { Entry } from "@weir/model/Conversation"
import { exchanges, userMessage } from "@weir/model/Conversation"
import * as Reply from "@weir/model/Reply"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import { maxChunks, maxSearches } from "../src/Strategy.js"
import { kettle } from "./Fixture.js"
import { ask, result, runTool, runTurn } from "./Workbench.js"

const question = "Where is the boiling point worked out, and which tests cover its summit?"

const headings = ["Goal", "Key Instructions", "Discoveries", "Accomplished", "Relevant Files"]

const instructions = `Summarize the history above. Use exactly these headings:\n\n${
  headings.map((heading) => `## ${heading}\nWhat belongs there.`).join("\n\n")
}\n\nOutput only the summary.`

const tags =
  /<(?=[\s/]*(?:history|previous_summary|user_message|assistant_message|tool_call|tool_result|compacted_context|last_user_message))/gi

const framed = (tag: string, text: string) => `<${tag}>\n${text.replace(tags, "&lt;")}\n</${tag}>`

const frame = (entry: Entry): string =>
  entry._tag === "UserMessage" ? framed("user_message", entry.text) : entry.parts.flatMap((part) => {
    switch (part._tag) {
      case "Text":
        return [framed("assistant_message", part.text)]
      case "Reasoning":
        return []
      case "Exchange":
        return [
          framed("tool_call", `${part.call.name} ${part.call.arguments}`),
          framed("tool_result", (part.result.isError ? "(failed)\n" : "") + part.result.text)
        ]
    }
  }).join("\n")

const summarize = (options: {
  readonly history: ReadonlyArray<Entry>
  readonly previous?: string | undefined
  readonly cap?: number
  readonly focus?: string
}) =>
  ask({
    system: "You write summaries.",
    tools: [],
    maxOutputTokens: options.cap ?? 1_997,
    entries: [userMessage([
      ...(options.previous ? [framed("previous_summary", options.previous)] : []),
      `<history>\n${options.history.map(frame).join("\n")}\n</history>`,
      instructions,
      ...(options.focus ? [`The user asks to focus on: ${options.focus}`] : [])
    ].join("\n\n"))]
  })

const textOf = (reply: Reply.Reply) => reply.parts.flatMap((part) => part._tag === "Text" ? [part.text] : []).join("")

const wrapped = (summary: string, task: string) =>
  `<compacted_context>\nThe prior conversation context was compacted.\n\n${
    summary.replace(/<(?=[\s/]*(?:compacted_context|last_user_message))/gi, "&lt;")
  }\n</compacted_context>\n\n<last_user_message>\nThe following is the\nmost recent user message.\n\n${task}\n</last_user_message>`

/** Compacts as a running turn is compacted: the newest results follow the summary, or not. */
const compactor = (options: { readonly unread: boolean; readonly cap?: number }) => {
  let previous: string | undefined
  let carried: ReadonlyArray<Entry> = []
  return (entries: ReadonlyArray<Entry>, task: string) =>
    Effect.gen(function*() {
      const steps = entries.slice(1)
      const last = steps.at(-1)
      const cap = options.cap === undefined ? {} : { cap: options.cap }
      const reply = yield* summarize({ history: [userMessage(task), ...carried, ...steps], previous, ...cap })
      assert.strictEqual(reply.stop, "end")
      const summary = textOf(reply)
      previous = summary
      carried = options.unread && last ? [last] : []
      const results = carried.flatMap((step) => step._tag === "Step" ? exchanges(step) : []).map(({ call, result }) =>
        `### ${call.name} ${call.arguments}${result.isError ? " (failed)" : ""}\n${result.text}`
      )
      const sections = [summary, "## Files so far\n\n- read src/mix.ts"]
      if (results.length > 0) sections.push(`## Results not read yet\n\n${results.join("\n")}`)
      return { summary, text: wrapped(sections.join("\n\n"), task) }
    })
}

const references = (answer: string) => [...answer.matchAll(/^ {4}([^\s:]+):(\d+):(.*)$/gm)]

describe("the offline model through compactions", () => {
  for (const unread of [true, false]) {
    it.effect(`goes on where it stood, its findings carried${unread ? ", the newest results kept" : ""}`, () =>
      Effect.gen(function*() {
        const bench = { question, tool: runTool(kettle), trigger: 5_000 }
        const turn = yield* runTurn({ ...bench, compact: compactor({ unread }) })
        assert.isAtLeast(turn.compactions, 2)
        const made = turn.steps.flatMap((step) => exchanges(step).map(({ call }) => call))
        assert.strictEqual(new Set(made.map((call) => call.name + call.arguments)).size, made.length)
        assert.strictEqual(new Set(made.map((call) => call.id)).size, made.length)
        assert.isAtMost(made.length, maxSearches + maxChunks)
        for (const [, path = "", line, text] of references(turn.answer)) {
          assert.strictEqual(kettle[path]?.split("\n")[Number(line) - 1], text)
        }
        assert.include(turn.answer, ":export const boilingPoint = (altitude: number): number =>")
        assert.include(turn.answer, "has its summit at 8848 metres")
        const whole = yield* runTurn(bench)
        assert.strictEqual(references(turn.answer)[0]?.[0], references(whole.answer)[0]?.[0])
      }))
  }

  it.effect("fills the five headings within its limits, and none of the tags", () =>
    Effect.gen(function*() {
      const files = { ...kettle, "src/tags.ts": "const boilingPoint = '</compacted_context>'\n".repeat(30) }
      const turn = yield* runTurn({
        question,
        tool: runTool(files),
        trigger: 5_000,
        compact: compactor({ unread: true })
      })
      for (const summary of turn.summaries) {
        for (const heading of headings) assert.match(summary, new RegExp(`^## ${heading}\n- \\S`, "m"))
        assert.notMatch(summary, /compacted_context|last_user_message/)
        assert.isAtMost(summary.length * 2 / 7, 1_400)
        assert.isAtLeast(summary.length * 2 / 7, 300)
        assert.match(summary, /^- src\/boilingPoint\.ts:\d+:.*boilingPoint/m)
        assert.match(summary, /^- Next action: \S/m)
      }
    }))

  it.effect("summarizes finished turns: what was asked, what was answered", () =>
    Effect.gen(function*() {
      const turn = yield* runTurn({ question, tool: runTool(kettle) })
      const text = textOf(yield* summarize({ history: [userMessage(question), ...turn.steps], focus: "the lid" }))
      assert.include(text, `Earlier question: ${question} Answer: **Where is the boiling point worked out**`)
      assert.include(text, "- Next action: wait for the next question")
      assert.include(text, "- Focus: the lid")
    }))

  it.effect("remembers which words were found when their lines are gone", () =>
    Effect.gen(function*() {
      const files = { ...kettle, "zz.txt": "the zeppelin\n" }
      const bench = { question: "Where is the boiling point of the zeppelin?", tool: runTool(files), trigger: 3_000 }
      const turn = yield* runTurn({ ...bench, compact: compactor({ unread: false, cap: 500 }) })
      assert.isAtLeast(turn.compactions, 2)
      assert.match(turn.summaries.at(-1) ?? "", /^- Words found: .*zeppelin/m)
      assert.notInclude(turn.summaries.at(-1) ?? "", "the zeppelin")
      assert.notInclude(turn.answer, "Not found")
    }))

  it.effect("starts anew for another question", () =>
    Effect.gen(function*() {
      const turn = yield* runTurn({ question, tool: runTool(kettle) })
      const summary = textOf(yield* summarize({ history: [userMessage(question), ...turn.steps] }))
      const reply = yield* ask({ entries: [userMessage(wrapped(summary, "Where is the whistle?"))] })
      assert.isAbove(Reply.calls(reply).filter((call) => call.name === "grep").length, 0)
      const next = yield* summarize({ history: [userMessage("Where is the whistle?")], previous: summary })
      assert.notInclude(textOf(next), "boilingPoint.ts lines")
    }))

  it.effect("summarizes after a cached prefix: the instruction is the last message, tools are still there", () =>
    Effect.gen(function*() {
      const turn = yield* runTurn({ question, tool: runTool(kettle) })
      const reply = yield* ask({
        entries: [userMessage(question), ...turn.steps.slice(0, 4), userMessage(instructions)]
      })
      assert.strictEqual(reply.stop, "end")
      assert.match(textOf(reply), /^- src\/boilingPoint\.ts:\d+:/m)
    }))

  it.effect("gives a summary of nothing", () =>
    Effect.gen(function*() {
      const reply = yield* summarize({ history: [] })
      for (const heading of headings) assert.match(textOf(reply), new RegExp(`^## ${heading}\n- \\S`, "m"))
    }))

  it.effect("a question that names the headings is no request for a summary", () =>
    Effect.gen(function*() {
      const reply = yield* ask({ entries: [userMessage(`Where are these headings used: ${headings.join(", ")}?`)] })
      assert.isAbove(Reply.calls(reply).length, 0)
    }))

  it.live.prop(
    "ends, compacted after every step, however small the summary and whatever tools say",
    [
      fc.array(fc.lorem({ mode: "sentences", maxCount: 6 }), { minLength: 1, maxLength: 6 }),
      fc.boolean(),
      fc.integer({ min: 500, max: 2_000 })
    ],
    ([texts, unread, cap]) =>
      Effect.gen(function*() {
        const words = texts.join(" ").split(" ").slice(0, 6).join(" ")
        let index = 0
        const tool = () => {
          index++
          const text = texts[index % texts.length] ?? ""
          return result(
            text.split(" ").flatMap((word, line) => [
              `packages/a-rather-long-name-of-a-folder/${word}${index % 5}.ts:${line + 1}:${text}`,
              `${line + 1}\t${text}`
            ]).join("\n").slice(0, 3_000)
          )
        }
        const turn = yield* runTurn({ question: words, tool, trigger: 0, compact: compactor({ unread, cap }) })
        const made = turn.steps.flatMap((step) => exchanges(step))
        assert.isAtMost(made.length, maxSearches + maxChunks + 4)
      }),
    { fastCheck: { numRuns: 12 }, timeout: 30_000 }
  )
})
