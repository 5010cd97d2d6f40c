/** What the simulator does with one request: read, log, check key, shape and window, then reply or fail. */
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import type * as Reply from "@weir/model/Reply"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Ref from "effect/Ref"
import * as ChatWire from "./ChatWire.js"
import * as Delivery from "./Delivery.js"
import type { Fault } from "./Fault.js"
import * as Faults from "./Fault.js"
import * as Generation from "./Generation.js"
import * as Json from "./Json.js"
import type { Options } from "./Options.js"
import * as PromptCache from "./PromptCache.js"
import type { LoggedRequest, RequestLog } from "./RequestLog.js"
import { redact } from "./RequestLog.js"
import type { Scripted } from "./Script.js"
import * as Script from "./Script.js"
import * as Summary from "./Summary.js"
import * as TokenCounter from "./TokenCounter.js"
import type { Answer, RawRequest, Received, Wire } from "./Wire.js"

const wires: ReadonlyArray<Wire> = [ChatWire.ChatWire]

const defaultWindow = 128_000
const defaultMaxOutput = 32_768

const readRaw = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.map(request.arrayBuffer, (bytes): RawRequest & { readonly bytes: number } => {
    const decode = (fatal: boolean) => new TextDecoder("utf-8", { fatal, ignoreBOM: true }).decode(bytes)
    const strict = Either.try(() => decode(true))
    return {
      body: Either.getOrElse(strict, () => decode(false)),
      bytes: bytes.byteLength,
      headers: request.headers,
      isUtf8: Either.isRight(strict),
      method: request.method,
      path: request.url.split("?")[0] ?? request.url
    }
  })

const respond = ({ body, headers, status }: Answer) => HttpServerResponse.raw(body, { headers, status })

export const make = (options: Options, log: RequestLog): Effect.Effect<HttpApp.Default> =>
  Effect.gen(function*() {
    const counter = TokenCounter.make(options.counter)
    const cache = PromptCache.make()
    const delivered = yield* Ref.make(HashMap.empty<string, number>())
    const rules = { maxOutput: options.maxOutput ?? defaultMaxOutput, models: options.models }
    const window = (arrival: LoggedRequest) =>
      typeof options.window === "function" ? options.window(arrival) : options.window ?? defaultWindow

    const weigh = (received: Received) => {
      const of = (kind: "tool" | "message") =>
        received.pieces.reduce((sum, piece) => piece.kind === kind ? sum + counter.piece(piece) : sum, 0)
      return { messages: of("message") + counter.perRequest, tools: of("tool") }
    }

    const authorized = (wire: Wire, raw: RawRequest) =>
      options.apiKey === undefined || wire.credential(raw) === Redacted.value(options.apiKey)

    const refuse = (logged: LoggedRequest, answer: Answer) =>
      Effect.as(log.settle(logged.index, { outcome: "refused", status: answer.status }), respond(answer))

    const scriptedFor = (logged: LoggedRequest, received: Received): Effect.Effect<Scripted> =>
      logged.kind === "compaction"
        ? Effect.succeed(
          Summary.respond(Summary.behaviourAt(options.summary ?? "good", logged.indexOfKind), received.prompt)
        )
        : Effect.map(Ref.get(delivered), (counts) =>
          Script.next(
            options.script,
            Option.getOrElse(HashMap.get(counts, received.session), () => 0),
            received.prompt
          ))

    const advance = (logged: LoggedRequest, received: Received) =>
      logged.kind === "compaction" ?
        Effect.void :
        Ref.update(delivered, (counts) =>
          HashMap.modifyAt(counts, received.session, (count) => Option.some(Option.getOrElse(count, () => 0) + 1)))

    const generate = (logged: LoggedRequest, received: Received, scripted: Scripted, fault: Fault | undefined) => {
      const cached = PromptCache.read(cache, received.pieces, counter.piece)
      return Generation.make({
        cached: Math.min(cached, logged.tokens),
        counter,
        fault,
        input: logged.tokens,
        limit: Math.min(received.maxOutput ?? rules.maxOutput, Math.max(0, window(logged) - logged.tokens)),
        request: logged.index,
        scripted
      })
    }

    const answer = (wire: Wire, raw: RawRequest & { readonly bytes: number }) =>
      Effect.gen(function*() {
        const read = wire.read(raw, rules)
        const weight = Either.isRight(read) ? weigh(read.right) : { messages: 0, tools: 0 }
        const logged = yield* log.add({
          body: raw.body,
          headers: redact(raw.headers),
          json: Either.getOrUndefined(Json.parse(raw.body)),
          kind: Either.isRight(read) && Summary.isCompaction(read.right) ? "compaction" : "main",
          method: raw.method,
          path: raw.path,
          tokens: weight.messages + weight.tools,
          wire: wire.name
        })
        if (!authorized(wire, raw)) return yield* refuse(logged, wire.unauthorized(wire.credential(raw)))
        if (options.maxBodyBytes !== undefined && raw.bytes > options.maxBodyBytes) {
          return yield* refuse(logged, wire.tooLarge(options.maxBodyBytes))
        }
        if (Either.isLeft(read)) return yield* refuse(logged, read.left)
        const received = read.right
        const scripted = yield* scriptedFor(logged, received)
        const fault = Faults.find(options.faults ?? [], logged) ?? scripted.fault
        const output = options.enforce === "sum" ? received.maxOutput ?? 0 : 0
        const fits = logged.tokens + output <= window(logged)
        return yield* Delivery.deliver({
          advance: advance(logged, received),
          fault,
          log,
          logged,
          received,
          reply: (): Reply.Reply => generate(logged, received, scripted, fault),
          scripted,
          wire,
          ...(!fits && { refusal: wire.overflow({ ...weight, output, window: window(logged) }) })
        })
      })

    return Effect.gen(function*() {
      const request = yield* HttpServerRequest.HttpServerRequest
      const raw = yield* readRaw(request)
      const wire = wires.find((candidate) => candidate.accepts(raw))
      if (wire !== undefined) return yield* answer(wire, raw)
      return respond(
        raw.method === "GET" && raw.path === "/v1/models"
          ? ChatWire.models(
            options.models ?? ["sim-1"],
            typeof options.window === "number" ? options.window : defaultWindow
          )
          : ChatWire.notFound(raw.method, raw.path)
      )
    }).pipe(Effect.orDie)
  })
