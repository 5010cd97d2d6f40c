/** How a model of this API is asked to think more or less: by a level, and before the third generation by a budget. */
import type { Thinking } from "@weir/model/Thinking"
import * as ModelName from "./ModelName.js"

export type Level = "MINIMAL" | "LOW" | "MEDIUM" | "HIGH"

export interface Config {
  /** Whether summaries of the thoughts are sent. */
  readonly includeThoughts: boolean
  readonly level?: Level
  /** In tokens. */
  readonly thinkingBudget?: number
}

/** No model of the third generation can be kept from thinking, and not all have the lowest level. */
const lowest = (model: string): Level =>
  /flash-lite/.test(model) || (/flash/.test(model) && ModelName.generation(model) < 3.7) ? "MINIMAL" : "LOW"

const middle = (model: string): Level => /^gemini-3-pro/.test(model) ? "HIGH" : "MEDIUM"

const budgets = { low: 1_024, medium: 8_192, high: 24_576 }

/** The least that every model takes, in tokens, but for those that take none at all. */
const smallestBudget = 512

const budget = (model: string, thinking: Thinking, maxOutput: number): number => {
  if (thinking === "off") return /pro/.test(model) ? smallestBudget : 0
  return Math.max(smallestBudget, Math.min(budgets[thinking], Math.floor(maxOutput / 2)))
}

const level = (model: string, thinking: Thinking): Level => {
  switch (thinking) {
    case "off":
      return lowest(model)
    case "low":
      return "LOW"
    case "medium":
      return middle(model)
    case "high":
      return "HIGH"
  }
}

/** `maxOutput` is the output limit, in tokens, of which a budget may take half. Undefined for models without thoughts. */
export const make = (model: string, thinking: Thinking, maxOutput: number): Config | undefined => {
  const generation = ModelName.generation(model)
  const includeThoughts = thinking !== "off"
  if (generation >= 3) return { includeThoughts, level: level(model, thinking) }
  return generation >= 2.5 ? { includeThoughts, thinkingBudget: budget(model, thinking, maxOutput) } : undefined
}
