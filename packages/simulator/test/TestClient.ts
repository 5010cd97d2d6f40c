/** A plain HTTP client of the simulator under test. */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import type * as HttpBody from "@effect/platform/HttpBody"
import * as HttpBodies from "@effect/platform/HttpBody"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as Json from "@weir/simulator/Json"
import { Simulator } from "@weir/simulator/Simulator"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"

export interface Response {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

export const sendTo = (url: string, body: HttpBody.HttpBody, headers: Readonly<Record<string, string>>) =>
  Effect.gen(function*() {
    const client = yield* HttpClient.HttpClient
    const response = yield* HttpClientRequest.post(url).pipe(
      HttpClientRequest.setHeaders(headers),
      HttpClientRequest.setBody(body),
      client.execute
    )
    return { headers: response.headers, status: response.status, text: yield* response.text } satisfies Response
  }).pipe(Effect.provide(FetchHttpClient.layer))

export const send = (body: HttpBody.HttpBody, headers: Readonly<Record<string, string>> = {}) =>
  Effect.flatMap(Simulator, ({ url }) => sendTo(`${url}/chat/completions`, body, headers))

export const post = (body: unknown, headers?: Readonly<Record<string, string>>) =>
  send(HttpBodies.text(typeof body === "string" ? body : Json.print(body), "application/json"), headers)

export const user = (content: unknown) => ({ content, role: "user" })

export const request = (more: object = {}) => ({ messages: [user("hi")], model: "sim-1", ...more })

export const streaming = (more: object = {}) =>
  request({ stream: true, stream_options: { include_usage: true }, ...more })

/** The value at a path of keys. */
export const at = (value: unknown, ...path: ReadonlyArray<string | number>): unknown =>
  path.reduce<unknown>(
    (inner, key) => Json.isArray(inner) ? inner[Number(key)] : Json.isObject(inner) ? inner[key] : undefined,
    value
  )

export const json = (response: Response) => Either.getOrThrow(Json.parse(response.text))

/** The data of every event, in order; fails the test when the stream is not well formed. */
export const events = (text: string): ReadonlyArray<string> => {
  if (text !== "" && !text.endsWith("\n\n")) {
    throw new Error(`the stream ends in the middle of an event: ${text.slice(-80)}`)
  }
  return text.split("\n\n").slice(0, -1).map((event) => {
    if (!event.startsWith("data: ") || event.includes("\n")) throw new Error(`no event: ${event}`)
    return event.slice("data: ".length)
  })
}

export const chunks = (text: string): ReadonlyArray<unknown> =>
  events(text).filter((data) => data !== "[DONE]").map((data) => Either.getOrThrow(Json.parse(data)))

/** What the deltas of a stream add up to. */
export const fold = (text: string) => {
  const all = chunks(text)
  const calls: Array<{ id: unknown; name: unknown; arguments: string }> = []
  for (const chunk of all) {
    const call = at(chunk, "choices", 0, "delta", "tool_calls", 0)
    if (call === undefined) continue
    const index = Number(at(call, "index"))
    const known = calls[index]
    const part = String(at(call, "function", "arguments"))
    if (known === undefined) calls[index] = { arguments: part, id: at(call, "id"), name: at(call, "function", "name") }
    else known.arguments += part
  }
  return {
    calls,
    finish: all.map((chunk) => at(chunk, "choices", 0, "finish_reason")).find((reason) => typeof reason === "string"),
    reasoning: all.map((chunk) => at(chunk, "choices", 0, "delta", "reasoning_content") ?? "").join(""),
    text: all.map((chunk) => at(chunk, "choices", 0, "delta", "content") ?? "").join(""),
    usage: all.map((chunk) => at(chunk, "usage")).find((usage) => Json.isObject(usage))
  }
}
