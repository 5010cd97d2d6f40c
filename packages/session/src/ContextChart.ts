/** What filled each request of a session, in tokens, and what its compactions removed and cost. */
import * as Projection from "@weir/compaction/Projection"
import * as TokenScan from "@weir/compaction/TokenScan"
import type { Entry } from "@weir/model/Conversation"
import * as Usage from "@weir/model/Usage"
import * as Fold from "./Fold.js"
import type { Context, Record } from "./Record.js"

export const parts = ["system", "tools", "summary", "messages", "results"] as const
export type Part = typeof parts[number]

/** One request. */
export interface Bar {
  readonly event: number
  readonly tokens: { readonly [part in Part]: number }
  /** Absent where the session does not tell. */
  readonly context?: Context
}

/** A compaction, between the bars before and after it. */
export interface Mark {
  readonly event: number
  /** How many bars stand before it. */
  readonly at: number
  readonly before: number
  readonly after: number
  /** Input and output of its requests. */
  readonly cost: number
  /** In US dollars, where prices were known. */
  readonly dollars?: number
  readonly millis: number
  readonly reason: string
}

export interface Chart {
  readonly bars: ReadonlyArray<Bar>
  readonly marks: ReadonlyArray<Mark>
}

type Weights = { readonly messages: number; readonly results: number }

/** Scanning is done once an entry, however many requests hold it. */
const weigher = () => {
  const known = new WeakMap<Entry, Weights>()
  const scan = (entry: Entry): Weights => {
    if (entry._tag === "UserMessage") return { messages: TokenScan.count(entry.text), results: 0 }
    let messages = 0
    let results = 0
    for (const part of entry.parts) {
      if (part._tag === "Text") messages += TokenScan.count(part.text)
      if (part._tag === "Exchange") {
        messages += TokenScan.count(part.call.arguments)
        results += TokenScan.count(part.result.text)
      }
    }
    return { messages, results }
  }
  return (entry: Entry): Weights => {
    const weights = known.get(entry) ?? scan(entry)
    known.set(entry, weights)
    return weights
  }
}

const scaled = (tokens: Bar["tokens"], context: Context | undefined, input: number): Bar["tokens"] => {
  const fixed = context ?? { system: 0, tools: 0 }
  const scanned = tokens.summary + tokens.messages + tokens.results
  const factor = scanned === 0 ? 0 : Math.max(0, input - fixed.system - fixed.tools) / scanned
  const { system, tools } = fixed
  const summary = Math.round(tokens.summary * factor)
  const results = Math.round(tokens.results * factor)
  const messages = Math.max(0, input - system - tools - summary - results)
  return { system, tools, summary, messages, results }
}

/** Of a session's records, which begin with its start. What the provider counted is shared out as a scan says. */
export const make = (records: ReadonlyArray<Record>): Chart => {
  const bars: Array<Bar> = []
  const marks: Array<Mark> = []
  const weigh = weigher()
  let folded = Fold.empty
  let context: Context | undefined
  records.forEach((record, index) => {
    const event = index + 1
    if (record._tag === "TurnStarted") context = record.context ?? context
    if (record._tag === "StepCompleted" && record.step.usage) {
      const { checkpoint } = folded.projection
      const [first, ...rest] = Projection.entries(folded.projection)
      const wrapper = checkpoint && first ? weigh(first).messages : 0
      const sums = (checkpoint || !first ? rest : [first, ...rest]).map(weigh)
      const tokens = {
        system: 0,
        tools: 0,
        summary: wrapper,
        messages: sums.reduce((sum, { messages }) => sum + messages, 0),
        results: sums.reduce((sum, { results }) => sum + results, 0)
      }
      bars.push({
        event,
        tokens: scaled(tokens, context, Usage.input(record.step.usage)),
        ...(context && { context })
      })
    }
    if (record._tag === "CompactionApplied") {
      const { after, before, cost: dollars, millis, reason, usage } = record
      const cost = Usage.input(usage) + usage.output
      marks.push({
        event,
        at: bars.length,
        before,
        after,
        millis,
        reason,
        cost,
        ...(dollars !== undefined && { dollars })
      })
    }
    folded = record._tag === "CompactionUndone"
      ? Fold.fold(records.slice(0, event))
      : Fold.append(folded, record)
  })
  return { bars, marks }
}
