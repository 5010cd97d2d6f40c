import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import * as SystemPrompt from "../src/SystemPrompt.js"
import { directory } from "./Process.js"
import * as TestHost from "./TestHost.js"

const make = (files: { readonly [name: string]: string }, below = "") =>
  Effect.gen(function*() {
    yield* TestClock.setTime(Date.UTC(2026, 0, 2))
    const root = yield* directory(files)
    return { prompt: yield* SystemPrompt.make({ appended: "Last words.", cwd: `${root}${below}` }), root }
  }).pipe(Effect.scoped, Effect.provide(TestHost.layer()))

describe("the system prompt", () => {
  it.effect("says where, on what and when, and is short", () =>
    Effect.gen(function*() {
      const { prompt, root } = yield* make({})
      assert.include(prompt, `Working directory: ${root}\nPlatform: test x64\nDate: 2026-01-02`)
      assert.isTrue(prompt.endsWith("Last words."))
      assert.isAtMost(prompt.length, 2_000)
      assert.notInclude(prompt, "<instructions")
    }))

  it.effect("carries the instructions from the repository's root down to the directory", () =>
    Effect.gen(function*() {
      const { prompt, root } = yield* make({
        "AGENTS.md": "outside",
        "repo/.git/HEAD": "",
        "repo/AGENTS.md": "first",
        "repo/CLAUDE.md": "never",
        "repo/app/CLAUDE.md": "second",
        "repo/app/src/AGENTS.md": " \n",
        "repo/app/src/CLAUDE.md": "third"
      }, "/repo/app/src")
      const found = [...prompt.matchAll(/<instructions file="(.*)">\n(.*)\n<\/instructions>/g)].map(([, file, text]) =>
        `${file?.slice(root.length)}: ${text}`
      )
      assert.deepStrictEqual(found, [
        "/repo/AGENTS.md: first",
        "/repo/app/CLAUDE.md: second",
        "/repo/app/src/CLAUDE.md: third"
      ])
      assert.notInclude(prompt, "outside")
    }))

  it.effect("looks at one directory outside a repository, and cuts what is too long", () =>
    Effect.gen(function*() {
      const { prompt } = yield* make({ "AGENTS.md": "outside", "app/AGENTS.md": "y".repeat(40_000) }, "/app")
      assert.notInclude(prompt, "outside")
      assert.include(prompt, "[The file is longer; read it for the rest.]")
      assert.isBelow(prompt.length, 36_000)
    }))
})
