import { assert, describe, it } from "@effect/vitest"
import * as Redacted from "effect/Redacted"
import * as Headers from "../src/Headers.js"

describe("Headers", () => {
  it("the secret of a header is its value, and what follows the scheme", () => {
    const secrets = Headers.secrets({ "Authorization": "Bearer abc123456", "X-Api-Key": "key-1", "X-Team": "blue" })
    assert.deepStrictEqual(secrets.map(Redacted.value), ["Bearer abc123456", "abc123456", "key-1"])
  })
})
