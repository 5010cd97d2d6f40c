/** A short document beside a model's API, such as the list of its models. The HTTP client is loaded when it is needed. */
import * as Effect from "effect/Effect"
import { ConnectionFailure, HttpFailure } from "./SdkFetch.js"

const client = Effect.acquireRelease(
  Effect.promise(() => import("undici").then(({ default: { Agent, fetch } }) => ({ agent: new Agent(), fetch }))),
  ({ agent }) => Effect.promise(() => agent.destroy())
)

/** The text at an address. Interruption closes the connection. */
export const get = (
  url: string,
  headers: Readonly<Record<string, string>> = {}
): Effect.Effect<string, ConnectionFailure | HttpFailure> =>
  Effect.gen(function*() {
    const { agent, fetch } = yield* client
    const attempt = <A>(f: (signal: AbortSignal) => Promise<A>) =>
      Effect.tryPromise({
        try: f,
        catch: (problem) => new ConnectionFailure({ address: new URL(url).host, problem })
      })
    const response = yield* attempt((signal) => fetch(url, { dispatcher: agent, headers, redirect: "error", signal }))
    const body = yield* attempt(() => response.text())
    if (response.ok) return body
    return yield* new HttpFailure({ body, headers: Object.fromEntries(response.headers), status: response.status })
  }).pipe(Effect.scoped)
