/** A plain HTTP client of the Anthropic wire of the simulator under test. */
import type * as HttpBody from "@effect/platform/HttpBody"
import * as HttpBodies from "@effect/platform/HttpBody"
import * as Json from "@weir/simulator/Json"
import { Simulator } from "@weir/simulator/Simulator"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { at, sendTo } from "./TestClient.js"

export const send = (body: HttpBody.HttpBody, headers: Readonly<Record<string, string>> = {}, path = "/v1/messages") =>
  Effect.flatMap(
    Simulator,
    ({ origin }) => sendTo(`${origin}${path}`, body, { "anthropic-version": "2023-06-01", ...headers })
  )

export const post = (body: unknown, headers?: Readonly<Record<string, string>>, path?: string) =>
  send(HttpBodies.text(typeof body === "string" ? body : Json.print(body), "application/json"), headers, path)

export const count = (body: unknown) => post(body, {}, "/v1/messages/count_tokens")

export const user = (content: unknown) => ({ content, role: "user" })

export const assistant = (...content: ReadonlyArray<unknown>) => ({ content, role: "assistant" })

export const request = (more: object = {}) => ({ max_tokens: 4_096, messages: [user("hi")], model: "sim-1", ...more })

export const streaming = (more: object = {}) => request({ stream: true, ...more })

/** The events of a stream, in order; fails the test when the stream is not well formed. */
export const events = (text: string): ReadonlyArray<unknown> => {
  if (text !== "" && !text.endsWith("\n\n")) throw new Error(`the stream ends in the middle of an event`)
  return text.split("\n\n").slice(0, -1).map((frame) => {
    const [, name, data = ""] = /^event: (\w+)\ndata: (.*)$/.exec(frame) ?? []
    const event = Either.getOrThrow(Json.parse(data))
    if (at(event, "type") !== name) throw new Error(`no event: ${frame}`)
    return event
  })
}

const append = (block: Record<string, unknown>, delta: unknown) => {
  const key = { input_json_delta: "json", signature_delta: "signature", text_delta: "text", thinking_delta: "thinking" }
  const type = String(at(delta, "type"))
  const name = Object.entries(key).find(([known]) => known === type)?.[1]
  if (name === undefined) throw new Error(`no delta: ${type}`)
  block[name] = `${block[name] ?? ""}${at(delta, name === "json" ? "partial_json" : name)}`
}

/** The message that the events of a stream add up to. */
export const message = (text: string) => {
  const all = events(text)
  const blocks: Array<Record<string, unknown>> = []
  let open: number | undefined
  for (const event of all) {
    const index = Number(at(event, "index"))
    switch (at(event, "type")) {
      case "content_block_start": {
        const block = at(event, "content_block")
        if (open !== undefined || index !== blocks.length || !Json.isObject(block)) throw new Error(Json.print(event))
        open = index
        blocks.push({ ...block })
        break
      }
      case "content_block_delta": {
        const block = blocks[index]
        if (open !== index || block === undefined) throw new Error(Json.print(event))
        append(block, at(event, "delta"))
        break
      }
      case "content_block_stop":
        if (open !== index) throw new Error(Json.print(event))
        open = undefined
    }
  }
  const end = all.find((event) => at(event, "type") === "message_delta")
  return {
    /** As they are to be replayed. */
    content: blocks.map(({ json, ...block }): Record<string, unknown> =>
      json === undefined ? block : { ...block, input: Either.getOrElse(Json.parse(String(json)), () => json) }
    ),
    finish: at(end, "delta", "stop_reason"),
    start: all.find((event) => at(event, "type") === "message_start"),
    usage: at(end, "usage")
  }
}

/** In the terms that all wires share. */
export const fold = (text: string) => {
  const { content, finish, usage } = message(text)
  const joined = (type: string, key: string) =>
    content.filter((block) => block.type === type).map((block) => block[key]).join("")
  return {
    calls: content.filter((block) => block.type === "tool_use").map(({ id, input, name }) => ({
      arguments: typeof input === "string" ? input : Json.print(input),
      id,
      name
    })),
    finish,
    reasoning: joined("thinking", "thinking"),
    text: joined("text", "text"),
    usage
  }
}
