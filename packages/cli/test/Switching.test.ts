/** A session that another provider, or another model, goes on with: every API after every other, in one process. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert, describe, it } from "@effect/vitest"
import * as LimitStore from "@weir/agent/LimitStore"
import * as Session from "@weir/agent/Session"
import * as Compaction from "@weir/compaction/Compaction"
import { exchanges, type Image, type ToolResult, type UserMessage, userMessage } from "@weir/model/Conversation"
import { Model } from "@weir/model/Model"
import type { Prompt } from "@weir/model/Prompt"
import type { Tool } from "@weir/model/Tool"
import * as OpenAiChat from "@weir/openai/OpenAiChat"
import * as Branch from "@weir/session/Branch"
import type { Record } from "@weir/session/Record"
import * as SessionFiles from "@weir/session/SessionFiles"
import { SessionStore } from "@weir/session/SessionStore"
import { Transcript } from "@weir/session/Transcript"
import * as Script from "@weir/simulator/Script"
import * as Simulator from "@weir/simulator/Simulator"
import * as Picture from "@weir/transport/Picture"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { nativeMarks } from "./Apis.js"
import { type Codec, codecs } from "./Codecs.js"
import { directory } from "./Process.js"

/** One pixel. */
const png: Image = {
  data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  mediaType: "image/png"
}

/** No API takes it. */
const bitmap: Image = { data: "Qk0eAAAA", mediaType: "image/bmp" }

const words = ["Look at the first picture", "Look once more", "Look for the last time"]

const first = userMessage(`${words[0]}, "well"; then say what it is.`, [png, bitmap])
const second = userMessage(`${words[1]}.`)
const third = userMessage(`${words[2]}.`)

const answers = ["It is a dot.", "It is a dot still.", "It is a dot for ever."]

const failure = "The lens is broken."

/** What the model thinks in a turn, in no words that it says. */
const thought = (turn: number) => `Pondering number ${turn} in private.`

const saidIn = (entry: Prompt["entries"][number], turn: number) =>
  entry._tag === "UserMessage" && entry.text.includes(words[turn] ?? "")

/** Each turn thinks, calls and answers; the first calls two tools at once, one of which fails, and then a third. */
const script = Script.respond(({ entries }) => {
  const turn = words.findLastIndex((_, index) => entries.some((entry) => saidIn(entry, index)))
  const since = entries.slice(entries.findLastIndex((entry) => saidIn(entry, turn)))
  const done = since.flatMap((entry) => entry._tag === "Step" ? exchanges(entry) : []).length
  const think = Script.reasoning(thought(turn))
  if (done === (turn === 0 ? 3 : 1)) return { parts: [think, Script.text(answers[turn] ?? "")] }
  return turn === 0 && done === 0
    ? { parts: [think, Script.text("I look."), Script.call("look", { at: 0 }), Script.call("zoom", {})] }
    : { parts: [think, Script.call("look", { at: done })] }
})

const tool = (name: string, result: Pick<ToolResult, "text" | "isError" | "images">): Tool => ({
  access: "read",
  run: () => Effect.succeed({ facts: [], ...result }),
  spec: { description: `The tool ${name}.`, name, parameters: { type: "object", properties: {} } }
})

const tools = [
  tool("look", { images: [png, bitmap], isError: false, text: "Seen." }),
  tool("zoom", { images: [], isError: true, text: failure })
]

interface Reader {
  readonly provider: string
  readonly id: string
  readonly model: (simulator: Simulator.Simulator["Type"]) => Model["Type"]
}

const limits = { outputCap: 1_000, source: "declared", window: 128_000 } as const

const sameId = "simulated"

/** Every reader has a name of its own, as providers have, and all their models may be called the same. */
const reader = ({ api, model }: Codec, id: string = sameId): Reader => ({
  id,
  model: (simulator) => ({ ...model(simulator, limits, id), provider: api }),
  provider: api
})

/** Where the codecs go by the name, a model that is treated differently. */
const others: Readonly<{ [api: string]: string }> = {
  "Bedrock Converse": "anthropic.claude-sonnet-4-5",
  Gemini: "gemini-2.5-pro",
  "OpenAI Codex": "gpt-5.4",
  "OpenAI Responses": "gpt-5.4"
}

/** A server that wants reasoning back. */
const replaying: Codec = {
  api: "Chat Completions of vLLM",
  model: ({ url }, limits, model = sameId) =>
    OpenAiChat.make({ baseUrl: url, dialect: "vllm", limits, model, provider: "sim" })
}

const ask = Effect.fnUntraced(function*(
  { model }: Reader,
  message: UserMessage,
  options: { readonly opened?: string; readonly maxSteps?: number } = {}
) {
  const simulator = yield* Simulator.Simulator
  const store = yield* SessionStore
  const before = (yield* simulator.requests).length
  const leading = model(simulator)
  const transcript = yield* options.opened === undefined
    ? store.create({ cwd: "/", model: leading.id, provider: leading.provider })
    : store.open(options.opened)
  const session = yield* Session.make({
    ...Session.defaults,
    idleTimeout: Duration.zero,
    maxSteps: options.maxSteps ?? Session.defaults.maxSteps,
    outputDirectory: "/nowhere",
    systemPrompt: "You are exact.",
    tools
  }).pipe(
    Effect.provide([
      Compaction.layer,
      LimitStore.layerMemory,
      Layer.succeed(Model, leading),
      Layer.succeed(Transcript, transcript)
    ])
  )
  const result = yield* session.prompt(message)
  const requests = (yield* simulator.requests).slice(before)
  assert.deepStrictEqual(
    requests.filter(({ outcome }) => outcome !== "answered").map(({ body, wire }) => [wire, body]),
    [],
    result.error?.message
  )
  return { bodies: requests.map(({ body }) => body), id: transcript.start.id, result }
}, Effect.scoped)

const changes = (records: ReadonlyArray<Record>) =>
  records.flatMap((record) => record._tag === "ModelChanged" ? [[record.provider, record.model]] : [])

/** What of a turn only its own model may see again: signatures, ciphers, ids of thoughts and the thoughts themselves. */
const secrets = (bodies: ReadonlyArray<string>, records: ReadonlyArray<Record>) => {
  const calls = records.flatMap((record) =>
    record._tag === "StepCompleted" ? exchanges(record.step).map(({ call }) => call.id) : []
  )
  const ids = bodies.flatMap((body) => [...body.matchAll(/"id":"(rs_[^"]*)"/g)].map(([, id]) => id ?? ""))
  return [...new Set([...bodies.flatMap(nativeMarks), ...ids])].filter((mark) => !calls.includes(mark))
}

const found = (body: string, marks: ReadonlyArray<string>) => marks.filter((mark) => body.includes(mark))

/** A session whose first turn `from` has led, to be gone on with by others. */
const begin = Effect.fnUntraced(function*(from: Reader, maxSteps?: number) {
  const store = yield* SessionStore
  const turn = yield* ask(from, first, { ...(maxSteps !== undefined && { maxSteps }) })
  assert.strictEqual(turn.result.reason, maxSteps === undefined ? "finished" : "max_steps", turn.result.error?.message)
  const { records } = yield* store.read(turn.id)
  assert.deepStrictEqual(changes(records), [])
  return { ...turn, from, marks: secrets(turn.bodies, records) }
})

type Begun = Effect.Effect.Success<ReturnType<typeof begin>>

/** `steps`: where the second turn is stopped, which is before its answer unless there are two. */
const goOn = Effect.fnUntraced(function*(begun: Begun, to: Reader, steps: 1 | 2 = 2) {
  const store = yield* SessionStore
  const opened = yield* Branch.fork(begun.id)
  const turn = yield* ask(to, second, { maxSteps: steps, opened })
  assert.deepStrictEqual(
    [turn.result.reason, turn.result.text],
    steps === 2 ? ["finished", answers[1]] : ["max_steps", ""],
    to.provider
  )
  assert.strictEqual(turn.bodies.length, steps)
  for (const body of turn.bodies) {
    assert.include(body, `${words[0]}, \\"well\\"; then say what it is.`)
    assert.include(body, failure)
    assert.include(body, png.data)
    assert.include(body, Picture.omitted(bitmap))
    assert.notInclude(body, bitmap.data)
    assert.deepStrictEqual(found(body, [...begun.marks, thought(0)]), [], to.provider)
  }
  assert.deepStrictEqual(changes((yield* store.read(opened)).records), [[to.provider, to.id]])
  return { ...turn, opened }
})

/** The first model again: it gets back what is its own, and nothing of the one between. */
const comeBack = Effect.fnUntraced(function*(
  begun: Begun,
  gone: Effect.Effect.Success<ReturnType<typeof goOn>>
) {
  const store = yield* SessionStore
  const between = secrets(gone.bodies, (yield* store.read(gone.opened)).records).filter((mark) =>
    !begun.marks.includes(mark)
  )
  const turn = yield* ask(begun.from, third, { opened: gone.opened })
  assert.deepStrictEqual([turn.result.reason, turn.result.text], ["finished", answers[2]])
  for (const body of turn.bodies) {
    assert.deepStrictEqual(found(body, begun.marks), begun.marks)
    assert.deepStrictEqual(found(body, [...between, thought(1)]), [])
  }
  const records = (yield* store.read(gone.opened)).records
  assert.deepStrictEqual(changes(records).slice(1), [[begun.from.provider, begun.from.id]])
})

const live = <E>(
  title: string,
  run: Effect.Effect<void, E, SessionStore | Simulator.Simulator | NodeContext.NodeContext>
) =>
  it.scopedLive(title, () =>
    Effect.gen(function*() {
      const root = yield* directory()
      const world = Layer.merge(SessionFiles.layer(root), Simulator.layer({ script }))
      yield* Effect.provide(run, world)
    }).pipe(Effect.provide(NodeContext.layer)), 30_000)

for (const codec of [...codecs, replaying]) {
  const from = reader(codec)
  const sibling = reader(codec, others[codec.api] ?? "another")
  const strangers = codec === replaying ? [] : codecs.filter(({ api }) => api !== codec.api).map((one) => reader(one))

  describe(`a turn led over ${codec.api}`, () => {
    live(
      "[F02] is gone on with over every other API and by another model of its own, and by its model after that",
      Effect.gen(function*() {
        const begun = yield* begin(from)
        assert.strictEqual(begun.bodies.length, 3)
        assert.strictEqual(begun.marks.length === 0, codec.api.startsWith("Chat Completions"))
        const isThoughtReplayed = codec.api !== "Chat Completions"
        assert.strictEqual(begun.bodies[2]?.includes(thought(0)), isThoughtReplayed)
        yield* comeBack(begun, yield* goOn(begun, sibling))
        const gone = yield* Effect.forEach(strangers, (to) => goOn(begun, to))
        yield* Effect.forEach(gone.slice(0, 1), (one) => comeBack(begun, one))
      })
    )

    live(
      "[F02] is gone on with by all of them when it ended with results that nobody has answered",
      Effect.gen(function*() {
        const begun = yield* begin(from, 1)
        yield* Effect.forEach([sibling, ...strangers], (to) => goOn(begun, to, 1))
      })
    )
  })
}
