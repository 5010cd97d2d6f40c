/** The binary framing of a stream: messages with headers and check sums. */
import { EventStreamCodec } from "@smithy/core/event-streams"
import { print } from "./Json.js"

const decoder = new TextDecoder()
const encoder = new TextEncoder()

const codec = new EventStreamCodec(
  (bytes) => typeof bytes === "string" ? bytes : decoder.decode(bytes),
  (text) => encoder.encode(text)
)

const frame = (headers: Readonly<Record<string, string>>, body: object): Uint8Array =>
  codec.encode({
    body: encoder.encode(print(body)),
    headers: Object.fromEntries(
      Object.entries({ ...headers, ":content-type": "application/json" }).map(
        ([name, value]) => [name, { type: "string" as const, value }]
      )
    )
  })

/** `name` of the event, for example `messageStop`. */
export const event = (name: string, body: object): Uint8Array =>
  frame({ ":event-type": name, ":message-type": "event" }, body)

/** `name` of the exception, for example `throttlingException`. */
export const exception = (name: string, message: string): Uint8Array =>
  frame({ ":exception-type": name, ":message-type": "exception" }, { message })

/** An error that is no exception of the API's. */
export const failure = (code: string, message: string): Uint8Array =>
  frame({ ":error-code": code, ":error-message": message, ":message-type": "error" }, {})

/** What a frame holds; fails for broken ones. */
export const decode = (bytes: Uint8Array) => {
  const { body, headers } = codec.decode(bytes)
  return {
    body: decoder.decode(body),
    headers: Object.fromEntries(Object.entries(headers).map(([name, { value }]) => [name, String(value)]))
  }
}

/** The frames of a whole stream. */
export const split = (bytes: Uint8Array): ReadonlyArray<Uint8Array> => {
  const frames: Array<Uint8Array> = []
  for (let start = 0; start < bytes.length;) {
    const length = new DataView(bytes.buffer, bytes.byteOffset + start).getUint32(0)
    frames.push(bytes.subarray(start, start += length))
  }
  return frames
}
