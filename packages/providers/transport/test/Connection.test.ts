import { assert, describe, it } from "@effect/vitest"
import * as Connection from "../src/Connection.js"

const coded = (code: string, message = "m") => Object.assign(new Error(message), { code })
const wrapped = (cause: unknown) => new TypeError("fetch failed", { cause })

describe("Connection", () => {
  it("finds the reason under fetch's own words", () => {
    assert.deepInclude(Connection.read(wrapped(coded("ECONNREFUSED"))), { kind: "refused" })
    assert.deepInclude(Connection.read(wrapped(new AggregateError([coded("ECONNREFUSED")]))), { kind: "refused" })
    assert.deepInclude(Connection.read(wrapped(wrapped(coded("ENOTFOUND")))), { kind: "refused" })
    assert.deepInclude(Connection.read(wrapped(coded("EAI_AGAIN"))), { kind: "broken" })
    assert.deepInclude(Connection.read(coded("ECONNRESET")), {
      kind: "broken",
      text: "the connection broke (ECONNRESET)"
    })
    for (
      const code of [
        "CERT_HAS_EXPIRED",
        "DEPTH_ZERO_SELF_SIGNED_CERT",
        "SELF_SIGNED_CERT_IN_CHAIN",
        "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
        "ERR_TLS_CERT_ALTNAME_INVALID"
      ]
    ) {
      const { kind, text } = Connection.read(wrapped(coded(code)))
      assert.strictEqual(kind, "wrong")
      assert.include(text, code)
      assert.include(text, "NODE_EXTRA_CA_CERTS")
    }
  })

  it("keeps the innermost words of what it does not know", () => {
    assert.strictEqual(Connection.read(wrapped(new Error("odd"))).text, "the request failed (odd)")
    assert.strictEqual(Connection.read("odd").text, "the request failed (odd)")
    const circle = new Error("round")
    circle.cause = circle
    assert.strictEqual(Connection.read(circle).text, "the request failed (round)")
  })
})
