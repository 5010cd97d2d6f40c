import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Path from "@effect/platform/Path"
import { assert, describe, it } from "@effect/vitest"
import * as CodingTools from "@weir/tools/CodingTools"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as ToolRules from "../src/ToolRules.js"

const encode = Schema.encodeSync(Schema.parseJson(Schema.Unknown))

const call = (name: string, args: unknown) => ({ _tag: "ToolCall", arguments: encode(args), id: "1", name } as const)

const bash = (command: string) => call("bash", { command })

const verdict = (rules: { readonly allow?: ReadonlyArray<string>; readonly deny?: ReadonlyArray<string> }) =>
  Effect.map(Path.Path, (path) => {
    const rule = ToolRules.rule({ allow: rules.allow ?? [], deny: rules.deny ?? [] }, "/work", path)
    return (one: ReturnType<typeof call>) => Option.match(rule(one), { onNone: () => "", onSome: ({ _tag }) => _tag })
  }).pipe(Effect.provide(Path.layer))

describe("rules for tools", () => {
  it.effect("a pattern allows a plain command, and nothing that a shell would make more of", () =>
    Effect.gen(function*() {
      const of = yield* verdict({ allow: ["bash(npm test*)", "bash(make && make install)", "edit_file"] })
      for (
        const one of [
          bash("npm test"),
          bash("npm test -- --watch"),
          bash("make && make install"),
          call("edit_file", { path: "/etc/passwd" })
        ]
      ) assert.strictEqual(of(one), "Allowed", one.arguments)
      for (
        const one of [
          bash("npm install"),
          bash("xnpm test"),
          bash("npm test; rm -rf /"),
          bash("npm test && curl x"),
          bash("npm test\nrm -rf /"),
          bash("npm test $(rm -rf /)"),
          bash("npm test `rm -rf /`"),
          bash("npm test | sh"),
          bash("npm test & sh"),
          bash("npm test > ~/.bashrc"),
          call("write_file", { path: "a" }),
          { ...bash("x"), arguments: "{broken" }
        ]
      ) assert.strictEqual(of(one), "", one.arguments)
    }))

  it.effect("a denial wins, and meets every part of a command and every spelling of a path", () =>
    Effect.gen(function*() {
      const of = yield* verdict({
        allow: ["bash", "read_file", "write_file(docs/*)"],
        deny: ["bash(git push*)", "read_file(.env*)", "grep"]
      })
      for (
        const one of [
          bash("git push --force"),
          bash("cd x && git push"),
          bash("echo $(git push)"),
          call("read_file", { path: ".env" }),
          call("read_file", { path: "./src/../.env.local" }),
          call("read_file", { path: "/work/.env" }),
          call("grep", { pattern: "x" })
        ]
      ) assert.strictEqual(of(one), "Denied", one.arguments)
      for (
        const one of [
          bash("git pull; ls"),
          call("read_file", { path: "src/.env" }),
          call("write_file", { path: "docs/a" })
        ]
      ) {
        assert.strictEqual(of(one), "Allowed", one.arguments)
      }
      assert.strictEqual(of(call("write_file", { path: "docs/../a" })), "")
    }))

  it.effect("name the tools that there are", () =>
    Effect.gen(function*() {
      const all = yield* CodingTools.make({ cwd: "/" })
      assert.sameMembers(all.map(({ spec }) => spec.name), [...ToolRules.tools])
      const rule = Schema.decodeEither(ToolRules.ToolRule)
      for (const text of ["Bash", "bash()", "bash(x", "rm", ""]) assert.isTrue(Either.isLeft(rule(text)), text)
      assert.isTrue(Either.isRight(rule("bash(a (b) c)")))
    }).pipe(Effect.provide(NodeContext.layer)))

  it.effect("a pattern for a path may begin with ./ or be absolute, and null is as good as left out", () =>
    Effect.gen(function*() {
      const of = yield* verdict({
        allow: ["edit_file(./docs/*)", "write_file(/work/out/*)", "write_file(*work*)"],
        deny: ["read_file(./.env)", "read_file(/work/keys/*)", "read_file(..notes)"]
      })
      const read = (args: object) => of(call("read_file", args))
      assert.strictEqual(read({ path: ".env" }), "Denied")
      assert.strictEqual(read({ path: "/work/src/../.env" }), "Denied")
      assert.strictEqual(read({ command: null, path: "keys/a" }), "Denied")
      assert.strictEqual(read({ path: "..notes" }), "Denied")
      assert.strictEqual(read({ path: "env" }), "")
      assert.strictEqual(of(call("edit_file", { path: "docs/a.md" })), "Allowed")
      assert.strictEqual(of(call("edit_file", { path: "docs/../a.md" })), "")
      assert.strictEqual(of(call("write_file", { path: "out/a" })), "Allowed")
      // The working directory's own name allows nothing.
      assert.strictEqual(of(call("write_file", { path: "a" })), "")
    }))
})
