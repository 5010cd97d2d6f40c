/** Runs the calls of one reply: tools that only look side by side, all others one after the other. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import { capOutput } from "@weir/compaction/OutputCap"
import type { ToolCall, ToolResult } from "@weir/model/Conversation"
import type { Redaction } from "@weir/model/Redaction"
import type { Tool } from "@weir/model/Tool"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import { type Approval, asks, denial, type PermissionMode, refused, type Rule } from "./Permission.js"
import type { SessionEvent } from "./SessionEvent.js"

export interface ToolRunner {
  /**
   * Runs all calls and tells each result as soon as it is there, so that an interrupted batch
   * keeps what was finished. `outputCap`: the largest result to record, in tokens.
   */
  readonly run: (
    calls: ReadonlyArray<ToolCall>,
    outputCap: number,
    finished: (call: ToolCall, result: ToolResult) => Effect.Effect<void>
  ) => Effect.Effect<void>
  /** Whether none of the calls can change anything. */
  readonly onlyLook: (calls: ReadonlyArray<ToolCall>) => boolean
}

export const failure = (text: string): ToolResult => ({ text, isError: true, images: [], facts: [] })

const readers = 8

export const make = Effect.fnUntraced(function*(options: {
  readonly tools: ReadonlyArray<Tool>
  readonly permission: PermissionMode
  readonly rule?: Rule
  readonly approval?: Approval
  readonly outputDirectory: string
  /** Secrets are in no result, and in no file beside it. */
  readonly redaction: Redaction
  readonly publish: (event: SessionEvent) => Effect.Effect<void>
}): Effect.fn.Return<ToolRunner, never, FileSystem.FileSystem | Path.Path> {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const { publish, redaction } = options
  const tools = new Map(options.tools.map((tool) => [tool.spec.name, tool]))

  const outputFile = Effect.fnUntraced(function*(call: ToolCall) {
    const suffix = (yield* Random.nextIntBetween(0, 36 ** 6)).toString(36).padStart(6, "0")
    return path.join(options.outputDirectory, `${call.name}-${suffix}.txt`.replaceAll(/[^\w.-]/g, "_"))
  })

  const saveWhole = (file: string, text: string) =>
    fs.makeDirectory(path.dirname(file), { recursive: true, mode: 0o700 }).pipe(
      Effect.zipRight(fs.writeFileString(file, text, { mode: 0o600 })),
      Effect.as(Option.some(file)),
      Effect.orElseSucceed(() => Option.none<string>())
    )

  /** The result with at most `cap` tokens of text; what is cut away is kept in a file when one can be written. */
  const record = Effect.fnUntraced(function*(result: ToolResult, cap: number, file: string) {
    if (capOutput(result.text, cap, Option.none()) === result.text) return result
    const saved = result.savedTo === undefined ? yield* saveWhole(file, result.text) : Option.some(result.savedTo)
    return {
      ...result,
      text: capOutput(result.text, cap, saved),
      ...(Option.isSome(saved) && { savedTo: saved.value })
    }
  })

  const ask = (approval: Approval, tool: Tool, call: ToolCall) =>
    Effect.flatMap(
      approval.decide(call, tool.access),
      Option.match({
        onNone: () =>
          publish({ _tag: "PermissionAsked", callId: call.id, name: call.name, arguments: call.arguments }).pipe(
            Effect.zipRight(approval.ask(call, tool.access))
          ),
        onSome: Effect.succeed
      })
    )

  /** Why the call may not run; none when it may. */
  const obstacle = Effect.fnUntraced(function*(tool: Tool, call: ToolCall) {
    const { approval, permission, rule } = options
    const ruled = rule === undefined ? Option.none() : yield* rule(call)
    if (Option.isSome(ruled)) return refused(call.name, ruled.value)
    const denied = denial(permission, call.name, tool.access)
    if (Option.isNone(denied) || !asks(permission) || approval === undefined) return denied
    return refused(call.name, yield* ask(approval, tool, call))
  })

  const runTool = Effect.fnUntraced(function*(tool: Tool, call: ToolCall, outputTokens: number, outputFile: string) {
    const denied = yield* obstacle(tool, call)
    if (Option.isSome(denied)) return failure(denied.value)
    return yield* tool.run(call.arguments, {
      callId: call.id,
      outputFile,
      outputTokens,
      redaction,
      report: (chunk) => publish({ _tag: "ToolOutput", callId: call.id, chunk })
    }).pipe(
      Effect.catchAllDefect((defect) =>
        Effect.succeed(failure(`${call.name} failed unexpectedly: ${Cause.pretty(Cause.die(defect))}`))
      )
    )
  })

  const runCall = Effect.fnUntraced(function*(call: ToolCall, outputCap: number) {
    const shown = redaction.clear(call.arguments)
    yield* publish({ _tag: "ToolCallStarted", callId: call.id, name: call.name, arguments: shown })
    const tool = tools.get(call.name)
    const file = yield* outputFile(call)
    const result = tool
      ? yield* runTool(tool, call, outputCap, file)
      : failure(`There is no tool "${call.name}". The tools are: ${[...tools.keys()].join(", ")}.`)
    const recorded = yield* record({ ...result, text: redaction.clear(result.text) }, outputCap, file)
    const { isError, text } = recorded
    yield* publish({ _tag: "ToolCallFinished", callId: call.id, name: call.name, isError, text })
    return recorded
  })

  const onlyLook = (calls: ReadonlyArray<ToolCall>) => calls.every((call) => tools.get(call.name)?.access === "read")

  return {
    run: (calls, outputCap, finished) =>
      Effect.forEach(
        calls,
        (call) => Effect.flatMap(runCall(call, outputCap), (result) => finished(call, result)),
        { concurrency: calls.length > 1 && onlyLook(calls) ? readers : 1, discard: true }
      ),
    onlyLook
  }
})
