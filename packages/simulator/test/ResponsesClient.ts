/** A plain HTTP client of the Responses wire of the simulator under test. */
import type * as HttpBody from "@effect/platform/HttpBody"
import * as HttpBodies from "@effect/platform/HttpBody"
import * as Json from "@weir/simulator/Json"
import { Simulator } from "@weir/simulator/Simulator"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { at, sendTo } from "./TestClient.js"

type Headers = Readonly<Record<string, string>>

export const send = (body: HttpBody.HttpBody, headers: Headers = {}) =>
  Effect.flatMap(Simulator, ({ url }) => sendTo(`${url}/responses`, body, headers))

export const text = (body: unknown) =>
  HttpBodies.text(typeof body === "string" ? body : Json.print(body), "application/json")

export const post = (body: unknown, headers?: Headers) => send(text(body), headers)

export const user = (content: unknown = "hi") => ({ content, role: "user" })

export const request = (more: object = {}) => ({ input: [user()], model: "sim-1", store: false, ...more })

export const streaming = (more: object = {}) =>
  request({ include: ["reasoning.encrypted_content"], stream: true, ...more })

/** The events of a stream, in order; fails the test when the stream is not well formed. */
export const events = (text: string): ReadonlyArray<unknown> => {
  if (text !== "" && !text.endsWith("\n\n")) throw new Error("the stream ends in the middle of an event")
  return text.split("\n\n").slice(0, -1).map((frame) => {
    const [, name, data = ""] = /^event: (\S+)\ndata: (.*)$/.exec(frame) ?? []
    const event = Either.getOrThrow(Json.parse(data))
    if (name === undefined || at(event, "type") !== name) throw new Error(`no event: ${frame}`)
    return event
  })
}

/** The items of a stream that are complete. */
export const items = (text: string): ReadonlyArray<unknown> =>
  events(text).flatMap((event) => at(event, "type") === "response.output_item.done" ? [at(event, "item")] : [])

/** In the terms that all wires share. */
export const fold = (text: string) => {
  const all = events(text)
  const deltas = (type: string) =>
    all.flatMap((event) => at(event, "type") === `response.${type}.delta` ? [at(event, "delta")] : []).join("")
  const response = all.map((event) => at(event, "response")).findLast((found) => found !== undefined)
  const usage = at(response, "usage")
  return {
    calls: items(text).flatMap((item) =>
      at(item, "type") === "function_call"
        ? [{ arguments: String(at(item, "arguments")), id: at(item, "call_id"), name: at(item, "name") }]
        : []
    ),
    finish: at(response, "incomplete_details", "reason") ?? at(response, "status"),
    reasoning: deltas("reasoning_summary_text"),
    text: deltas("output_text"),
    usage: Json.isObject(usage) ? usage : undefined
  }
}
