import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Command from "@effect/platform/Command"
import * as CommandExecutor from "@effect/platform/CommandExecutor"
import * as FileSystem from "@effect/platform/FileSystem"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { rgPath } from "ripgrep"
import { vi } from "vitest"
import { make } from "./harness.js"

// Real processes and files on a machine that may be busy.
vi.setConfig({ testTimeout: 30_000 })

/** An executor that runs `name` where `rg` is asked for. */
const insteadOfRg = (name: string) =>
  Layer.effect(
    CommandExecutor.CommandExecutor,
    Effect.map(CommandExecutor.CommandExecutor, (real) =>
      CommandExecutor.makeExecutor((command) =>
        real.start(
          command._tag === "StandardCommand" && command.command === "rg"
            ? Command.make(name, ...command.args).pipe(
              Command.workingDirectory(Option.getOrElse(command.cwd, () => "/"))
            )
            : command
        )
      ))
  ).pipe(Layer.provideMerge(NodeContext.layer))

/** The machine's own ripgrep, else a program of that name that leaves a trace of its use. */
const onPath = Layer.unwrapScoped(Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const version = yield* Effect.option(Command.string(Command.make("rg", "--version")))
  if (Option.isSome(version)) return insteadOfRg("rg")
  const directory = yield* fs.makeTempDirectoryScoped({ prefix: "weir-rg-" })
  yield* fs.writeFileString(`${directory}/rg`, `#!/bin/sh\nexec "${process.execPath}" "${rgPath}" "$@"\n`)
  yield* fs.chmod(`${directory}/rg`, 0o755)
  return insteadOfRg(`${directory}/rg`)
})).pipe(Layer.provide(NodeContext.layer))

const engines = [["on PATH", onPath], ["from the package", insteadOfRg("/nowhere/rg")]] as const

const fixture = Effect.gen(function*() {
  const harness = yield* make
  const { fs, parent, path, write } = harness
  // Rules above the repository do not count.
  yield* fs.writeFileString(path.join(parent, ".gitignore"), "*\n")
  yield* write(".git/config", "needle in git\n")
  yield* write(".gitignore", "dist\n*.log\n!keep.log\n")
  yield* write(".ignore", "src\n")
  yield* write(".github/workflows/ci.yml", "needle: ci\n")
  yield* write("dist/out.ts", "needle built\n")
  yield* write(
    "docs/latin.txt",
    new Uint8Array([...new TextEncoder().encode("caf"), 0xe9, 0x20, ...new TextEncoder().encode("needle\n")])
  )
  yield* write("docs/long.txt", `${"é😀".repeat(3000)}needle${"😀".repeat(3000)}\n`)
  yield* write("docs/data.bin", new Uint8Array([...new TextEncoder().encode("needle\n"), 0, 1]))
  yield* write("node_modules/dep/index.js", "needle dep\n")
  yield* write("packages/x/.gitignore", "/gen\n")
  yield* write("packages/x/gen/made.ts", "needle made\n")
  yield* write("packages/x/src/gen/kept.ts", "needle kept\r\nend\r\n")
  yield* write("packages/x/debug.log", "needle log\n")
  yield* write("packages/x/keep.log", "needle keep\n")
  yield* write("src/a.ts", "import b\n\nconst needle = 1\nconst Needle = 2\n// end\n\nneedle()\n")
  yield* write("src/b.test.ts", "it(\"needle (x)\")\n")
  yield* fs.symlink("src", path.join(harness.cwd, "link"))
  const text = (name: string) => (args: object) =>
    Effect.map(harness.call(name, args), ({ isError, text }) => isError ? `ERROR ${text}` : text)
  return { ...harness, glob: text("glob"), grep: text("grep") }
})

const everywhere = [
  ".github/workflows/ci.yml:1:needle: ci",
  "docs/latin.txt:1:caf\ufffd needle",
  "docs/long.txt:1:LONG",
  "packages/x/keep.log:1:needle keep",
  "packages/x/src/gen/kept.ts:1:needle kept",
  "src/a.ts:3:const needle = 1",
  "src/a.ts:7:needle()",
  "src/b.test.ts:1:it(\"needle (x)\")"
]

const files = [
  ".github/workflows/ci.yml",
  ".gitignore",
  ".ignore",
  "docs/data.bin",
  "docs/latin.txt",
  "docs/long.txt",
  "packages/x/.gitignore",
  "packages/x/keep.log",
  "packages/x/src/gen/kept.ts",
  "src/a.ts",
  "src/b.test.ts"
]

// All of it side by side, since much of it is waiting.
for (const [engine, layer] of engines) {
  describe.concurrent(`with ripgrep ${engine}`, () => {
    it.scopedLive(
      "grep finds every line in files that count, sorted, and cuts long lines around the match",
      () =>
        Effect.gen(function*() {
          const { grep } = yield* fixture
          const found = (yield* grep({ pattern: "needle" })).split("\n")
          const long = found[2] ?? ""
          assert.deepStrictEqual(found.map((line) => line === long ? "docs/long.txt:1:LONG" : line), everywhere)
          assert.match(long, /^docs\/long\.txt:1:…[é😀]+needle(😀)+…$/u)
          assert.isBelow(long.length, 430)
        }).pipe(Effect.provide(layer)),
      30_000
    )

    it.scopedLive(
      "grep takes a directory, an ignored place, a glob, lines around, any case, and waits for no pipe or device",
      () =>
        Effect.gen(function*() {
          const { cwd, grep, path } = yield* fixture
          assert.strictEqual(yield* Command.exitCode(Command.make("mkfifo", path.join(cwd, "pipe"))), 0)
          for (const one of ["pipe", "/dev/null", "/dev/zero"]) {
            assert.strictEqual(yield* grep({ path: one, pattern: "x" }), `ERROR ${one} is not a regular file.`)
          }
          assert.strictEqual(
            yield* grep({ pattern: "needle", path: path.join(cwd, "packages/x") }),
            everywhere.slice(3, 5).join("\n")
          )
          assert.strictEqual(
            yield* grep({ pattern: "needle", path: "node_modules" }),
            "node_modules/dep/index.js:1:needle dep"
          )
          assert.strictEqual(
            yield* grep({ pattern: "import|\\(", context: 1, glob: "src/**" }),
            "src/a.ts:1:import b\nsrc/a.ts-2-\n--\nsrc/a.ts-6-\nsrc/a.ts:7:needle()\n--\n" +
              "src/b.test.ts:1:it(\"needle (x)\")"
          )
          assert.strictEqual(
            yield* grep({ pattern: "NEEDLE =", path: "src/a.ts", ignore_case: true }),
            "src/a.ts:3:const needle = 1\nsrc/a.ts:4:const Needle = 2"
          )
        }).pipe(Effect.provide(layer)),
      30_000
    )

    it.scopedLive("grep tells what is wrong with a pattern", () =>
      Effect.gen(function*() {
        const { grep } = yield* fixture
        assert.match(yield* grep({ pattern: "needle(" }), /^ERROR Invalid pattern: unclosed group\. It is a Rust/)
        assert.match(yield* grep({ pattern: "a(?=b)" }), /^ERROR Invalid pattern: look-around.* is not supported/)
        assert.match(yield* grep({ pattern: "a\nb" }), /^ERROR Invalid pattern: /)
      }).pipe(Effect.provide(layer)))

    it.scopedLive("glob lists files that count, sorted", () =>
      Effect.gen(function*() {
        const { glob } = yield* fixture
        assert.strictEqual(yield* glob({ pattern: "**/*" }), files.join("\n"))
      }).pipe(Effect.provide(layer)))
  })
}

describe.concurrent("searching", () => {
  it.scopedLive(
    "grep stops at its limit, leaves binary files out, and finds nothing in so many words",
    () =>
      Effect.gen(function*() {
        const { grep } = yield* fixture
        assert.strictEqual(
          yield* grep({ pattern: "needle", path: "src", limit: 2 }),
          `${
            everywhere.slice(5, 7).join("\n")
          }\n[2 matches shown, there are more. Narrow pattern, path or glob, or raise limit.]`
        )
        assert.strictEqual(
          yield* grep({ pattern: "needle", path: "docs/data.bin" }),
          "No matches.\n[Left out: 1 binary file that matches.]"
        )
        assert.strictEqual(yield* grep({ pattern: "--version" }), "No matches.")
        assert.match(yield* grep({ pattern: "" }), /^ERROR pattern must have 1 to/)
        assert.match(yield* grep({ pattern: "x", path: "srx" }), /^ERROR srx does not exist. Similar names there: src/)
      }).pipe(Effect.provide(insteadOfRg("/nowhere/rg"))),
    30_000
  )

  it.scopedLive("glob says how many it left out, or that there is none", () =>
    Effect.gen(function*() {
      const { glob } = yield* fixture
      assert.strictEqual(
        yield* glob({ pattern: "*", limit: 2 }),
        `${files.slice(0, 2).join("\n")}\n[9 more files. Narrow the pattern or raise limit.]`
      )
      assert.strictEqual(yield* glob({ pattern: "*.py" }), "No files match *.py in the working directory.")
      assert.strictEqual(yield* glob({ pattern: "*", path: "src/a.ts" }), "ERROR src/a.ts is not a directory.")
    }).pipe(Effect.provide(insteadOfRg("/nowhere/rg"))))

  it.scopedLive(
    "outside a repository the working directory is the root; other places are shown in full",
    () =>
      Effect.gen(function*() {
        const { cwd, path } = yield* fixture
        const other = yield* make
        yield* other.write(".gitignore", "b.txt\n")
        yield* other.write("a.txt", "needle\n")
        yield* other.write("sub/a.txt", "needle\n")
        yield* other.write("sub/b.txt", "needle\n")
        const found = yield* other.call("grep", { pattern: "needle", path: "sub" })
        assert.strictEqual(found.text, "sub/a.txt:1:needle")
        const outside = yield* other.call("grep", { pattern: "const needle", path: path.join(cwd, "src") })
        assert.strictEqual(outside.text, `${cwd}/src/a.ts:3:const needle = 1`)
      }).pipe(Effect.provide(insteadOfRg("/nowhere/rg"))),
    30_000
  )
})
