/** In-memory tools over a map of files, and a loop that lets the model use them. */
import type { Entry, Step, ToolCall, ToolResult } from "@weir/model/Conversation"
import { exchanges, userMessage } from "@weir/model/Conversation"
import type { ModelError } from "@weir/model/ModelError"
import type { ToolSpec } from "@weir/model/Prompt"
import * as Reply from "@weir/model/Reply"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { make } from "../src/OfflineModel.js"

export type Files = { readonly [path: string]: string }

export const spec = (name: string): ToolSpec => ({
  name,
  description: `The ${name} tool.`,
  parameters: { type: "object" }
})

export const searchTools: ReadonlyArray<ToolSpec> = ["read_file", "grep", "glob", "write_file", "bash"].map(spec)

export const result = (text: string, isError = false): ToolResult => ({ text, isError, images: [], facts: [] })

export const argumentsOf = (call: ToolCall): Arguments => JSON.parse(call.arguments)

const globToRegex = (glob: string): RegExp => {
  const source = glob.replace(/\*\*\/|\*\*|\*|\?|[.+^$()|\\]|\{|\}|,/g, (token) => {
    switch (token) {
      case "**/":
        return "(?:.*/)?"
      case "**":
        return ".*"
      case "*":
        return "[^/]*"
      case "?":
        return "[^/]"
      case "{":
        return "(?:"
      case "}":
        return ")"
      case ",":
        return "|"
      default:
        return `\\${token}`
    }
  })
  return new RegExp(`^${source}$`)
}

interface Arguments {
  readonly path?: string
  readonly pattern?: string
  readonly glob?: string
  readonly offset?: number
  readonly limit?: number
}

/** The largest text of a result, in characters: the cap of a recorded output in a small window. */
const cap = 4_600

/** A line around its match, when it is long. */
const clipped = (line: string, at: number) =>
  line.length <= 300 ? line : `…${line.slice(Math.max(0, at - 75), at + 225)}…`

const capped = (text: string) =>
  text.length <= cap ? text : `${text.slice(0, cap / 2)}\n[… left out …]\n${text.slice(-cap / 2)}`

export const runTool = (files: Files) => (call: ToolCall): ToolResult => {
  const args = argumentsOf(call)
  switch (call.name) {
    case "grep": {
      const regex = new RegExp(args.pattern ?? "")
      const within = args.glob === undefined ? /./ : globToRegex(args.glob)
      const found = Object.keys(files).filter((path) => within.test(path)).sort().flatMap((path) =>
        (files[path] ?? "").split("\n").flatMap((line, index) =>
          regex.test(line) ? [`${path}:${index + 1}:${clipped(line, line.search(regex))}`] : []
        )
      ).slice(0, args.limit ?? 100)
      return result(found.length === 0 ? "No matches." : capped(found.join("\n")))
    }
    case "glob": {
      const found = Object.keys(files).filter((path) => globToRegex(args.pattern ?? "").test(path)).sort()
      return result(found.length === 0 ? "No files found." : capped(found.slice(0, args.limit ?? 100).join("\n")))
    }
    case "read_file": {
      const file = files[args.path ?? ""]
      if (file === undefined) return result(`There is no file ${args.path}.`, true)
      const from = args.offset ?? 1
      const lines = file.split("\n").slice(from - 1, from - 1 + (args.limit ?? 2_000))
      return result(capped(lines.map((line, index) => `${from + index}\t${line}`).join("\n")))
    }
    default:
      return result("Not permitted.", true)
  }
}

export const ask = (options: {
  readonly entries: ReadonlyArray<Entry>
  readonly tools?: ReadonlyArray<ToolSpec>
  readonly system?: string
  readonly maxOutputTokens?: number
}) =>
  make().start({ system: options.system ?? "You help.", tools: options.tools ?? searchTools, entries: options.entries })
    .stream({ maxOutputTokens: options.maxOutputTokens ?? 5_461, sessionId: "s" }).pipe(
      Stream.runFold(Reply.empty, Reply.append)
    )

export interface Turn {
  readonly answer: string
  readonly steps: ReadonlyArray<Step>
  /** Number of compactions. */
  readonly compactions: number
  readonly summaries: ReadonlyArray<string>
}

export interface Bench {
  readonly question: string
  readonly tool: (call: ToolCall) => ToolResult
  readonly tools?: ReadonlyArray<ToolSpec>
  /** Input, in tokens, from which the history is compacted before the next request. */
  readonly trigger?: number
  /** What stands for the history: the new user message. */
  readonly compact?: (entries: ReadonlyArray<Entry>, task: string) => Effect.Effect<
    { readonly text: string; readonly summary: string },
    ModelError
  >
}

/** Runs one turn to its answer; fails the test after far too many steps. */
export const runTurn = (bench: Bench): Effect.Effect<Turn, ModelError> =>
  Effect.gen(function*() {
    const steps: Array<Step> = []
    const summaries: Array<string> = []
    let entries: ReadonlyArray<Entry> = [userMessage(bench.question)]
    for (let request = 0; request < 60; request++) {
      const reply = yield* ask({ entries, ...(bench.tools && { tools: bench.tools }) })
      const step = Reply.toStep(reply, bench.tool)
      steps.push(step)
      if (exchanges(step).length === 0) {
        return {
          answer: reply.parts.flatMap((part) => part._tag === "Text" ? [part.text] : []).join(""),
          steps,
          compactions: summaries.length,
          summaries
        }
      }
      entries = [...entries, step]
      const size = (reply.usage?.fresh ?? 0) +
        exchanges(step).reduce((sum, { result }) => sum + result.text.length * 2 / 7, 0)
      if (bench.compact && size >= (bench.trigger ?? Infinity)) {
        const compacted = yield* bench.compact(entries, bench.question)
        summaries.push(compacted.summary)
        entries = [userMessage(compacted.text)]
      }
    }
    return yield* Effect.dieMessage("The model does not come to an answer.")
  })
