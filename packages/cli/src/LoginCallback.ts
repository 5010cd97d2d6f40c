/** Where the browser brings the answer to a login: one address on this machine, for as long as the login waits. */
// @effect-diagnostics nodeBuiltinImport:off
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import type { ServeError } from "@effect/platform/HttpServerError"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { createServer } from "node:http"

const page = (status: number, text: string) =>
  HttpServerResponse.html(`<!doctype html><meta charset="utf-8"><title>Weir</title><p>${text}</p>`).pipe(
    HttpServerResponse.setStatus(status),
    HttpServerResponse.setHeader("connection", "close")
  )

const thanks = page(200, "Weir has the answer to its login. You may close this page and go back to the terminal.")
const notOurs = page(404, "This page does not belong to the login that Weir waits for.")

/**
 * Listens where `redirectUri` points, on loopback alone. Gives the first address that the browser asks for and that
 * `isAnswer`, from its path on.
 */
export const listen = (
  redirectUri: string,
  isAnswer: (address: string) => boolean
): Effect.Effect<Effect.Effect<string>, ServeError, Scope.Scope> =>
  Effect.gen(function*() {
    const { pathname, port } = new URL(redirectUri)
    const answer = yield* Deferred.make<string>()
    const node = createServer()
    const server = yield* NodeHttpServer.make(() => node, { host: "127.0.0.1", port: Number(port) })
    // A browser keeps connections open that it may need.
    yield* Effect.addFinalizer(() => Effect.sync(() => node.closeAllConnections()))
    yield* server.serve(Effect.gen(function*() {
      const { method, url } = yield* HttpServerRequest.HttpServerRequest
      if (method !== "GET" || !url.startsWith(`${pathname}?`) || !isAnswer(url)) return notOurs
      // Once the page has been sent.
      yield* Effect.addFinalizer(() => Deferred.succeed(answer, url))
      return thanks
    }))
    return Deferred.await(answer)
  })
