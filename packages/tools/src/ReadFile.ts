/** `read_file`: a range of a text file with line numbers. A huge file is never held in memory. */
import * as AiTool from "@effect/ai/Tool"
import type { Tool, ToolContext } from "@weir/model/Tool"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as LineWindow from "./LineWindow.js"
import type { Outcome } from "./Runnable.js"
import { optional, runnable, whole } from "./Runnable.js"
import { binaryAdvice, binaryKind, showSize } from "./TextFile.js"
import { fromPlatform, ToolError } from "./ToolError.js"
import type { Workspace } from "./Workspace.js"

const defaultLines = 2000
/** Bytes of one result. */
const maxBytes = 40_000
/** A result that would be cut is ended sooner, where the next read can go on; few texts have fewer bytes to a token. */
const bytesPerToken = 3
/** UTF-16 units of one line. */
const maxLineLength = 2000
/** Larger files, in bytes, need a range and are read only as far as it goes. */
const hugeBytes = 10_000_000

const description = AiTool.make("read_file", {
  description: `Reads a text file with line numbers, ${defaultLines} lines unless limit says otherwise.`,
  parameters: {
    path: Schema.String,
    offset: optional(whole(1, "First line, from 1")),
    limit: optional(whole(1, "Number of lines"))
  }
})

type Parameters = typeof description.parametersSchema.Type

/** The checks that need no content. */
const checked = Effect.fnUntraced(function*(workspace: Workspace, file: string, parameters: Parameters) {
  const shown = workspace.show(file)
  const info = yield* workspace.stat(file)
  if (info.type === "Directory") {
    return yield* new ToolError({ message: `${shown} is a directory. List its files with glob, pattern "*".` })
  }
  if (info.type !== "File") return yield* new ToolError({ message: `${shown} is not a regular file.` })
  const huge = info.size > hugeBytes
  if (huge && parameters.offset === undefined && parameters.limit === undefined) {
    return yield* new ToolError({
      message: `${shown} has ${showSize(info.size)}. Give offset and limit to read a part, or search it with grep.`
    })
  }
  return { huge }
})

/** What is said below the lines: nothing when they are the whole file. */
const footer = (shown: { readonly from: number; readonly to: number; readonly total: Option.Option<number> }) => {
  const total = Option.getOrUndefined(shown.total)
  if (total === undefined || shown.to < total) {
    const of = total === undefined ? "; the file has more" : ` of ${total}`
    return `\n[Lines ${shown.from}-${shown.to}${of}. Continue with offset=${shown.to + 1}.]`
  }
  return shown.from > 1 ? `\n[Lines ${shown.from}-${shown.to} of ${total}, the end.]` : ""
}

export const make = (workspace: Workspace): Tool => {
  const read = Effect.fnUntraced(function*(
    parameters: Parameters,
    context: ToolContext
  ): Effect.fn.Return<Outcome, ToolError> {
    const file = yield* workspace.resolve(parameters.path)
    const shown = workspace.show(file)
    const { huge } = yield* checked(workspace, file, parameters)
    const from = parameters.offset ?? 1
    const window = LineWindow.make({
      bytes: Math.min(maxBytes, bytesPerToken * context.outputTokens),
      from,
      lineLength: maxLineLength,
      lines: parameters.limit ?? defaultLines
    })
    const decoder = new TextDecoder()
    // Before a line is cut.
    const cleared = context.redaction.pieces()
    let first = true
    const take = (bytes: Uint8Array) => {
      const kind = first ? binaryKind(bytes) : Option.none()
      first = false
      if (Option.isSome(kind)) return Effect.fail(binaryAdvice(shown, kind.value))
      window.push(cleared.push(decoder.decode(bytes, { stream: true })))
      return Effect.void
    }
    yield* huge
      ? workspace.fs.stream(file).pipe(
        Stream.mapError(fromPlatform(`read ${shown}`)),
        Stream.takeUntil(() => window.full()),
        Stream.runForEach(take)
      )
      : workspace.fs.readFile(file).pipe(Effect.mapError(fromPlatform(`read ${shown}`)), Effect.flatMap(take))
    window.push(cleared.push(decoder.decode()) + cleared.finish())
    const { lines, total } = window.finish()
    const facts = [{ _tag: "File", path: shown, action: "read" }] as const
    if (total === 0) return { facts, text: "(The file is empty.)" }
    if (lines.length === 0) {
      return yield* new ToolError({ message: `${shown} has only ${total} lines; offset ${from} is past its end.` })
    }
    const to = from + lines.length - 1
    const text = lines.join("\n")
    const cut = huge && window.full()
    const notes = text.includes("\uFFFD") ? "\n[Bytes that are not UTF-8 are shown as \uFFFD.]" : ""
    return { facts, text: text + footer({ from, to, total: cut ? Option.none() : Option.some(total) }) + notes }
  })

  return runnable(description, { access: "read", handler: read })
}
