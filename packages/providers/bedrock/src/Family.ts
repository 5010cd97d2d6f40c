/** What the id of a model, or of a profile, tells about what it takes. Opaque ids take what every model takes. */
import type { Thinking } from "@weir/model/Thinking"
import * as ClaudeThinking from "@weir/transport/ClaudeThinking"

export interface Family {
  /** Where marks for the prompt cache may stand. */
  readonly caches: { readonly tools: boolean; readonly system: boolean; readonly messages: boolean }
  /** Fields beside those of this API that ask for thinking; see `ClaudeThinking.make` for `goesOn`. */
  readonly thinking: (thinking: Thinking, maxTokens: number, goesOn: boolean) => Fields | undefined
}

export type Fields =
  | ClaudeThinking.Fields
  | { readonly reasoning: { readonly effort: string } }
  | { readonly reasoning_effort: string }

const nowhere = { messages: false, system: false, tools: false }

const plain: Family = { caches: nowhere, thinking: () => undefined }

const claude = (model: string): Family => ({
  caches: { messages: true, system: true, tools: true },
  thinking: (thinking, maxTokens, goesOn) => ClaudeThinking.make(thinking, model, maxTokens, goesOn)
})

const nova: Family = { caches: { messages: true, system: true, tools: false }, thinking: () => undefined }

/** The open model always thinks. */
const gptOss: Family = {
  caches: nowhere,
  thinking: (thinking) => ({ reasoning_effort: thinking === "off" ? "low" : thinking })
}

const gpt: Family = {
  caches: nowhere,
  thinking: (thinking) => ({ reasoning: { effort: thinking === "off" ? "none" : thinking } })
}

export const of = (model: string): Family => {
  if (/\bclaude\b/.test(model)) return claude(model)
  if (/\bnova\b/.test(model)) return nova
  if (/\bgpt-oss\b/.test(model)) return gptOss
  return /\bgpt\b/.test(model) ? gpt : plain
}
