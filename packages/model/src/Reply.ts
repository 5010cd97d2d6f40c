/** A model reply: the fold of its events. Its calls have no results yet; with them it becomes a step. */
import type { Exchange, NativeReply, Reasoning, Step, Text, ToolCall, ToolResult } from "./Conversation.js"
import type { ModelEvent, StopReason } from "./ModelEvent.js"
import type { Usage } from "./Usage.js"

export interface Reply {
  readonly parts: ReadonlyArray<Text | Reasoning | ToolCall>
  /** Absent while the reply streams. */
  readonly stop?: StopReason
  readonly usage?: Usage
  readonly native?: NativeReply
}

export const empty: Reply = { parts: [] }

const extend = (parts: Reply["parts"], delta: Text | Reasoning): Reply["parts"] => {
  const last = parts.at(-1)
  return last?._tag === delta._tag
    ? [...parts.slice(0, -1), { ...last, text: last.text + delta.text }]
    : [...parts, delta]
}

export const append = (self: Reply, event: ModelEvent): Reply => {
  switch (event._tag) {
    case "TextDelta":
      return { ...self, parts: extend(self.parts, { _tag: "Text", text: event.text }) }
    case "ReasoningDelta":
      return { ...self, parts: extend(self.parts, { _tag: "Reasoning", text: event.text }) }
    case "CallStarted":
    case "Heartbeat":
      return self
    case "CallFinished":
      return { ...self, parts: [...self.parts, event.call] }
    case "Finished": {
      const { _tag, ...end } = event
      return { ...self, ...end }
    }
  }
}

export const calls = (self: Reply): ReadonlyArray<ToolCall> => self.parts.filter((part) => part._tag === "ToolCall")

/** Whether there is nothing for the user or a tool in it. */
export const saysNothing = (self: Reply): boolean =>
  self.parts.every((part) => part._tag === "Reasoning" || (part._tag === "Text" && part.text.trim() === ""))

/** The reply with a result for each of its calls, in their order. */
export const toStep = (self: Reply, resultOf: (call: ToolCall) => ToolResult): Step => ({
  _tag: "Step",
  parts: self.parts.map((part) =>
    part._tag === "ToolCall" ? { _tag: "Exchange", call: part, result: resultOf(part) } : part
  ),
  ...(self.usage && { usage: self.usage }),
  ...(self.native && { native: self.native })
})

/** Whether the model reasoned before it wrote, openly or as its usage tells. */
export const hasReasoned = (
  { parts, usage }: { readonly parts: ReadonlyArray<Reply["parts"][number] | Exchange>; readonly usage?: Usage }
): boolean => (usage?.reasoning ?? 0) > 0 || parts.some((part) => part._tag === "Reasoning")
