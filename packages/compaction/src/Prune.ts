/**
 * Makes a copy of a request's entries smaller by replacing tool outputs with placeholders, oldest first and the
 * newest step last. The conversation itself is never pruned.
 */
import type { Entry, Exchange } from "@weir/model/Conversation"
import * as TokenScan from "./TokenScan.js"

export interface Pruned {
  readonly entries: ReadonlyArray<Entry>
  /** What the entries weigh now. */
  readonly tokens: number
  /** How many outputs were replaced. */
  readonly outputs: number
}

/** Replaces as few outputs as bring the entries to `target` tokens; all of them when even that is not enough. */
export const prune = (
  entries: ReadonlyArray<Entry>,
  options: { readonly weigh: (entry: Entry) => number; readonly target: number }
): Pruned => {
  const { target, weigh } = options
  let tokens = entries.reduce((sum, entry) => sum + weigh(entry), 0)
  let outputs = 0
  const alone = (exchange: Exchange) => weigh({ _tag: "Step", parts: [exchange] })
  const shrink = (exchange: Exchange): Exchange => {
    if (tokens <= target) return exchange
    const placeholder = replaced(exchange)
    const saved = alone(exchange) - alone(placeholder)
    if (saved <= 0) return exchange
    tokens -= saved
    outputs++
    return placeholder
  }
  const pruned = entries.map((entry): Entry => {
    if (entry._tag === "UserMessage" || tokens <= target) return entry
    const others = tokens - weigh(entry)
    const step = { ...entry, parts: entry.parts.map((part) => part._tag === "Exchange" ? shrink(part) : part) }
    // Rounding makes the sum of what was saved inexact; the step as it now is, is weighed once more.
    tokens = others + weigh(step)
    return step
  })
  return { entries: pruned, tokens, outputs }
}

const replaced = ({ call, result }: Exchange): Exchange => {
  const where = result.savedTo === undefined
    ? "Run the tool again if it is needed."
    : `The whole output is in ${result.savedTo}.`
  const text = `[Output of about ${TokenScan.count(result.text)} tokens left out to fit the context window. ${where}]`
  return { _tag: "Exchange", call, result: { ...result, text, images: [] } }
}
