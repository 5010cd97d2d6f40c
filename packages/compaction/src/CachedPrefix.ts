/**
 * The `cachedPrefix` request for a summary: the running conversation, which the provider has cached, with one more
 * user message that asks for the summary. The tools belong to what is cached and stay; nothing runs them.
 */
import { userMessage } from "@weir/model/Conversation"
import type { Prompt } from "@weir/model/Prompt"
import * as Option from "effect/Option"
import * as ByteSize from "./ByteSize.js"
import * as Estimate from "./Estimate.js"
import * as HistoryText from "./HistoryText.js"
import * as SummaryPrompt from "./SummaryPrompt.js"
import { allowance, type SummaryRequest, type SummaryRequestOptions, wireOverhead } from "./SummaryRequest.js"
import * as TokenScan from "./TokenScan.js"

export interface CachedPrefixOptions extends SummaryRequestOptions {
  /** System prompt and tools of the running conversation. */
  readonly prompt: Pick<Prompt, "system" | "tools">
  readonly estimate: Estimate.Estimate
}

/**
 * A model that reasons is given as much output as in a turn: some providers derive from that how much it may reason, and
 * what they have cached is of no use under another allowance.
 */
const reasoning = (options: CachedPrefixOptions): number =>
  options.reasons ? Math.max(allowance(options), options.budget.outputReserve - options.budget.caps.summaryOutput) : 0

/**
 * None when it would hold more than `limit` tokens or more bytes than may be sent, or nothing of the conversation. Room
 * for reasoning is what the limit leaves, since the conversation cannot be cut.
 */
export const make = (options: CachedPrefixOptions, limit: number): Option.Option<SummaryRequest> => {
  const { budget, estimate, plan: { beyond, covered, prefix }, prompt: { system, tools } } = options
  const { summaryOutput } = budget.caps
  const instructions = SummaryPrompt.whole({ ...options, inConversation: true, tokens: summaryOutput })
  const added = Estimate.calibrated(estimate, TokenScan.count(instructions) + wireOverhead)
  const tokens = Estimate.current(estimate) - beyond + added
  const prompt = { system, tools, entries: [...prefix, userMessage(instructions)] }
  const isTooLarge = tokens > limit || ByteSize.prompt(prompt) > budget.bytes.limit
  return prefix.length === 0 || isTooLarge ? Option.none() : Option.some({
    prompt,
    maxOutputTokens: summaryOutput + Math.min(reasoning(options), limit - tokens),
    tokens,
    echoes: [HistoryText.render(covered.flatMap(HistoryText.pieces)), instructions]
  })
}
