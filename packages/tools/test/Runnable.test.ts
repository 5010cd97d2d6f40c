import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { json, make } from "./harness.js"

describe("arguments", () => {
  const wrong: ReadonlyArray<readonly [what: string, args: string, ...said: Array<string>]> = [
    ["no JSON", "{nope", "not JSON", "read_file"],
    ["nothing", "", "not JSON"],
    ["an array", "[]", "found []"],
    ["a string", "\"x\"", "found \"x\""],
    ["null", "null", "found null"],
    ["no path", "{}", "path: is missing"],
    ["null for a path", "{\"path\":null}", "path: is missing"],
    ["a number for a path", "{\"path\":7}", "path: Expected string, found 7"],
    ["an unknown key", "{\"path\":\"a\",\"ofset\":1}", "ofset: is unexpected", "\"offset\""],
    ["zero", "{\"path\":\"a\",\"offset\":0}", "offset: Expected a whole number from 1, found 0"],
    ["a fraction", "{\"path\":\"a\",\"limit\":1.5}", "limit: ", "1.5"],
    ["text for a number", "{\"path\":\"a\",\"limit\":\"many\"}", "limit: Expected number, found \"many\""],
    ["two faults", "{\"offset\":-1}", "path: is missing", "offset: Expected a whole number from 1, found -1"],
    ["an empty path", "{\"path\":\"\"}", "path must be a file name"],
    ["a NUL in a path", "{\"path\":\"a\\u0000b\"}", "path must be a file name"],
    ["prototype keys", "{\"path\":\"a\",\"__proto__\":{\"x\":1}}", "is unexpected"]
  ]
  for (const [what, args, ...said] of wrong) {
    it.scoped(`${what}: the result says where and what`, () =>
      Effect.gen(function*() {
        const { raw } = yield* make
        const result = yield* raw("read_file", args)
        assert.isTrue(result.isError)
        for (const words of said) assert.include(result.text, words)
        assert.deepStrictEqual(result.facts, [])
      }).pipe(Effect.provide(NodeContext.layer)))
  }

  it.scoped("a wrong argument of any size is told in few words", () =>
    Effect.gen(function*() {
      const { call } = yield* make
      const result = yield* call("read_file", { path: { huge: "x".repeat(1_000_000) } })
      assert.isTrue(result.isError && result.text.length < 1000)
    }).pipe(Effect.provide(NodeContext.layer)))

  it.scoped("null for an optional parameter is the same as none", () =>
    Effect.gen(function*() {
      const { call, write } = yield* make
      yield* write("a.txt", "one\n")
      const result = yield* call("read_file", { path: "a.txt", offset: null, limit: null })
      assert.deepStrictEqual([result.isError, result.text], [false, "1\tone"])
    }).pipe(Effect.provide(NodeContext.layer)))

  it.scoped("the tools are described in little space, by plain objects", () =>
    Effect.gen(function*() {
      const { tools } = yield* make
      assert.deepStrictEqual(
        tools.map((tool) => [tool.spec.name, tool.access]),
        [
          ["read_file", "read"],
          ["write_file", "write"],
          ["edit_file", "write"],
          ["bash", "execute"],
          ["grep", "read"],
          ["glob", "read"]
        ]
      )
      assert.isBelow(json(tools.map((tool) => tool.spec)).length, 2800)
      for (const { spec } of tools) {
        assert.includeMembers(["type", "required", "properties", "additionalProperties"], Object.keys(spec.parameters))
        assert.strictEqual(spec.parameters["type"], "object")
      }
    }).pipe(Effect.provide(NodeContext.layer)))

  it.scoped("a working directory that is gone is told by every tool", () =>
    Effect.gen(function*() {
      const { call, cwd, fs } = yield* make
      yield* fs.remove(cwd, { recursive: true })
      const results = yield* Effect.all([
        call("read_file", { path: "a" }),
        call("write_file", { path: "a", content: "" }),
        call("edit_file", { path: "a", old_text: "a", new_text: "b" }),
        call("bash", { command: "true" }),
        call("grep", { pattern: "a" }),
        call("glob", { pattern: "*" })
      ])
      for (const result of results) {
        assert.deepStrictEqual(
          [result.isError, result.text],
          [true, `Cannot use the working directory ${cwd}: it does not exist.`]
        )
      }
      assert.isFalse(yield* fs.exists(cwd))
    }).pipe(Effect.provide(NodeContext.layer)))
})
