import * as Options from "@effect/cli/Options"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Argv from "../src/Argv.js"

const table = Argv.optionTable([
  Options.text("model"),
  Options.integer("count").pipe(Options.withDefault(0)),
  Options.text("header").pipe(Options.repeated),
  Options.boolean("verbose")
])

const normalize = (args: ReadonlyArray<string>) =>
  Argv.reading(["run", ...args], new Map([["run", table]])).pipe(
    Effect.map(Argv.canonical),
    Effect.provide(NodeContext.layer)
  )

/** Options first, each apart from its value; then the words. */
const readable = (canonical: ReadonlyArray<string>) => canonical.map(Argv.unmark)

const argument = FastCheck.string().map((text) => text.replaceAll("\0", ""))

const plainWord = argument.filter((text) => !text.startsWith("-"))

/** A group of arguments that belong together, with what it means. */
const group = FastCheck.oneof(
  plainWord.map((word) => ({ args: [word], word })),
  FastCheck.constant({ args: ["--verbose"], option: ["--verbose"] }),
  plainWord.map((value) => ({ args: ["--header", value], option: ["--header", value] })),
  argument.map((value) => ({ args: [`--header=${value}`], option: ["--header", value] }))
)

const few = { fastCheck: { numRuns: 40 } }

describe("normalize", () => {
  it.live.prop(
    "finds options among words, whatever their order and contents",
    { groups: FastCheck.array(group) },
    ({ groups }) =>
      Effect.gen(function*() {
        const canonical = yield* normalize(groups.flatMap(({ args }) => args))
        const options = groups.flatMap((one) => "option" in one ? [one.option] : [])
        const lastSwitch = options.findLastIndex(([name]) => name === "--verbose")
        assert.deepStrictEqual(readable(canonical), [
          "run",
          ...options.filter(([name], at) => name === "--header" || at === lastSwitch).flat(),
          ...groups.flatMap((one) => "word" in one ? [one.word] : [])
        ])
      }),
    few
  )

  it.live.prop(
    "takes everything after -- as words",
    { before: plainWord, words: FastCheck.array(argument) },
    ({ before, words }) =>
      Effect.gen(function*() {
        const canonical = yield* normalize([before, "--", ...words])
        assert.deepStrictEqual(readable(canonical), ["run", before, ...words])
        assert.isTrue(canonical.slice(1).every((word) => word.startsWith("\0")))
      }),
    few
  )

  it.live.prop(
    "refuses every other argument with a dash",
    { args: FastCheck.array(plainWord), rest: argument },
    ({ args, rest }) =>
      Effect.gen(function*() {
        const unknown = `-${rest}`
        if (
          rest === "" || rest === "h" || rest === "-" ||
          /^-(model|count|header|verbose|help|version|wizard|completions|log-level)\b/.test(rest)
        ) {
          return
        }
        const error = yield* Effect.flip(normalize([...args, unknown]))
        assert.include(error.message, unknown.startsWith("--") ? unknown.replace(/=.*/s, "") : unknown)
      }),
    few
  )

  it.effect("checks each value by itself, naming its option", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(normalize(["--count", "many"]))
      assert.match(error.message, /^--count: .*many/)
      assert.deepStrictEqual(readable(yield* normalize(["--count=3"])), ["run", "--count", "3"])
    }))

  it.effect("lets the last value of an option count", () =>
    Effect.gen(function*() {
      const canonical = yield* normalize(["--model", "a", "--header", "x=1", "--model=b", "--header", "y=2"])
      assert.deepStrictEqual(readable(canonical), ["run", "--header", "x=1", "--model", "b", "--header", "y=2"])
    }))

  it.effect("asks for help as soon as --help stands before --", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* normalize(["hi", "--model", "m", "-h", "there"]), ["run", "--help"])
      assert.deepStrictEqual(readable(yield* normalize(["--", "-h"])), ["run", "-h"])
    }))
})
