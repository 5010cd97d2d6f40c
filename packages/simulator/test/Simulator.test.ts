import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import { assert, describe, it } from "@effect/vitest"
import * as Script from "@weir/simulator/Script"
import * as Simulator from "@weir/simulator/Simulator"
import * as Effect from "effect/Effect"

const chat = (body: object) =>
  Effect.gen(function*() {
    const simulator = yield* Simulator.Simulator
    const client = yield* HttpClient.HttpClient
    const request = HttpClientRequest.post(`${simulator.url}/chat/completions`).pipe(
      HttpClientRequest.bodyUnsafeJson(body)
    )
    const response = yield* client.execute(request)
    return { status: response.status, text: yield* response.text }
  }).pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer))

describe("Simulator", () => {
  it.scopedLive("streams a reply", () =>
    Effect.gen(function*() {
      const answer = yield* chat({
        messages: [{ content: "hi", role: "user" }],
        model: "sim-1",
        stream: true,
        stream_options: { include_usage: true }
      })
      assert.strictEqual(answer.status, 200)
      const simulator = yield* Simulator.Simulator
    }).pipe(Effect.provide(Simulator.layer({ script: Script.reply("Hello there, this is the answer.") }))))
})
