import { assert, describe, it } from "@effect/vitest"
import { userMessage } from "@weir/model/Conversation"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { vi } from "vitest"
import * as AnthropicMessages from "../src/AnthropicMessages.js"

const loaded = vi.hoisted((): Array<string> => [])

vi.mock("@anthropic-ai/sdk", (original) => {
  loaded.push("@anthropic-ai/sdk")
  return original()
})

describe("AnthropicMessages", () => {
  it.effect("loads the SDK at the first request, not before", () =>
    Effect.gen(function*() {
      const chat = AnthropicMessages.make({
        baseUrl: "http://127.0.0.1:1/v1",
        limits: { outputCap: 8192, source: "declared", window: 128_000 },
        model: "m",
        provider: "p"
      })
      const request = chat.start({ entries: [userMessage("hello")], system: "", tools: [] })
      const stream = request.append(userMessage("again")).stream({ maxOutputTokens: 10, sessionId: "s" })
      assert.deepStrictEqual(loaded, [])
      yield* Effect.flip(Stream.runDrain(stream))
      assert.deepStrictEqual(loaded, ["@anthropic-ai/sdk"])
    }))
})
