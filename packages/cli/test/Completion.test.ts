import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Completion from "../src/interactive/Completion.js"
import { directory } from "./Process.js"

describe("what is completed after an @", () => {
  it.effect("is written as a message can mention it", () =>
    Effect.gen(function*() {
      const complete = yield* Completion.make(
        yield* directory({ "@types/notes.d.ts": "", "a/my notes.md": "", "notes.md": "", "say \"notes\" .md": "" })
      )
      const values = (word: string) => Effect.map(complete(word), (all) => all.map(({ value }) => value))
      assert.sameMembers(yield* values("@notes"), ["@notes.md", "@@types/notes.d.ts", "@\"a/my notes.md\""])
      assert.deepStrictEqual(yield* values("@\"a/my n"), ["@\"a/my notes.md\""])
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer)))
})
