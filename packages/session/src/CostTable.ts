/** What a session's requests have cost: tokens, and money where prices are known. */
import * as Usage from "@weir/model/Usage"
import type { Record } from "./Record.js"

/** In US dollars per million tokens. */
export interface Prices {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
}

export interface Row {
  readonly name: "turns" | "compactions" | "all"
  readonly requests: number
  readonly usage: Usage.Usage
  /** In US dollars. */
  readonly cost?: number
}

const usages = (records: ReadonlyArray<Record>, name: Row["name"]): ReadonlyArray<Usage.Usage> =>
  records.flatMap((record) => {
    switch (record._tag) {
      case "StepCompleted":
      case "StepInterrupted":
        return name !== "compactions" && record.step?.usage ? [record.step.usage] : []
      case "CompactionApplied":
      case "CompactionFailed":
      case "CompactionCancelled":
        return name !== "turns" ? [record.usage] : []
      default:
        return []
    }
  })

/** In US dollars. */
export const costOf = (usage: Usage.Usage, prices: Prices): number =>
  (usage.fresh * prices.input + usage.cacheRead * prices.cacheRead + usage.cacheWrite * prices.cacheWrite +
    usage.output * prices.output) / 1_000_000

/** Turns, compactions, and both together. */
export const make = (records: ReadonlyArray<Record>, prices?: Prices): ReadonlyArray<Row> =>
  (["turns", "compactions", "all"] as const).map((name) => {
    const each = usages(records, name)
    const usage = each.reduce(Usage.add, Usage.zero)
    return { name, requests: each.length, usage, ...(prices && { cost: costOf(usage, prices) }) }
  })
