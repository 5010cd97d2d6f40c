/**
 * The running estimate of the next request's input, in tokens. It is anchored on the last usage the provider
 * reported; only what was added since is scanned, so a step costs its own length and never the history's.
 */
import type { Entry, Step } from "@weir/model/Conversation"
import type { Weights } from "@weir/model/Model"
import type { Prompt } from "@weir/model/Prompt"
import * as Usage from "@weir/model/Usage"
import * as Weight from "./Weight.js"

/** The provider's own count of the first `scanned` tokens of the scan. */
export interface Anchor {
  readonly tokens: number
  readonly scanned: number
}

export interface Estimate {
  readonly weights: Weights
  /** The scan of the whole next request, uncalibrated. */
  readonly scanned: number
  /** The part of `scanned` that is system prompt and tool schemas. */
  readonly fixed: number
  /** Absent before the first report, after a replacement, and after an implausible report. */
  readonly anchor?: Anchor
  /** The provider's tokens per 1,000 scanned tokens, learned from its reports. */
  readonly multiplier: number
}

/**
 * The estimate of a request nobody has counted yet: a scan of all of it. After a replacement, and when a session is
 * loaded, hand over the `multiplier` learned so far; it means nothing to another model.
 */
export const start = (prompt: Prompt, weights: Weights, multiplier = 1_000): Estimate => {
  const fixed = Weight.fixed(prompt, weights)
  const scanned = prompt.entries.reduce((sum, entry) => sum + Weight.entry(entry, weights), fixed)
  return { weights, scanned, fixed, multiplier }
}

/** With one more entry that no usage speaks of: a user message, or a step whose request was a pruned copy. */
export const added = (self: Estimate, entry: Entry): Estimate => ({
  ...self,
  scanned: self.scanned + Weight.entry(entry, self.weights)
})

/** With the step that answered this very request: its usage becomes the anchor when it is plausible. */
export const answered = (self: Estimate, step: Step): Estimate => {
  throw new Error(`${self.scanned}${step._tag}${Usage.input(Usage.zero)}`)
}

/** Tokens of an entry as the provider would count it. */
export const weigh = (self: Estimate) => (entry: Entry): number => calibrated(self, Weight.entry(entry, self.weights))

/** Tokens of system prompt and tool schemas as the provider would count them. */
export const fixed = (self: Estimate): number => calibrated(self, self.fixed)

const calibrated = (self: Estimate, scanned: number): number => Math.ceil(scanned * self.multiplier / 1_000)

/** The likely size of the next request's input. */
export const expected = (self: Estimate): number =>
  self.anchor === undefined
    ? calibrated(self, self.scanned)
    : self.anchor.tokens + calibrated(self, self.scanned - self.anchor.scanned)

/** The estimate that triggers compare: `expected` with a margin for what was only scanned. */
export const current = (self: Estimate): number => expected(self)
