import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import { assert, describe, it } from "@effect/vitest"
import * as Redaction from "@weir/model/Redaction"
import type { Access, Tool } from "@weir/model/Tool"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import { Answer, type Approval, type PermissionMode, type Rule } from "../src/Permission.js"
import * as ToolRunner from "../src/ToolRunner.js"

const accesses: ReadonlyArray<Access> = ["read", "write", "execute"]

const tools = accesses.map((access): Tool => ({
  access,
  run: () => Effect.succeed({ facts: [], images: [], isError: false, text: "ran" }),
  spec: { description: "", name: access, parameters: { type: "object" } }
}))

const calls = accesses.map((name) => ({ _tag: "ToolCall", arguments: "{}", id: name, name } as const))

/** What becomes of one call of each kind. */
const run = (permission: PermissionMode, options: { readonly approval?: Approval; readonly rule?: Rule } = {}) =>
  Effect.gen(function*() {
    const results = yield* Ref.make<Record<string, string>>({})
    const asked = yield* Ref.make<ReadonlyArray<string>>([])
    const runner = yield* ToolRunner.make({
      ...options,
      outputDirectory: "/",
      permission,
      publish: (event) =>
        event._tag === "PermissionAsked" ? Ref.update(asked, (before) => [...before, event.name]) : Effect.void,
      redaction: Redaction.none,
      tools
    })
    yield* runner.run(calls, 1_000, ({ name }, { text }) => Ref.update(results, (all) => ({ ...all, [name]: text })))
    const { execute = "", read = "", write = "" } = yield* Ref.get(results)
    return { asked: yield* Ref.get(asked), results: [read, write, execute] }
  }).pipe(Effect.provide([FileSystem.layerNoop({}), Path.layer]))

const says = (answer: Answer): Approval => ({
  ask: () => Effect.succeed(answer),
  decide: () => Effect.succeedNone
})

const ran = (results: ReadonlyArray<string>) => results.map((text) => text === "ran")

describe("a permission mode", () => {
  for (
    const [mode, unasked, asked] of [
      ["ask", [true, false, false], ["write", "execute"]],
      ["accept-edits", [true, true, false], ["execute"]],
      ["read-only", [true, false, false], []],
      ["full", [true, true, true], []]
    ] as const
  ) {
    it.effect(`${mode}: what runs where nobody can be asked, and what is asked about`, () =>
      Effect.gen(function*() {
        const alone = yield* run(mode)
        assert.deepStrictEqual(ran(alone.results), [...unasked])
        assert.deepStrictEqual(alone.asked, [])
        const refused = yield* run(mode, { approval: says(Answer.Denied({ because: "" })) })
        assert.deepStrictEqual([ran(refused.results), refused.asked], [[...unasked], [...asked]])
        const allowed = yield* run(mode, { approval: says(Answer.Allowed()) })
        assert.deepStrictEqual(ran(allowed.results), mode === "read-only" ? [...unasked] : [true, true, true])
      }))
  }

  it.effect("tells the model which would allow what did not run", () =>
    Effect.gen(function*() {
      assert.match((yield* run("ask")).results[1] ?? "", /lets tools read only.*accept-edits or full or --allow write/)
      const { results } = yield* run("accept-edits")
      assert.match(results[2] ?? "", /lets tools read and write only.*--permission-mode full or --allow execute/)
    }))

  it.effect("is overruled by what was decided beforehand, in both directions and unasked", () =>
    Effect.gen(function*() {
      const rule: Rule = ({ name }) =>
        Effect.succeedSome(name === "execute" ? Answer.Allowed() : Answer.Denied({ because: "No." }))
      for (const mode of ["ask", "accept-edits", "read-only", "full"] as const) {
        const { asked, results } = yield* run(mode, { approval: says(Answer.Denied({ because: "" })), rule })
        assert.deepStrictEqual([ran(results), asked], [[false, false, true], []])
        assert.match(results[0] ?? "", /^read was not run: .*says: No\.$/)
      }
    }))
})
