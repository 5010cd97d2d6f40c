/** What fills the window: the parts of the next request, in tokens, and what a compaction would make of it. */
import { type Preview, preview } from "@weir/compaction/Compaction"
import * as Estimate from "@weir/compaction/Estimate"
import * as Projection from "@weir/compaction/Projection"
import * as Weight from "@weir/compaction/Weight"
import type { Entry } from "@weir/model/Conversation"
import { exchanges } from "@weir/model/Conversation"
import type { Prompt } from "@weir/model/Prompt"
import * as Either from "effect/Either"
import type * as Option from "effect/Option"
import type { Live } from "./LiveConversation.js"

export interface ContextReport {
  readonly system: number
  readonly tools: number
  /** What stands for compacted history; 0 when nothing was compacted. */
  readonly summary: number
  /** What the user and the model said, calls included. */
  readonly messages: number
  /** Tool results by tool, the largest first. */
  readonly results: ReadonlyArray<{ readonly tool: string; readonly tokens: number }>
  /** The estimate that triggers are compared with: the parts, as the provider counts them, and a margin. */
  readonly estimate: number
  readonly budget: number
  readonly trigger: number
  readonly window: number
  readonly turns: number
  /** None: there is nothing to compact. */
  readonly compaction: Option.Option<Preview>
}

/** Tool results of these entries, uncalibrated. */
const resultsOf = (entries: ReadonlyArray<Entry>): ReadonlyMap<string, number> => {
  const found = new Map<string, number>()
  for (const entry of entries) {
    if (entry._tag === "UserMessage") continue
    for (const { call, result } of exchanges(entry)) {
      found.set(call.name, (found.get(call.name) ?? 0) + Weight.output(result))
    }
  }
  return found
}

export const of = (live: Live, fixed: Pick<Prompt, "system" | "tools">): ContextReport => {
  const { budget, estimate, seen } = live
  const weigh = Estimate.weigh(estimate)
  const all = Projection.entries(seen)
  const [first] = all
  const replaced = seen.checkpoint && first ? [first] : []
  const rest = all.slice(replaced.length)
  const results = [...resultsOf(rest)]
    .map(([tool, scanned]) => ({ tool, tokens: Estimate.calibrated(estimate, scanned) }))
    .sort((a, b) => b.tokens - a.tokens)
  const weight = (entries: ReadonlyArray<Entry>) => entries.reduce((sum, entry) => sum + weigh(entry), 0)
  const compaction = preview({
    budget,
    estimate,
    focus: "",
    place: "between-turns",
    projection: seen,
    prompt: fixed
  })
  return {
    system: Estimate.calibrated(estimate, estimate.system),
    tools: Estimate.calibrated(estimate, estimate.tools),
    summary: weight(replaced),
    messages: Math.max(0, weight(rest) - results.reduce((sum, { tokens }) => sum + tokens, 0)),
    results,
    estimate: Estimate.current(estimate),
    budget: budget.input,
    trigger: budget.trigger,
    window: budget.window,
    turns: seen.turns.length,
    compaction: Either.getRight(compaction)
  }
}
