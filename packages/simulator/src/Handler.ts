/** What the simulator does with one request: read, log, check key, size, shape and window, then reply or fail. */
import type * as HttpApp from "@effect/platform/HttpApp"
import type * as HttpServerError from "@effect/platform/HttpServerError"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as AnthropicWire from "./AnthropicWire.js"
import * as BedrockWire from "./BedrockWire.js"
import * as ChatWire from "./ChatWire.js"
import * as CodexLogins from "./CodexLogins.js"
import * as CodexWire from "./CodexWire.js"
import * as Delivery from "./Delivery.js"
import type { Fault } from "./Fault.js"
import * as Faults from "./Fault.js"
import * as GeminiWire from "./GeminiWire.js"
import * as Generation from "./Generation.js"
import * as Json from "./Json.js"
import type { Options } from "./Options.js"
import { defaultWindow } from "./Options.js"
import * as Progress from "./Progress.js"
import * as PromptCache from "./PromptCache.js"
import type { Arrival, LoggedRequest, RequestLog } from "./RequestLog.js"
import { redact } from "./RequestLog.js"
import * as ResponsesWire from "./ResponsesWire.js"
import type { Scripted } from "./Script.js"
import * as Script from "./Script.js"
import * as Summary from "./Summary.js"
import * as TokenCounter from "./TokenCounter.js"
import type { Answer, RawRequest, Received, Wire } from "./Wire.js"

const wires: ReadonlyArray<Wire> = [
  ChatWire.ChatWire,
  ResponsesWire.ResponsesWire,
  CodexWire.CodexWire,
  AnthropicWire.AnthropicWire,
  GeminiWire.GeminiWire,
  BedrockWire.BedrockWire
]

/** What lives as long as the server. */
interface Provider {
  readonly options: Options
  readonly log: RequestLog
  readonly progress: Progress.Progress
  readonly cache: PromptCache.PromptCache
  readonly logins: CodexLogins.CodexLogins
  readonly counter: TokenCounter.TokenCounter
}

interface SizedRequest extends RawRequest {
  readonly bytes: number
}

const rules = ({ options }: Provider, wire: Wire) => ({
  maxOutput: options.maxOutput ?? wire.maxOutput,
  models: options.models
})

const windowFor = ({ options }: Provider, arrival: Arrival) =>
  typeof options.window === "function" ? options.window(arrival) : options.window ?? defaultWindow

/** The body in one piece; the platform's own way takes seconds for the largest that some APIs accept. */
const readBytes = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.map(Stream.runCollect(request.stream), (collected) => {
    const chunks = Chunk.toReadonlyArray(collected)
    const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0))
    let start = 0
    for (const chunk of chunks) {
      bytes.set(chunk, start)
      start += chunk.byteLength
    }
    return bytes
  })

const readRaw = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.map(readBytes(request), (bytes): SizedRequest => {
    const decode = (fatal: boolean) => new TextDecoder("utf-8", { fatal, ignoreBOM: true }).decode(bytes)
    const strict = Either.try(() => decode(true))
    const body = Either.getOrElse(strict, () => decode(false))
    return {
      body,
      bytes: bytes.byteLength,
      headers: request.headers,
      isUtf8: Either.isRight(strict),
      json: Either.getOrUndefined(Json.parse(body)),
      method: request.method,
      path: request.url.split("?")[0] ?? request.url
    }
  })

/** What the input weighs, in tokens: as a whole, and piece by piece. */
const weigh = ({ counter }: Provider, received: Received) => {
  const weights = received.pieces.map(counter.piece)
  const of = (isTool: boolean) =>
    received.pieces.reduce(
      (sum, { kind }, index) => (kind === "tool") === isTool ? sum + (weights[index] ?? 0) : sum,
      0
    )
  return { messages: of(false) + counter.perRequest, tools: of(true), weights }
}

const kindOf = (received: Received): Arrival["kind"] =>
  received.counts ? "count" : Summary.isCompaction(received) ? "compaction" : "main"

const scriptedFor = (provider: Provider, wire: Wire, logged: LoggedRequest, received: Received) => {
  const { options, progress } = provider
  switch (logged.kind) {
    case "count":
      return Effect.succeed<Scripted>({ parts: [] })
    case "compaction": {
      const behaviour = Summary.behaviourAt(options.summary ?? "good", logged.indexOfKind)
      return Effect.succeed(Summary.respond(behaviour, received.prompt, wire.serverError))
    }
    case "main":
      return Effect.map(
        progress.delivered(received.session),
        (delivered) => Script.next(options.script, delivered, received.prompt)
      )
  }
}

/** Whether the window is enforced with an error. */
const refuses = ({ enforce = "prompt" }: Options) => enforce === "prompt" || enforce === "sum"

const cachedFor = (
  { cache }: Provider,
  wire: Wire,
  received: Received,
  weights: ReadonlyArray<number>,
  input: number
) => {
  if (received.counts) return { read: 0, write: 0 }
  const scope = `${wire.name} ${received.model}`
  const { read, write } = PromptCache.use(cache, wire.caching, scope, received.pieces, weights)
  const most = Math.min(read, input)
  return { read: most, write: Math.min(write, input - most) }
}

const generate = (
  provider: Provider,
  wire: Wire,
  logged: LoggedRequest,
  received: Received,
  weights: ReadonlyArray<number>,
  scripted: Scripted,
  fault: Fault | undefined
) => {
  const { counter, options } = provider
  const window = windowFor(provider, logged)
  const input = options.enforce === "truncate" ? Math.min(logged.tokens, window) : logged.tokens
  return Generation.make({
    asked: received.maxOutput ?? rules(provider, wire).maxOutput,
    cached: cachedFor(provider, wire, received, weights, input),
    counter,
    fault,
    input,
    request: logged.index,
    room: refuses(options) ? Math.max(0, window - input) : Infinity,
    scripted
  })
}

/** What the request asks for; a body over the API's own limit is not even looked at. */
const read = (provider: Provider, wire: Wire, raw: SizedRequest): Either.Either<Received, Answer> =>
  wire.maxBodyBytes !== undefined && raw.bytes > wire.maxBodyBytes
    ? Either.left(wire.tooLarge(wire.maxBodyBytes))
    : wire.read(raw, rules(provider, wire))

/** Refuses a wrong key or too large a body, whatever the request says. */
const admit = (provider: Provider, wire: Wire, raw: SizedRequest): Either.Either<void, Answer> => {
  const { apiKey, maxBodyBytes } = provider.options
  const credential = wire.credential(raw)
  const isRight = apiKey === undefined || credential === Redacted.value(apiKey)
  if (!(provider.logins.use(credential) ?? isRight)) return Either.left(wire.unauthorized(credential))
  return maxBodyBytes !== undefined && raw.bytes > maxBodyBytes ? Either.left(wire.tooLarge(maxBodyBytes)) : Either.void
}

const answer = Effect.fnUntraced(function*(provider: Provider, wire: Wire, raw: SizedRequest) {
  const { log, options, progress } = provider
  const asked = read(provider, wire, raw)
  const weight = Either.isRight(asked) ? weigh(provider, asked.right) : { messages: 0, tools: 0, weights: [] }
  const logged = yield* log.add({
    body: raw.body,
    headers: redact(raw.headers),
    json: raw.json,
    kind: Either.isRight(asked) ? kindOf(asked.right) : "main",
    method: raw.method,
    path: raw.path,
    tokens: weight.messages + weight.tools,
    wire: wire.name
  })
  // What is still open when the request's scope closes was given up by the client.
  yield* Effect.addFinalizer(() => log.settle(logged.index, { outcome: "aborted" }))
  const accepted = Either.flatMap(admit(provider, wire, raw), () => asked)
  if (Either.isLeft(accepted)) {
    yield* log.settle(logged.index, { outcome: "refused", status: accepted.left.status })
    return Delivery.respond(accepted.left, Delivery.identity(wire, logged))
  }
  const received = accepted.right
  const scripted = yield* scriptedFor(provider, wire, logged, received)
  const fault = Faults.find(options.faults ?? [], logged) ?? scripted.fault
  const output = options.enforce === "sum" ? received.maxOutput ?? 0 : 0
  const window = windowFor(provider, logged)
  return yield* Delivery.deliver({
    advance: logged.kind === "main" ? progress.advance(received.session) : Effect.void,
    fault,
    log,
    logged,
    received,
    reply: () => generate(provider, wire, logged, received, weight.weights, scripted, fault),
    scripted,
    wire,
    ...(refuses(options) && !received.counts && logged.tokens + output > window &&
      { overflow: wire.overflow({ messages: weight.messages, output, tools: weight.tools, window }) })
  })
})

type App = HttpApp.Default<HttpServerError.RequestError, Scope.Scope>

/** The platform runs handlers uninterruptibly; ours may wait for ever, so it ends when the client leaves. */
const handle = (provider: Provider): App =>
  Effect.interruptible(Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    const raw = yield* readRaw(request)
    const login = provider.logins.answer(raw, request.url)
    if (login !== undefined) return Delivery.respond(yield* login)
    const wire = wires.find((candidate) => candidate.accepts(raw))
    if (wire !== undefined) return yield* answer(provider, wire, raw)
    const { models, window } = provider.options
    return Delivery.respond(
      raw.method === "GET" && raw.path === "/v1/models"
        ? ChatWire.models(models ?? ["sim-1"], typeof window === "number" ? window : defaultWindow)
        : ChatWire.notFound(raw.method, raw.path)
    )
  }))

export const make = (
  options: Options,
  log: RequestLog
): Effect.Effect<App> =>
  Effect.map(
    Progress.make,
    (progress) =>
      handle({
        cache: PromptCache.make(),
        counter: TokenCounter.make(options.counter),
        log,
        logins: CodexLogins.make(options.accessTokenUses),
        options,
        progress
      })
  )
