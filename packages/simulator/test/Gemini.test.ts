import { assert, describe, it } from "@effect/vitest"
import * as Json from "@weir/simulator/Json"
import * as Script from "@weir/simulator/Script"
import { Simulator } from "@weir/simulator/Simulator"
import * as Simulators from "@weir/simulator/Simulator"
import * as Effect from "effect/Effect"
import { chunks, fold, model, parts, post, request, stream, user } from "./GeminiClient.js"
import { at, json } from "./TestClient.js"

const answer = "An answer of several words, with an emoji 👩‍🚀 and \"quotes\"."

const tools = [{ functionDeclarations: [{ name: "bash", parametersJsonSchema: { properties: {}, type: "object" } }] }]

const full = Script.say({
  parts: [
    Script.reasoning("Let me look at it."),
    Script.redacted,
    Script.text("Looking."),
    Script.call("bash", { command: "cat a" }),
    Script.call("bash", "")
  ]
})

const counts = (usage: unknown) => ({
  cached: Number(at(usage, "cachedContentTokenCount") ?? 0),
  input: Number(at(usage, "promptTokenCount")),
  output: Number(at(usage, "candidatesTokenCount")),
  thoughts: Number(at(usage, "thoughtsTokenCount") ?? 0),
  total: Number(at(usage, "totalTokenCount"))
})

describe("Gemini stream", () => {
  it.scoped("is whole responses that add up to one text, the reason in the last", () =>
    Effect.gen(function*() {
      const response = yield* stream(request())
      assert.strictEqual(response.status, 200, response.text)
      assert.match(response.headers["content-type"] ?? "", /^text\/event-stream/)
      const all = chunks(response.text)
      assert.isAtLeast(all.length, 3)
      for (const chunk of all) {
        assert.deepInclude(chunk, { modelVersion: "sim-1", responseId: "000000" })
        assert.strictEqual(at(chunk, "candidates", 0, "content", "role"), "model")
        assert.strictEqual(at(chunk, "candidates", 0, "finishReason"), chunk === all.at(-1) ? "STOP" : undefined)
      }
      assert.strictEqual(fold(response.text).text, answer)
      assert.deepStrictEqual(parts(response.text).at(-1), { text: "" })
      const logged = yield* Effect.flatMap(Simulator, ({ settled }) => settled(0))
      assert.deepInclude(logged, { kind: "main", outcome: "answered", wire: "gemini" })
      const { cached, input, output, thoughts, total } = counts(fold(response.text).usage)
      assert.strictEqual(input, logged.tokens)
      assert.isAbove(output, 5)
      assert.strictEqual(total, input + output)
      assert.deepStrictEqual([cached, thoughts], [0, 0])
    }).pipe(Effect.provide(Simulators.layer({ script: Script.reply(answer) }))))

  it.scoped("holds thoughts, text and parallel calls, the first of them signed; whole replies hold the same", () =>
    Effect.gen(function*() {
      const { text } = yield* stream(request({ tools }), { model: "gemini-3.7-flash" })
      const streamed = fold(text)
      assert.deepInclude(streamed, { finish: "STOP", reasoning: "Let me look at it.", text: "Looking." })
      assert.deepStrictEqual(streamed.calls.map((call) => call.arguments), ["{\"command\":\"cat a\"}", "{}"])
      assert.strictEqual(new Set(streamed.calls.map(({ id }) => id)).size, 2)
      const calls = parts(text).filter((part) => at(part, "functionCall") !== undefined)
      assert.match(String(at(calls[0], "thoughtSignature")), /^[A-Za-z0-9+/]{40,}=*$/)
      assert.isUndefined(at(calls[1], "thoughtSignature"))
      const { output, thoughts, total, input } = counts(streamed.usage)
      assert.isAbove(thoughts, 4)
      assert.strictEqual(total, input + output + thoughts)
      const whole = json(yield* post(request({ tools }), { model: "gemini-3.7-flash" }))
      assert.strictEqual(at(whole, "candidates", 0, "finishReason"), "STOP")
      assert.deepStrictEqual(at(whole, "candidates", 0, "content", "parts", 0), {
        text: "Let me look at it.",
        thought: true
      })
      assert.deepStrictEqual(counts(at(whole, "usageMetadata")), counts(streamed.usage))
    }).pipe(Effect.provide(Simulators.layer({ script: full }))))

  it.scoped("gives calls of older models no ids", () =>
    Effect.gen(function*() {
      const { calls } = fold((yield* stream(request({ tools }), { model: "gemini-2.5-pro" })).text)
      assert.deepStrictEqual(calls.map(({ id }) => id), [undefined, undefined])
    }).pipe(Effect.provide(Simulators.layer({ script: full }))))

  it.scoped("signs a thoughtful reply without calls at its end", () =>
    Effect.gen(function*() {
      const last = parts((yield* stream(request())).text).at(-1)
      assert.strictEqual(at(last, "text"), "")
      assert.match(String(at(last, "thoughtSignature")), /^[A-Za-z0-9+/]{40,}=*$/)
      const whole = at(json(yield* post(request())), "candidates", 0, "content", "parts", 1)
      assert.strictEqual(at(whole, "text"), "Yes.")
      assert.isString(at(whole, "thoughtSignature"))
      const replay = yield* post(request({ contents: [user({ text: "hi" }), model(whole), user({ text: "and" })] }))
      assert.strictEqual(replay.status, 200, replay.text)
    }).pipe(Effect.provide(Simulators.layer({
      script: Script.say({ parts: [Script.reasoning("Hm."), Script.text("Yes.")] })
    }))))

  it.scoped("breaks off before a call that cannot be written", () =>
    Effect.gen(function*() {
      const { calls, finish, text } = fold((yield* stream(request({ tools }))).text)
      assert.deepStrictEqual({ calls, finish, text }, {
        calls: [],
        finish: "MALFORMED_FUNCTION_CALL",
        text: "Looking."
      })
    }).pipe(Effect.provide(Simulators.layer({
      script: Script.say({ parts: [Script.text("Looking."), Script.call("bash", "{\"a\":")] })
    }))))

  it.scoped("ends at the output limit without half a call", () =>
    Effect.gen(function*() {
      const body = request({ generationConfig: { maxOutputTokens: 20 }, tools })
      const { calls, finish } = fold((yield* stream(body)).text)
      assert.deepStrictEqual({ calls, finish }, { calls: [], finish: "MAX_TOKENS" })
    }).pipe(
      Effect.provide(Simulators.layer({ script: Script.calls(Script.call("bash", { a: "word ".repeat(100) })) }))
    ))
})

describe("Gemini countTokens", () => {
  it.scoped("counts what the request itself is then charged, and leaves script and cache alone", () =>
    Effect.gen(function*() {
      const body = request({ contents: [user({ text: "word ".repeat(3_000) })], tools })
      const counted = yield* post({ generateContentRequest: { model: "models/sim-1", ...body } }, {
        method: "countTokens"
      })
      assert.strictEqual(counted.status, 200, counted.text)
      const { requests } = yield* Simulator
      const [logged] = yield* requests
      assert.deepInclude(logged, { kind: "count", outcome: "answered" })
      assert.deepStrictEqual(json(counted), { totalTokens: logged?.tokens })
      const answered = json(yield* post(body))
      assert.strictEqual(at(answered, "candidates", 0, "content", "parts", 0, "text"), "one")
      assert.deepInclude(counts(at(answered, "usageMetadata")), { cached: 0, input: logged?.tokens ?? 0 })
      const bare = yield* post({ contents: [user({ text: "hi" })] }, { method: "countTokens" })
      assert.deepStrictEqual(json(bare), { totalTokens: 8 })
    }).pipe(Effect.provide(Simulators.layer({
      script: Script.sequence([Script.reply("one"), Script.reply("two")])
    }))))
})

type Parts = ReadonlyArray<unknown>

const results = (given: Parts) =>
  user(...given.flatMap((part) => {
    const call = at(part, "functionCall")
    const id = at(call, "id")
    return call === undefined
      ? []
      : [{ functionResponse: { name: at(call, "name"), response: { output: "ok" }, ...(id !== undefined && { id }) } }]
  }))

/** A reply, and what the next request says when it replays that reply in another way. */
const replayed = (change: (given: Parts) => Parts, id = "gemini-3.7-flash") =>
  Effect.gen(function*() {
    const { text } = yield* stream(request({ tools }), { model: "gemini-3.7-flash" })
    const given = change(parts(text).filter((part) => at(part, "text") !== ""))
    const response = yield* stream(
      request({ contents: [user({ text: "hi" }), model(...given), results(given)], tools }),
      { model: id }
    )
    return response.status === 200 ? "accepted" : String(at(json(response), "error", "message"))
  }).pipe(Effect.provide(Simulators.layer({
    script: Script.sequence([
      Script.calls(Script.call("bash", { a: 1 }), Script.call("bash", { b: 2 })),
      Script.reply("Done.")
    ])
  })))

const changed = (part: unknown, more: object) => ({ ...Object(part), ...more })
const changedCall = (part: unknown, more: object) =>
  changed(part, { functionCall: { ...Object(at(part, "functionCall")), ...more } })

describe("Gemini thought signatures", () => {
  it.scoped("are accepted as they were", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* replayed((given) => given), "accepted")
    }))

  const corrupted = /^Corrupted thought signature\.$/
  const bad: ReadonlyArray<readonly [string, (given: Parts) => Parts, RegExp]> = [
    [
      "missing",
      ([first, second]) => [Json.isObject(first) ? { functionCall: first.functionCall } : first, second],
      /^Function call is missing a thought_signature/
    ],
    [
      "changed by a letter",
      ([first, second]) => [
        changed(first, { thoughtSignature: String(at(first, "thoughtSignature")).replace(/^./, "A") }),
        second
      ],
      corrupted
    ],
    [
      "replaced by a pass",
      ([first, second]) => [changed(first, { thoughtSignature: "skip_thought_signature_validator" }), second],
      corrupted
    ],
    ["on other arguments", ([first, second]) => [changedCall(first, { args: { a: 2 } }), second], corrupted],
    ["on another name", ([first, second]) => [changedCall(first, { name: "sh" }), second], corrupted],
    [
      "on the second call, too",
      ([first, second]) => [first, changed(second, { thoughtSignature: at(first, "thoughtSignature") })],
      corrupted
    ],
    [
      "on calls that changed places",
      ([first, second]) => [second, first],
      /^Function call is missing a thought_signature/
    ]
  ]
  for (const [name, change, error] of bad) {
    it.scoped(`are wanted as they were: ${name}`, () =>
      Effect.gen(function*() {
        assert.match(yield* replayed(change), error)
      }))
  }

  it.scoped("belong to their model", () =>
    Effect.gen(function*() {
      assert.match(yield* replayed((given) => given, "gemini-3.6-flash"), corrupted)
      const foreign = (given: Parts) =>
        given.map((part, index) => ({
          functionCall: { args: at(part, "functionCall", "args"), name: "bash" },
          ...(index === 0 && { thoughtSignature: "skip_thought_signature_validator" })
        }))
      assert.strictEqual(yield* replayed(foreign, "gemini-3.6-flash"), "accepted")
    }))
})

describe("Gemini window", () => {
  const prompt = "the level of the river ".repeat(300)

  const sized = (window: number, more: object = {}) =>
    post(request({ contents: [user({ text: prompt })], ...more })).pipe(
      Effect.provide(Simulators.layer({ script: Script.reply("word ".repeat(300)), window }))
    )

  it.scoped("names the prompt and the limit, and counts tools and images in", () =>
    Effect.gen(function*() {
      const counted = yield* post({ contents: [user({ text: prompt })] }, { method: "countTokens" }).pipe(
        Effect.provide(Simulators.layer({ script: Script.reply("ok") }))
      )
      const size = Number(at(json(counted), "totalTokens"))
      assert.isAbove(size, 1_000)
      assert.strictEqual((yield* sized(size)).status, 200)
      assert.deepStrictEqual(at(json(yield* sized(size - 1)), "error"), {
        code: 400,
        message: `The input token count (${size}) exceeds the maximum number of tokens allowed (${size - 1}).`,
        status: "INVALID_ARGUMENT"
      })
      assert.strictEqual((yield* sized(size + 10, { tools })).status, 400)
      const image = { inlineData: { data: "aGk=", mimeType: "image/png" } }
      const pictured = { contents: [user({ text: prompt }, image)] }
      assert.strictEqual((yield* sized(size + 1_000, pictured)).status, 400)
      assert.strictEqual((yield* sized(size + 1_200, pictured)).status, 200)
    }))
})

describe("Gemini prompt cache", () => {
  it.scoped("is implicit: the prefix that an earlier request shares, inside of the prompt's count", () =>
    Effect.gen(function*() {
      const simulator = yield* Simulator
      const ask = (...contents: ReadonlyArray<object>) =>
        Effect.map(
          post({ contents, systemInstruction: { parts: [{ text: "Rule of the house. ".repeat(400) }] } }),
          (response) => counts(at(json(response), "usageMetadata"))
        )
      const hi = user({ text: "hi" })
      const first = yield* ask(hi)
      assert.strictEqual(first.cached, 0)
      const grown = yield* ask(hi, model({ text: "Hello." }), user({ text: "and" }))
      assert.strictEqual(grown.input, (yield* simulator.requests)[1]?.tokens)
      assert.isAbove(grown.cached, first.input - 140)
      assert.isAtMost(grown.cached, first.input)
      assert.strictEqual((yield* ask({ ...hi, role: "user" }, model({ text: "Hello!" }), hi)).cached, grown.cached)
    }).pipe(Effect.provide(Simulators.layer({ script: Script.reply("ok") }))))
})
