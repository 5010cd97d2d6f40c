import { assert, describe, it } from "@effect/vitest"
import type { Fault } from "@weir/simulator/Fault"
import * as Faults from "@weir/simulator/Fault"
import * as Script from "@weir/simulator/Script"
import { Simulator } from "@weir/simulator/Simulator"
import * as Simulators from "@weir/simulator/Simulator"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import { anthropic, apis, chat } from "./TestApis.js"
import { at, json } from "./TestClient.js"

const answer = "one two three four five six seven eight nine ten eleven twelve"

const withFault = (fault: Fault) => Simulators.layer({ faults: [Faults.at(0, fault)], script: Script.reply(answer) })

for (const api of apis) {
  describe(`Fault on the ${api.name} wire`, () => {
    const { events, fold, post, request, streaming } = api

    /** The request that meets the fault, then one that meets none: the script must stand where it stood. */
    const twice = (body: object = streaming()) =>
      Effect.gen(function*() {
        const simulator = yield* Simulator
        const first = yield* Effect.either(post(body))
        const logged = yield* simulator.settled(0)
        const second = yield* post(streaming())
        assert.strictEqual(fold(second.text).text, answer)
        return { first, logged }
      })

    /** Leaves a request that would never end, and sees the server let go of it. */
    const abandon = (body: object = streaming()) =>
      Effect.gen(function*() {
        const simulator = yield* Simulator
        const fiber = yield* Effect.fork(post(body))
        yield* simulator.request(0)
        yield* simulator.awaitOpenConnections(1)
        assert.strictEqual(yield* simulator.openConnections, 1)
        yield* Fiber.interrupt(fiber)
        yield* simulator.awaitOpenConnections(0)
        assert.strictEqual((yield* simulator.settled(0)).outcome, "aborted")
      })

    it.scoped("answers with a status, headers and a body of any kind", () =>
      Effect.gen(function*() {
        const { first, logged } = yield* twice()
        const response = Either.getOrThrow(first)
        assert.strictEqual(response.status, 503)
        assert.strictEqual(response.headers["retry-after"], "7")
        assert.strictEqual(response.headers["content-type"], "text/html")
        assert.strictEqual(response.text, "<html>Bad gateway</html>")
        assert.deepInclude(logged, { outcome: "refused", status: 503 })
      }).pipe(Effect.provide(withFault({
        _tag: "Http",
        body: "<html>Bad gateway</html>",
        headers: { "content-type": "text/html", "retry-after": "7" },
        status: 503
      }))))

    it.scoped("answers without a body", () =>
      Effect.gen(function*() {
        const response = Either.getOrThrow((yield* twice()).first)
        assert.strictEqual(response.status, 413)
        assert.strictEqual(response.text, "")
      }).pipe(Effect.provide(withFault({ _tag: "Http", body: "", headers: {}, status: 413 }))))

    it.scoped("answers an error with status 200", () =>
      Effect.gen(function*() {
        const { first, logged } = yield* twice()
        const response = Either.getOrThrow(first)
        assert.strictEqual(response.status, 200)
        assert.strictEqual(at(json(response), "error", "message"), "overloaded")
        assert.strictEqual(logged.outcome, "cut")
      }).pipe(Effect.provide(withFault({
        _tag: "Http",
        body: "{\"error\":{\"message\":\"overloaded\"}}",
        headers: { "content-type": "application/json" },
        status: 200
      }))))

    it.scoped("reports an error after 3 events", () =>
      Effect.gen(function*() {
        const { first, logged } = yield* twice()
        const all = events(Either.getOrThrow(first).text)
        assert.lengthOf(all, 4)
        assert.strictEqual(api.errorType(all[3]), "overloaded_error")
        assert.strictEqual(at(all[3], "error", "message") ?? at(all[3], "message"), "Too long")
        assert.strictEqual(logged.outcome, "cut")
      }).pipe(
        Effect.provide(withFault({ _tag: "ErrorFrame", after: 3, code: "overloaded_error", message: "Too long" }))
      ))

    it.scoped("ends cleanly after 2 events", () =>
      Effect.gen(function*() {
        const { first, logged } = yield* twice()
        const { text } = Either.getOrThrow(first)
        assert.lengthOf(events(text), 2)
        assert.notInclude(text, "[DONE]")
        assert.strictEqual(logged.outcome, "cut")
      }).pipe(Effect.provide(withFault({ _tag: "Eof", after: 2 }))))

    it.scoped("ends cleanly without any event", () =>
      Effect.gen(function*() {
        assert.deepInclude(Either.getOrThrow((yield* twice()).first), { status: 200, text: "" })
      }).pipe(Effect.provide(withFault({ _tag: "Eof", after: 0 }))))

    for (const after of [0, 2]) {
      it.scoped(`closes the connection after ${after} events`, () =>
        Effect.gen(function*() {
          const { first, logged } = yield* twice()
          assert.isTrue(Either.isLeft(first))
          assert.deepInclude(logged, { outcome: "cut", status: 200 })
        }).pipe(Effect.provide(withFault({ _tag: "Reset", after }))))
    }

    it.scoped("resets the connection before any answer", () =>
      Effect.gen(function*() {
        const { first, logged } = yield* twice()
        assert.isTrue(Either.isLeft(first))
        assert.strictEqual(logged.outcome, "cut")
        assert.isUndefined(logged.status)
      }).pipe(Effect.provide(withFault({ _tag: "Drop" }))))

    for (const after of [0, 2]) {
      it.scoped(`falls silent after ${after} events until the client leaves`, () =>
        abandon().pipe(Effect.provide(withFault({ _tag: "Stall", after }))))
    }

    it.scoped("never answers, until the client leaves", () =>
      abandon().pipe(Effect.provide(withFault({ _tag: "Hang" }))))

    it.scoped("treats a reply that comes whole alike", () =>
      abandon(request()).pipe(Effect.provide(withFault({ _tag: "Stall", after: 1 }))))

    it.scoped("cuts a reply that comes whole", () =>
      Effect.gen(function*() {
        assert.isTrue(Either.isLeft((yield* twice(request())).first))
      }).pipe(Effect.provide(withFault({ _tag: "Reset", after: 1 }))))

    it.scoped("lets a slow stream go when the client leaves", () =>
      abandon().pipe(Effect.provide(
        Simulators.layer({ script: Script.say({ between: "1 hour", parts: [Script.text(answer)] }) })
      )))

    it.scoped("stops for length with nothing said", () =>
      Effect.gen(function*() {
        const { finish, text, usage } = fold((yield* post(streaming())).text)
        assert.strictEqual(finish, api.finish.length)
        assert.strictEqual(text, "")
        assert.strictEqual(usage?.output, 0)
      }).pipe(Effect.provide(withFault({ _tag: "NoOutput" }))))

    for (
      const [report, prompt, cached] of [
        ["missing", undefined, undefined],
        ["zero", 0, 0],
        ["absurd", 1_000_000_008, 0],
        ["cached", 8, 8]
      ] as const
    ) {
      it.scoped(`reports usage that is ${report}`, () =>
        Effect.gen(function*() {
          const { finish, text, usage } = fold((yield* post(streaming())).text)
          assert.strictEqual(finish, api.finish.end)
          assert.strictEqual(text, answer)
          assert.strictEqual(usage?.input, prompt)
          assert.strictEqual(usage?.cached, cached)
        }).pipe(Effect.provide(withFault({ _tag: "Usage", report }))))
    }

    it.scoped("meets the requests that its rule names", () =>
      Effect.gen(function*() {
        const statuses = yield* Effect.replicateEffect(Effect.map(post(request()), ({ status }) => status), 5)
        assert.deepStrictEqual(statuses, [200, 500, 200, 500, 529])
      }).pipe(Effect.provide(Simulators.layer({
        faults: [
          Faults.at([1, 3], { _tag: "Http", body: "", headers: {}, status: 500 }),
          Faults.at(2, { _tag: "Http", body: "", headers: {}, status: 500 }, "compaction"),
          Faults.when(({ index }) => index > 2, { _tag: "Http", body: "", headers: {}, status: 529 })
        ],
        script: Script.reply("ok")
      }))))

    it.scoped("a layer that closes ends requests that would never end", () =>
      Effect.gen(function*() {
        const fiber = yield* Effect.gen(function*() {
          const pending = yield* Effect.forkDaemon(Effect.either(post(streaming())))
          yield* Effect.flatMap(Simulator, (simulator) => simulator.request(0))
          return pending
        }).pipe(Effect.provide(withFault({ _tag: "Hang" })))
        assert.isTrue(Either.isLeft(yield* Fiber.join(fiber)))
      }))
  })
}

describe("Fault at the end of a stream", () => {
  it.scoped("counts a reply as delivered when only the stream's end is missing", () =>
    Effect.gen(function*() {
      assert.strictEqual(chat.fold((yield* chat.post(chat.request({ stream: true }))).text).text, "first")
      assert.strictEqual(chat.fold((yield* chat.post(chat.request({ stream: true }))).text).text, "second")
    }).pipe(Effect.provide(Simulators.layer({
      faults: [Faults.at(0, { _tag: "Eof", after: 4 })],
      script: Script.sequence([Script.reply("first"), Script.reply("second")])
    }))))

  it.scoped("counts a message without its message_stop as not delivered", () =>
    Effect.gen(function*() {
      const cut = yield* anthropic.post(anthropic.streaming())
      assert.strictEqual(at(anthropic.events(cut.text).at(-1), "type"), "message_delta")
      assert.strictEqual(anthropic.fold((yield* anthropic.post(anthropic.streaming())).text).text, "first")
    }).pipe(Effect.provide(Simulators.layer({
      faults: [Faults.at(0, { _tag: "Eof", after: 7 })],
      script: Script.sequence([Script.reply("first"), Script.reply("second")])
    }))))
})
