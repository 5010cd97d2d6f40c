/** What conversation and request parts weigh by scan, in tokens, before any calibration. */
import type { Entry, Step, ToolResult } from "@weir/model/Conversation"
import { exchanges } from "@weir/model/Conversation"
import type { Weights } from "@weir/model/Model"
import type { Prompt, ToolSpec } from "@weir/model/Prompt"
import { oncePer } from "./OncePer.js"
import * as TokenScan from "./TokenScan.js"

/** What the model itself wrote in a step, as it is sent back. */
export const reply = (step: Step, weights: Weights): number =>
  step.parts.reduce((sum, part) => {
    switch (part._tag) {
      case "Text":
        return sum + TokenScan.count(part.text)
      case "Reasoning":
        return weights.replaysReasoning ? sum + TokenScan.count(part.text) : sum
      case "Exchange":
        return sum + TokenScan.count(part.call.name) + TokenScan.count(part.call.arguments)
    }
  }, 0)

/** The text that a tool answered; the longest there are, and weighed for the estimate, every plan and every report. */
export const output = oncePer((result: ToolResult) => TokenScan.count(result.text))

/** What the tools answered, and what the wire adds to the step. */
const results = (step: Step, weights: Weights): number =>
  exchanges(step).reduce(
    (sum, { result }) => sum + weights.perCall + output(result) + result.images.length * weights.perImage,
    weights.perEntry
  )

const entryBy = oncePer((weights: Weights) =>
  oncePer((entry: Entry): number =>
    entry._tag === "UserMessage"
      ? weights.perEntry + TokenScan.count(entry.text) + entry.images.length * weights.perImage
      : reply(entry, weights) + results(entry, weights)
  )
)

/** Everything that an entry adds to a request; what is weighed again and again is scanned once. */
export const entry = (self: Entry, weights: Weights): number => entryBy(weights)(self)

const tool = (spec: ToolSpec, weights: Weights): number =>
  weights.perCall + TokenScan.count(spec.name) + TokenScan.count(spec.description) +
  TokenScan.count(JSON.stringify(spec.parameters))

export const system = (prompt: Pick<Prompt, "system">, weights: Weights): number =>
  weights.perEntry + TokenScan.count(prompt.system)

/** The part of every request that no compaction can change: system prompt and tool schemas. */
export const fixed = (prompt: Pick<Prompt, "system" | "tools">, weights: Weights): number =>
  system(prompt, weights) + tools(prompt, weights)

export const tools = (prompt: Pick<Prompt, "tools">, weights: Weights): number =>
  prompt.tools.reduce((sum, spec) => sum + tool(spec, weights), 0)
