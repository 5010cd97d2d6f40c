/**
 * The running estimate of the next request's input, in tokens. It is anchored on the last usage the provider
 * reported; only what was added since is scanned, so a step costs its own length and never the history's.
 */
import type { Entry, Step } from "@weir/model/Conversation"
import type { Weights } from "@weir/model/Model"
import type { Prompt } from "@weir/model/Prompt"
import * as Usage from "@weir/model/Usage"
import * as ByteSize from "./ByteSize.js"
import type { Counts } from "./Counts.js"
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
  /** The parts of `scanned` that no compaction can change: system prompt, and tool schemas. */
  readonly system: number
  readonly tools: number
  /** The likely size of the request's body, in bytes, and the part of it that no compaction can change. */
  readonly bytes: number
  readonly fixedBytes: number
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
  const system = Weight.system(prompt, weights)
  const tools = Weight.tools(prompt, weights)
  const fixedBytes = ByteSize.fixed(prompt)
  const scanned = prompt.entries.reduce((sum, entry) => sum + Weight.entry(entry, weights), system + tools)
  return { weights, scanned, system, tools, bytes: ByteSize.prompt(prompt), fixedBytes, multiplier }
}

/** The estimate of a conversation that was loaded, relearned. The `multiplier` is the one from before `counts`. */
export const resumed = (prompt: Prompt, weights: Weights, counts: Counts, multiplier?: number): Estimate => {
  const { length } = prompt.entries
  const from = length - Math.min(length, counts.entries)
  const refused = (self: Estimate, number: number): Estimate =>
    counts.refused.reduce((self, { at, tokens }) => at === number ? counted(self, tokens) : self, self)
  const extended = prompt.entries.slice(from).reduce((before, entry, number) => {
    const self = refused(before, number)
    return entry._tag === "Step" && !counts.pruned.includes(number) ? answered(self, entry) : added(self, entry)
  }, start({ ...prompt, entries: prompt.entries.slice(0, from) }, weights, multiplier))
  return refused(extended, counts.entries)
}

/** With one more entry that no usage speaks of: a user message, or a step whose request was a pruned copy. */
export const added = (self: Estimate, entry: Entry): Estimate => ({
  ...self,
  scanned: self.scanned + Weight.entry(entry, self.weights),
  bytes: self.bytes + ByteSize.entry(entry)
})

/**
 * With the step that answered this very request. Its usage becomes the anchor, and teaches the multiplier, unless it
 * is implausible: then all is scanned again.
 */
export const answered = (self: Estimate, step: Step): Estimate => {
  const { anchor: _, ...unanchored } = added(self, step)
  const usage = step.usage
  if (usage === undefined || !Usage.isCredible(usage) || !isPlausible(self, Usage.input(usage))) return unanchored
  const reply = Weight.reply(step, self.weights)
  const output = self.weights.replaysReasoning ? usage.output : usage.output - usage.reasoning
  return {
    ...unanchored,
    multiplier: learned(self, Usage.input(usage)),
    anchor: {
      tokens: Usage.input(usage) + Math.max(output, Math.floor(reply / 2)),
      scanned: self.scanned + reply
    }
  }
}

/** With the provider's own count of this very request's input, as a refusal may name it. */
export const counted = (self: Estimate, tokens: number): Estimate =>
  isPlausible(self, tokens)
    ? { ...self, multiplier: learned(self, tokens), anchor: { tokens, scanned: self.scanned } }
    : self

/**
 * Not zero, not less than half of the estimate, and grown with what was added: a server that cuts the input in
 * silence reports the same again and again.
 */
const isPlausible = (self: Estimate, reported: number): boolean => {
  const grown = uncounted(self)
  return reported > 0 && 2 * reported >= expected(self) &&
    (grown < 1_000 || 4 * (reported - (self.anchor?.tokens ?? 0)) >= grown)
}

/** A report moves the multiplier as if the last `memory` scanned tokens had borne out the present one. */
const memory = 2_000

/** Learned from what was added since the anchor, or from the whole request where there is none. */
const learned = (self: Estimate, reported: number): number => {
  const anchor = self.anchor ?? { scanned: 0, tokens: 0 }
  const scanned = self.scanned - anchor.scanned
  const tokens = reported - anchor.tokens
  if (tokens <= 0) return self.multiplier
  const multiplier = Math.floor((memory * self.multiplier + 1_000 * tokens) / (memory + scanned))
  return Math.min(2_000, Math.max(700, multiplier))
}

/** Tokens of an entry as the provider would count it. */
export const weigh = (self: Estimate) => (entry: Entry): number => calibrated(self, Weight.entry(entry, self.weights))

/** Tokens of system prompt and tool schemas as the provider would count them. */
export const fixed = (self: Estimate): number => calibrated(self, self.system + self.tools)

/** Tokens of a scan as the provider would count them. */
export const calibrated = (self: Pick<Estimate, "multiplier">, scanned: number): number =>
  Math.ceil(scanned * self.multiplier / 1_000)

/**
 * The most that the entries of a copy may weigh for its own estimate to be at most `tokens`: as a request that nobody
 * has counted, or as this one less what was taken out, by weights that may be 15 % too high.
 */
export const room = (self: Estimate, tokens: number): number => {
  const excess = Math.max(0, current(self) - tokens)
  const weight = calibrated(self, self.scanned) - fixed(self)
  return Math.max(Math.floor(tokens * 100 / 117) - fixed(self), weight - Math.ceil(excess * 100 / 85))
}

/** The longest scan that the provider would count as no more than these tokens. */
export const scannable = (self: Pick<Estimate, "multiplier">, tokens: number): number =>
  Math.floor(tokens * 1_000 / self.multiplier)

/** The part of the next request that the provider has not counted, as it would count it. */
const uncounted = (self: Estimate): number => calibrated(self, self.scanned - (self.anchor?.scanned ?? 0))

/** The likely size of the next request's input. */
export const expected = (self: Estimate): number => (self.anchor?.tokens ?? 0) + uncounted(self)

/** The estimate that triggers and budget are compared with: a margin of 2 %, and 15 % of what was only scanned. */
export const current = (self: Estimate): number =>
  expected(self) + Math.ceil((2 * expected(self) + 15 * uncounted(self)) / 100)
