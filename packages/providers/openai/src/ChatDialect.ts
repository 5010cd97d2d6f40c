/** What the hosts of the Chat Completions API want differently. */
import type { Weights } from "@weir/model/Model"

export interface Dialect {
  readonly outputLimitField: "max_completion_tokens" | "max_tokens"
  /** Sends OpenAI's own options: the session as cache key, no storage. */
  readonly isOpenAi: boolean
  /** The host demands the reasoning that led to a call back, under this name. */
  readonly reasoningField?: "reasoning_content"
  /** The host refuses a request that does not fit with status 400 or 413 and no word. */
  readonly refusesSilently?: boolean
}

const plain: Dialect = { isOpenAi: false, outputLimitField: "max_tokens" }

const hosts: ReadonlyMap<string, Dialect> = new Map([
  ["api.openai.com", { isOpenAi: true, outputLimitField: "max_completion_tokens" }],
  ["api.deepseek.com", { ...plain, reasoningField: "reasoning_content" }],
  ["api.cerebras.ai", { ...plain, refusesSilently: true }]
])

const hostOf = (baseUrl: string) => URL.canParse(baseUrl) ? new URL(baseUrl).hostname : ""

export const of = (baseUrl: string): Dialect => hosts.get(hostOf(baseUrl)) ?? plain

export const weights = (dialect: Dialect): Weights => ({
  perCall: 10,
  perEntry: 4,
  perImage: 1500,
  replaysReasoning: dialect.reasoningField !== undefined
})
