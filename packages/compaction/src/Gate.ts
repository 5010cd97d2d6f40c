/** Whether another attempt to compact makes sense: suppression, the breaker, and the memory of what failed. */
import type { Budget } from "./Budget.js"

export interface Gate {
  /** Set by a cancelled or failed attempt until the conversation advances. */
  readonly suppressed: boolean
  /** Failures in a row; cancels never count. At `maxFailures` the breaker is open. */
  readonly failures: number
  /** The estimate, in tokens, below which no proactive attempt is made. */
  readonly waitsFor: number
  /** The fingerprint of the conversation whose compaction failed last. */
  readonly failing?: string
}

export const maxFailures = 3

/** Also after a successful `/compact`, on a model change, and in a new session. */
export const initial: Gate = { suppressed: false, failures: 0, waitsFor: 0 }

/** A step or a user message was recorded. */
export const advanced = (self: Gate): Gate => ({ ...self, suppressed: false })

/** The user cancelled, or there was nothing to compact. */
export const cancelled = (self: Gate): Gate => ({ ...self, suppressed: true })

/** A compaction of the conversation with this fingerprint failed. */
export const failed = (self: Gate, fingerprint: string): Gate => ({
  ...self,
  suppressed: true,
  failures: self.failures + 1,
  failing: fingerprint
})

/** History was replaced and the next request is now estimated at `after` tokens. */
export const applied = (budget: Budget, after: number): Gate => ({
  ...initial,
  waitsFor: after >= budget.trigger ? after + Math.floor(budget.input / 10) : 0
})

/** Whether any compaction of this conversation may be tried, however great the need. */
export const allows = (self: Gate, fingerprint: string): boolean =>
  self.failures < maxFailures && self.failing !== fingerprint

/** Whether a compaction may be tried that is merely due. */
export const allowsProactive = (self: Gate, fingerprint: string, estimate: number): boolean =>
  allows(self, fingerprint) && !self.suppressed && estimate >= self.waitsFor
