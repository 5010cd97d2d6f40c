/**
 * How a Claude is asked to think, wherever it is hosted. From 4.6 on it is told how hard to try and sees to the rest;
 * older ones are given a number of tokens, which count as output.
 */
import type { Thinking } from "@weir/model/Thinking"

export type Fields =
  | { readonly thinking: { readonly type: "disabled" } }
  | { readonly thinking: { readonly type: "enabled"; readonly budget_tokens: number } }
  | {
    readonly thinking: { readonly type: "adaptive" }
    readonly output_config: { readonly effort: Exclude<Thinking, "off"> }
  }

const firstAdaptive = 4.6

/** In tokens. */
const budgets: Record<Exclude<Thinking, "off">, number> = { high: 24_576, low: 4_096, medium: 12_288 }
const smallestBudget = 1_024

/** The version of a Claude, for example 4.6; NaN for names that hold none, which only the newest have. */
const version = (model: string) => {
  const [, major = "", minor = "0"] = /claude-(?:[a-z]+-)?(\d+)(?:[-.](\d{1,2})(?!\d))?/.exec(model) ?? []
  return Number(major === "" ? "NaN" : `${major}.${minor}`)
}

const isBudgeted = (model: string) => version(model) < firstAdaptive

const off: Fields = { thinking: { type: "disabled" } }

/**
 * `maxTokens` is the output limit; half of it stays for the answer. `goesOn` says that the request continues a reply
 * that was begun without thinking: with a number of tokens it cannot be taken up now.
 */
export const make = (thinking: Thinking, model: string, maxTokens: number, goesOn: boolean): Fields => {
  if (thinking === "off") return off
  if (!isBudgeted(model)) return { thinking: { type: "adaptive" }, output_config: { effort: thinking } }
  const budget = Math.min(budgets[thinking], Math.floor(maxTokens / 2))
  return budget < smallestBudget || goesOn ? off : { thinking: { type: "enabled", budget_tokens: budget } }
}
