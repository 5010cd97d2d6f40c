/** What the simulator does with one request: read, log, check key, size, shape and window, then reply or fail. */
import type * as HttpApp from "@effect/platform/HttpApp"
import type * as HttpServerError from "@effect/platform/HttpServerError"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as ChatWire from "./ChatWire.js"
import * as Delivery from "./Delivery.js"
import type { Fault } from "./Fault.js"
import * as Faults from "./Fault.js"
import * as Generation from "./Generation.js"
import * as Json from "./Json.js"
import type { Options } from "./Options.js"
import { defaultWindow } from "./Options.js"
import * as Progress from "./Progress.js"
import * as PromptCache from "./PromptCache.js"
import type { Arrival, LoggedRequest, RequestLog } from "./RequestLog.js"
import { redact } from "./RequestLog.js"
import type { Scripted } from "./Script.js"
import * as Script from "./Script.js"
import * as Summary from "./Summary.js"
import * as TokenCounter from "./TokenCounter.js"
import type { Answer, RawRequest, Received, Wire } from "./Wire.js"

const wires: ReadonlyArray<Wire> = [ChatWire.ChatWire]

const defaultMaxOutput = 32_768

/** What lives as long as the server. */
interface Provider {
  readonly options: Options
  readonly log: RequestLog
  readonly progress: Progress.Progress
  readonly cache: PromptCache.PromptCache
  readonly counter: TokenCounter.TokenCounter
}

interface SizedRequest extends RawRequest {
  readonly bytes: number
}

const rules = ({ options }: Provider) => ({
  maxOutput: options.maxOutput ?? defaultMaxOutput,
  models: options.models
})

const windowFor = ({ options }: Provider, arrival: Arrival) =>
  typeof options.window === "function" ? options.window(arrival) : options.window ?? defaultWindow

const readRaw = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.map(request.arrayBuffer, (bytes): SizedRequest => {
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

const respond = ({ body, headers, status }: Answer) => HttpServerResponse.raw(body, { headers, status })

/** What the input weighs, in tokens: as a whole, and piece by piece. */
const weigh = ({ counter }: Provider, received: Received) => {
  const weights = received.pieces.map(counter.piece)
  const of = (kind: "tool" | "message") =>
    received.pieces.reduce((sum, piece, index) => piece.kind === kind ? sum + (weights[index] ?? 0) : sum, 0)
  return { messages: of("message") + counter.perRequest, tools: of("tool"), weights }
}

const scriptedFor = (provider: Provider, logged: LoggedRequest, received: Received): Effect.Effect<Scripted> => {
  const { options, progress } = provider
  return logged.kind === "compaction"
    ? Effect.succeed(
      Summary.respond(Summary.behaviourAt(options.summary ?? "good", logged.indexOfKind), received.prompt)
    )
    : Effect.map(
      progress.delivered(received.session),
      (delivered) => Script.next(options.script, delivered, received.prompt)
    )
}

/** Whether the window is enforced with an error. */
const refuses = ({ enforce = "prompt" }: Options) => enforce === "prompt" || enforce === "sum"

const generate = (
  provider: Provider,
  logged: LoggedRequest,
  received: Received,
  weights: ReadonlyArray<number>,
  scripted: Scripted,
  fault: Fault | undefined
) => {
  const { cache, counter, options } = provider
  const window = windowFor(provider, logged)
  const input = options.enforce === "truncate" ? Math.min(logged.tokens, window) : logged.tokens
  const asked = received.maxOutput ?? rules(provider).maxOutput
  return Generation.make({
    cached: Math.min(PromptCache.read(cache, received.pieces, weights), input),
    counter,
    fault,
    input,
    limit: refuses(options) ? Math.min(asked, Math.max(0, window - input)) : asked,
    request: logged.index,
    scripted
  })
}

/** Refuses a wrong key or too large a body, whatever the request says. */
const admit = (provider: Provider, wire: Wire, raw: SizedRequest): Either.Either<void, Answer> => {
  const { apiKey, maxBodyBytes } = provider.options
  const credential = wire.credential(raw)
  if (apiKey !== undefined && credential !== Redacted.value(apiKey)) return Either.left(wire.unauthorized(credential))
  return maxBodyBytes !== undefined && raw.bytes > maxBodyBytes ? Either.left(wire.tooLarge(maxBodyBytes)) : Either.void
}

const answer = Effect.fnUntraced(function*(provider: Provider, wire: Wire, raw: SizedRequest) {
  const { log, options, progress } = provider
  const read = wire.read(raw, rules(provider))
  const weight = Either.isRight(read) ? weigh(provider, read.right) : { messages: 0, tools: 0, weights: [] }
  const logged = yield* log.add({
    body: raw.body,
    headers: redact(raw.headers),
    json: raw.json,
    kind: Either.isRight(read) && Summary.isCompaction(read.right) ? "compaction" : "main",
    method: raw.method,
    path: raw.path,
    tokens: weight.messages + weight.tools,
    wire: wire.name
  })
  // What is still open when the request's scope closes was given up by the client.
  yield* Effect.addFinalizer(() => log.settle(logged.index, { outcome: "aborted" }))
  const accepted = Either.flatMap(admit(provider, wire, raw), () => read)
  if (Either.isLeft(accepted)) {
    yield* log.settle(logged.index, { outcome: "refused", status: accepted.left.status })
    return respond(accepted.left)
  }
  const received = accepted.right
  const scripted = yield* scriptedFor(provider, logged, received)
  const fault = Faults.find(options.faults ?? [], logged) ?? scripted.fault
  const output = options.enforce === "sum" ? received.maxOutput ?? 0 : 0
  const window = windowFor(provider, logged)
  return yield* Delivery.deliver({
    advance: logged.kind === "compaction" ? Effect.void : progress.advance(received.session),
    fault,
    log,
    logged,
    received,
    reply: () => generate(provider, logged, received, weight.weights, scripted, fault),
    scripted,
    wire,
    ...(refuses(options) && logged.tokens + output > window &&
      { overflow: wire.overflow({ messages: weight.messages, output, tools: weight.tools, window }) })
  })
})

type App = HttpApp.Default<HttpServerError.RequestError, Scope.Scope>

/** The platform runs handlers uninterruptibly; ours may wait for ever, so it ends when the client leaves. */
const handle = (provider: Provider): App =>
  Effect.interruptible(Effect.gen(function*() {
    const raw = yield* readRaw(yield* HttpServerRequest.HttpServerRequest)
    const wire = wires.find((candidate) => candidate.accepts(raw))
    if (wire !== undefined) return yield* answer(provider, wire, raw)
    const { models, window } = provider.options
    return respond(
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
      handle({ cache: PromptCache.make(), counter: TokenCounter.make(options.counter), log, options, progress })
  )
