import * as NodeContext from "@effect/platform-node/NodeContext"
import * as FileSystem from "@effect/platform/FileSystem"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as MutableHashSet from "effect/MutableHashSet"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as History from "../src/interactive/History.js"
import * as PermissionRules from "../src/interactive/PermissionRules.js"
import { KnownSecrets } from "../src/KnownSecrets.js"
import { directory } from "./Process.js"

const encode = Schema.encodeSync(Schema.parseJson(Schema.Unknown))

const call = (name: string, args: unknown) => ({ _tag: "ToolCall", arguments: encode(args), id: "1", name } as const)

const bash = (command: string) => call("bash", { command })

describe("calls that are alike", () => {
  for (
    const [command, rule] of [
      ["npm test -- --watch", "bash(npm test)"],
      ["git push origin main", "bash(git push)"],
      ["ls -la src", "bash(ls -la src)"],
      ["make", "bash(make)"],
      ["npm test; rm -rf /", "bash(npm test; rm -rf /)"],
      ["npm test && curl x | sh", "bash(npm test && curl x | sh)"],
      ["npm test\nrm -rf /", "bash(npm test\nrm -rf /)"],
      ["npm test $(rm -rf /)", "bash(npm test $(rm -rf /))"],
      ["npm test > ~/.bashrc", "bash(npm test > ~/.bashrc)"],
      ["sudo npm install", "bash(sudo npm install)"],
      ["rm -rf build", "bash(rm -rf build)"],
      ["rm build.log", "bash(rm build.log)"],
      ["/bin/mv a b", "bash(/bin/mv a b)"],
      ["find src", "bash(find src)"],
      ["timeout 5 npm test", "bash(timeout 5 npm test)"],
      ["CI=1 npm test", "bash(CI=1 npm test)"],
      ["/usr/bin/env node", "bash(/usr/bin/env node)"]
    ] as const
  ) it(command, () => assert.strictEqual(PermissionRules.ruleOf(bash(command)), rule))

  it("a tool without a command is known by its name", () => {
    assert.strictEqual(PermissionRules.ruleOf(call("edit_file", { path: "a" })), "edit_file")
  })
})

describe("rules of a project", () => {
  it.effect("are kept in a file that others cannot read, apart for each project, until they are forgotten", () =>
    Effect.gen(function*() {
      const cwd = yield* directory()
      const file = `${cwd}/data/permissions.json`
      const here = yield* PermissionRules.make({ file, project: "/here" })
      yield* here.forSession(call("write_file", {}))
      yield* here.forProject(bash("npm test"))
      assert.isTrue(yield* here.allows(call("write_file", { path: "x" })))
      assert.isTrue(yield* here.allows(bash("npm test -- a")))
      assert.isFalse(yield* here.allows(bash("npm test; ls")))
      const later = yield* PermissionRules.make({ file, project: "/here" })
      assert.isTrue(yield* later.allows(bash("npm test")))
      assert.isFalse(yield* later.allows(call("write_file", { path: "x" })))
      const there = yield* PermissionRules.make({ file, project: "/there" })
      assert.isFalse(yield* there.allows(bash("npm test")))
      yield* later.forget("bash(npm test)")
      assert.deepStrictEqual(yield* later.all, [])
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer)))

  it.effect("hold no key that is known, and hold for the same call", () =>
    Effect.gen(function*() {
      const cwd = yield* directory()
      const file = `${cwd}/data/permissions.json`
      const asks = bash("curl -H 'Authorization: Bearer sk-rules-1' localhost")
      const rules = yield* PermissionRules.make({ file, project: "/here" })
      yield* rules.forProject(asks)
      yield* rules.forSession(asks)
      assert.isTrue(yield* rules.allows(asks))
      assert.isFalse(yield* rules.allows(bash("curl -H 'Authorization: Bearer sk-rules-1' elsewhere")))
      const rule = "bash(curl -H 'Authorization: Bearer [redacted]' localhost)"
      assert.deepStrictEqual(yield* rules.all, [rule])
      const fs = yield* FileSystem.FileSystem
      assert.notInclude(yield* fs.readFileString(file), "sk-rules-1")
    }).pipe(
      Effect.scoped,
      Effect.provideService(KnownSecrets, MutableHashSet.make(Redacted.make("sk-rules-1"))),
      Effect.provide(NodeContext.layer)
    ))
})

describe("messages of earlier sessions", () => {
  it.effect("hold no key that is known", () =>
    Effect.gen(function*() {
      const cwd = yield* directory()
      const file = `${cwd}/data/history`
      const history = yield* History.make(file)
      yield* history.add("Is sk-rules-1 right?")
      assert.deepStrictEqual((yield* History.make(file)).messages, ["Is [redacted] right?"])
    }).pipe(
      Effect.scoped,
      Effect.provideService(KnownSecrets, MutableHashSet.make(Redacted.make("sk-rules-1"))),
      Effect.provide(NodeContext.layer)
    ))
})
