/** From what a provider answered, or an SDK threw, to a `ModelError`: the same for every API. */
import * as ModelError from "@weir/model/ModelError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Connection from "./Connection.js"
import * as ErrorBody from "./ErrorBody.js"
import * as ErrorTable from "./ErrorTable.js"
import * as Redact from "./Redact.js"
import * as RetryAfter from "./RetryAfter.js"
import { ConnectionFailure, HttpFailure } from "./SdkFetch.js"
import type { Phase } from "./SdkStream.js"
import * as Sizes from "./Sizes.js"

/** Who was asked. */
export interface Origin {
  readonly provider: string
  readonly model: string
  /** Cleared out of every text. */
  readonly secrets: ReadonlyArray<Redacted.Redacted>
  /** This provider refuses a request that does not fit with status 400 or 413 and no word. */
  readonly refusesSilently?: boolean
}

/** What the provider said. */
export interface Failure {
  /** The HTTP status; left out for an error in the middle of a stream. */
  readonly status?: number
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>
  /** The raw text, or a value that was parsed already. */
  readonly body: unknown
}

const longestDetail = 600

const detailOf = (origin: Origin, text: string) => Redact.make(origin.secrets)(text).slice(0, longestDetail)

/** AWS names the kind of an error in a header, followed by addresses. */
const kindOf = (headers: NonNullable<Failure["headers"]>) => headers["x-amzn-errortype"]?.split(/[:#]/)[0] ?? ""

/** A status inside the body tells more than the one of a proxy around it, or of a stream that began well. */
const effectiveStatus = (status: number, body: ErrorBody.ErrorBody): number => {
  if (status >= 400 && status < 500) return status
  const inner = body.codes.map(Number).findLast((code) => code >= 400 && code < 600)
  return inner ?? status
}

const finishes = new Set(["stop", "length", "tool_calls", "end_turn", "max_tokens", "tool_use"])

/** A reply in one piece, of a server that does not stream. What is in it says nothing of errors. */
const isReply = (status: number | undefined, { fields }: ErrorBody.ErrorBody): boolean =>
  status === 200 &&
  ["finish_reason", "stop_reason", "finishreason"].some((name) =>
    finishes.has(String(fields.get(name) ?? "").toLowerCase())
  )

/** The server's own word on retrying wins. */
const advised = (verdict: ErrorTable.Verdict, advice: string | undefined): ErrorTable.Verdict => {
  if (advice === "true" && verdict === "invalid") return "overloaded"
  if (advice === "false" && verdict === "overloaded") return "invalid"
  if (advice === "false" && verdict === "rateLimited") return "quota"
  return verdict
}

/** `now` in milliseconds since the epoch. */
export const read = (origin: Origin, failure: Failure, now: number): ModelError.ModelError => {
  const headers = failure.headers ?? {}
  const body = ErrorBody.read(failure.body, kindOf(headers))
  const status = effectiveStatus(failure.status ?? 0, body)
  const silent = typeof failure.body === "string" ? failure.body.trim() === "" : body.texts.length === 0
  const said = silent ? "(nothing)" : body.messages.join(" - ") || String(failure.body)
  const from = {
    detail: detailOf(origin, failure.status === undefined ? said : `HTTP ${failure.status}: ${said}`),
    model: origin.model,
    provider: origin.provider
  }
  const unavailable = (reason: ModelError.ModelUnavailable["reason"]) =>
    new ModelError.ModelUnavailable({
      ...from,
      reason,
      ...Option.match(RetryAfter.read(headers, body, now), {
        onNone: () => ({}),
        onSome: (retryAfter) => ({ retryAfter })
      })
    })

  if (isReply(failure.status, body)) {
    return new ModelError.InvalidRequest({ ...from, detail: "(its reply in one piece: the server does not stream)" })
  }
  if (silent && origin.refusesSilently && (status === 400 || status === 413)) {
    return new ModelError.ContextWindowExceeded({ ...from, kind: "tokens" })
  }
  // A page, or a status such as 204 in place of an answer, comes from no model.
  const isNoApi = /<html|<!doctype/i.test(String(failure.body)) || (status > 200 && status < 400)
  const unknown = isNoApi ? "invalid" : "overloaded"
  switch (advised(ErrorTable.verdict(body, status) ?? unknown, headers["x-should-retry"])) {
    case "context":
      return new ModelError.ContextWindowExceeded({ ...from, ...Sizes.context(body), kind: "tokens" })
    case "bytes":
      return new ModelError.ContextWindowExceeded({ ...from, ...Sizes.bytes(body), kind: "bytes" })
    case "output":
      return new ModelError.OutputLimitExceeded({ ...from, ...Sizes.output(body) })
    case "quota":
      return new ModelError.QuotaExhausted({
        ...from,
        ...Option.match(RetryAfter.reset(body, now), { onNone: () => ({}), onSome: (resetsIn) => ({ resetsIn }) })
      })
    case "rateLimited":
      return unavailable("rateLimited")
    case "overloaded":
      return unavailable("overloaded")
    case "authentication":
      return new ModelError.AuthenticationFailed(from)
    case "refused":
      return new ModelError.ContentRefused(from)
    case "invalid":
      return new ModelError.InvalidRequest(from)
  }
}

const readConnection = (origin: Origin, address: string, problem: unknown, phase: Phase) => {
  const { kind, text } = Connection.read(problem)
  const from = { detail: detailOf(origin, `${address}: ${text}`), model: origin.model, provider: origin.provider }
  // What goes wrong once an answer has begun is the stream's: half a line of JSON throws a SyntaxError, too.
  if (kind === "wrong" && phase === "opening") return new ModelError.InvalidRequest(from)
  return new ModelError.ModelUnavailable({
    ...from,
    reason: phase === "opening" ? "network" : "interrupted",
    ...(kind === "refused" && { unreachable: true })
  })
}

const isHttpFailure = Schema.is(HttpFailure)
const isConnectionFailure = Schema.is(ConnectionFailure)

/** The status of an HTTP answer that made an SDK throw. */
export const httpStatus = (error: unknown): number | undefined => Connection.causes(error).find(isHttpFailure)?.status

/** The text of an HTTP answer that made an SDK throw. */
export const httpBody = (error: unknown): string | undefined => Connection.causes(error).find(isHttpFailure)?.body

/** The error body that an SDK puts on what it throws in the middle of a stream. */
const errorOf = (cause: object): unknown => "error" in cause ? cause.error : undefined

/** Reads whatever an SDK threw. `address` names the server in texts about the network. */
export const readThrown = (
  origin: Origin,
  address: string,
  error: unknown,
  phase: Phase
): Effect.Effect<ModelError.ModelError> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    for (const cause of Connection.causes(error)) {
      if (isHttpFailure(cause)) return read(origin, cause, now)
      if (isConnectionFailure(cause)) return readConnection(origin, cause.address, cause.problem, phase)
      const body = errorOf(cause)
      if (body) return read(origin, { body }, now)
    }
    return readConnection(origin, address, error, phase)
  })
