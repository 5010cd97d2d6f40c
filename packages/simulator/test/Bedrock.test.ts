import { assert, describe, it } from "@effect/vitest"
import * as Fault from "@weir/simulator/Fault"
import * as Script from "@weir/simulator/Script"
import { Simulator } from "@weir/simulator/Simulator"
import * as Simulators from "@weir/simulator/Simulator"
import * as Effect from "effect/Effect"
import { assistant, blocks, claude, events, post, request, text, user } from "./BedrockClient.js"
import { at, json } from "./TestClient.js"

const answer = "An answer of several words, with an emoji 👩‍🚀 and \"quotes\"."

const toolConfig = { tools: [{ toolSpec: { inputSchema: { json: { type: "object" } }, name: "bash" } }] }

const full = Script.say({
  parts: [
    Script.reasoning("Let me look at it."),
    Script.redacted,
    Script.text("Looking."),
    Script.call("bash", { command: "cat a" }),
    Script.call("bash", { command: "cat b" })
  ]
})

const results = (content: ReadonlyArray<unknown>) =>
  user(...content.flatMap((block) => {
    const toolUseId = at(block, "toolUse", "toolUseId")
    return toolUseId === undefined ? [] : [{ toolResult: { content: [text("ok")], toolUseId } }]
  }))

describe("Bedrock stream", () => {
  it.scoped("is the events of one text, in order, in frames", () =>
    Effect.gen(function*() {
      const response = yield* post(request())
      assert.strictEqual(response.status, 200, response.text)
      assert.strictEqual(response.headers["content-type"], "application/vnd.amazon.eventstream")
      assert.strictEqual(response.headers["x-amzn-requestid"], "00000000-0000-4000-8000-000000000000")
      const all = events(response.bytes)
      const names = all.map(({ name }) => name)
      assert.deepStrictEqual(names.slice(0, 2), ["messageStart", "contentBlockDelta"])
      assert.deepStrictEqual(names.slice(-3), ["contentBlockStop", "messageStop", "metadata"])
      assert.notInclude(names, "contentBlockStart")
      assert.isAtLeast(names.filter((name) => name === "contentBlockDelta").length, 2)
      assert.isTrue(all.every(({ type }) => type === "event"))
      assert.deepStrictEqual(blocks(response.bytes), [{ text: answer }])
      assert.deepStrictEqual(all.at(-2)?.body, { stopReason: "end_turn" })
      const logged = yield* Effect.flatMap(Simulator, ({ settled }) => settled(0))
      assert.deepInclude(logged, { kind: "main", outcome: "answered", wire: "bedrock" })
      const usage = at(all.at(-1)?.body, "usage")
      assert.deepInclude(usage, { cacheReadInputTokens: 0, cacheWriteInputTokens: 0, inputTokens: logged.tokens })
      assert.isAbove(Number(at(usage, "outputTokens")), 5)
      assert.strictEqual(at(usage, "totalTokens"), logged.tokens + Number(at(usage, "outputTokens")))
    }).pipe(Effect.provide(Simulators.layer({ script: Script.reply(answer) }))))

  it.scoped("holds thinking, hidden thinking, text and parallel calls; whole replies hold the same", () =>
    Effect.gen(function*() {
      const streamed = yield* post(request({ toolConfig }))
      const content = blocks(streamed.bytes)
      assert.deepStrictEqual(content.map((block) => Object.keys(Object(block))[0]), [
        "reasoningContent",
        "reasoningContent",
        "text",
        "toolUse",
        "toolUse"
      ])
      assert.strictEqual(at(content[0], "reasoningContent", "reasoningText", "text"), "Let me look at it.")
      assert.isString(at(content[1], "reasoningContent", "redactedContent"))
      assert.deepInclude(at(content[3], "toolUse"), { input: { command: "cat a" }, name: "bash" })
      assert.deepStrictEqual(events(streamed.bytes).at(-2)?.body, { stopReason: "tool_use" })
      const whole = json(yield* post(request({ toolConfig }), { operation: "converse" }))
      const wholeBlocks = at(whole, "output", "message", "content")
      assert.lengthOf(Array.isArray(wholeBlocks) ? wholeBlocks : [], 5)
      assert.strictEqual(at(whole, "stopReason"), "tool_use")
      assert.isAbove(Number(at(whole, "usage", "outputTokens")), 5)
    }).pipe(Effect.provide(Simulators.layer({ script: full }))))

  it.scoped("names its ends", () =>
    Effect.gen(function*() {
      const reasons = yield* Effect.forEach([{}, {}, {}, { inferenceConfig: { maxTokens: 3 } }], (more) =>
        Effect.map(post(request(more)), ({ bytes }) => at(events(bytes).at(-2)?.body, "stopReason")))
      assert.deepStrictEqual(reasons, ["end_turn", "max_tokens", "content_filtered", "max_tokens"])
    }).pipe(Effect.provide(Simulators.layer({
      script: Script.sequence([
        ...(["end", "length", "refused"] as const).map((stop) =>
          Script.say({ parts: [Script.text("So")], stop })
        ),
        Script.reply("A long answer that does not fit at all.")
      ])
    }))))

  it.scoped("reports exceptions in frames", () =>
    Effect.gen(function*() {
      const all = yield* Effect.forEach([0, 1], () => Effect.map(post(request()), ({ bytes }) => events(bytes)))
      assert.deepStrictEqual(all.map((one) => one.at(-1)), [
        { body: { message: "Slow" }, name: "throttlingException", type: "exception" },
        { body: { message: "Broken" }, name: "internalServerException", type: "exception" }
      ])
      assert.deepStrictEqual(all.map((one) => one.length), [3, 1])
    }).pipe(Effect.provide(Simulators.layer({
      faults: [
        Fault.at(0, { _tag: "ErrorFrame", after: 2, code: "throttlingException", message: "Slow" }),
        Fault.at(1, { _tag: "ErrorFrame", after: 0, message: "Broken" })
      ],
      script: Script.reply(answer)
    }))))
})

describe("Bedrock window", () => {
  it.scoped("is enforced in the model's words", () =>
    Effect.gen(function*() {
      const response = yield* post(request({ messages: [user(text("word ".repeat(2_000)))] }))
      assert.strictEqual(response.status, 400)
      assert.match(response.headers["x-amzn-errortype"] ?? "", /^ValidationException:/)
      assert.match(
        String(at(json(response), "message")),
        /^The model returned the following errors: prompt is too long: \d+ tokens > 500 maximum$/
      )
    }).pipe(Effect.provide(Simulators.layer({ script: Script.reply(answer), window: 500 }))))
})

describe("Bedrock thinking", () => {
  const replay = (change: (content: ReadonlyArray<unknown>) => ReadonlyArray<unknown>, more: object = {}) =>
    Effect.gen(function*() {
      const content = blocks((yield* post(request({ toolConfig }))).bytes)
      const messages = [user(text("hi")), assistant(...change(content)), results(content)]
      return yield* post(request({ messages, toolConfig, ...more }))
    }).pipe(Effect.provide(Simulators.layer({ script: full })))

  it.scoped("comes back as it was", () =>
    Effect.gen(function*() {
      const response = yield* replay((content) => content)
      assert.strictEqual(response.status, 200, response.text)
    }))

  const refuses = (
    name: string,
    change: (content: ReadonlyArray<unknown>) => ReadonlyArray<unknown>,
    message: RegExp
  ) =>
    it.scoped(`may not come back ${name}`, () =>
      Effect.gen(function*() {
        const response = yield* replay(change)
        assert.strictEqual(response.status, 400)
        assert.match(String(at(json(response), "message")), message)
      }))

  const model = "^The model returned the following errors: "
  refuses(
    "reworded",
    (content) => JSON.parse(JSON.stringify(content).replace("look at it", "think")),
    /Invalid `signature`/
  )
  refuses("with other hidden bytes", ([first, , ...others]) => [
    first,
    { reasoningContent: { redactedContent: "AAAA" } },
    ...others
  ], /Invalid `data`/)
  refuses("in part", ([, ...others]) => others, new RegExp(`${model}.*cannot be modified`))
  refuses(
    "after what it led to",
    ([first, second, third, ...others]) => [second, third, ...others, first],
    /cannot be modified/
  )
  refuses("not at all", (content) => content.slice(2), new RegExp(`${model}.*Expected \`thinking\``))

  it.scoped("may be left out with thinking disabled", () =>
    Effect.gen(function*() {
      const disabled = { additionalModelRequestFields: { thinking: { type: "disabled" } } }
      assert.strictEqual((yield* replay((content) => content.slice(2), disabled)).status, 200)
    }))
})

describe("Bedrock prompt cache", () => {
  const long = "All that there is to know about the task at hand, in many words. ".repeat(200)
  const mark = { cachePoint: { type: "default" } }

  it.scoped("holds what ends at a cache point", () =>
    Effect.gen(function*() {
      const ask = (system: ReadonlyArray<unknown>, ...content: ReadonlyArray<unknown>) =>
        Effect.map(
          post(request({ messages: [user(...content)], system }), { model: claude }),
          ({ bytes }) => at(events(bytes).at(-1)?.body, "usage")
        )
      const count = (usage: unknown) =>
        ["cacheReadInputTokens", "cacheWriteInputTokens", "inputTokens"].map((name) => Number(at(usage, name)))
      const [, written = 0, fresh = 0] = count(yield* ask([text(long), mark], text("one")))
      assert.isAbove(written, 1_024)
      assert.isAbove(fresh, 0)
      assert.deepStrictEqual(count(yield* ask([text(long), mark], text("two"))), [written, 0, fresh])
      assert.deepStrictEqual(count(yield* ask([text(long)], text("two"))), [0, 0, written + fresh])
      assert.deepStrictEqual(count(yield* ask([text(`${long}.`), mark], text("two"))).slice(0, 1), [0])
    }).pipe(Effect.provide(Simulators.layer({ script: Script.reply("ok") }))))
})
