/**
 * The `isolated` request for a summary: its own system prompt, no tools, and the covered history, or a part of it, as
 * one user message of framed text. Whatever the history says is data; it cannot leave its frame.
 */
import type { Entry } from "@weir/model/Conversation"
import { userMessage } from "@weir/model/Conversation"
import type { Prompt } from "@weir/model/Prompt"
import * as Either from "effect/Either"
import type { Budget } from "./Budget.js"
import * as Estimate from "./Estimate.js"
import * as HistoryText from "./HistoryText.js"
import type { Plan } from "./Plan.js"
import * as Prune from "./Prune.js"
import * as Reduction from "./Reduction.js"
import * as SummaryPrompt from "./SummaryPrompt.js"
import * as TokenScan from "./TokenScan.js"

export interface SummaryRequest {
  readonly prompt: Prompt
  readonly maxOutputTokens: number
  /** The likely input, in tokens. */
  readonly tokens: number
  /** What an echo would repeat: our instructions, and the framed history without earlier summaries. */
  readonly echoes: ReadonlyArray<string>
}

export interface SummaryRequestOptions {
  readonly plan: Plan
  readonly budget: Budget
  /** Its calibration tells what the provider would count. */
  readonly estimate: Pick<Estimate.Estimate, "multiplier">
  /** What the user asked to keep in mind; present makes the request a manual one. */
  readonly focus?: string
  /** What was wrong with the first answer, when this is the second and last request. */
  readonly fault?: string
  /** Whether the model reasons: then the output limit leaves room for that. */
  readonly reasons?: boolean
}

/** What is added to the output limit, in tokens. */
export const allowance = ({ budget, reasons = false }: Pick<SummaryRequestOptions, "budget" | "reasons">): number =>
  reasons ? budget.caps.summaryReasoning : 0

/** What message frames of the wire add, in tokens, generously. */
export const wireOverhead = 32

const messageOf = (previous: ReadonlyArray<HistoryText.Piece>, history: string, instructions: string): string =>
  [...(previous.length > 0 ? [HistoryText.render(previous)] : []), `<history>\n${history}\n</history>`, instructions]
    .join("\n\n")

/** What a request takes beside the history, by scan. */
const beside = (previous: ReadonlyArray<HistoryText.Piece>, instructions: string): number =>
  TokenScan.count(SummaryPrompt.system) + TokenScan.count(messageOf(previous, "", instructions)) + wireOverhead

const previousOf = ({ previousSummary }: Plan): ReadonlyArray<HistoryText.Piece> =>
  previousSummary === undefined ? [] : [HistoryText.previousSummary(previousSummary)]

const make = (options: SummaryRequestOptions, made: {
  readonly previous: ReadonlyArray<HistoryText.Piece>
  readonly pieces: ReadonlyArray<HistoryText.Piece>
  readonly instructions: string
  readonly cap: number
}): SummaryRequest => {
  const { cap, instructions, pieces, previous } = made
  const message = messageOf(previous, HistoryText.render(pieces), instructions)
  return {
    prompt: { system: SummaryPrompt.system, tools: [], entries: [userMessage(message)] },
    maxOutputTokens: cap + allowance(options),
    tokens: Estimate.calibrated(options.estimate, beside(previous, instructions) + HistoryText.weight(pieces)),
    echoes: [HistoryText.render(pieces.filter((piece) => !HistoryText.isPartSummary(piece))), instructions]
  }
}

const pieces = (entries: ReadonlyArray<Entry>) => entries.flatMap(HistoryText.pieces)

/** About the whole history, its oldest tool outputs left out until it fits `limit` tokens; none when it never does. */
export const whole = (options: SummaryRequestOptions, limit: number): Either.Either<SummaryRequest, void> => {
  const { budget, estimate, plan } = options
  const cap = budget.caps.summaryOutput
  const instructions = SummaryPrompt.whole({ ...options, tokens: cap })
  const previous = previousOf(plan)
  const target = Estimate.scannable(estimate, limit) - beside(previous, instructions)
  const { entries } = Prune.prune(plan.covered, {
    weigh: (entry) => HistoryText.weight(HistoryText.pieces(entry)),
    target
  })
  const fitting = pieces(entries)
  return HistoryText.weight(fitting) > target
    ? Either.left(undefined)
    : Either.right(make(options, { previous, pieces: fitting, instructions, cap }))
}

/** What is to be summarized part by part: all tool outputs are left out, but those that nobody will see again. */
export const reduction = ({ plan }: SummaryRequestOptions): Reduction.Reduction => {
  const { checkpoint, covered, unread } = plan
  const kept = unread !== undefined && !checkpoint.unread ? 1 : 0
  const older = covered.slice(0, covered.length - kept)
  const { entries } = Prune.prune(older, { weigh: (entry) => HistoryText.weight(HistoryText.pieces(entry)), target: 0 })
  return Reduction.start(pieces([...entries, ...covered.slice(older.length)]))
}

/** The least room worth asking with, room for what a second request says of the first answer, and a summary's frame. */
const least = { room: 256, fault: 128, frame: 16 }

/** Even without any history the request would leave no room for some. In tokens. */
export interface TooLarge {
  readonly limit: number
  readonly actual: number
}

export interface Reduced {
  readonly request: SummaryRequest
  /** Where the request is about a part only: what becomes of the reduction with the part's summary. */
  readonly summarized?: (summary: string) => Reduction.Reduction
}

/** About the history so far reduced, if that fits `limit` tokens, else about the next part of it. */
export const reduced = (
  options: SummaryRequestOptions,
  reduction: Reduction.Reduction,
  limit: number
): Either.Either<Reduced, TooLarge> => {
  const { budget: { caps: { summaryOutput } }, estimate, plan } = options
  const { fault: _, ...first } = options
  const whole = (wanted: typeof first) => SummaryPrompt.whole({ ...wanted, tokens: summaryOutput, merges: true })
  const part = (wanted: typeof first, tokens: number) => SummaryPrompt.part({ ...wanted, tokens })
  const longest = Math.max(beside([], whole(first)), beside([], part(first, summaryOutput))) + least.fault
  const available = Estimate.scannable(estimate, limit) - longest
  const previous = previousOf(plan).map((piece) => HistoryText.within(piece, Reduction.share(available)))
  const room = available - HistoryText.weight(previous)
  if (room < least.room) {
    return Either.left({ limit, actual: Estimate.calibrated(estimate, longest + 2 * least.room) })
  }
  const next = Reduction.next(reduction, room)
  if (next._tag === "Whole") {
    const { pieces } = next
    return Either.right({
      request: make(options, { previous, pieces, instructions: whole(options), cap: summaryOutput })
    })
  }
  const cap = Math.min(summaryOutput, Reduction.share(room) - least.frame)
  return Either.right({
    request: make(options, { previous: [], pieces: next.pieces, instructions: part(options, cap), cap }),
    summarized: (summary) => Reduction.summarized(next, summary, room)
  })
}
