/** From what a script says to the reply a provider would send: ids, output limit, usage. */
import type { ToolCall } from "@weir/model/Conversation"
import type * as Reply from "@weir/model/Reply"
import * as Usage from "@weir/model/Usage"
import type { Fault } from "./Fault.js"
import type { Cached } from "./PromptCache.js"
import type { Scripted } from "./Script.js"
import type { TokenCounter } from "./TokenCounter.js"
import type { Generated } from "./Wire.js"

type Part = Reply.Reply["parts"][number]

const textOf = (part: Part) => part._tag === "ToolCall" ? part.name + part.arguments : part.text

const shorten = (part: Part, share: number): Part => {
  const cut = (text: string) => text.slice(0, Math.floor(text.length * share)).replace(/[\uD800-\uDBFF]$/, "")
  return part._tag === "ToolCall" ? { ...part, arguments: cut(part.arguments) } : { ...part, text: cut(part.text) }
}

/** The parts that `limit` output tokens can hold. */
const limited = (parts: ReadonlyArray<Part>, limit: number, counter: TokenCounter) => {
  const kept: Array<Part> = []
  let left = limit
  for (const part of parts) {
    const tokens = counter.text(textOf(part))
    if (tokens > left) {
      if (left > 0) kept.push(shorten(part, left / tokens))
      return { cut: true, parts: kept, tokens: limit }
    }
    kept.push(part)
    left -= tokens
  }
  return { cut: false, parts: kept, tokens: limit - left }
}

const reported = (usage: Usage.Usage, fault: Fault | undefined): Usage.Usage | undefined => {
  if (fault?._tag !== "Usage") return usage
  switch (fault.report) {
    case "missing":
      return undefined
    case "zero":
      return Usage.zero
    case "cached":
      return { ...usage, cacheRead: Usage.input(usage), cacheWrite: 0, fresh: 0 }
    case "absurd":
      return { ...usage, fresh: usage.fresh + 1_000_000_000 }
  }
}

export const make = (options: {
  readonly scripted: Scripted
  readonly fault: Fault | undefined
  /** Number of the request, which makes the ids of its calls unique. */
  readonly request: number
  readonly input: number
  readonly cached: Cached
  /** Output tokens that the request allows. */
  readonly asked: number
  /** Output tokens that the window leaves. */
  readonly room: number
  readonly counter: TokenCounter
}): Generated => {
  const { asked, cached, counter, fault, input, request, room, scripted } = options
  const silent = fault?._tag === "NoOutput"
  const all = silent ? [] : scripted.parts.map((part, index): Part =>
    part._tag === "Call"
      ? {
        _tag: "ToolCall",
        arguments: part.arguments,
        id: `call_${String(request).padStart(6, "0")}_${index}`,
        name: part.tool
      } satisfies ToolCall
      : part
  )
  const { cut, parts, tokens } = limited(all, Math.min(asked, room), counter)
  const reasoning = parts.reduce((sum, part) => part._tag === "Reasoning" ? sum + counter.text(part.text) : sum, 0)
  const calls = parts.some((part) => part._tag === "ToolCall")
  const usage = reported(
    {
      cacheRead: cached.read,
      cacheWrite: cached.write,
      fresh: input - cached.read - cached.write,
      output: tokens,
      reasoning: Math.min(reasoning, tokens)
    },
    fault
  )
  return {
    parts,
    stop: cut || silent ? "length" : scripted.stop ?? (calls ? "calls" : "end"),
    windowFull: cut && room < asked,
    ...(usage && { usage })
  }
}
