/**
 * What errors mean: a table read from the top, the first row that fits wins. Its order is the point. Errors
 * that only look like a full context (rate limits in tokens, output limits, images) stand above it.
 */
import type { ErrorBody } from "./ErrorBody.js"
import { beyondRate } from "./Sizes.js"

export type Verdict =
  | "context"
  | "bytes"
  | "output"
  | "quota"
  | "rateLimited"
  | "overloaded"
  | "authentication"
  | "refused"
  | "invalid"

/** A row fits when its status fits and, where it names codes or texts, one of these is in the body. */
interface Row {
  readonly verdict: Verdict
  readonly status?: (status: number) => boolean
  readonly code?: RegExp
  readonly text?: RegExp
  readonly unless?: RegExp
  readonly when?: (body: ErrorBody) => boolean
}

/** One pattern out of several alternatives, a line each. */
const any = (...alternatives: ReadonlyArray<RegExp>) =>
  new RegExp(alternatives.map((one) => one.source).join("|"), "is")

const oneOf = (...statuses: ReadonlyArray<number>) => (status: number) => statuses.includes(status)

const contextCodes = any(
  /^context_(?:length|window)_exceeded$/,
  /^context_exceeded$/,
  /^(?:context|prompt|input|tokens)_too_(?:large|long)$/,
  /^tokens_limit_reached$/,
  /^model_context_window_exceeded$/,
  /^model_max_prompt_tokens_exceeded$/,
  /^model_length$/,
  /^exceed_context_size_error$/,
  /^(?:1039|1261|3051|5021)$/
)

const contextPhrases = any(
  /context[ _-]?(?:length|window|size|limit).{0,80}?(?:exceed|overflow|full\b|reached|too (?:long|large))/,
  /(?:exceed|longer than|larger than|greater than|more than|overflow|beyond).{0,80}?(?:context|(?:model|max(?:imum)?) (?:prompt|input)|model maximum|maximum length|max(?:imum)? (?:number of )?(?:input )?tokens|input length|token limit)/,
  /maximum (?:context|prompt|input) length/,
  /(?:input|prompt|context) (?:length|tokens?).{0,40}(?:exceed|(?:greater|longer|larger|less) than)/,
  /(?:prompt|input).{0,40}(?:longer|greater|larger) than (?:the )?(?:max(?:imum)?|model)/,
  /maximum supported sequence length/,
  /max_(?:seq_len|model_len|num_tokens)\b/,
  /inputs`? must have less than/,
  /(?:total tokens|tokens? (?:limit|count)).{0,40}(?:exceed|reached)/,
  /context (?:length|window) (?:is|of) (?:only )?\d/,
  /(?:prompt|inputs?|messages?|conversation) (?:tokens )?(?:is |are )?too (?:long|large)/,
  /too (?:long|large) for (?:the |this )?(?:requested )?model/,
  /prompt exceeds/,
  /(?:prompt|上下文|输入).{0,20}(?:超长|超出|超过|过长)/,
  /too many (?:input )?tokens/,
  /input tokens? (?:exceed|count)/,
  /prompt token count/,
  /reduce the length of the (?:input|prompt|messages)/,
  /range of input length should be/,
  /only supports? up to \d/,
  /inputs`? tokens \+/,
  /expected maxlength: \d/,
  /max_tokens must be at least 1, got -/,
  /contextwindowexceeded/,
  /token limit (?:exceeded|reached)/
)

const outputPhrases = any(
  /at most [\d,]+ (?:completion|output) tokens/,
  /maximum (?:allowed )?(?:number of )?(?:output|completion) (?:tokens|length)/,
  /tokens you requested exceeds the model limit of/,
  /maxoutputtokens value of/,
  /valid range of max_\w*tokens/,
  /max\w*tokens`? (?:must|should) be (?:less|<=|at most|no )/,
  /max_\w*tokens\W.{0,60}(?:too large|exceeds)/
)

const quotaPhrases = any(
  /credit balance/,
  /can only afford/,
  /(?:requires? more|insufficient|not enough|out of|no) (?:credits?|balance|funds|quota)/,
  /exceeded (?:your )?current quota/,
  /usage limit/,
  /per[- ]day/,
  /daily (?:limit|quota)/,
  /extra usage is required/,
  /billing hard limit/
)

const rows: ReadonlyArray<Row> = [
  { verdict: "rateLimited", text: /error-code#token-limit/i },
  { verdict: "rateLimited", text: /rpc\.RetryInfo/, unless: /per[- ]?day/i },
  {
    verdict: "quota",
    code:
      /insufficient_quota|servicequotaexceeded|usage_limit_reached|usage_not_included|current_quota|insufficient_balance|^billing|^(?:1113|1308|1309|1310|1311)$/
  },
  { verdict: "quota", text: quotaPhrases },
  { verdict: "quota", status: oneOf(402) },
  { verdict: "quota", text: /request too large.*(?:per min|\btpm\b)/is },
  { verdict: "quota", when: beyondRate },
  // A gateway wraps what its provider said in a status of its own.
  { verdict: "context", code: /^context_length_exceeded$/, text: /ContextWindowExceededError/ },
  { verdict: "overloaded", code: /overloaded|slow_down|unavailable|notready/, text: /overloaded|at capacity/i },
  { verdict: "rateLimited", status: oneOf(429) },
  {
    verdict: "rateLimited",
    code: /rate_?limit|throttl|too_?many_?(?:requests|tokens)|token_quota_exceeded|resource_exhausted/,
    text: /rate limit|tokens? per min|\b[tr]pm\b|too many requests|too many tokens, please wait|throttl/i
  },
  {
    verdict: "refused",
    code:
      /content_?filter|content_policy|^invalid_prompt$|cyber_policy|moderation|guardrail|prohibited_content|data_inspection_failed|^1301$/,
    text: /flagged as|usage polic|content (?:management )?policy|requires moderation|guardrail intervened/i
  },
  { verdict: "authentication", status: oneOf(401) },
  {
    verdict: "authentication",
    code:
      /api_key|authentication|unauthori[sz]ed|unauthenticated|accessdenied|unrecognizedclient|invalidsignature|expiredtoken|permission_?(?:denied|error)/,
    text: /(?:incorrect|invalid|missing|no) api[- ]?key|api[- ]?key not valid/i
  },
  { verdict: "authentication", status: oneOf(403) },
  { verdict: "overloaded", status: oneOf(408, 502, 503, 504, 529) },
  { verdict: "overloaded", text: /floating point nan|try your request again|loading model/i },
  { verdict: "context", code: contextCodes },
  { verdict: "invalid", code: /^string_above_max_length$/, text: /failed to parse tool call/i },
  {
    verdict: "invalid",
    text: /\bimages?\b.{0,80}(?:exceed|dimension|pixels|too (?:large|big|many))/is,
    unless: /context (?:length|window)|total tokens/i
  },
  {
    verdict: "output",
    text: outputPhrases,
    unless: /context (?:length|window|size|limit)|\binputs?\b(?! validation)|\bprompt\b/i
  },
  {
    verdict: "bytes",
    code: /^request_too_large$/,
    text:
      /(?:request|payload|body)\b.{0,60}(?:exceeds|too large).{0,60}\bbytes|payload (?:is )?too large|entity too large/is
  },
  { verdict: "context", text: contextPhrases },
  { verdict: "bytes", status: oneOf(413) },
  { verdict: "overloaded", code: /^model(?:error|streamerror|timeout)exception$/ },
  { verdict: "overloaded", status: (status) => status >= 500 || status === 409 || status === 425 },
  { verdict: "invalid", status: (status) => status >= 400 },
  { verdict: "invalid", code: /^validationexception$|^invalid_|^bad_?request/ }
]

const fits = (body: ErrorBody, status: number) => (row: Row): boolean =>
  (row.status === undefined || row.status(status)) &&
  (row.when === undefined || row.when(body)) &&
  ((row.code === undefined && row.text === undefined) ||
    body.codes.some((code) => row.code?.test(code)) ||
    body.texts.some((text) => row.text?.test(text))) &&
  !body.texts.some((text) => row.unless?.test(text))

/** What a body with this status means; `undefined` when the table knows nothing about it. */
export const verdict = (body: ErrorBody, status: number): Verdict | undefined => rows.find(fits(body, status))?.verdict
