/** A plain HTTP client of the Bedrock wire of the simulator under test. */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpBody from "@effect/platform/HttpBody"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as BedrockFrames from "@weir/simulator/BedrockFrames"
import * as Json from "@weir/simulator/Json"
import { Simulator } from "@weir/simulator/Simulator"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { at } from "./TestClient.js"

export const claude = "anthropic.claude-sonnet-4-5-20250929-v1:0"

export const post = (
  body: unknown,
  given: {
    readonly headers?: Readonly<Record<string, string>>
    readonly model?: string
    readonly operation?: "converse" | "converse-stream"
  } = {}
) =>
  Effect.gen(function*() {
    const { headers = {}, model = claude, operation = "converse-stream" } = given
    const { origin } = yield* Simulator
    const client = yield* HttpClient.HttpClient
    const payload = body instanceof Uint8Array
      ? HttpBody.uint8Array(body, "application/json")
      : HttpBody.text(typeof body === "string" ? body : Json.print(body), "application/json")
    const response = yield* HttpClientRequest.post(`${origin}/model/${encodeURIComponent(model)}/${operation}`).pipe(
      HttpClientRequest.setHeaders(headers),
      HttpClientRequest.setBody(payload),
      client.execute
    )
    const bytes = new Uint8Array(yield* response.arrayBuffer)
    return { bytes, headers: response.headers, status: response.status, text: new TextDecoder().decode(bytes) }
  }).pipe(Effect.provide(FetchHttpClient.layer))

export const user = (...content: ReadonlyArray<unknown>) => ({ content, role: "user" })

export const assistant = (...content: ReadonlyArray<unknown>) => ({ content, role: "assistant" })

export const text = (text: unknown) => ({ text })

export const request = (more: object = {}) => ({ messages: [user(text("hi"))], ...more })

/** Names and bodies of the events of a stream, in order; fails the test when the framing is broken. */
export const events = (bytes: Uint8Array) =>
  BedrockFrames.split(bytes).map((frame) => {
    const { body, headers } = BedrockFrames.decode(frame)
    return {
      body: Either.getOrThrow(Json.parse(body)),
      name: headers[":event-type"] ?? headers[":exception-type"] ?? "",
      type: headers[":message-type"]
    }
  })

/** The blocks that the events of a stream add up to, as they are to be replayed. */
export const blocks = (bytes: Uint8Array): ReadonlyArray<unknown> => {
  const content: Array<Record<string, unknown>> = []
  for (const { body, name } of events(bytes)) {
    const index = Number(at(body, "contentBlockIndex"))
    const said = (...path: ReadonlyArray<string>) => String(at(content[index], ...path) ?? "")
    if (name === "contentBlockStart") content[index] = { input: "", toolUse: at(body, "start", "toolUse") }
    if (name !== "contentBlockDelta") continue
    const delta = at(body, "delta")
    const reasoning = at(delta, "reasoningContent")
    if (at(delta, "text") !== undefined) content[index] = { text: said("text") + String(at(delta, "text")) }
    else if (at(delta, "toolUse") !== undefined) {
      content[index] = { ...content[index], input: said("input") + String(at(delta, "toolUse", "input")) }
    } else if (at(reasoning, "redactedContent") !== undefined) content[index] = { reasoningContent: reasoning }
    else {
      const path = ["reasoningContent", "reasoningText"]
      content[index] = {
        reasoningContent: {
          reasoningText: {
            signature: said(...path, "signature") + String(at(reasoning, "signature") ?? ""),
            text: said(...path, "text") + String(at(reasoning, "text") ?? "")
          }
        }
      }
    }
  }
  return content.map(({ input, ...block }) => {
    const toolUse = block.toolUse
    if (!Json.isObject(toolUse)) return block
    return { toolUse: { ...toolUse, input: Either.getOrElse(Json.parse(String(input)), () => input) } }
  })
}
