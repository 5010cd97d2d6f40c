/**
 * One request over undici's dispatcher. Its `fetch` costs a request twice as much, and gives an answer in as many pieces
 * as the network does: each costs an SDK more than reading what is in it.
 *
 * @effect-diagnostics globalTimers:off newPromise:off
 */
import type { Dispatcher } from "undici"

export interface HttpRequest {
  readonly url: URL
  readonly method: string
  readonly headers: Record<string, string>
  readonly body: string | null
  /** Aborts the request and the answer's body, with its reason. */
  readonly signal: AbortSignal | null
}

/** What an answer's headers may hold, in bytes: Node's own limit, for which undici would load Node's HTTP. */
export const maxHeaderSize = 16_384

/**
 * How long an answer that goes on is gathered, in milliseconds, about a frame of a screen; its first piece and its last
 * are given at once.
 */
export const gathering = 60

/** Bytes that are kept for a reader; beyond them the server waits. */
const most = 262_144

/**
 * An answer that comes in more pieces than these while it is gathered is left to the kernel for the rest of the time: to
 * wake up for each of a thousand small packets a second costs more than all that is done with them.
 */
const many = 8

/** How to connect, within `timeout` milliseconds: a socket that is not read takes one packet more from the kernel. */
export const connecting = (timeout: number) => ({ highWaterMark: 1, timeout })

const joined = (pieces: ReadonlyArray<Uint8Array>): Uint8Array => {
  const whole = new Uint8Array(pieces.reduce((size, piece) => size + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

/** A body that is told of its pieces and its end, and gives them to whoever reads. */
const makeBody = (connection: Dispatcher.DispatchController) => {
  let pieces: Array<Uint8Array> = []
  let size = 0
  let end: ((reader: ReadableStreamDefaultController<Uint8Array>) => void) | undefined
  let isGathering = false
  let give = () => {}

  const rest = () => {
    if (isGathering && pieces.length > 0) connection.pause()
  }

  const gather = () => {
    if (connection.paused) connection.resume()
    isGathering = true
    setTimeout(() => {
      isGathering = false
      give()
    }, gathering)
  }

  const pull = (reader: ReadableStreamDefaultController<Uint8Array>) =>
    new Promise<void>((resolve) => {
      give = () => {
        const isOver = end !== undefined
        if (pieces.length === 0 ? !isOver : isGathering && !isOver && size < most) return
        give = () => {}
        if (pieces.length === 0) end?.(reader)
        else {
          reader.enqueue(joined(pieces))
          pieces = []
          size = 0
          if (!isOver) gather()
        }
        resolve()
      }
      give()
    })

  return {
    add: (piece: Uint8Array) => {
      pieces.push(piece)
      size += piece.length
      if (size >= most) connection.pause()
      // Once all that has been read is handed over: a pause takes effect with the next piece.
      if (isGathering && pieces.length === many) queueMicrotask(rest)
      give()
    },
    end: (how: typeof end) => {
      end = how
      give()
    },
    stream: new ReadableStream<Uint8Array>({
      cancel: () => connection.abort(new DOMException("The answer is no longer read", "AbortError")),
      pull
    }, { highWaterMark: 0 })
  }
}

/** An answer that may not have a body must not be given one. */
const bodiless = new Set([204, 205, 304])

const pairs = (headers: Dispatcher.ResponseData["headers"]) =>
  Object.entries(headers).flatMap(([name, value]) =>
    (typeof value === "string" ? [value] : value ?? []).map((one): [string, string] => [name, one])
  )

/** Such an answer was not asked for, but what stands between may still compress. */
const decompressed = (body: ReadableStream<Uint8Array>, encoding: unknown): ReadableStream<Uint8Array> =>
  encoding === "gzip" || encoding === "deflate" ? body.pipeThrough(new DecompressionStream(encoding)) : body

/** Resolves when the head of the answer is there; rejects with what went wrong, or with the signal's reason. */
export const send = (dispatcher: Dispatcher, request: HttpRequest): Promise<Response> =>
  new Promise((resolve, reject) => {
    const { body, method, signal, url } = request
    const headers = { "accept-encoding": "identity", ...request.headers }
    let connection: Dispatcher.DispatchController | undefined
    let received: ReturnType<typeof makeBody> | undefined
    const abort = () => connection?.abort(signal?.reason)
    const done = () => signal?.removeEventListener("abort", abort)
    if (signal?.aborted) return reject(signal.reason)
    if (!/^https?:$/.test(url.protocol)) return reject(new TypeError("unknown scheme"))
    signal?.addEventListener("abort", abort)
    dispatcher.dispatch({ body, headers, method, origin: url.origin, path: url.pathname + url.search }, {
      onRequestStart: (started) => {
        connection = started
        if (signal?.aborted) abort()
      },
      onResponseData: (_, piece) => received?.add(piece),
      onResponseEnd: () => {
        done()
        received?.end((reader) => reader.close())
      },
      onResponseError: (_, error) => {
        done()
        reject(error)
        received?.end((reader) => reader.error(error))
      },
      onResponseStart: (started, status, raw) => {
        // The head of an answer that only announces another one.
        if (status < 200) return
        received = makeBody(started)
        const stream = bodiless.has(status) ? null : decompressed(received.stream, raw["content-encoding"])
        resolve(new Response(stream, { headers: pairs(raw), status }))
      }
    })
  })
