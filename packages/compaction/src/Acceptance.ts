/** Whether an answer is a summary that may stand for history. */
import { text } from "@weir/model/Conversation"
import * as Reply from "@weir/model/Reply"
import type { Usage } from "@weir/model/Usage"
import * as Data from "effect/Data"
import type { CompactionError } from "./CompactionError.js"
import { EmptySummary, MalformedSummary, NoProgress, TruncatedSummary } from "./CompactionError.js"
import * as SummaryPrompt from "./SummaryPrompt.js"
import * as TokenScan from "./TokenScan.js"

/** What is wrong with an answer. Sizes in tokens unless said. */
export type Fault = Data.TaggedEnum<{
  Blank: {}
  ReasoningOnly: {}
  ToolCall: {}
  Refusal: {}
  Echo: {}
  CutOff: {}
  OverCap: { readonly tokens: number; readonly cap: number }
  FreesTooLittle: { readonly freed: number; readonly covered: number }
  DoesNotFit: { readonly after: number; readonly input: number }
  TooManyBytes: { readonly after: number; readonly limit: number }
  HeadingsMissing: { readonly headings: ReadonlyArray<string> }
  TooShort: { readonly tokens: number; readonly covered: number }
}>

export const Fault = Data.taggedEnum<Fault>()

/** A hard fault fails the compaction; a soft one is noted when a second answer has it too. */
export const isHard = (fault: Fault): boolean => fault._tag !== "HeadingsMissing" && fault._tag !== "TooShort"

/** What the fault is, for the stricter request, for notes and for errors. */
export const describe: (fault: Fault) => string = Fault.$match({
  Blank: () => "it was empty",
  ReasoningOnly: () => "it held reasoning and no text",
  ToolCall: () => "it called a tool",
  Refusal: () => "it refused",
  Echo: () => "it repeated the request",
  CutOff: () => "it was cut off at its length limit; write less",
  OverCap: ({ cap, tokens }) => `it was ${tokens} tokens long and may be at most ${cap}`,
  FreesTooLittle: ({ covered, freed }) => `it freed ${Math.max(0, freed)} of ${covered} tokens; write less`,
  DoesNotFit: ({ after, input }) => `the next request would be ${after} tokens long and may be at most ${input}`,
  TooManyBytes: ({ after, limit }) => `the next request would take ${after} bytes and may take at most ${limit}`,
  HeadingsMissing: ({ headings }) => `these headings were missing or empty: ${headings.join(", ")}`,
  TooShort: ({ covered, tokens }) => `it was ${tokens} tokens long for ${covered} tokens of history; write more`
})

/** The error that a hard fault is, with what the requests have cost. */
export const fromFault = (fault: Fault, usage: Usage): CompactionError => {
  const failed = { reason: describe(fault), usage }
  switch (fault._tag) {
    case "Blank":
    case "ReasoningOnly":
      return new EmptySummary(failed)
    case "CutOff":
    case "OverCap":
      return new TruncatedSummary(failed)
    case "FreesTooLittle":
    case "DoesNotFit":
    case "TooManyBytes":
      return new NoProgress(failed)
    default:
      return new MalformedSummary(failed)
  }
}

/** What becomes of the next request, pruned if that is needed: in tokens, in bytes, and the tokens that are freed. */
export interface Effect {
  readonly freed: number
  readonly after: number
  readonly bytes: number
}

/** What an answer is judged against. Sizes in tokens unless said. */
export interface Context {
  /** The most that a summary may hold. */
  readonly cap: number
  /** Weight of all that the summary would replace. */
  readonly covered: number
  /** Our instructions and the framed history: what an echo would repeat. */
  readonly request: ReadonlyArray<string>
  readonly effect: (summary: string) => Effect
  /** The input budget of the next request, and its limit in bytes. */
  readonly input: number
  readonly maxBytes: number
}

export interface Verdict {
  readonly summary: string
  /** Hard faults first. Empty: accepted. */
  readonly faults: ReadonlyArray<Fault>
}

export const judge = (reply: Reply.Reply, context: Context): Verdict => {
  const { faults, summary } = judgePart(reply, context.request)
  return { summary, faults: faults.length > 0 ? faults : shortcomings(reply, summary, context) }
}

/** Of a part's summary, which is merged with others, all that is asked is that it is one. */
export const judgePart = (reply: Reply.Reply, request: Context["request"]): Verdict => {
  const summary = text(reply).trim()
  const unusable = notASummary(reply, summary, request)
  return { summary, faults: unusable ? [unusable] : [] }
}

const { headings } = SummaryPrompt

const notASummary = (reply: Reply.Reply, summary: string, request: Context["request"]): Fault | undefined => {
  if (Reply.calls(reply).length > 0 || callMarkup.test(prose(summary))) return Fault.ToolCall()
  if (reply.stop === "refused") return Fault.Refusal()
  if (summary === "") {
    if (reply.stop === "length") return Fault.CutOff()
    return reply.parts.some((part) => part._tag === "Reasoning") ? Fault.ReasoningOnly() : Fault.Blank()
  }
  if (refusal.test(summary) && missing(summary).length === headings.length) return Fault.Refusal()
  if (isEcho(summary, request)) return Fault.Echo()
  return undefined
}

const shortcomings = (reply: Reply.Reply, summary: string, context: Context): ReadonlyArray<Fault> => {
  const { cap, covered, effect, input, maxBytes } = context
  if (reply.stop === "length") return [Fault.CutOff()]
  const scanned = TokenScan.count(summary)
  const tokens = written(reply) ?? scanned
  if (tokens > cap) return [Fault.OverCap({ tokens, cap })]
  const { after, bytes, freed } = effect(summary)
  const absent = missing(summary)
  return [
    ...(10 * freed < covered ? [Fault.FreesTooLittle({ freed, covered })] : []),
    ...(after > input ? [Fault.DoesNotFit({ after, input })] : []),
    ...(bytes > maxBytes ? [Fault.TooManyBytes({ after: bytes, limit: maxBytes })] : []),
    ...(absent.length > 0 ? [Fault.HeadingsMissing({ headings: absent })] : []),
    ...(scanned < 200 && covered > 10_000 ? [Fault.TooShort({ tokens: scanned, covered })] : [])
  ]
}

/** Reported tokens of the text, where they can be told from those of the reasoning. */
const written = (reply: Reply.Reply): number | undefined => {
  const { output = 0, reasoning = 0 } = reply.usage ?? {}
  const areMixed = reasoning === 0 && Reply.hasReasoned(reply)
  return output > 0 && !areMixed ? output - reasoning : undefined
}

/** Lines outside code fences, without inline code: where markup means what it says. */
const prose = (summary: string): string => {
  let fence: string | undefined
  return summary.split("\n").filter((line) => {
    const mark = /^\s*(```|~~~)/.exec(line)?.[1]
    if (fence === undefined && mark) {
      fence = mark
      return false
    }
    if (fence !== undefined && mark === fence) {
      fence = undefined
      return false
    }
    return fence === undefined
  }).map((line) => line.replace(/`[^`]*`/g, "")).join("\n")
}

/** The ways models write a call as text, at the start of a line. */
const callMarkup = new RegExp(
  "^\\s*(?:<\\/?(?:[a-z]+:)?(?:tool_calls?|function_calls?|tool_use|invoke|function)\\b|<\\|(?:tool|python_tag)" +
    "|\\[TOOL_CALLS?\\]|<function=|\\{\\s*\"(?:tool_calls|function_call)\")",
  "im"
)

const refusal =
  /^\W*(?:i['’]?m (?:very )?sorry|sorry|i can(?:no|['’])t|i am (?:unable|not able)|i['’]m (?:unable|not able)|i won['’]t)\b/i

/** An answer that is a stretch of the request, or that carries one of our instructions. */
const isEcho = (summary: string, request: ReadonlyArray<string>): boolean =>
  summary.length >= 40 && request.some((part) => part.includes(summary)) ||
  summary.startsWith("<history>") || summary.includes(SummaryPrompt.opening)

/** The headings without a body, of any level or bold. Headings inside code fences do not count. */
const missing = (summary: string): ReadonlyArray<string> => {
  const found = new Set<string>()
  let current: string | undefined
  for (const line of prose(summary).split("\n")) {
    const heading = headingOf(line)
    if (heading !== undefined) current = heading.name
    const body = heading === undefined ? line : heading.rest
    if (current !== undefined && /[\p{L}\p{N}]/u.test(body)) found.add(current)
  }
  return headings.filter((heading) => !found.has(heading))
}

const headingLine = new RegExp(
  `^\\s*(?:#{1,6}\\s*(?:\\d+[.)]\\s*)?(?:\\*\\*|__)?|(?:\\d+[.)]\\s*|[-*]\\s+)?(?:\\*\\*|__))(${
    headings.join("|")
  })\\b(.*)$`,
  "i"
)

/** The required heading that a line is, with what follows it on the line. */
const headingOf = (line: string): { readonly name: string; readonly rest: string } | undefined => {
  const [, title, rest] = headingLine.exec(line) ?? []
  const name = headings.find((heading) => heading.toLowerCase() === title?.toLowerCase())
  return name === undefined ? undefined : { name, rest: rest ?? "" }
}
