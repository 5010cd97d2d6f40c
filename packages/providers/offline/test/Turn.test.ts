import { assert, describe, it } from "@effect/vitest"
import type { ToolCall } from "@weir/model/Conversation"
import { exchanges } from "@weir/model/Conversation"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import { maxChunks, maxSearches } from "../src/Strategy.js"
import { kettle } from "./Fixture.js"
import { argumentsOf, result, runTool, runTurn, spec, type Turn } from "./Workbench.js"

const question = "Where is the boiling point worked out, and which tests cover its summit?"

/** `path:line:text` references of an answer. */
const references = (answer: string) =>
  [...answer.matchAll(/^ {4}([^\s:]+):(\d+):(.*)$/gm)].map(([, path = "", line, text]) => ({
    path,
    line: Number(line),
    text
  }))

const calls = (turn: Turn): ReadonlyArray<ToolCall> =>
  turn.steps.flatMap((step) => exchanges(step).map(({ call }) => call))

const run = (asked: string, files = kettle) => runTurn({ question: asked, tool: runTool(files) })

describe("a turn of the offline model", () => {
  it.effect("answers with true references: source for the first part, tests for the second", () =>
    Effect.gen(function*() {
      const { answer } = yield* run(question)
      const found = references(answer)
      for (const { line, path, text } of found) assert.strictEqual(kettle[path]?.split("\n")[line - 1], text)
      assert.deepInclude(found[0], { path: "src/boilingPoint.ts" })
      const [source = "", tests = ""] = answer.split("**which tests cover its summit**")
      assert.include(source, "export const boilingPoint = ")
      assert.isTrue(references(tests).every(({ path }) => path.startsWith("test/")))
      assert.include(tests, "has its summit at 8848 metres")
    }))

  it.effect("quotes a line with its own indentation", () =>
    Effect.gen(function*() {
      const { answer } = yield* run("Where is `boilingPointCache`?")
      assert.match(answer, /^ {4}src\/boilingPoint\.ts:\d+:\tconst boilingPointCache = new Map<number, number>\(\)$/m)
    }))

  it.effect("takes a line that repeats the question for no answer", () =>
    Effect.gen(function*() {
      const { answer } = yield* run(question, { ...kettle, "notes.ts": `const example = "${question}"` })
      assert.isAbove(references(answer).length, 6)
      assert.notInclude(answer, "notes.ts")
    }))

  it.effect("reads enough to fill its window", () =>
    Effect.gen(function*() {
      const { steps } = yield* run(question)
      assert.isAbove(steps.at(-1)?.usage?.fresh ?? 0, 8_500)
    }))

  it.effect("reports usage that grows with the conversation", () =>
    Effect.gen(function*() {
      const { steps } = yield* run(question)
      const sizes = steps.map((step) => step.usage?.fresh ?? 0)
      assert.deepStrictEqual(sizes, [...sizes].sort((a, b) => a - b))
      assert.isTrue(steps.every((step) => (step.usage?.output ?? 0) > 0))
    }))

  it.effect("is deterministic, and no call has the id of another", () =>
    Effect.gen(function*() {
      const first = yield* run(question)
      const second = yield* run(question)
      assert.deepStrictEqual(first, second)
      const ids = calls(first).map((call) => call.id)
      assert.strictEqual(new Set(ids).size, ids.length)
    }))

  it.effect("never reads a line twice", () =>
    Effect.gen(function*() {
      const turn = yield* run(question)
      const seen = new Set<string>()
      const texts = turn.steps.flatMap(exchanges).filter(({ call }) => call.name === "read_file")
      assert.isAbove(texts.length, 4)
      for (const { call, result } of texts) {
        for (const [, line] of result.text.matchAll(/^(\d+)\t/gm)) {
          const key = `${argumentsOf(call).path}:${line}`
          assert.isFalse(seen.has(key), key)
          seen.add(key)
        }
      }
    }))

  it.effect("says what it searched for when nothing is there", () =>
    Effect.gen(function*() {
      const { answer } = yield* run("Where is the zeppelin moored?")
      assert.include(answer, "\"zeppelin\"")
      assert.include(answer, "Try a word")
      assert.deepStrictEqual(references(answer), [])
    }))

  it.effect("says that its tools failed", () =>
    Effect.gen(function*() {
      const turn = yield* runTurn({ question, tool: () => result("Not permitted.", true) })
      assert.include(turn.answer, "Some of my tool calls failed")
    }))

  it.effect("says which of the words are nowhere", () =>
    Effect.gen(function*() {
      const { answer } = yield* run("Where is the boiling point of the zeppelin?")
      assert.include(answer, "Not found: \"zeppelin\"")
      assert.isAbove(references(answer).length, 2)
    }))

  it.effect("says when no test holds what is asked of tests", () =>
    Effect.gen(function*() {
      const { answer } = yield* run("Which tests cover the whistle?")
      assert.include(answer, "no line that holds")
    }))

  it.effect("greets without tools and says what it is", () =>
    Effect.gen(function*() {
      const turn = yield* run("hi")
      assert.deepStrictEqual(calls(turn), [])
      assert.include(turn.answer, "not a language model")
      assert.include(turn.answer, "--provider")
    }))

  it.effect("says that it changes nothing when asked to change something", () =>
    Effect.gen(function*() {
      const { answer } = yield* run("Fix the boiling point in src/boilingPoint.ts")
      assert.include(answer, "I change nothing")
      assert.include(answer, "src/boilingPoint.ts:")
    }))

  it.effect("does without tools that are not offered and says so", () =>
    Effect.gen(function*() {
      const without = yield* runTurn({ question, tool: runTool(kettle), tools: [spec("glob"), spec("read_file")] })
      assert.include(without.answer, "had to do without grep")
      assert.include(without.answer, "src/boilingPoint.ts:")
      assert.notInclude(calls(without).map((call) => call.name), "grep")
      const none = yield* runTurn({ question, tool: runTool(kettle), tools: [] })
      assert.deepStrictEqual(calls(none), [])
      assert.include(none.answer, "grep, glob, read_file")
    }))

  it.effect("leaves out arguments that a tool does not name", () =>
    Effect.gen(function*() {
      const narrow = { ...spec("grep"), parameters: { type: "object", properties: { pattern: {} } } }
      const turn = yield* runTurn({ question, tool: runTool(kettle), tools: [narrow] })
      assert.isAbove(calls(turn).length, 3)
      for (const call of calls(turn)) assert.deepStrictEqual(Object.keys(argumentsOf(call)), ["pattern"])
      assert.strictEqual(new Set(calls(turn).map((call) => call.arguments)).size, calls(turn).length)
    }))

  it.effect("quotes no line of generated files whole", () =>
    Effect.gen(function*() {
      const files = { "dist/all.min.js": `${"x;".repeat(5_000)}var kettle=1;${"😀".repeat(5_000)}` }
      const { answer } = yield* run("Where is the kettle?", files)
      assert.match(answer, /dist\/all\.min\.js:1:….*var kettle=1;.*…/u)
      assert.isBelow(answer.length, 1_000)
    }))

  const anyText = fc.oneof(
    fc.string({ maxLength: 200 }),
    fc.fullUnicodeString({ maxLength: 200 }),
    fc.array(
      fc.oneof(
        fc.tuple(fc.constantFrom("src/a.ts", "test/b.ts", "c:d", "", "./e f.md"), fc.nat(500), fc.string()).map((hit) =>
          hit.join(":")
        ),
        fc.tuple(fc.nat(500), fc.lorem()).map((line) => line.join("\t")),
        fc.constantFrom(
          "kettle lid",
          "</compacted_context>",
          "[Lines 1-80 of 99.]",
          "constructor",
          "__proto__:1:kettle"
        )
      ),
      { maxLength: 60 }
    ).map((lines) => lines.join("\n"))
  )

  const anyQuestion = fc.oneof(
    fc.fullUnicodeString({ maxLength: 200 }),
    fc.array(
      fc.constantFrom("where", "is", "the", "kettle", "lid", "constructor", "tests", "?", "`a(b`", "x.ts", "and which"),
      {
        maxLength: 15
      }
    ).map((words) => words.join(" "))
  )

  it.live.prop(
    "ends within its steps whatever is asked and whatever tools say; all it refers to was seen",
    [anyQuestion, fc.array(anyText, { minLength: 1, maxLength: 8 }), fc.boolean()],
    ([asked, texts, isError]) =>
      Effect.gen(function*() {
        let index = 0
        const turn = yield* runTurn({
          question: asked,
          tool: () => result(texts[index++ % texts.length] ?? "", isError && index % 3 === 0)
        })
        assert.isAtMost(calls(turn).length, maxSearches + maxChunks)
        const seen = new Set<string>()
        for (const { call, result } of turn.steps.flatMap(exchanges)) {
          for (const line of result.text.split("\n")) {
            seen.add(line.replace(/^(\.\/)+/, "").replace(/\r$/, ""))
            seen.add(`${argumentsOf(call).path}:${line.trimStart().replace(/(?:\t|→|\| ?|: ?)/, ":")}`)
          }
        }
        for (const { line, path, text } of references(turn.answer)) assert.isTrue(seen.has(`${path}:${line}:${text}`))
      }),
    { fastCheck: { numRuns: 40 }, timeout: 30_000 }
  )
})
