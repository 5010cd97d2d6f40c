/** `grep`: lines that match a regular expression, as `path:line:text`, with lines around them as `path-line-text`. */
import * as AiTool from "@effect/ai/Tool"
import type { Tool, ToolContext } from "@weir/model/Tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as GlobPattern from "./GlobPattern.js"
import * as Matches from "./Matches.js"
import type { Ripgrep } from "./Ripgrep.js"
import { optional, runnable, whole } from "./Runnable.js"
import { ToolError } from "./ToolError.js"
import type { Workspace } from "./Workspace.js"

const defaultLimit = 100
/** Lines around a match. */
const maxContext = 20
const maxPatternLength = 10_000
/** Bytes of a result; a search stops when it has found that much. */
const maxBytes = 40_000
/** Larger files are not searched. */
const maxFileSize = "20M"

const description = AiTool.make("grep", {
  description: "Searches file contents for a regular expression (Rust syntax). Leaves out what .gitignore names.",
  parameters: {
    pattern: Schema.String,
    path: optional(Schema.String.annotations({ description: "File or directory" })),
    glob: optional(Schema.String.annotations({ description: "Only files matching, e.g. *.ts" })),
    ignore_case: optional(Schema.Boolean),
    context: optional(whole(0, "Lines around each match")),
    limit: optional(whole(1, `Matches, default ${defaultLimit}`))
  }
})

type Parameters = typeof description.parametersSchema.Type

export const make = (workspace: Workspace, ripgrep: Ripgrep, hides: (absolute: string) => boolean): Tool => {
  const { fs, path } = workspace

  const search = Effect.fnUntraced(function*(parameters: Parameters, { redaction }: ToolContext) {
    const { pattern } = parameters
    if (pattern === "" || pattern.includes("\0") || pattern.length > maxPatternLength) {
      return yield* new ToolError({
        message: `pattern must have 1 to ${maxPatternLength} characters, none of them NUL.`
      })
    }
    const limit = parameters.limit ?? defaultLimit
    const context = Math.min(maxContext, parameters.context ?? 0)
    const target = yield* workspace.resolve(parameters.path ?? ".")
    const matches = parameters.glob === undefined
      ? () => true
      : yield* GlobPattern.matcher(workspace, parameters.glob, target)
    const { lines, root } = yield* ripgrep.run([
      "--json",
      `--regexp=${pattern}`,
      `--context=${context}`,
      `--max-filesize=${maxFileSize}`,
      ...(parameters.ignore_case ? ["--ignore-case"] : [])
    ], target)

    // What lies below a link is hidden by its own name too.
    const real = yield* Effect.orElseSucceed(fs.realPath(target), () => target)
    let hidden = 0
    const isHidden = (file: string) => hides(file) || hides(path.resolve(real, path.relative(target, file)))

    const found = Matches.make({
      clear: redaction.clear,
      limit,
      maxBytes,
      separate: context > 0,
      show: (relative) => {
        const file = path.join(root, relative)
        if (!matches(file)) return undefined
        if (!isHidden(file)) return workspace.show(file)
        hidden++
        return undefined
      }
    })
    yield* lines.pipe(
      Stream.mapEffect(Matches.decode),
      Stream.runForEachWhile((event) =>
        Effect.sync(() => {
          found.push(event)
          return !found.full()
        })
      )
    )
    const left = hidden === 0 ? "" : "\n[Left out: matches in files that the user's rules keep from being read.]"
    return { text: found.text() + left }
  }, Effect.scoped)

  return runnable(description, { access: "read", handler: search })
}
