/** How a reply travels: whole or as a stream, at its pace, through its fault. */
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import * as Stream from "effect/Stream"
import type { Fault } from "./Fault.js"
import { print } from "./Json.js"
import type { LoggedRequest, Outcome, RequestLog } from "./RequestLog.js"
import type { Scripted } from "./Script.js"
import * as Sockets from "./Sockets.js"
import type { Answer, Encoded, Generated, Identity, Received, Wire } from "./Wire.js"

export interface Delivery {
  readonly wire: Wire
  readonly logged: LoggedRequest
  readonly received: Received
  readonly scripted: Scripted
  readonly fault: Fault | undefined
  /** The provider's refusal, when the window cannot hold the request. */
  readonly overflow?: Answer
  readonly reply: () => Generated
  /** To be run once the client is about to hold the complete reply. */
  readonly advance: Effect.Effect<void>
  readonly log: RequestLog
}

const encoder = new TextEncoder()

const bytes = (frame: string | Uint8Array) => typeof frame === "string" ? encoder.encode(frame) : frame

const numbered = (logged: LoggedRequest) => String(logged.index).padStart(6, "0")

export const identity = (wire: Wire, logged: LoggedRequest): Identity => wire.identify(numbered(logged))

/** Sends a whole answer. */
export const respond = (answer: Answer, { fields, headers }: Identity = { fields: {}, headers: {} }) =>
  HttpServerResponse.raw(answer.events ?? print({ ...answer.body, ...fields }), {
    headers: {
      ...headers,
      ...answer.headers,
      "content-type": answer.events === undefined ? "application/json" : "text/event-stream; charset=utf-8"
    },
    status: answer.status
  })

const run = (effect: Effect.Effect<void>) => Stream.drain(Stream.fromEffect(effect))

const pause = (duration: Duration.DurationInput | undefined) =>
  duration === undefined ? Effect.void : Effect.sleep(duration)

/** The stream up to where its fault strikes, and what the fault then does. */
const struck = (
  delivery: Delivery,
  encoded: Encoded,
  request: HttpServerRequest.HttpServerRequest
): {
  readonly frames: Encoded["frames"]
  readonly end: Stream.Stream<string | Uint8Array>
  readonly outcome: Outcome
} => {
  const { fault, log, logged, wire } = delivery
  const upTo = (after: number) => encoded.frames.slice(0, after)
  switch (fault?._tag) {
    case "ErrorFrame":
      return { end: Stream.make(wire.errorFrame(fault.message, fault.code)), frames: upTo(fault.after), outcome: "cut" }
    case "Eof":
      return { end: Stream.empty, frames: upTo(fault.after), outcome: "cut" }
    case "Reset":
      return {
        end: run(Effect.zipRight(log.settle(logged.index, { outcome: "cut" }), Sockets.cut(request))),
        frames: upTo(fault.after),
        outcome: "cut"
      }
    case "Stall":
      return { end: Stream.never, frames: upTo(fault.after), outcome: "cut" }
    default:
      return { end: Stream.empty, frames: encoded.frames, outcome: "answered" }
  }
}

const streamed = (delivery: Delivery, encoded: Encoded, request: HttpServerRequest.HttpServerRequest) => {
  const { advance, log, logged, scripted } = delivery
  const { end, frames, outcome } = struck(delivery, encoded, request)
  const { between } = scripted
  const paced = (part: Encoded["frames"]) =>
    between === undefined
      ? Stream.fromIterable(part)
      : Stream.mapEffect(Stream.fromIterable(part), (frame) => Effect.as(Effect.sleep(between), frame))
  const complete = Math.max(0, encoded.complete - 1)
  const body = frames.length < encoded.complete
    ? paced(frames)
    : Stream.concat(
      paced(frames.slice(0, complete)),
      Stream.concat(run(advance), paced(frames.slice(complete)))
    )
  return run(Effect.zipRight(Sockets.flushHeaders(request), pause(scripted.beforeFirst))).pipe(
    Stream.concat(body),
    Stream.concat(end),
    Stream.concat(run(log.settle(logged.index, { outcome }))),
    Stream.map(bytes)
  )
}

/** What is no Base64 is sent as it is. */
const bodyOf = ({ body, encoding }: Extract<Fault, { readonly _tag: "Http" }>): string | Uint8Array =>
  encoding === "base64" ? Either.getOrElse(Encoding.decodeBase64(body), () => body) : body

/** What a fault of streams becomes for a reply that comes whole. */
const unstreamed = (fault: Fault | undefined) => {
  switch (fault?._tag) {
    case "Stall":
      return "Hang"
    case "Eof":
    case "ErrorFrame":
    case "Reset":
      return "Drop"
    default:
      return fault?._tag
  }
}

/** The response to a request that is well formed; may never come, and is interrupted when the client leaves. */
export const deliver = Effect.fnUntraced(function*(delivery: Delivery) {
  const { advance, fault, log, logged, overflow, received, scripted, wire } = delivery
  const request = yield* HttpServerRequest.HttpServerRequest
  const id = identity(wire, logged)
  const settle = (outcome: Outcome, status: number) => log.settle(logged.index, { outcome, status })
  yield* pause(scripted.beforeHeaders)
  const strike = received.stream ? fault?._tag : unstreamed(fault)
  if (strike === "Hang") return yield* Effect.never
  if (strike === "Drop") {
    yield* log.settle(logged.index, { outcome: "cut" })
    yield* Sockets.reset(request)
    return yield* Effect.never
  }
  if (fault?._tag === "Http") {
    yield* settle(fault.status < 400 ? "cut" : "refused", fault.status)
    return HttpServerResponse.raw(bodyOf(fault), { headers: { ...id.headers, ...fault.headers }, status: fault.status })
  }
  if (overflow !== undefined) {
    yield* settle("refused", overflow.status)
    return respond(overflow, id)
  }
  const created = Math.floor((yield* Clock.currentTimeMillis) / 1_000)
  const encoded = received.encode(delivery.reply(), { created, id: numbered(logged) })
  const headers = { ...id.headers, "content-type": encoded.contentType }
  if (!received.stream) {
    yield* advance
    yield* settle("answered", 200)
    return HttpServerResponse.raw(encoded.body, { headers })
  }
  yield* log.settle(logged.index, { status: 200 })
  return HttpServerResponse.stream(streamed(delivery, encoded, request), {
    contentType: encoded.contentType,
    headers
  })
})
