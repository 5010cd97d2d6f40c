/**
 * How a Claude is asked to think, wherever it is hosted. From 4.6 on it is told how hard to try and sees to the rest;
 * older ones, and models of others behind the same API, are given a number of tokens, which count as output.
 */
import type { Thinking } from "@weir/model/Thinking"
import type { Message } from "./BlockHistory.js"

type Effort = Exclude<Thinking, "off">

/** Without `display` newer models keep their thoughts to themselves. */
interface Adaptive {
  readonly thinking: { readonly type: "adaptive"; readonly display: "summarized" }
  readonly output_config: { readonly effort: Effort }
}

export type Fields =
  | { readonly thinking: { readonly type: "disabled" | "between_tools" } }
  | { readonly thinking: { readonly type: "enabled"; readonly budget_tokens: number } }
  | Adaptive

const firstAdaptive = 4.6

/** From here on thinking cannot be switched off, but for models that are known to allow it. */
const firstEager = 5.5

/** In tokens. */
const budgets: Record<Effort, number> = { high: 24_576, low: 4_096, medium: 12_288 }
const smallestBudget = 1_024

/** The version of a Claude, for example 4.6; infinite for names that hold none, which only the newest have. */
const version = (model: string) => {
  const [, major, minor = "0"] = /claude-(?:[a-z]+-)?(\d+)(?:[-.](\d{1,2})(?!\d))?/.exec(model) ?? []
  return major === undefined ? Infinity : Number(`${major}.${minor}`)
}

const isBudgeted = (model: string) => !model.includes("claude") || version(model) < firstAdaptive

const adaptive = (effort: Effort): Adaptive => ({
  thinking: { type: "adaptive", display: "summarized" },
  output_config: { effort }
})

const disabled: Fields = { thinking: { type: "disabled" } }

/** How the models of these names are asked to think as little as they can. */
const least: ReadonlyArray<readonly [RegExp, Fields]> = [
  [/haiku-5[-.]5/, disabled],
  [/sonnet-5[-.]5/, { thinking: { type: "between_tools" } }],
  [/fable|mythos/, adaptive("low")]
]

const off = (model: string): Fields => {
  const named = least.find(([name]) => name.test(model))
  if (named !== undefined) return named[1]
  return isBudgeted(model) || version(model) < firstEager ? disabled : adaptive("low")
}

/**
 * `maxTokens` is the output limit; half of it stays for the answer. `goesOn` says that the request continues a reply
 * that was begun without thinking: with a number of tokens it cannot be taken up now.
 */
export const make = (thinking: Thinking, model: string, maxTokens: number, goesOn: boolean): Fields => {
  if (thinking === "off") return off(model)
  if (!isBudgeted(model)) return adaptive(thinking)
  const budget = Math.min(budgets[thinking], Math.floor(maxTokens / 2))
  return budget < smallestBudget || goesOn ? disabled : { thinking: { type: "enabled", budget_tokens: budget } }
}

/** Whether the model is in the middle of calling tools and did not begin that with thinking. */
export const goesOnWithout = <Block>(
  messages: ReadonlyArray<Message<Block>>,
  is: { readonly result: (block: Block) => boolean; readonly thought: (block: Block) => boolean }
): boolean => {
  const start = messages.findLastIndex(({ content, role }) => role === "user" && !content.some(is.result))
  const [first] = messages.slice(start + 1).find(({ role }) => role === "assistant")?.content ?? []
  return first !== undefined && !is.thought(first)
}
