// Real sockets.
// @effect-diagnostics nodeBuiltinImport:off asyncFunction:off newPromise:off globalTimers:off
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { gzipSync } from "node:zlib"
import { Agent, interceptors } from "undici"
import * as HttpExchange from "../src/HttpExchange.js"

type Handler = (request: IncomingMessage, response: ServerResponse) => void

const serving = (handler: Handler) =>
  Effect.acquireRelease(
    Effect.async<{ readonly close: Effect.Effect<void>; readonly origin: string }>((resume) => {
      const server = createServer(handler).listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" ? address?.port : undefined
        const close = Effect.sync(() => {
          server.closeAllConnections()
          server.close()
        })
        resume(Effect.succeed({ close, origin: `http://127.0.0.1:${port}` }))
      })
    }),
    ({ close }) => close
  )

const agent = Effect.acquireRelease(
  Effect.sync(() => new Agent({ connect: HttpExchange.connecting(10_000) })),
  (agent) => Effect.promise(() => agent.destroy())
)

const send = (url: string, options: Partial<HttpExchange.HttpRequest> = {}) =>
  Effect.flatMap(
    agent,
    (agent) =>
      Effect.promise(() =>
        HttpExchange.send(agent.compose(interceptors.redirect({ maxRedirections: 3 })), {
          body: null,
          headers: {},
          method: "GET",
          signal: null,
          ...options,
          url: new URL(url)
        })
      )
  )

const piecesOf = async (response: Response) => {
  const pieces: Array<string> = []
  for await (const piece of response.body ?? []) pieces.push(new TextDecoder().decode(piece))
  return pieces
}

const failure = (answer: () => Promise<unknown>) =>
  Effect.promise(() => answer().then(() => "no failure", (error: unknown) => error))

describe("HttpExchange", () => {
  it.scopedLive("gives the first piece at once, and what follows closely together", () =>
    Effect.gen(function*() {
      const { origin } = yield* serving((_, response) => {
        let sent = 0
        const timer = setInterval(() => {
          response.write(`${sent},`)
          if (++sent < 40) return
          clearInterval(timer)
          response.end()
        }, 1)
      })
      const pieces = yield* Effect.flatMap(send(origin), (response) => Effect.promise(() => piecesOf(response)))
      assert.strictEqual(pieces.join(""), Array.from({ length: 40 }, (_, at) => `${at},`).join(""))
      assert.isBelow(pieces.length, 20)
    }))

  it.scopedLive("keeps no more than it may of a server that writes faster than is read, and loses nothing", () =>
    Effect.gen(function*() {
      const total = 64
      let written = 0
      const { origin } = yield* serving((_, response) => {
        const write = () => {
          while (written++ < total) {
            if (!response.write("x".repeat(262_144))) return response.once("drain", write)
          }
          return response.end()
        }
        write()
      })
      const response = yield* send(origin)
      yield* Effect.sleep("200 millis")
      assert.isBelow(written, total)
      const text = yield* Effect.promise(() => response.text())
      assert.strictEqual(text.length, total * 262_144)
    }))

  it.scopedLive("follows a server that has moved, with the request's body; reads what is compressed unasked", () =>
    Effect.gen(function*() {
      const { origin } = yield* serving((request, response) => {
        if (request.url === "/old?a=1") response.writeHead(307, { location: "/new" }).end()
        else {request.setEncoding("utf8").once("data", (body: string) => {
            response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(`${request.method} ${body}`))
          })}
      })
      const response = yield* send(`${origin}/old?a=1`, { body: "words", method: "POST" })
      assert.strictEqual(yield* Effect.promise(() => response.text()), "POST words")
    }))

  it.scopedLive("ends with the signal's reason, before the head of the answer and in its body, and closes the socket", () =>
    Effect.gen(function*() {
      const closed: Array<string> = []
      const { origin } = yield* serving((request, response) => {
        response.once("close", () => closed.push(request.url ?? ""))
        if (request.url === "/begun") response.write("a beginning")
        if (request.url !== "/fast") return
        const timer = setInterval(() => response.write("a piece"), 1)
        response.once("close", () => clearInterval(timer))
      })
      const reason = new Error("no longer wanted")
      const ending = (path: string) =>
        Effect.gen(function*() {
          const client = yield* agent
          const controller = new AbortController()
          const answer = () =>
            HttpExchange.send(client, {
              body: null,
              headers: {},
              method: "GET",
              signal: controller.signal,
              url: new URL(origin + path)
            }).then(piecesOf)
          yield* Effect.fork(Effect.delay(Effect.sync(() => controller.abort(reason)), "100 millis"))
          return yield* failure(answer)
        })
      assert.strictEqual(yield* ending("/silent"), reason)
      assert.strictEqual(yield* ending("/begun"), reason)
      assert.strictEqual(yield* ending("/fast"), reason)
      yield* Effect.sleep("50 millis")
      assert.deepStrictEqual(closed, ["/silent", "/begun", "/fast"])
    }))

  it.scopedLive("says what broke, in the middle of a body too", () =>
    Effect.gen(function*() {
      const { origin } = yield* serving((_, response) => {
        response.write("a beginning")
        setTimeout(() => response.destroy(), 50)
      })
      const response = yield* send(origin)
      assert.deepInclude(yield* failure(() => response.text()), { code: "UND_ERR_SOCKET" })
    }))
})
