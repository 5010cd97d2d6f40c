/** What conversation and request parts weigh by scan, in tokens, before any calibration. */
import type { Entry, Exchange } from "@weir/model/Conversation"
import type { Weights } from "@weir/model/Model"
import type { Prompt, ToolSpec } from "@weir/model/Prompt"
import * as TokenScan from "./TokenScan.js"

const exchange = ({ call, result }: Exchange, weights: Weights): number =>
  weights.perCall + TokenScan.count(call.name) + TokenScan.count(call.arguments) + TokenScan.count(result.text) +
  result.images.length * weights.perImage

/** Everything that an entry adds to a request. */
export const entry = (self: Entry, weights: Weights): number => {
  if (self._tag === "UserMessage") {
    return weights.perEntry + TokenScan.count(self.text) + self.images.length * weights.perImage
  }
  return self.parts.reduce((sum, part) => {
    switch (part._tag) {
      case "Text":
        return sum + TokenScan.count(part.text)
      case "Reasoning":
        return weights.replaysReasoning ? sum + TokenScan.count(part.text) : sum
      case "Exchange":
        return sum + exchange(part, weights)
    }
  }, weights.perEntry)
}

const tool = (spec: ToolSpec, weights: Weights): number =>
  weights.perCall + TokenScan.count(spec.name) + TokenScan.count(spec.description) +
  TokenScan.count(JSON.stringify(spec.parameters))

/** The part of every request that no compaction can change: system prompt and tool schemas. */
export const fixed = (prompt: Pick<Prompt, "system" | "tools">, weights: Weights): number =>
  prompt.tools.reduce((sum, spec) => sum + tool(spec, weights), weights.perEntry + TokenScan.count(prompt.system))
