/**
 * The HTTP server and its connections. Faults need the sockets themselves, which no platform service offers:
 * this is the one file of the package that may import Node's modules.
 */
// @effect-diagnostics nodeBuiltinImport:off
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import type * as HttpServer from "@effect/platform/HttpServer"
import type { ServeError } from "@effect/platform/HttpServerError"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Http from "node:http"

export interface Sockets {
  readonly server: HttpServer.HttpServer
  /** Connections that are open now. */
  readonly open: Effect.Effect<number>
  /** Waits until exactly this many connections are open. */
  readonly awaitOpen: (count: number) => Effect.Effect<void>
}

/** A listening server; when its scope closes, every connection is destroyed. */
export const make = (options: {
  readonly host: string
  readonly port: number
}): Effect.Effect<Sockets, ServeError, Scope.Scope> =>
  Effect.gen(function*() {
    const open = new Set<object>()
    const watchers = new Set<() => void>()
    const changed = () => watchers.forEach((watch) => watch())
    // A simulated model may be silent for as long as a test likes.
    const node = Http.createServer({ keepAliveTimeout: 0, requestTimeout: 0 })
    node.on("connection", (socket) => {
      open.add(socket)
      socket.once("close", () => {
        open.delete(socket)
        changed()
      })
      changed()
    })
    const server = yield* NodeHttpServer.make(() => node, options)
    yield* Effect.addFinalizer(() => Effect.sync(() => node.closeAllConnections()))
    return {
      awaitOpen: (count) =>
        Effect.async<void>((resume) => {
          const watch = () => {
            if (open.size !== count) return
            watchers.delete(watch)
            resume(Effect.void)
          }
          watchers.add(watch)
          watch()
          return Effect.sync(() => {
            watchers.delete(watch)
          })
        }),
      open: Effect.sync(() => open.size),
      server
    }
  })

/** Sends the headers now, although there is no body yet. */
export const flushHeaders = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<void> =>
  Effect.sync(() => NodeHttpServerRequest.toServerResponse(request).flushHeaders())

/** Closes the connection under a response, after what was written has left. */
export const cut = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<void> =>
  Effect.async<void>((resume) => {
    const { socket } = NodeHttpServerRequest.toIncomingMessage(request)
    socket.write("", () => {
      socket.destroy()
      resume(Effect.void)
    })
  })

/** Resets the connection; what was written may be lost with it. */
export const reset = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<void> =>
  Effect.sync(() => {
    NodeHttpServerRequest.toIncomingMessage(request).socket.resetAndDestroy()
  })
