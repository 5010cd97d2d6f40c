/** What every codec has to do over its wire, against the simulator and through its real SDK. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as FileSystem from "@effect/platform/FileSystem"
import { assert, describe, it, vi } from "@effect/vitest"
import { userMessage } from "@weir/model/Conversation"
import type { Model, SendOptions } from "@weir/model/Model"
import type { ModelError } from "@weir/model/ModelError"
import type { Prompt } from "@weir/model/Prompt"
import * as Reply from "@weir/model/Reply"
import * as Fault from "@weir/simulator/Fault"
import type * as SimulatorOptions from "@weir/simulator/Options"
import * as Script from "@weir/simulator/Script"
import * as Simulator from "@weir/simulator/Simulator"
import * as Chunk from "effect/Chunk"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import * as SdkFetch from "../src/SdkFetch.js"
import type * as SdkModel from "../src/SdkModel.js"

export interface Options extends SdkModel.Options {
  /** The same that `fetch` waits, for an SDK with an HTTP client of its own. */
  readonly timeouts?: SdkFetch.Timeouts
}

type Refusal = readonly [name: string, answer: Fault.Fault, wanted: object]

export interface Api {
  readonly name: string
  /** Its name in the corpus of errors. */
  readonly corpus: string
  /** `provider` is the one of the corpus, where it matters. */
  readonly make: (options: Options) => Model["Type"]
  readonly baseUrl: (simulator: Simulator.Simulator["Type"]) => string
  /** A stream that breaks off after its first words. */
  readonly begun: ReadonlyArray<unknown>
  /** A stream with these elements. */
  readonly stream: (elements: ReadonlyArray<unknown>) => Fault.Fault
  /** Errors in forms that only this API knows. */
  readonly refusals: ReadonlyArray<Refusal>
  /** Why no request can go without a key, where that is so. */
  readonly alwaysKeyed?: string
  /** Why an error about the window names no sizes, where that is so. */
  readonly unsized?: string
}

export const tools = [{ description: "Reads.", name: "read", parameters: { properties: {}, type: "object" } }]
export const prompt: Prompt = { entries: [userMessage("hello")], system: "Be brief.", tools }
export const sending: SendOptions = { maxOutputTokens: 1000, sessionId: "session-1" }

/** All events of the reply to the prompt. */
export const ask = (model: Model["Type"], more: Partial<Prompt> = {}) =>
  model.start({ ...prompt, ...more }).stream(sending).pipe(Stream.runCollect, Effect.map(Chunk.toReadonlyArray))

export const simulate = (options: Partial<SimulatorOptions.Options> = {}) =>
  Simulator.make({ script: Script.reply("Hello you."), ...options })

export const options = (baseUrl: string): Options => ({
  baseUrl,
  limits: { outputCap: 8192, source: "declared", window: 128_000 },
  model: "sim-1",
  provider: "sim"
})

export const http = (status: number, body: unknown, headers: Record<string, string> = {}): Fault.Fault => ({
  _tag: "Http",
  body: typeof body === "string" ? body : JSON.stringify(body),
  headers: { "content-type": "application/json", ...headers },
  status
})

/** A whole stream, given as its text. */
export const eventStream = (body: string): Fault.Fault => http(200, body, { "content-type": "text/event-stream" })

const Case = Schema.Struct({
  api: Schema.String,
  body: Schema.Unknown,
  httpStatus: Schema.Int,
  kind: Schema.String,
  maxTokens: Schema.optional(Schema.Number),
  actualTokens: Schema.optional(Schema.Number),
  provider: Schema.String,
  where: Schema.Literal("http", "stream", "usage")
})

const corpus = (api: Api) =>
  Effect.gen(function*() {
    const fileSystem = yield* FileSystem.FileSystem
    const path = new URL("overflow-cases.json", import.meta.url).pathname
    const all = yield* Schema.decode(Schema.parseJson(Schema.Array(Case)))(yield* fileSystem.readFileString(path))
    const isError = (one: typeof Case.Type) => one.where !== "usage" && one.kind !== "length"
    return all.filter((one) => one.api === api.corpus && isError(one))
  }).pipe(Effect.provide(NodeContext.layer))

const tags: Record<string, ModelError["_tag"]> = {
  content_policy: "ContentRefused",
  context: "ContextWindowExceeded",
  image: "InvalidRequest",
  invalid_request: "InvalidRequest",
  item_too_large: "InvalidRequest",
  output_limit: "OutputLimitExceeded",
  payload: "ContextWindowExceeded",
  quota: "QuotaExhausted",
  rate_limit: "ModelUnavailable",
  replay_shape: "InvalidRequest",
  tpm_too_large: "QuotaExhausted",
  transient: "ModelUnavailable"
}

const page = { "content-type": "text/html; charset=utf-8" }

const refusals = ({ begun, refusals, stream }: Api): ReadonlyArray<Refusal> => [
  ["JSON with status 200", http(200, { error: { message: "busy", type: "server_error" } }), {
    _tag: "ModelUnavailable",
    detail: "HTTP 200: busy"
  }],
  ["a page with status 200", http(200, "<html><title>Log in</title></html>", page), { _tag: "InvalidRequest" }],
  ["a page of a proxy", http(502, "<html><h1>Bad Gateway</h1></html>", page), {
    _tag: "ModelUnavailable",
    detail: "HTTP 502: Bad Gateway"
  }],
  ["a body without `error`", http(400, { detail: "unknown field" }), {
    _tag: "InvalidRequest",
    detail: "HTTP 400: unknown field"
  }],
  ["a timeout of a proxy", http(504, "upstream timed out"), {
    _tag: "ModelUnavailable",
    detail: "HTTP 504: upstream timed out"
  }],
  ["no event", stream([]), { _tag: "ModelUnavailable", reason: "interrupted" }],
  ["no last word", stream(begun), { _tag: "ModelUnavailable", reason: "interrupted" }],
  ["a clean cut", { _tag: "Eof", after: 1 }, { _tag: "ModelUnavailable", reason: "interrupted" }],
  ["a reset in the stream", { _tag: "Reset", after: 1 }, { _tag: "ModelUnavailable", reason: "interrupted" }],
  ["a reset before the answer", { _tag: "Drop" }, { _tag: "ModelUnavailable", reason: "network" }],
  ["an error event", { _tag: "ErrorFrame", after: 1, message: "The server had an error" }, {
    _tag: "ModelUnavailable",
    reason: "overloaded"
  }],
  ...refusals
]

const busy = { error: { message: "slow down" } }

const retryInfo = { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "18s" }

/** What may ask for a delay, and the delay in milliseconds, 10 seconds after the beginning of time. */
const delays: ReadonlyArray<
  readonly [name: string, headers: Record<string, string>, body: object, millis: number | undefined]
> = [
  ["milliseconds, before seconds", { "retry-after": "2", "retry-after-ms": "1500" }, busy, 1_500],
  ["seconds", { "retry-after": "90" }, busy, 90_000],
  ["a part of a second", { "retry-after": "0.25" }, busy, 250],
  ["a date", { "retry-after": "Thu, 01 Jan 1970 00:00:30 GMT" }, busy, 20_000],
  ["a date that is past", { "retry-after": "Thu, 01 Jan 1970 00:00:05 GMT" }, busy, undefined],
  ["no time at all", { "retry-after": "0" }, busy, undefined],
  ["nonsense", { "retry-after": "soon" }, busy, undefined],
  ["Google's way", {}, { error: { ...busy.error, details: [retryInfo], status: "RESOURCE_EXHAUSTED" } }, 18_000],
  ["words", {}, { error: { message: "Rate limit reached. Please try again in 1m2.5s." } }, 62_500],
  ["words in milliseconds", {}, { error: { message: "Please try again in 120ms. Visit x" } }, 120],
  ["nothing", {}, busy, undefined]
]

export const conformance = (api: Api): void => {
  const model = (simulator: Simulator.Simulator["Type"], more: Partial<Options> = {}) =>
    api.make({ ...options(api.baseUrl(simulator)), ...more })

  /** What the codec makes of one answer. */
  const failure = (fault: Fault.Fault, more: Partial<Options> = {}) =>
    Effect.flatMap(simulate({ faults: [Fault.at(0, fault)] }), (simulator) => Effect.flip(ask(model(simulator, more))))

  describe(api.name, () => {
    it.scoped("[F02] streams a reply with reasoning, text, calls and usage, and goes on after the results", () =>
      Effect.gen(function*() {
        const simulator = yield* simulate({
          script: Script.sequence([
            Script.say({
              parts: [
                Script.reasoning("Hm, let me see."),
                Script.text("Looking… 🔭"),
                Script.call("read", { path: "a" }),
                Script.call("read", { path: "b" })
              ]
            }),
            Script.reply("Both are fine.")
          ])
        })
        const start = model(simulator).start(prompt)
        const events = Chunk.toReadonlyArray(yield* Stream.runCollect(start.stream(sending)))
        const reply = events.reduce(Reply.append, Reply.empty)
        assert.strictEqual(reply.stop, "calls")
        assert.deepStrictEqual(
          reply.parts.map((part) => part._tag === "ToolCall" ? part.arguments : part.text),
          ["Hm, let me see.", "Looking… 🔭", "{\"path\":\"a\"}", "{\"path\":\"b\"}"]
        )
        assert.isAbove(reply.usage?.fresh ?? 0, 5)
        assert.isAbove(reply.usage?.output ?? 0, 5)
        assert.isTrue(
          events.findIndex(({ _tag }) => _tag === "CallStarted") <
            events.findIndex(({ _tag }) => _tag === "CallFinished")
        )

        const step = Reply.toStep(reply, (call) => ({ facts: [], images: [], isError: false, text: call.arguments }))
        const last = yield* Stream.runCollect(start.append(step).stream(sending))
        assert.strictEqual(
          Chunk.toReadonlyArray(last).map((event) => event._tag === "TextDelta" ? event.text : "").join(""),
          "Both are fine."
        )
        const logged = yield* simulator.requests
        assert.deepStrictEqual(logged.map(({ outcome }) => outcome), ["answered", "answered"])
        assert.strictEqual(yield* simulator.openConnections, 1)
      }))

    it.scoped("[F02] maps the reasons of an end", () =>
      Effect.gen(function*() {
        for (const stop of ["end", "length", "refused"] as const) {
          const simulator = yield* simulate({ script: Script.say({ parts: [Script.text("So")], stop }) })
          assert.deepInclude((yield* ask(model(simulator))).at(-1), { _tag: "Finished", stop })
        }
      }))

    it.scoped("sends a given key and given headers", () =>
      Effect.gen(function*() {
        const simulator = yield* simulate({ apiKey: Redacted.make("good-key") })
        yield* ask(model(simulator, { apiKey: Redacted.make("good-key"), headers: { "x-extra": "1" } }))
        const { headers } = yield* simulator.request(0)
        assert.strictEqual(headers["x-extra"], "1")
        assert.notProperty(headers, "x-stainless-timeout")
      }))

    if (api.alwaysKeyed === undefined) {
      it.scoped("sends no key where none is given", () =>
        Effect.gen(function*() {
          const simulator = yield* simulate()
          yield* ask(model(simulator))
          const { headers } = yield* simulator.request(0)
          assert.notProperty(headers, "authorization")
          assert.notProperty(headers, "x-api-key")
          assert.notProperty(headers, "x-goog-api-key")
        }))
    }

    it.scoped("[F02] counts cached tokens apart", () =>
      Effect.gen(function*() {
        const simulator = yield* simulate({ faults: [Fault.at(0, { _tag: "Usage", report: "cached" })] })
        const last = (yield* ask(model(simulator))).at(-1)
        assert.isTrue(last?._tag === "Finished" && last.usage !== undefined && last.usage.cacheRead > 0)
      }))

    it.scoped("does without usage", () =>
      Effect.gen(function*() {
        const simulator = yield* simulate({ faults: [Fault.at(0, { _tag: "Usage", report: "missing" })] })
        assert.deepStrictEqual((yield* ask(model(simulator))).at(-1), { _tag: "Finished", stop: "end" })
      }))

    it.scoped("reads a window exceeded at the server, with the sizes that it names", () =>
      Effect.gen(function*() {
        const simulator = yield* simulate({ window: 500 })
        const error = yield* Effect.flip(ask(model(simulator), { entries: [userMessage("word ".repeat(2000))] }))
        assert.deepInclude(error, { _tag: "ContextWindowExceeded", kind: "tokens" })
        if (api.unsized !== undefined) return
        assert.deepInclude(error, { limit: 500 })
        assert.isAbove(error._tag === "ContextWindowExceeded" ? error.actual ?? 0 : 0, 500)
      }))
  })

  // Side by side with the errors, since most of it is waiting.
  describe.concurrent(`${api.name}'s connections`, () => {
    // Long enough for the head of an answer on a machine that is busy.
    const timeouts: SdkFetch.Timeouts = { body: 1_000, connect: 10_000, headers: 1_000 }
    const impatient = { fetch: SdkFetch.make(timeouts), timeouts }

    for (const [place, pause] of [["beforeHeaders", "network"], ["beforeFirst", "interrupted"]] as const) {
      it.scoped(
        `[A22] await a silence of 24 hours (${place}), in which a client's own timer would have struck`,
        () =>
          Effect.gen(function*() {
            const simulator = yield* simulate({
              script: Script.say({ parts: [Script.text("At last.")], [place]: "24 hours" })
            })
            const waiting = yield* Effect.fork(ask(model(simulator)))
            yield* simulator.request(0)
            // The same silence, with timers of a second: real time passes until they have struck twice.
            for (const _ of [1, 2]) {
              const error = yield* Effect.flip(ask(model(simulator, impatient)))
              assert.deepInclude(error, { _tag: "ModelUnavailable", reason: pause })
              assert.match(error.detail, /timeout|timed out/i)
            }
            assert.isNull(waiting.unsafePoll())
            yield* TestClock.adjust("24 hours")
            const events = yield* Fiber.join(waiting)
            assert.deepInclude(events.at(-1), { _tag: "Finished", stop: "end" })
          }),
        10_000
      )
    }
  })

  describe.concurrent(`${api.name}'s errors`, () => {
    it.scoped("are what the servers of the corpus mean, through the SDK, with one request each", () =>
      Effect.gen(function*() {
        const cases = yield* corpus(api)
        assert.isAbove(cases.length, 1)
        const simulator = yield* simulate({
          faults: cases.map((one, index) =>
            Fault.at(index, one.where === "stream" ? api.stream([one.body]) : http(one.httpStatus, one.body))
          )
        })
        const wrong = yield* Effect.forEach(cases, (one) =>
          Effect.gen(function*() {
            const error = yield* Effect.flip(ask(model(simulator, { provider: one.provider })))
            const isRight = error._tag === tags[one.kind] && (error._tag !== "ContextWindowExceeded" ||
              error.limit === one.maxTokens && error.actual === one.actualTokens)
            return isRight ? [] : [{ error, one }]
          }))
        assert.deepStrictEqual(wrong.flat(), [])
        assert.lengthOf(yield* simulator.requests, cases.length)
      }))

    it.scoped("[F04] are found where the SDK finds none", () =>
      Effect.gen(function*() {
        const written = [...["error", "warn"] as const].map((level) => vi.spyOn(console, level))
        for (const [name, fault, wanted] of refusals(api)) assert.deepInclude(yield* failure(fault), wanted, name)
        for (const spy of written) {
          assert.strictEqual(spy.mock.calls.length, 0)
          spy.mockRestore()
        }
      }), 30_000)

    it.scoped("name the delay that the server asks for, in every form, however long", () =>
      Effect.gen(function*() {
        yield* TestClock.adjust("10 seconds")
        for (const [name, headers, body, millis] of delays) {
          const error = yield* failure(http(429, body, headers))
          assert.strictEqual(error._tag, "ModelUnavailable", name)
          const asked = error._tag === "ModelUnavailable" ? error.retryAfter : undefined
          assert.strictEqual(asked && Duration.toMillis(asked), millis, name)
        }
      }))

    it.scoped("obey the server's word on whether to try again", () =>
      Effect.gen(function*() {
        const advised = (status: number, advice: string) =>
          failure(http(status, { error: { message: "Hm" } }, { "x-should-retry": advice }))
        assert.strictEqual((yield* advised(400, "true"))._tag, "ModelUnavailable")
        assert.strictEqual((yield* advised(400, "false"))._tag, "InvalidRequest")
        assert.strictEqual((yield* advised(503, "true"))._tag, "ModelUnavailable")
        assert.strictEqual((yield* advised(503, "false"))._tag, "InvalidRequest")
      }))

    it.scoped("show no key", () =>
      Effect.gen(function*() {
        const keys = { apiKey: Redacted.make("my+key/with=signs"), headers: { "x-auth-token": "tok-1234" } }
        const error = yield* failure(
          http(401, { error: { message: "Incorrect API key provided: my+key/with=signs, tok-1234" } }),
          keys
        )
        assert.strictEqual(error._tag, "AuthenticationFailed")
        assert.notInclude(`${error.detail} ${error.message} ${String(error)}`, "my+key")
        assert.notInclude(`${error.detail} ${error.message} ${String(error)}`, "tok-1234")
      }))

    it.effect("name the address of a server that is not there", () =>
      Effect.gen(function*() {
        const gone = yield* Effect.scoped(simulate())
        const refused = yield* Effect.flip(ask(model(gone)))
        assert.deepInclude(refused, { _tag: "ModelUnavailable", reason: "network", unreachable: true })
        assert.include(refused.detail, new URL(gone.url).host)
        assert.include(refused.detail, "ECONNREFUSED")
        const unknown = yield* Effect.flip(ask(model(gone, { baseUrl: "http://no-such-host.invalid/v1" })))
        assert.deepInclude(unknown, { _tag: "ModelUnavailable", reason: "network" })
        assert.include(unknown.detail, "no-such-host.invalid")
        for (const baseUrl of ["not an address", "ftp://127.0.0.1/v1"]) {
          const nonsense = yield* Effect.flip(ask(model(gone, { baseUrl })))
          assert.strictEqual(nonsense._tag, "InvalidRequest", baseUrl)
          assert.include(nonsense.detail, baseUrl.replace(/^.*\/\/|\/v1$/g, ""))
        }
      }))

    it.scoped("tell a server without TLS from one that is down", () =>
      Effect.gen(function*() {
        const simulator = yield* simulate()
        const baseUrl = api.baseUrl(simulator).replace("http://", "https://")
        const error = yield* Effect.flip(ask(model(simulator, { baseUrl })))
        assert.strictEqual(error._tag, "InvalidRequest")
        assert.include(error.detail, "TLS")
      }))
  })

  describe(`${api.name}'s connections`, () => {
    const silences: ReadonlyArray<readonly [string, Fault.Fault, begins: boolean]> = [
      ["before the answer", { _tag: "Hang" }, false],
      ["before the first event", { _tag: "Stall", after: 0 }, false],
      ["in the middle", { _tag: "Stall", after: 4 }, true]
    ]

    for (const [name, fault, begins] of silences) {
      it.scopedLive(
        `[F04] are closed at once by an interruption, when the server is silent ${name}`,
        () =>
          Effect.gen(function*() {
            const simulator = yield* simulate({ faults: [Fault.at(0, fault)] })
            const begun = yield* Deferred.make<void>()
            const fiber = yield* model(simulator).start(prompt).stream(sending).pipe(
              Stream.runForEach(() => Deferred.succeed(begun, undefined)),
              Effect.fork
            )
            yield* begins ? Deferred.await(begun) : simulator.request(0)
            assert.strictEqual(yield* simulator.openConnections, 1)
            const [took] = yield* Fiber.interrupt(fiber).pipe(
              Effect.zipRight(simulator.awaitOpenConnections(0)),
              Effect.timed
            )
            assert.isBelow(Duration.toMillis(took), 500)
            assert.strictEqual((yield* simulator.settled(0)).outcome, "aborted")
          }),
        5000
      )
    }

    it.scoped("are closed when the reader has enough", () =>
      Effect.gen(function*() {
        const simulator = yield* simulate({ faults: [Fault.at(0, { _tag: "Stall", after: 4 })] })
        yield* model(simulator).start(prompt).stream(sending).pipe(Stream.take(1), Stream.runDrain)
        yield* simulator.awaitOpenConnections(0)
      }))
  })
}
