/**
 * Why a model did not answer. Each error's `message` says what to do; `detail` keeps the provider's own words,
 * already cleared of secrets by the codec that read them.
 */
import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"

const origin = { provider: Schema.String, model: Schema.String, detail: Schema.String }

const quoted = (detail: string) => detail === "" ? "" : ` The provider said: ${detail}`

/** What no compaction can shrink, each in tokens. */
export const Parts = Schema.Struct({
  system: Schema.Number,
  /** Names, descriptions and schemas of the tools. */
  tools: Schema.Number,
  /** The newest user message with its images. */
  user: Schema.Number
})
export type Parts = typeof Parts.Type

/** The request does not fit the model's window. Never retried unchanged. */
export class ContextWindowExceeded extends Schema.TaggedError<ContextWindowExceeded>(
  "@weir/model/ModelError/ContextWindowExceeded"
)("ContextWindowExceeded", {
  ...origin,
  /** What was exceeded: tokens, or bytes of the request body. */
  kind: Schema.Literal("tokens", "bytes"),
  /** The limit that the provider or our own budget named, in units of `kind`. */
  limit: Schema.optionalWith(Schema.Number, { exact: true }),
  /** The size that was refused, in units of `kind`: input, or input and wanted output together. */
  actual: Schema.optionalWith(Schema.Number, { exact: true }),
  /** The input alone, in tokens, where the provider told it from the wanted output. */
  input: Schema.optionalWith(Schema.Number, { exact: true }),
  parts: Schema.optionalWith(Parts, { exact: true })
}) {
  override get message() {
    const size = this.actual === undefined ? "" : ` of ${this.actual} ${this.kind}`
    const limit = this.limit === undefined ? "" : ` of ${this.limit} ${this.kind}`
    const what = this.kind === "bytes" ? "size limit" : "context limit"
    const parts = this.parts
      ? ` The system prompt takes ${this.parts.system} tokens, the tool definitions ${this.parts.tools}, ` +
        `your message ${this.parts.user}.`
      : ""
    return `The request${size} exceeds the ${what}${limit} of ${this.model}.${parts} ${this.advice}${
      quoted(this.detail)
    }`
  }

  private get advice() {
    if (this.kind === "bytes") return "Send fewer or smaller images, shorten the message, or start a new session."
    const { system, tools } = this.parts ?? { system: 0, tools: 0 }
    return this.limit !== undefined && system + tools > this.limit / 2
      ? "Choose a model with a larger window, or shorten what is added to the system prompt."
      : "Shorten the message, start a new session, or choose a model with a larger window."
  }
}

/** A passing fault: the only error that the retry schedule meets. */
export class ModelUnavailable extends Schema.TaggedError<ModelUnavailable>(
  "@weir/model/ModelError/ModelUnavailable"
)("ModelUnavailable", {
  ...origin,
  reason: Schema.Literal("overloaded", "rateLimited", "network", "interrupted"),
  /** No connection could be made at all: refused, or the name is unknown. */
  unreachable: Schema.optionalWith(Schema.Boolean, { exact: true }),
  /** The delay the provider asked for. */
  retryAfter: Schema.optionalWith(Schema.DurationFromMillis, { exact: true }),
  /** How often it is worth trying again, where that is less often than is usual. */
  retries: Schema.optionalWith(Schema.Int, { exact: true })
}) {
  override get message() {
    const wait = this.retryAfter ? ` It asks to wait ${Duration.format(this.retryAfter)}.` : ""
    const what = {
      overloaded: "is overloaded",
      rateLimited: "limits the rate of requests",
      network: "could not be reached: check the address, that the server runs, and the network",
      interrupted: "stopped in the middle of its answer"
    }[this.reason]
    return `${this.provider} ${what}.${wait} Try again later.${quoted(this.detail)}`
  }
}

export class QuotaExhausted extends Schema.TaggedError<QuotaExhausted>(
  "@weir/model/ModelError/QuotaExhausted"
)("QuotaExhausted", {
  ...origin,
  /** When there will be quota again, from the moment of the answer on. */
  resetsIn: Schema.optionalWith(Schema.DurationFromMillis, { exact: true })
}) {
  override get message() {
    const reset = this.resetsIn ? ` It is restored in ${Duration.format(this.resetsIn)}.` : ""
    return `The quota or credit at ${this.provider} is used up.${reset} Check the account's plan and billing.${
      quoted(this.detail)
    }`
  }
}

/** More output was asked for than the model can give, or the reply was longer than what was asked for. */
export class OutputLimitExceeded extends Schema.TaggedError<OutputLimitExceeded>(
  "@weir/model/ModelError/OutputLimitExceeded"
)("OutputLimitExceeded", {
  ...origin,
  /** The largest output the model accepts, in tokens. */
  limit: Schema.optionalWith(Schema.Number, { exact: true }),
  /** The tokens after which the reply was cut off; what came of it is kept. */
  cutAfter: Schema.optionalWith(Schema.Number, { exact: true })
}) {
  override get message() {
    if (this.cutAfter !== undefined) {
      return `The reply was cut off at its output limit of ${this.cutAfter} tokens. Raise --max-output-tokens, or ask ` +
        "for less at a time."
    }
    return `${this.model} does not give that much output. Lower --max-output-tokens${
      this.limit === undefined ? "" : ` to at most ${this.limit}`
    }.${quoted(this.detail)}`
  }
}

export class AuthenticationFailed extends Schema.TaggedError<AuthenticationFailed>(
  "@weir/model/ModelError/AuthenticationFailed"
)("AuthenticationFailed", origin) {
  override get message() {
    return `${this.provider} does not accept the key. Set the right one and try again.${quoted(this.detail)}`
  }
}

export class InvalidRequest extends Schema.TaggedError<InvalidRequest>(
  "@weir/model/ModelError/InvalidRequest"
)("InvalidRequest", origin) {
  override get message() {
    return `${this.provider} rejects the request. Check the model name (${this.model}), the address and the options.${
      quoted(this.detail)
    }`
  }
}

export class ContentRefused extends Schema.TaggedError<ContentRefused>(
  "@weir/model/ModelError/ContentRefused"
)("ContentRefused", origin) {
  override get message() {
    return `${this.provider} refuses to answer this content. Rephrase the request.${quoted(this.detail)}`
  }
}

export const ModelError = Schema.Union(
  ContextWindowExceeded,
  ModelUnavailable,
  QuotaExhausted,
  OutputLimitExceeded,
  AuthenticationFailed,
  InvalidRequest,
  ContentRefused
)
export type ModelError = typeof ModelError.Type
