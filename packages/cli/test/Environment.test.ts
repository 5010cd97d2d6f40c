import { assert, describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Environment from "../src/Environment.js"

/** Beginnings of each other, with and without small letters. */
const name = FastCheck.array(FastCheck.constantFrom("WEIR", "MODEL", "aws", "", "Key"), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join("_"))
  .filter((text) => text !== "")

const variables = FastCheck.dictionary(name, FastCheck.constantFrom("", "one", "two words"))

/** As a map, and split as the process's own are. */
const delimiters = ["\0", "_"]

describe("the environment", () => {
  it.live.prop(
    "tells of each asked variable that is set and not empty, in the order of the question",
    { asked: FastCheck.uniqueArray(name), delimiter: FastCheck.constantFrom(...delimiters), variables },
    ({ asked, delimiter, variables }) =>
      Effect.gen(function*() {
        const provider = ConfigProvider.fromMap(new Map(Object.entries(variables)), { pathDelim: delimiter })
        const read = yield* Effect.withConfigProvider(Environment.read(asked), provider)
        const expected = asked.flatMap((name) => {
          const text = variables[name]
          return text === undefined || text === "" ? [] : [{ name, text }]
        })
        assert.deepStrictEqual(read, expected)
      }),
    { fastCheck: { numRuns: 100 } }
  )

  it.effect("finds those of the process", () =>
    Effect.gen(function*() {
      const read = yield* Effect.withConfigProvider(
        Environment.read(["PATH", "WEIR_NOBODY_SETS_IT"]),
        ConfigProvider.fromEnv()
      )
      assert.deepStrictEqual(read.map(({ name }) => name), ["PATH"])
    }))
})
