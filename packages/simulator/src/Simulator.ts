/**
 * A provider on loopback: a real HTTP server that validates requests strictly, enforces a token window, follows a
 * script, answers compaction requests by itself, fails when told to, and logs every body.
 */
import type * as HttpServerError from "@effect/platform/HttpServerError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Handler from "./Handler.js"
import type { Options } from "./Options.js"
import * as RequestLog from "./RequestLog.js"
import * as Sockets from "./Sockets.js"

export class Simulator extends Context.Tag("@weir/simulator/Simulator")<Simulator, {
  /** Base URL with the version, for example `http://127.0.0.1:4010/v1`. */
  readonly url: string
  /** The same without the version, for clients that add it themselves: `http://127.0.0.1:4010`. */
  readonly origin: string
  readonly requests: Effect.Effect<ReadonlyArray<RequestLog.LoggedRequest>>
  /** Waits for the request with this number, counted from 0, and gives it as it arrived. */
  readonly request: (index: number) => Effect.Effect<RequestLog.LoggedRequest>
  /** Waits until that request is over. */
  readonly settled: (index: number) => Effect.Effect<RequestLog.LoggedRequest>
  /** Connections that are open now. */
  readonly openConnections: Effect.Effect<number>
  /** Waits until exactly this many connections are open. */
  readonly awaitOpenConnections: (count: number) => Effect.Effect<void>
}>() {}

const host = "127.0.0.1"

export const make = (
  options: Options
): Effect.Effect<Simulator["Type"], HttpServerError.ServeError, Scope.Scope> =>
  Effect.gen(function*() {
    const sockets = yield* Sockets.make({ host, port: options.port ?? 0 })
    const log = yield* RequestLog.make
    yield* sockets.server.serve(yield* Handler.make(options, log))
    const address = sockets.server.address
    const origin = address._tag === "TcpAddress" ? `http://${host}:${address.port}` : address.path
    return {
      awaitOpenConnections: sockets.awaitOpen,
      openConnections: sockets.open,
      origin,
      request: (index) => log.await((requests) => requests[index]),
      requests: log.all,
      settled: (index) => log.await((requests) => requests[index]?.outcome === "open" ? undefined : requests[index]),
      url: `${origin}/v1`
    }
  })

export const layer = (options: Options): Layer.Layer<Simulator, HttpServerError.ServeError> =>
  Layer.scoped(Simulator, make(options))

/** A simulator that says in one log line where it listens; for `Layer.launch`. */
export const serve = (options: Options): Layer.Layer<Simulator, HttpServerError.ServeError> =>
  Layer.tap(layer(options), (context) => Effect.log(`Simulator listens on ${Context.get(context, Simulator).url}`))
