/** A model that reads no images, over every API: a note stands for each, in messages and in results. */
import { assert, describe, it } from "@effect/vitest"
import { userMessage } from "@weir/model/Conversation"
import * as Script from "@weir/simulator/Script"
import * as Simulator from "@weir/simulator/Simulator"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { exchange, png, step, tools } from "../../providers/transport/test/Conversations.js"
import { codecs } from "./Codecs.js"

describe("a model that reads no images", () => {
  for (const codec of codecs) {
    it.scoped(`${codec.api}: images are notes`, () =>
      Effect.gen(function*() {
        const simulator = yield* Simulator.make({ script: Script.reply("Seen.") })
        const bodyFor = (images: boolean) =>
          Effect.gen(function*() {
            const model = codec.model(simulator, { images, outputCap: 1_000, source: "declared", window: 64_000 })
            const shot = exchange("call_1", { images: [png], text: "A shot." })
            yield* model.start({ entries: [userMessage("What is it?", [png])], system: "Be brief.", tools })
              .append(step(shot))
              .stream({ maxOutputTokens: 1_000, sessionId: "s" })
              .pipe(Stream.runDrain)
            return (yield* simulator.requests).at(-1)?.body ?? ""
          })
        assert.include(yield* bodyFor(true), png.data)
        const body = yield* bodyFor(false)
        assert.notInclude(body, png.data)
        assert.strictEqual(body.split("this model reads no images").length, 3)
        assert.include(body, "What is it?")
      }))
  }
})
