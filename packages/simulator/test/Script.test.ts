import { assert, describe, it } from "@effect/vitest"
import * as Json from "@weir/simulator/Json"
import type { Options } from "@weir/simulator/Options"
import * as Script from "@weir/simulator/Script"
import * as ScriptFile from "@weir/simulator/ScriptFile"
import * as Simulators from "@weir/simulator/Simulator"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { TestApi } from "./TestApis.js"
import { apis, chat } from "./TestApis.js"
import { at, user } from "./TestClient.js"

const loop = Script.toolLoop({ answer: "All done.", args: (index) => ({ n: index }), count: 4, tool: "bash" })

const client = (api: TestApi) => {
  /** What the model says next, in short. */
  const step = (more: object = {}) =>
    Effect.map(api.post(api.streaming({ tools: api.tools, ...more })), (response) => {
      const { calls, text } = api.fold(response.text)
      return calls.length > 0 ? calls.map((call) => call.arguments).join(" ") : text
    })

  const steps = (options: Options, count: number) =>
    Effect.replicateEffect(step(), count).pipe(Effect.provide(Simulators.layer(options)))
  return { step, steps }
}

const all = ["{\"n\":0}", "{\"n\":1}", "{\"n\":2}", "{\"n\":3}", "All done."]

for (const api of apis) {
  describe(`Script on the ${api.name} wire`, () => {
    const { post, streaming } = api
    const { step, steps } = client(api)

    it.scoped("loops over tools, answers, and begins again", () =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* steps({ script: loop }, 7), [...all, ...all.slice(0, 2)])
      }))

    it.scoped("goes on where it was when a compaction has removed the history", () =>
      Effect.gen(function*() {
        yield* step()
        yield* step()
        const compacted = yield* step({
          messages: [user("<compacted_context>\nTwo calls are done.\n</compacted_context>")]
        })
        assert.strictEqual(compacted, all[2])
      }).pipe(Effect.provide(Simulators.layer({ script: loop }))))

    const { session } = api
    if (session !== undefined) {
      it.scoped("keeps sessions apart", () =>
        Effect.gen(function*() {
          yield* step(session("a"))
          yield* step(session("a"))
          assert.strictEqual(yield* step(session("b")), all[0])
          assert.strictEqual(yield* step(session("a")), all[2])
        }).pipe(Effect.provide(Simulators.layer({ script: loop }))))
    }

    it.scoped("does not move on when a request is refused", () =>
      Effect.gen(function*() {
        yield* step()
        assert.strictEqual((yield* post(streaming({ messages: [] }))).status, 400)
        assert.strictEqual((yield* post(streaming({ messages: [user("x ".repeat(3_000))] }))).status, 400)
        assert.strictEqual(yield* step(), all[1])
      }).pipe(Effect.provide(Simulators.layer({ script: loop, window: 1_000 }))))

    it.scoped("plays sequences, repetitions and replies made from the request", () =>
      Effect.gen(function*() {
        const script = Script.sequence([
          Script.repeat(Script.reply("again"), 2),
          Script.respond((prompt) => ({
            parts: [Script.text(`${prompt.entries.length} entries, ${prompt.tools.length} tool`)]
          })),
          Script.calls(Script.call("bash", { a: 1 }), Script.call("bash", { b: 2 })),
          Script.echo
        ])
        assert.strictEqual(script.length, 5)
        assert.deepStrictEqual(yield* steps({ script }, 5), [
          "again",
          "again",
          "1 entries, 1 tool",
          "{\"a\":1} {\"b\":2}",
          "You said: hi"
        ])
      }))
  })
}

const file = {
  counter: { scale: 1.3 },
  faults: [{ at: 0, fault: { _tag: "Http", status: 500 } }, { at: [1], fault: { _tag: "Hang" }, kind: "compaction" }],
  replies: [
    { calls: [{ args: { command: "cat f{i}" }, tool: "bash" }], repeat: 2 },
    { calls: [{ args: "not json", tool: "bash" }] },
    { reasoning: "Hm.", stop: "length", text: "Done." }
  ],
  summary: ["empty", "good"],
  window: 64_000,
  windows: [{ from: 5, window: 40_000 }, { from: 1, kind: "compaction", window: 32_000 }]
}

describe("ScriptFile", () => {
  const { step } = client(chat)

  it.scoped("describes a simulator in JSON", () =>
    Effect.gen(function*() {
      const options = yield* ScriptFile.parse(Json.print(file))
      const said = yield* Effect.gen(function*() {
        assert.strictEqual((yield* chat.post(chat.streaming())).status, 500)
        return yield* Effect.replicateEffect(step(), 4)
      }).pipe(Effect.provide(Simulators.layer(options)))
      assert.deepStrictEqual(said, ["{\"command\":\"cat f0\"}", "{\"command\":\"cat f1\"}", "not json", "Done."])
      assert.deepStrictEqual(options.summary, ["empty", "good"])
      const arrival = { index: 4, indexOfKind: 0, kind: "main", tokens: 9 } as const
      const window = typeof options.window === "function" ? options.window : () => 0
      assert.strictEqual(window(arrival), 64_000)
      assert.strictEqual(window({ ...arrival, index: 5 }), 40_000)
      assert.strictEqual(window({ ...arrival, indexOfKind: 1, kind: "compaction" }), 32_000)
    }))

  it("keeps one window a number", () => {
    const { windows: _, ...plain } = file
    const options = Either.getOrThrow(Effect.runSync(Effect.either(ScriptFile.parse(Json.print(plain)))))
    assert.strictEqual(options.window, 64_000)
  })

  for (
    const [name, text, message] of [
      ["a misspelt field", Json.print({ ...file, windwo: 1 }), /windwo/],
      ["a wrong type", Json.print({ replies: [{ text: 1 }] }), /text/],
      ["no replies", "{}", /replies/],
      ["no JSON", "replies:", /JSON/]
    ] as const
  ) {
    it.effect(`names what is wrong: ${name}`, () =>
      Effect.gen(function*() {
        const error = yield* Effect.flip(ScriptFile.parse(text))
        assert.match(error.message, message)
        assert.isUndefined(at(error, "right"))
      }))
  }
})
