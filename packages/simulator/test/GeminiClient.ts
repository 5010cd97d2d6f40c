/** A plain HTTP client of the Gemini wire of the simulator under test. */
import type * as HttpBody from "@effect/platform/HttpBody"
import * as HttpBodies from "@effect/platform/HttpBody"
import * as Json from "@weir/simulator/Json"
import { Simulator } from "@weir/simulator/Simulator"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { at, sendTo } from "./TestClient.js"

export type Method = "generateContent" | "streamGenerateContent" | "countTokens"

interface Target {
  readonly method?: Method
  readonly model?: string
  readonly headers?: Readonly<Record<string, string>>
}

export const send = (
  body: HttpBody.HttpBody,
  { headers = {}, method = "generateContent", model = "sim-1" }: Target = {}
) =>
  Effect.flatMap(
    Simulator,
    ({ origin }) => sendTo(`${origin}/v1beta/models/${model}:${method}?alt=sse`, body, headers)
  )

export const post = (body: unknown, target?: Target) =>
  send(HttpBodies.text(typeof body === "string" ? body : Json.print(body), "application/json"), target)

export const stream = (body: unknown, target: Target = {}) => post(body, { ...target, method: "streamGenerateContent" })

export const user = (...parts: ReadonlyArray<unknown>) => ({ parts, role: "user" })

export const model = (...parts: ReadonlyArray<unknown>) => ({ parts, role: "model" })

export const request = (more: object = {}) => ({ contents: [user({ text: "hi" })], ...more })

/** The chunks of a stream, in order; fails the test when the stream is not well formed. */
export const chunks = (text: string): ReadonlyArray<unknown> => {
  if (text !== "" && !text.endsWith("\r\n\r\n")) throw new Error("the stream ends in the middle of a chunk")
  return text.split("\r\n\r\n").slice(0, -1).map((frame) => {
    if (!frame.startsWith("data: ") || frame.includes("\n")) throw new Error(`no chunk: ${frame}`)
    return Either.getOrThrow(Json.parse(frame.slice("data: ".length)))
  })
}

const partsOf = (chunk: unknown): ReadonlyArray<unknown> => {
  const parts = at(chunk, "candidates", 0, "content", "parts")
  return Json.isArray(parts) ? parts : []
}

/** All parts of a stream, as they came. */
export const parts = (text: string): ReadonlyArray<unknown> => chunks(text).flatMap(partsOf)

/** In the terms that all wires share. */
export const fold = (text: string) => {
  const all = chunks(text)
  const given = all.flatMap(partsOf)
  const joined = (isThought: boolean) =>
    given.filter((part) => (at(part, "thought") === true) === isThought).map((part) => at(part, "text") ?? "").join("")
  return {
    calls: given.flatMap((part) => {
      const call = at(part, "functionCall")
      return call === undefined
        ? []
        : [{ arguments: Json.print(at(call, "args")), id: at(call, "id"), name: at(call, "name") }]
    }),
    finish: all.map((chunk) => at(chunk, "candidates", 0, "finishReason")).find((reason) => reason !== undefined),
    reasoning: joined(true),
    text: joined(false),
    usage: at(all.at(-1), "usageMetadata")
  }
}
