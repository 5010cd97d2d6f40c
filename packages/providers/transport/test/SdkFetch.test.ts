import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { vi } from "vitest"
import * as Connection from "../src/Connection.js"
import * as SdkFetch from "../src/SdkFetch.js"

const loaded = vi.hoisted((): Array<string> => [])

vi.mock("undici", (original) => {
  loaded.push("undici")
  return original()
})

const attempt = (fetch: SdkFetch.SdkFetch, init: RequestInit) =>
  Effect.promise(() => fetch("http://127.0.0.1:1/x?key=abc", init).then(() => "an answer", (error: unknown) => error))

describe("SdkFetch", () => {
  it.effect("loads its client at the first request, and tells where no answer came from", () =>
    Effect.gen(function*() {
      const fetch = SdkFetch.make()
      assert.deepStrictEqual(loaded, [])
      const error = yield* attempt(fetch, { body: "{}", method: "POST" })
      assert.deepStrictEqual(loaded, ["undici"])
      assert.isTrue(Schema.is(SdkFetch.ConnectionFailure)(error))
      assert.deepInclude(error, { address: "127.0.0.1:1", message: "No answer from 127.0.0.1:1" })
      const problem = Schema.is(SdkFetch.ConnectionFailure)(error) ? error.problem : undefined
      assert.deepInclude(Connection.read(problem), { kind: "refused" })
    }))

  it.effect("leaves an abort what it is", () =>
    Effect.gen(function*() {
      const error = yield* attempt(SdkFetch.make(), { signal: AbortSignal.abort() })
      assert.deepInclude(error, { name: "AbortError" })
    }))
})
