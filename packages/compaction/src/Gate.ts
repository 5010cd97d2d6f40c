/** Whether another attempt to compact makes sense: suppression, the breaker, and the memory of what failed. */
import type { Budget } from "./Budget.js"

export interface Gate {
  /** Set by a cancelled or failed attempt until the conversation advances. */
  readonly suppressed: boolean
  /** Failures in a row; cancels never count. At `maxFailures` the breaker is open. */
  readonly failures: number
  /** What the request after the last replacement was estimated at, in tokens. */
  readonly replaced?: number
  /** The fingerprint of the conversation whose compaction failed last. */
  readonly failing?: string
}

export const maxFailures = 3

/** Also after a successful `/compact`, on a model change, and in a new session. */
export const initial: Gate = { suppressed: false, failures: 0 }

/** A step or a user message was recorded. */
export const advanced = (self: Gate): Gate => self.suppressed ? { ...self, suppressed: false } : self

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
export const applied = (after: number): Gate => ({ ...initial, replaced: after })

/** Whether any compaction of this conversation may be tried, however great the need. */
export const allows = (self: Gate, fingerprint: string): boolean =>
  self.failures < maxFailures && self.failing !== fingerprint

/** After a replacement that left the trigger reached, growth by a tenth of the budget is waited for. */
const hasGrown = ({ replaced }: Gate, budget: Budget, estimate: number): boolean =>
  replaced === undefined || replaced < budget.trigger || estimate >= replaced + Math.floor(budget.input / 10)

/** Whether a compaction may be tried that is merely due at an estimate, in tokens. */
export const allowsProactive = (self: Gate, budget: Budget, fingerprint: string, estimate: number): boolean =>
  allows(self, fingerprint) && !self.suppressed && hasGrown(self, budget, estimate)
