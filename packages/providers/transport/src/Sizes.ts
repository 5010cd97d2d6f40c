/** Reads sizes out of the texts of size errors. In the patterns below `#` stands for the wanted number. */
import type { ErrorBody } from "./ErrorBody.js"

const patterns = (...sources: ReadonlyArray<string>): ReadonlyArray<RegExp> =>
  sources.map((source) => new RegExp(source.replaceAll("#", "(\\d[\\d,_]*)"), "i"))

/** The most that the window holds. Not "exceeds limit (2013)": that is an error number. */
const limits = patterns(
  "context (?:length|window|size)(?: limit)?(?: is| of)?(?: only)?:? ?\\(?#",
  "with # maximum context length",
  "> #",
  "limit(?: for this model)?(?: is| of|:) #",
  "(?:length|tokens?) limit #",
  "maximum (?:model|allowed|supported|sequence)? ?(?:sequence )?length(?: is| of)?(?: just)? \\(?#",
  "max size: # tokens",
  "max_(?:seq_len|model_len|num_tokens)`? \\(?#",
  "must have less than # tokens",
  "tokens\\) cannot exceed #",
  "maximum (?:number of (?:input )?tokens(?: allowed)?|(?:allowed )?(?:prompt|input) length)(?: is| of)? \\(?#",
  "(?:model|context|input) maximum \\(#",
  "up to #",
  "must be <= #",
  "max(?:imum)? input tokens:? #",
  "input length should be \\[\\d+, #\\]"
)

/** What was refused. Input and wanted output together where the text has their sum. */
const actuals = patterns(
  "passed # input tokens",
  "# tokens? >",
  "limit: # \\+",
  "resulted in #",
  "requested (?:a total of |about |approximately )?# tokens",
  "(?:has|have|contains?) # (?:input |prompt )?tokens",
  "(?:input|prompt) token count(?: is| of|:)? \\(?#",
  "(?:prompt|input|request)(?: is)? \\(?# tokens",
  "current length is #",
  "(?:input|prompt) length (?:of )?\\(?#",
  "prompt_tokens \\(#",
  "prompt \\(length #",
  "provided prompt is # tokens",
  "number of input tokens #",
  "too long: #",
  "given: #",
  "requested: #",
  "(?:prompt|input) tokens \\(#",
  "first # tokens"
)

/** Input alone, where the text tells it from the wanted output. */
const inputs = patterns(
  "\\(# in the messages",
  "\\(# of (?:the )?(?:text )?input",
  "passed # input tokens",
  "tokens: # tokens from the input",
  "limit: # \\+",
  "given: # .?inputs"
)

const excesses = patterns("exceeded by # tokens")

const outputLimits = patterns(
  "at most # (?:completion|output) tokens",
  "> #, which is the maximum allowed number of output tokens",
  "tokens you requested exceeds the model limit of #",
  "valid range of max_\\w*tokens is \\[\\d+, #\\]",
  "max\\w*tokens`? (?:must|should) be (?:less than or equal to|<=|at most|no (?:more|greater) than) `?#",
  "maximum output (?:tokens|length)[^\\d]{0,20}#",
  "maximum (?:number of )?(?:output|completion) tokens[^\\d]{0,40}#"
)

const exclusiveOutputLimits = patterns("range is from 1 \\(inclusive\\) to # \\(exclusive\\)")

const byteLimits = patterns("limit(?: is| of)?:? # bytes", "> # bytes")
const byteActuals = patterns("# bytes >")

const toNumber = (digits: string) => Number(digits.replace(/[,_]/g, ""))

const find = (texts: ReadonlyArray<string>, wanted: ReadonlyArray<RegExp>): number | undefined => {
  for (const pattern of wanted) {
    for (const text of texts) {
      const digits = pattern.exec(text)?.[1]
      if (digits !== undefined) return toNumber(digits)
    }
  }
  return undefined
}

const field = (body: ErrorBody, ...names: ReadonlyArray<string>): number | undefined => {
  const value = names.map((name) => body.fields.get(name)).find((value) => typeof value === "number")
  return typeof value === "number" ? value : undefined
}

/** In a wording that no pattern knows: of the two large numbers in one text the smaller is the limit. */
const pair = (texts: ReadonlyArray<string>): readonly [number, number] | undefined => {
  for (const text of texts) {
    if (!/token/i.test(text)) continue
    const numbers = new Set((text.match(/\d[\d,_]*/g) ?? []).map(toNumber).filter((value) => value >= 1000))
    const [first, second] = numbers
    if (numbers.size === 2 && first !== undefined && second !== undefined) {
      return [Math.min(first, second), Math.max(first, second)]
    }
  }
  return undefined
}

/** The sizes that a context error names, in tokens. */
export const context = (body: ErrorBody) => {
  const limit = find(body.texts, limits) ?? field(body, "n_ctx", "max_model_len")
  const excess = find(body.texts, excesses)
  const actual = find(body.texts, actuals) ??
    field(body, "n_prompt_tokens") ??
    (limit !== undefined && excess !== undefined ? limit + excess : undefined)
  const input = find(body.texts, inputs)
  const guess = limit === undefined && actual === undefined ? pair(body.texts) : undefined
  if (guess) return { actual: guess[1], limit: guess[0] }
  return {
    ...(limit !== undefined && { limit }),
    ...(actual !== undefined && { actual }),
    ...(input !== undefined && { input })
  }
}

/** The sizes that an error about the request body names, in bytes. */
export const bytes = (body: ErrorBody) => {
  const limit = find(body.texts, byteLimits)
  const actual = find(body.texts, byteActuals)
  return { ...(limit !== undefined && { limit }), ...(actual !== undefined && { actual }) }
}

/** The largest output that an error names, in tokens. */
export const output = (body: ErrorBody) => {
  const exclusive = find(body.texts, exclusiveOutputLimits)
  const limit = exclusive === undefined ? find(body.texts, outputLimits) : exclusive - 1
  return limit === undefined ? {} : { limit }
}

/** Whether one request asks for more than a rate limit allows per minute, so that no waiting helps. */
export const beyondRate = (body: ErrorBody): boolean => {
  const limit = find(body.texts, patterns("limit #, (?:used #, )?requested \\d"))
  const requested = find(body.texts, patterns("limit [\\d,_]+, (?:used [\\d,_]+, )?requested #"))
  return limit !== undefined && requested !== undefined && requested > limit
}
