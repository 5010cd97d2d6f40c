import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as GlobPattern from "../src/GlobPattern.js"
import * as Workspace from "../src/Workspace.js"

const files = ["a.ts", "src/a.ts", "src/b.test.ts", "src/deep/c.tsx", ".github/ci.yml", "docs/[x].md"]

const cases: ReadonlyArray<readonly [pattern: string, directory: string, ...expected: Array<string>]> = [
  ["*.ts", ".", "a.ts", "src/a.ts", "src/b.test.ts"],
  ["./*.ts", ".", "a.ts", "src/a.ts", "src/b.test.ts"],
  ["**/*.ts", ".", "a.ts", "src/a.ts", "src/b.test.ts"],
  ["src/*.ts", ".", "src/a.ts", "src/b.test.ts"],
  ["src/**", ".", "src/a.ts", "src/b.test.ts", "src/deep/c.tsx"],
  ["*.{ts,tsx}", "src", "src/a.ts", "src/b.test.ts", "src/deep/c.tsx"],
  ["deep/*", "src", "src/deep/c.tsx"],
  ["src/deep/*", "src", "src/deep/c.tsx"],
  ["/project/src/*.ts", ".", "src/a.ts", "src/b.test.ts"],
  ["!*.ts", ".", "src/deep/c.tsx", ".github/ci.yml", "docs/[x].md"],
  ["!src/**", ".", "a.ts", ".github/ci.yml", "docs/[x].md"],
  ["*.yml", ".", ".github/ci.yml"],
  ["**/*[bB].test*", ".", "src/b.test.ts"],
  ["\\[x\\].md", ".", "docs/[x].md"],
  ["{**/*{test,spec}*/**,**/*{test,spec}*}", ".", "src/b.test.ts"]
]

describe("GlobPattern", () => {
  for (const [pattern, directory, ...expected] of cases) {
    it.effect(`${pattern} in ${directory}`, () =>
      Effect.gen(function*() {
        const workspace = yield* Workspace.make("/project")
        const matches = yield* GlobPattern.matcher(workspace, pattern, workspace.path.join("/project", directory))
        const below = files.filter((file) => directory === "." || file.startsWith(directory))
        assert.deepStrictEqual(below.filter((file) => matches(`/project/${file}`)), expected)
      }).pipe(Effect.provide(NodeContext.layer)))
  }

  it.effect("a pattern that is none is refused", () =>
    Effect.gen(function*() {
      const workspace = yield* Workspace.make("/project")
      const errors = yield* Effect.forEach(["", "x".repeat(70_000)], (pattern) =>
        Effect.flip(GlobPattern.matcher(workspace, pattern, "/project")))
      for (const error of errors) {
        assert.match(error.message, /^Invalid glob pattern/)
      }
    }).pipe(Effect.provide(NodeContext.layer)))
})
