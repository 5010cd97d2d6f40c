/**
 * The model that needs no network and no key: a deterministic search helper, no language model. It behaves like
 * any other model, from the same requests to the same events, and remembers nothing between two requests.
 */
import type { Entry, ToolCall } from "@weir/model/Conversation"
import type { Limits, ModelCodec, SendOptions } from "@weir/model/Model"
import * as Model from "@weir/model/Model"
import { ContextWindowExceeded } from "@weir/model/ModelError"
import { ModelEvent } from "@weir/model/ModelEvent"
import type { Prompt } from "@weir/model/Prompt"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Hash from "effect/Hash"
import * as Stream from "effect/Stream"
import * as Answer from "./Answer.js"
import * as Evidence from "./Evidence.js"
import * as History from "./History.js"
import * as Question from "./Question.js"
import * as Strategy from "./Strategy.js"
import * as Summary from "./Summary.js"
import * as SummaryRequest from "./SummaryRequest.js"
import * as Tokens from "./Tokens.js"

const provider = "offline"
const id = "offline"

export const limits: Limits = { window: 16_384, source: "declared", maxOutput: 8_192, outputCap: 8_192 }

/** What is said of it at the start of a session: one line. */
export const announcement = "No model is configured: answering with the built-in offline helper, a text search and " +
  "no language model."

interface State {
  readonly prompt: Pick<Prompt, "system" | "tools">
  readonly entries: Chunk.Chunk<Entry>
  /** Input so far, in tokens. */
  readonly tokens: number
}

const entryTokens = (entry: Entry): number =>
  entry._tag === "UserMessage"
    ? Tokens.count(entry.text)
    : entry.parts.reduce((sum, part) => {
      switch (part._tag) {
        case "Text":
          return sum + Tokens.count(part.text)
        case "Reasoning":
          return sum
        case "Exchange":
          return sum + Tokens.count(part.call.name + part.call.arguments) + Tokens.count(part.result.text)
      }
    }, 0)

const perEntry = 4

const append = (state: State, entry: Entry): State => ({
  ...state,
  entries: Chunk.append(state.entries, entry),
  tokens: state.tokens + entryTokens(entry) + perEntry
})

const start = ({ entries, system, tools }: Prompt): State => {
  const fixed = Tokens.count(system) +
    tools.reduce(
      (sum, tool) => sum + Tokens.count(tool.name + tool.description) + Tokens.count(JSON.stringify(tool.parameters)),
      0
    )
  return entries.reduce(append, { prompt: { system, tools }, entries: Chunk.empty(), tokens: fixed + perEntry })
}

interface Saying {
  readonly text: string
  readonly calls: ReadonlyArray<Strategy.Call>
}

const evidenceOf = (history: History.History, question: Question.Question): Evidence.Evidence => {
  const collector = new Evidence.Collector()
  Summary.recall(history.summary, question, collector)
  history.exchanges.forEach(collector.addExchange)
  return collector.build()
}

const summarize = (request: SummaryRequest.SummaryRequest, tokens: number): Saying => {
  const question = Question.parse(request.history.question)
  const evidence = evidenceOf(request.history, question)
  const next = Strategy.next(question, evidence, (call) => call)
  return {
    text: Summary.render(request.history, question, evidence, { tokens, next, focus: request.focus }),
    calls: []
  }
}

const hasProperties = (value: unknown): value is object => typeof value === "object" && value !== null

/** Leaves out arguments that the offered tool does not name. */
const adapting = (tools: Prompt["tools"]): Strategy.Adapt => (call) => {
  const tool = tools.find((tool) => tool.name === call.name)
  const known = tool?.parameters["properties"]
  if (!hasProperties(known)) return tool && call
  const { arguments: { glob, limit, offset, path, pattern } } = call
  return {
    name: call.name,
    arguments: {
      ...(glob !== undefined && "glob" in known && { glob }),
      ...(limit !== undefined && "limit" in known && { limit }),
      ...(offset !== undefined && "offset" in known && { offset }),
      ...(path !== undefined && { path }),
      ...(pattern !== undefined && { pattern })
    }
  }
}

/** Input, in tokens, from which it answers with what it has. Compaction, where it is on, comes long before. */
const fullEnough = 10_000

const work = (state: State): Saying => {
  const history = History.fromEntries(state.entries)
  const question = Question.parse(history.question)
  const evidence = evidenceOf(history, question)
  const calls = state.tokens > fullEnough ? [] : Strategy.next(question, evidence, adapting(state.prompt.tools))
  if (calls.length > 0) return { text: "", calls }
  const lacking = (["grep", "glob", "read_file"] as const).filter((name) =>
    !state.prompt.tools.some((tool) => tool.name === name)
  )
  return { text: Answer.answer(question, evidence, lacking), calls }
}

/** A summary stays well below the output limit of its request. */
const summaryTokens = (limit: number) => Math.min(1_400, Math.floor(limit * 0.6))

const say = (state: State, options: SendOptions): Saying => {
  const request = SummaryRequest.recognize(state.prompt, state.entries)
  return request ? summarize(request, summaryTokens(options.maxOutputTokens)) : work(state)
}

/** Ids that differ wherever the conversation before them differs. */
const toolCalls = (state: State, calls: ReadonlyArray<Strategy.Call>): ReadonlyArray<ToolCall> => {
  if (calls.length === 0) return []
  const texts = Chunk.toReadonlyArray(state.entries).map((entry) =>
    entry._tag === "UserMessage" ? entry.text : JSON.stringify(entry.parts)
  )
  const before = (Hash.string(texts.join("\n")) >>> 0).toString(36)
  return calls.map((call, index) => ({
    _tag: "ToolCall",
    id: `call_${before}_${index + 1}`,
    name: call.name,
    arguments: Evidence.encode(call.arguments)
  }))
}

/** A text in pieces of whole words, as a model's text arrives. */
const pieces = (text: string): ReadonlyArray<string> => text.match(/(?:\S{1,80}\s*){1,8}|\s+/gu) ?? []

const reply = (state: State, options: SendOptions): ReadonlyArray<ModelEvent> => {
  const { calls, text } = say(state, options)
  const shown = Tokens.cut(text, options.maxOutputTokens)
  const made = toolCalls(state, calls)
  const output = Tokens.count(shown) + made.reduce((sum, call) => sum + Tokens.count(call.name + call.arguments), 0)
  return [
    ...pieces(shown).map((piece) => ModelEvent.TextDelta({ text: piece })),
    ...made.flatMap((call) => [
      ModelEvent.CallStarted({ id: call.id, name: call.name }),
      ModelEvent.CallFinished({ call })
    ]),
    ModelEvent.Finished({
      stop: shown !== text ? "length" : made.length > 0 ? "calls" : "end",
      usage: { fresh: state.tokens, cacheRead: 0, cacheWrite: 0, output, reasoning: 0 }
    })
  ]
}

const tooLarge = (actual: number) =>
  new ContextWindowExceeded({ provider, model: id, detail: "", kind: "tokens", limit: limits.window, actual })

export const codec: ModelCodec<State> = {
  name: "Offline",
  cachesPrompts: false,
  weights: { perEntry, perCall: 0, perImage: 0, replaysReasoning: false },
  start,
  append,
  open: (state, options) =>
    Effect.suspend(() =>
      state.tokens > limits.window ? tooLarge(state.tokens) : Stream.toPull(Stream.fromIterable(reply(state, options)))
    )
}

export const make = (): Model.Model["Type"] => Model.make({ provider, id, limits, codec })
