/**
 * The `fetch` that provider SDKs are given. It never cuts a silent answer, and it fails with what the server
 * really said, which the SDKs' own errors leave out. The HTTP client is loaded at the first request.
 *
 * @effect-diagnostics asyncFunction:off
 */
import * as Schema from "effect/Schema"
import * as HttpExchange from "./HttpExchange.js"

export type SdkFetch = typeof globalThis.fetch

/** Limits of the HTTP client, in milliseconds; 0 is no limit. */
export interface Timeouts {
  /** To establish a connection. */
  readonly connect: number
  /** To wait for the head of the answer. */
  readonly headers: number
  /** Between two pieces of the answer. */
  readonly body: number
}

/** A model may think for hours without a word; only the connection has to stand soon. */
export const patient: Timeouts = { connect: 10_000, headers: 0, body: 0 }

/**
 * The server answered, but not with a stream of events. The message is kept free of the answer, because
 * SDKs search it for words such as "timed out" and then replace the error.
 */
export class HttpFailure extends Schema.TaggedError<HttpFailure>("@weir/transport/SdkFetch/HttpFailure")(
  "HttpFailure",
  {
    status: Schema.Int,
    /** Names in lower case. */
    headers: Schema.Record({ key: Schema.String, value: Schema.String }),
    /** The raw text. */
    body: Schema.String
  }
) {
  override get message() {
    return `HTTP status ${this.status}`
  }
}

/** No answer came. */
export class ConnectionFailure
  extends Schema.TaggedError<ConnectionFailure>("@weir/transport/SdkFetch/ConnectionFailure")(
    "ConnectionFailure",
    {
      /** Host and port. */
      address: Schema.String,
      problem: Schema.Defect
    }
  )
{
  override get message() {
    return `No answer from ${this.address}`
  }
}

/** An error in place of events is often sent with status 200: only its type tells. */
const isDocument = (contentType: string | null) => /\b(json|html)\b/i.test(contentType ?? "")

/** The most that is read of an answer that is no stream, in bytes. */
const longestAnswer = 262_144

/** The beginning of an answer's text; what is lost on the way is no error. */
export const beginning = async (response: { readonly body: AsyncIterable<unknown> | null }): Promise<string> => {
  const decoder = new TextDecoder()
  let text = ""
  let size = 0
  try {
    // Leaving the loop cancels the rest.
    for await (const bytes of response.body ?? []) {
      if (!(bytes instanceof Uint8Array)) break
      text += decoder.decode(bytes, { stream: true })
      if ((size += bytes.length) >= longestAnswer) break
    }
  } catch {
    // What has arrived is all there is.
  }
  return text
}

/** As `fetch` does; a provider's address may have moved. */
const maxRedirections = 20

/** A `fetch` with its own connections. It rejects with `HttpFailure` and `ConnectionFailure`, or as it was aborted. */
export const make = (timeouts: Timeouts = patient): SdkFetch => {
  // The module is CommonJS: its default export is the only one that also survives bundling.
  const load = () =>
    import("undici").then(({ default: { Agent, interceptors } }) =>
      new Agent({
        bodyTimeout: timeouts.body,
        connect: HttpExchange.connecting(timeouts.connect),
        headersTimeout: timeouts.headers,
        maxHeaderSize: HttpExchange.maxHeaderSize
      }).compose(interceptors.redirect({ maxRedirections }))
    )
  let client: ReturnType<typeof load> | undefined

  return async (input, { body = null, headers, method = "GET", signal = null } = {}) => {
    if (body !== null && typeof body !== "string") throw new TypeError("Model requests carry JSON, as text")
    const url = new URL(input instanceof Request ? input.url : input)
    const request = { body, headers: Object.fromEntries(new Headers(headers)), method, signal, url }
    const response = await HttpExchange.send(await (client ??= load()), request).catch((problem: unknown) => {
      throw signal?.aborted ? problem : new ConnectionFailure({ address: url.host, problem })
    })
    if (response.ok && response.body !== null && !isDocument(response.headers.get("content-type"))) return response
    throw new HttpFailure({
      body: await beginning(response),
      headers: Object.fromEntries(response.headers),
      status: response.status
    })
  }
}
