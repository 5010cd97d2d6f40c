/** A provider that does what a world says: it counts in its own way, refuses, lies, breaks off and is slow. */
import * as ByteSize from "@weir/compaction/ByteSize"
import { oncePer } from "@weir/compaction/OncePer"
import * as SummaryPrompt from "@weir/compaction/SummaryPrompt"
import * as TokenScan from "@weir/compaction/TokenScan"
import * as Weight from "@weir/compaction/Weight"
import type { Weights } from "@weir/model/Model"
import {
  ContextWindowExceeded,
  type ModelError,
  ModelUnavailable,
  OutputLimitExceeded,
  QuotaExhausted
} from "@weir/model/ModelError"
import { ModelEvent, type StopReason } from "@weir/model/ModelEvent"
import type { Prompt } from "@weir/model/Prompt"
import * as TestModel from "@weir/model/TestModel"
import type { Usage } from "@weir/model/Usage"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { marks, text } from "./Texts.js"
import type { FaultKind, Reply, SummaryAnswer, World } from "./World.js"

export const isSummary = ({ prompt }: TestModel.Asked): boolean => {
  const last = prompt.entries.at(-1)
  return last?._tag === "UserMessage" && last.text.includes(SummaryPrompt.opening)
}

/** Counts requests by our own scan. */
export const counter = (weights: Weights): (prompt: Prompt) => number =>
  oncePer((prompt) =>
    prompt.entries.reduce((sum, entry) => sum + Weight.entry(entry, weights), Weight.fixed(prompt, weights))
  )

const origin = { provider: "test", model: "test-model", detail: "" }

const unavailable = (
  reason: ModelUnavailable["reason"],
  more: { readonly unreachable?: boolean; readonly retryAfter?: Duration.Duration } = {}
) => new ModelUnavailable({ ...origin, reason, ...more })

const fails = (error: ModelError, ...before: ReadonlyArray<ModelEvent>): TestModel.Opening =>
  before.length === 0 ? Effect.fail(error) : TestModel.saying(before, Effect.fail(Option.some(error)))

const says = (text: string): ModelEvent => ModelEvent.TextDelta({ text })

const headings = SummaryPrompt.headings.map((heading) => `## ${heading}\nWhat matters of it. ${marks.summary}`).join(
  "\n\n"
)

const good = `${headings}\n${"More of what was done, and why. ".repeat(20)}`

export interface ScriptedProvider {
  readonly answer: (asked: TestModel.Asked) => TestModel.Opening
  /** A model is asked from now on whose window is that many tokens. */
  readonly leads: (window: number) => void
  /** A new turn: its replies come next. */
  readonly turnStarts: (replies: ReadonlyArray<Reply>) => void
}

export const make = (world: World, count: (prompt: Prompt) => number): ScriptedProvider => {
  const { faults, provider, summaries } = world
  let enforced = 0
  let requests = 0
  let asks = 0
  let calls = 0
  let replies: Array<Reply> = []

  const counted = (asked: TestModel.Asked) => Math.ceil(count(asked.prompt) * provider.density / 100)

  const usage = (input: number, output: number): Usage | undefined => {
    if (provider.usage === "missing") return undefined
    const told = provider.usage === "zero"
      ? 0
      : provider.usage === "stuck"
      ? Math.min(input, enforced)
      : Math.floor(input * provider.usage / 100)
    const cacheRead = provider.caches ? Math.floor(told / 2) : 0
    return { fresh: told - cacheRead, cacheRead, cacheWrite: 0, output, reasoning: 0 }
  }

  const finished = (
    asked: TestModel.Asked,
    stop: StopReason,
    output: number,
    input = counted(asked)
  ): ModelEvent => {
    const told = usage(input, output)
    return ModelEvent.Finished({ stop, ...(told && { usage: told }) })
  }

  const overflow = (asked: TestModel.Asked, limit: number): TestModel.Opening => {
    const input = counted(asked)
    const actual = provider.countsOutput ? input + asked.options.maxOutputTokens : input
    const error = new ContextWindowExceeded({
      ...origin,
      kind: "tokens",
      ...(provider.names !== "nothing" && { limit: Math.floor(limit * provider.claims / 100) }),
      ...(provider.names === "all" && { actual, input })
    })
    switch (provider.overflow) {
      case "at once":
        return fails(error)
      case "in the stream":
        return fails(error, says("Half of "))
      case "silent, empty":
        return TestModel.saying([finished(asked, "length", 0, limit)])
      case "silent, cut off":
        return TestModel.saying([says("Half of "), finished(asked, "length", 2, limit)])
      case "silent, whole":
        return reply(asked)
    }
  }

  const reply = (asked: TestModel.Asked): TestModel.Opening => {
    const next = replies.shift()
    if (next === undefined) return TestModel.saying([says("Done."), finished(asked, "end", 2)])
    const { after, outputs, says: words, thinks, tool } = next
    const made = outputs.map((output) =>
      ModelEvent.CallFinished({
        call: { _tag: "ToolCall", id: `call-${calls++}`, name: tool, arguments: `${JSON.stringify(output)}` }
      })
    )
    const whole = TestModel.saying([
      ...(thinks ? [ModelEvent.ReasoningDelta({ text: "Let me think." })] : []),
      says(`${text(words)}.`),
      ...made,
      finished(asked, "calls", TokenScan.count(text(words)) + 10 * made.length)
    ])
    return after === 0 ? whole : Effect.delay(whole, after)
  }

  const fault = (kind: FaultKind, asked: TestModel.Asked): TestModel.Opening => {
    switch (kind) {
      case "overloaded":
        return fails(unavailable("overloaded"))
      case "asks to wait":
        return fails(unavailable("rateLimited", { retryAfter: Duration.seconds(30) }))
      case "broken off":
        return fails(unavailable("interrupted"), says("Half of "))
      case "silent":
        return Effect.never
      case "unreachable":
        return fails(unavailable("network", { unreachable: true }))
      case "quota":
        return fails(new QuotaExhausted(origin))
      case "refused content":
        return TestModel.saying([says("I will not."), finished(asked, "refused", 3)])
      case "length":
        return TestModel.saying([says("On and on"), finished(asked, "length", asked.options.maxOutputTokens)])
      case "output limit":
        return fails(
          new OutputLimitExceeded({
            ...origin,
            ...(provider.names !== "nothing" && { limit: Math.floor(asked.options.maxOutputTokens / 2) })
          })
        )
      case "overflow":
        return overflow(asked, Math.floor(counted(asked) * 9 / 10))
    }
  }

  const isOver = (asked: TestModel.Asked) =>
    counted(asked) + (provider.countsOutput ? asked.options.maxOutputTokens : 0) > enforced

  const tooHeavy = ({ prompt }: TestModel.Asked): TestModel.Opening | undefined => {
    const { bytes, names } = provider
    if (bytes === undefined || ByteSize.prompt(prompt) * bytes.density / 100 <= bytes.limit) return undefined
    return fails(
      new ContextWindowExceeded({ ...origin, kind: "bytes", ...(names !== "nothing" && { limit: bytes.limit }) })
    )
  }

  const turnAnswer = (asked: TestModel.Asked): TestModel.Opening => {
    const request = requests++
    const planned = faults.find((one) => request >= one.request && request < one.request + one.times)
    if (planned) return fault(planned.kind, asked)
    return tooHeavy(asked) ?? (isOver(asked) ? overflow(asked, enforced) : reply(asked))
  }

  const summaryOf = ({ kind }: SummaryAnswer, asked: TestModel.Asked): TestModel.Opening => {
    const summary = (text: string, stop: StopReason = "end") =>
      TestModel.saying([says(text), finished(asked, stop, TokenScan.count(text))])
    switch (kind) {
      case "good":
        return summary(good)
      case "long":
        return summary(`${headings}\n${"and so on ".repeat(Math.ceil(asked.options.maxOutputTokens / 2))}`)
      case "blank":
        return summary("  \n")
      case "reasoning":
        return TestModel.saying([ModelEvent.ReasoningDelta({ text: "Hm." }), finished(asked, "end", 2)])
      case "call":
        return TestModel.saying([
          ModelEvent.CallFinished({ call: { _tag: "ToolCall", id: "x", name: "run", arguments: "{}" } }),
          finished(asked, "calls", 10)
        ])
      case "refusal":
        return summary("I'm sorry, but I cannot help with that.")
      case "echo":
        return summary(`${SummaryPrompt.opening} Use exactly these headings.`)
      case "cut off":
        return summary(headings, "length")
      case "no headings":
        return summary(`All is well. ${marks.summary} ${"It goes on. ".repeat(80)}`)
      case "overflow":
        return fails(new ContextWindowExceeded({ ...origin, kind: "tokens" }))
      case "overloaded":
        return fails(unavailable("overloaded"))
      case "quota":
        return fails(new QuotaExhausted(origin))
      case "defect":
        return Effect.die("a bug")
    }
  }

  const summaryAnswer = (asked: TestModel.Asked): TestModel.Opening => {
    const next = summaries[asks++ % summaries.length] ?? { kind: "good", after: 0 }
    const refuses = isOver(asked) && !provider.overflow.startsWith("silent")
    const heavy = tooHeavy(asked)
    const answer = heavy ? heavy : refuses
      ? fails(new ContextWindowExceeded({ ...origin, kind: "tokens" }))
      : summaryOf(next, asked)
    return next.after === 0 ? answer : Effect.delay(answer, next.after)
  }

  return {
    answer: (asked) => isSummary(asked) ? summaryAnswer(asked) : turnAnswer(asked),
    leads: (window) => {
      enforced = Math.max(1_000, Math.floor(window * provider.truth / 100))
    },
    turnStarts: (next) => {
      replies = [...next]
    }
  }
}
