/** What programs read on standard output: snake_case JSON of results and events. */
import type { SessionEvent } from "@weir/agent/SessionEvent"
import type { TurnError } from "@weir/agent/TurnError"
import type { TurnResult } from "@weir/agent/TurnResult"
import * as Usage from "@weir/model/Usage"

const snake = (name: string) => name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, "_$&").toLowerCase()

/** Cached tokens are part of the input, reasoning tokens part of the output. */
const usage = (self: Usage.Usage) => ({
  input_tokens: Usage.input(self),
  output_tokens: self.output,
  reasoning_tokens: self.reasoning,
  cache_read_tokens: self.cacheRead,
  cache_write_tokens: self.cacheWrite,
  total_tokens: Usage.input(self) + self.output
})

const hints: { readonly [tag in TurnError["_tag"]]: string } = {
  AuthenticationFailed: "Put the right key in the provider's environment variable, name another with --api-key-env, " +
    "or log in with: weir auth login",
  ContentRefused: "Rephrase the request.",
  ContextWindowExceeded: "Shorten the message, start a new session, or choose a model with a larger window.",
  EmptySummary: "Start a new session, or choose another model.",
  InvalidRequest: "Check --model, --base-url and --max-output-tokens.",
  MalformedSummary: "Start a new session, or choose another model.",
  ModelUnavailable: "Check --base-url and the network, and try again later.",
  NoProgress: "Start a new session, or choose a model with a larger window.",
  NothingToCompact: "Shorten the message, or choose a model with a larger window.",
  OutputLimitExceeded: "Lower --max-output-tokens.",
  QuotaExhausted: "Check the account's plan and billing.",
  SummarizerFailed: "Try again later, start a new session, or choose another model.",
  TranscriptError: "Check free disk space and the directory's permissions, or run with --no-session.",
  TruncatedSummary: "Start a new session, or choose another model."
}

const error = (self: TurnError) => ({ type: snake(self._tag), message: self.message, hint: hints[self._tag] })

/** The object that `--output-format json` ends with. */
export const result = (self: TurnResult, of: { readonly sessionId: string; readonly durationMillis: number }): string =>
  JSON.stringify({
    session_id: of.sessionId,
    text: self.text,
    stop_reason: self.reason,
    usage: usage(self.usage),
    compaction: { count: self.compaction.count, usage: usage(self.compaction.usage) },
    steps: self.steps,
    duration_ms: of.durationMillis,
    ...(self.error && { error: error(self.error) })
  })

/** One line of `--output-format stream-json`, without its newline. */
export const event = (self: SessionEvent, sessionId: string): string => {
  const { _tag, ...fields } = self
  const entries = Object.entries(fields).map(([name, value]) => [snake(name), value])
  return JSON.stringify({
    type: snake(_tag),
    ...(_tag === "TurnStarted" && { session_id: sessionId }),
    ...Object.fromEntries(entries),
    ...("usage" in self && { usage: usage(self.usage) }),
    ...("error" in self && self.error && { error: error(self.error) })
  })
}
