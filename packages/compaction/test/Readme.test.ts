import * as NodeContext from "@effect/platform-node/NodeContext"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import { assert, describe, it } from "@effect/vitest"
import * as Compaction from "@weir/compaction/Compaction"
import * as Projection from "@weir/compaction/Projection"
import { Model } from "@weir/model/Model"
import * as TestModel from "@weir/model/TestModel"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { table } from "./DecidePage.js"
import { withRoom } from "./Embedding.js"
import { exchange, limits, step, summary, turn, words } from "./Samples.js"

const file = (name: string) =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    return yield* fs.readFileString(yield* path.fromFileUrl(new URL(name, import.meta.url)))
  })

const current = "Run node packages/compaction/scripts/readme.mjs"

describe("the README", () => {
  it.effect("shows the table that decides, and the example as it is", () =>
    Effect.gen(function*() {
      const readme = yield* file("../README.md")
      assert.include(readme, table, current)
      assert.include(readme, (yield* file("./Embedding.ts")).trimEnd(), current)
    }).pipe(Effect.provide(NodeContext.layer)))

  it.effect("its example keeps a history that has room, and makes room where it has none", () =>
    Effect.gen(function*() {
      const history = (steps: number): Projection.Projection => ({
        turns: [turn("t1", "Task", Array.from({ length: steps }, () => step(exchange("look", words(1_000)))))]
      })
      const { asked, model } = TestModel.make(limits(16_384), () => TestModel.reply({ text: summary }))
      const run = (self: Projection.Projection) =>
        withRoom(self, "You are an agent.").pipe(
          Effect.provide(Layer.merge(Compaction.layer, Layer.succeed(Model, model)))
        )
      const short = history(1)
      assert.strictEqual(yield* run(short), short)
      const after = yield* run(history(8))
      assert.strictEqual(asked.length, 1)
      assert.strictEqual(Projection.entries(after).length, 1)
      assert.strictEqual(after.checkpoint?.task, "t1")
    }))
})
