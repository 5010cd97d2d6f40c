import * as NodeContext from "@effect/platform-node/NodeContext"
import * as FileSystem from "@effect/platform/FileSystem"
import { assert, describe, it } from "@effect/vitest"
import * as Redaction from "@weir/model/Redaction"
import * as CodingTools from "@weir/tools/CodingTools"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as ToolRules from "../src/ToolRules.js"
import { directory } from "./Process.js"

const user = Layer.setConfigProvider(ConfigProvider.fromMap(new Map([["HOME", "/home/ada"]])))

const encode = Schema.encodeSync(Schema.parseJson(Schema.Unknown))

const call = (name: string, args: unknown) => ({ _tag: "ToolCall", arguments: encode(args), id: "1", name } as const)

const bash = (command: string) => call("bash", { command })

const verdict = (rules: {
  readonly allow?: ReadonlyArray<string>
  readonly cwd?: string
  readonly deny?: ReadonlyArray<string>
}) =>
  Effect.map(
    ToolRules.make({ allow: rules.allow ?? [], cwd: rules.cwd ?? "/work", deny: rules.deny ?? [] }),
    ({ rule }) => (one: ReturnType<typeof call>) =>
      Effect.map(rule(one), Option.match({ onNone: () => "", onSome: ({ _tag }) => _tag }))
  ).pipe(Effect.provide([NodeContext.layer, user]))

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
      ) assert.strictEqual(yield* of(one), "Allowed", one.arguments)
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
      ) assert.strictEqual(yield* of(one), "", one.arguments)
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
      ) assert.strictEqual(yield* of(one), "Denied", one.arguments)
      for (
        const one of [
          bash("git pull; ls"),
          call("read_file", { path: "src/.env" }),
          call("write_file", { path: "docs/a" })
        ]
      ) {
        assert.strictEqual(yield* of(one), "Allowed", one.arguments)
      }
      assert.strictEqual(yield* of(call("write_file", { path: "docs/../a" })), "")
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
      assert.strictEqual(yield* read({ path: ".env" }), "Denied")
      assert.strictEqual(yield* read({ path: "/work/src/../.env" }), "Denied")
      assert.strictEqual(yield* read({ command: null, path: "keys/a" }), "Denied")
      assert.strictEqual(yield* read({ path: "..notes" }), "Denied")
      assert.strictEqual(yield* read({ path: "env" }), "")
      assert.strictEqual(yield* of(call("edit_file", { path: "docs/a.md" })), "Allowed")
      assert.strictEqual(yield* of(call("edit_file", { path: "docs/../a.md" })), "")
      assert.strictEqual(yield* of(call("write_file", { path: "out/a" })), "Allowed")
      // The working directory's own name allows nothing.
      assert.strictEqual(yield* of(call("write_file", { path: "a" })), "")
    }))

  it.effect("a denied path is denied wherever its pattern leads, and to every tool that would show or change it", () =>
    Effect.gen(function*() {
      const deny = [
        "read_file(**/.env)",
        "read_file(~/.ssh/*)",
        "read_file(../keys)",
        "read_file(secrets/)",
        "write_file(gen)"
      ]
      const of = yield* verdict({ cwd: "/work/app", deny })
      const read = (path: string) => call("read_file", { path })
      for (
        const one of [
          ...[".env", "a/b/.env", "/etc/.env", "/home/ada/.ssh/id", "../keys", "../keys/a/b", "secrets/a"].map(read),
          call("grep", { path: ".env", pattern: "x" }),
          call("grep", { path: "../keys", pattern: "x" }),
          call("edit_file", { path: ".env" }),
          call("edit_file", { path: "gen/a.ts" })
        ]
      ) assert.strictEqual(yield* of(one), "Denied", one.arguments)
      for (
        const one of [
          ...["my.env", "a/.env.example", "/home/ada/ssh", "secrets.md", "gen/a.ts"].map(read),
          call("grep", { pattern: "x" }),
          call("write_file", { path: "a/.env" })
        ]
      ) assert.strictEqual(yield* of(one), "", one.arguments)
    }))

  it.effect("of a link, where it leads counts too", () =>
    Effect.gen(function*() {
      const cwd = yield* directory({ "app/.env": "K=1", "docs/a.md": "", "notes.md": "" })
      const fs = yield* FileSystem.FileSystem
      yield* fs.symlink(".env", `${cwd}/app/settings`)
      yield* fs.symlink("app", `${cwd}/link`)
      yield* fs.symlink("/etc", `${cwd}/docs/out`)
      yield* fs.symlink("/etc/notes.md", `${cwd}/todo.md`)
      const allow = ["write_file(docs/*)", "write_file(todo.md)"]
      const of = yield* verdict({ allow, cwd, deny: ["read_file(app/.env)"] })
      for (const path of ["app/settings", "link/.env", "link/settings"]) {
        assert.strictEqual(yield* of(call("read_file", { path })), "Denied", path)
      }
      assert.strictEqual(yield* of(call("write_file", { path: "docs/new/a.md" })), "Allowed")
      assert.strictEqual(yield* of(call("write_file", { path: "docs/out/a.md" })), "")
      // What is named by its every letter is what was meant.
      assert.strictEqual(yield* of(call("write_file", { path: "todo.md" })), "Allowed")
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer)))

  it.effect("a denied command is known with what is written before it", () =>
    Effect.gen(function*() {
      const of = yield* verdict({ allow: ["bash"], deny: ["bash(git push*)", "bash(rm *)"] })
      for (
        const one of [
          "GIT_SSH_COMMAND=\"ssh -v\" A=1 git push",
          "if true; then git push; fi",
          "for b in a b; do git  push origin $b; done",
          "sudo -n git push",
          "sudo -u ada git push",
          "timeout -k 5 60s git push",
          "find . -name '*.o' | xargs -0 rm -f",
          "bash -c 'git push'",
          "sh -lc \"cd x && git push\"",
          "/usr/bin/git push",
          "\\rm x",
          "git \\\n  push"
        ]
      ) assert.strictEqual(yield* of(bash(one)), "Denied", one)
      for (
        const one of ["git commit -m 'rm the git push'", "npm run rm", "echo git push", "./rm.sh x", "grep -r 'rm ' ."]
      ) {
        assert.strictEqual(yield* of(bash(one)), "Allowed", one)
      }
    }))

  it.effect("a search leaves out what a rule keeps from being read, and says so", () =>
    Effect.gen(function*() {
      const cwd = yield* directory({ ".env": "KEY=secret", "a.txt": "KEY here", "sub/.env": "KEY=other" })
      const fs = yield* FileSystem.FileSystem
      yield* fs.symlink("sub", `${cwd}/link`)
      const { hides } = yield* ToolRules.make({
        allow: [],
        cwd,
        deny: ["read_file(.env)", "read_file(sub/*)", "grep(x)"]
      })
      const all = yield* CodingTools.make({ cwd, hides })
      const grep = (path: string) =>
        Effect.forEach(all.filter(({ spec }) => spec.name === "grep"), (tool) =>
          tool.run(encode({ path, pattern: "KEY" }), {
            callId: "1",
            outputFile: `${cwd}/out`,
            outputTokens: 1_000,
            redaction: Redaction.none,
            report: () =>
              Effect.void
          }))
      const left = "[Left out: matches in files that the user's rules keep from being read.]"
      assert.deepStrictEqual(
        (yield* grep(".")).map(({ text }) =>
          text
        ),
        [`a.txt:1:KEY here\n${left}`]
      )
      assert.deepStrictEqual((yield* grep("link")).map(({ text }) => text), [`No matches.\n${left}`])
      assert.deepStrictEqual((yield* grep("a.txt")).map(({ text }) => text), ["a.txt:1:KEY here"])
    }).pipe(Effect.scoped, Effect.provide([NodeContext.layer, user])))
})
