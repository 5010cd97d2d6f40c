/**
 * What one model reply cost, in tokens. The four input and output counts are disjoint:
 * a provider that reports cached tokens inside its input count is normalized by its codec.
 */
import * as Schema from "effect/Schema"

const Tokens = Schema.NonNegativeInt

export const Usage = Schema.Struct({
  /** Input tokens that were neither read from nor written to a prompt cache. */
  fresh: Tokens,
  cacheRead: Tokens,
  cacheWrite: Tokens,
  /** All output tokens, reasoning included. */
  output: Tokens,
  /** The part of `output` that was reasoning. */
  reasoning: Tokens
})
export type Usage = typeof Usage.Type

export const zero: Usage = { fresh: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 }

export const isZero = (self: Usage): boolean => input(self) + self.output === 0

export const add = (self: Usage, that: Usage): Usage => ({
  fresh: self.fresh + that.fresh,
  cacheRead: self.cacheRead + that.cacheRead,
  cacheWrite: self.cacheWrite + that.cacheWrite,
  output: self.output + that.output,
  reasoning: self.reasoning + that.reasoning
})

/** Everything the model read, in tokens, from a cache or not. */
export const input = (self: Usage): number => self.fresh + self.cacheRead + self.cacheWrite

/** No model reads or writes more, by far; a report of more, in tokens, is a server's mistake. */
const most = 20_000_000

export const isCredible = (self: Usage): boolean => input(self) <= most && self.output <= most
