import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as ChatChunk from "../src/ChatChunk.js"

const decodeAny = Schema.decodeUnknownEither(ChatChunk.ChatChunk)

/** What a host may send in the place of anything. */
const values = [undefined, null, 0, "", "text", true, {}, [], [null], [""], [[]], [{ text: 1 }], { a: { b: 1 } }]

/** A chunk as nearly all are. */
const chunk = (change: { chunk?: object; choice?: object; delta?: object } = {}) => ({
  choices: [{
    delta: { content: "word", role: "assistant", ...change.delta },
    finish_reason: null,
    index: 0,
    ...change.choice
  }],
  object: "chat.completion.chunk",
  ...change.chunk
})

const fields = {
  chunk: ["choices", "usage", "object", "message", "detail", "base_resp"],
  choice: ["delta", "finish_reason", "message", "usage"],
  delta: ["content", "refusal", "reasoning_content", "reasoning", "reasoning_text", "tool_calls"]
}

describe("ChatChunk", () => {
  it("is decoded as its schema says, whatever stands in it", () => {
    const changed = Object.entries(fields).flatMap(([part, names]) =>
      names.flatMap((name) => values.map((value) => chunk({ [part]: { [name]: value } })))
    )
    const usage = { completion_tokens: 1, prompt_tokens: 2 }
    const others = [...values, chunk(), chunk({ chunk: { usage } }), chunk({ choice: { usage } })]
    for (const value of [...changed, ...others]) {
      const expected = decodeAny(value)
      const decoded = ChatChunk.decode(value)
      assert.strictEqual(decoded._tag, expected._tag)
      // What is plain keeps what nobody reads.
      assert.deepStrictEqual(Either.getRight(Either.flatMap(decoded, decodeAny)), Either.getRight(expected))
    }
  })
})
