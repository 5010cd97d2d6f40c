/** `glob`: files by the pattern of their path. */
import * as AiTool from "@effect/ai/Tool"
import type { Tool } from "@weir/model/Tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as GlobPattern from "./GlobPattern.js"
import type { Ripgrep } from "./Ripgrep.js"
import { optional, runnable, whole } from "./Runnable.js"
import { ToolError } from "./ToolError.js"
import type { Workspace } from "./Workspace.js"

const defaultLimit = 200

const description = AiTool.make("glob", {
  description: "Lists files whose path matches a glob pattern such as **/*.ts. Leaves out what .gitignore names.",
  parameters: {
    pattern: Schema.String,
    path: optional(Schema.String.annotations({ description: "Directory" })),
    limit: optional(whole(1, `Default ${defaultLimit}`))
  }
})

type Parameters = typeof description.parametersSchema.Type

export const make = (workspace: Workspace, ripgrep: Ripgrep): Tool => {
  const { path } = workspace

  const list = Effect.fnUntraced(function*(parameters: Parameters) {
    const limit = parameters.limit ?? defaultLimit
    const directory = yield* workspace.resolve(parameters.path ?? ".")
    if ((yield* workspace.stat(directory)).type !== "Directory") {
      return yield* new ToolError({ message: `${workspace.show(directory)} is not a directory.` })
    }
    const matches = yield* GlobPattern.matcher(workspace, parameters.pattern, directory)
    const { lines, root } = yield* ripgrep.run(["--files"], directory)
    const found: Array<string> = []
    let total = 0
    yield* Stream.runForEach(lines, (line) =>
      Effect.sync(() => {
        const file = path.join(root, line)
        if (!matches(file)) return
        total++
        if (found.length < limit) found.push(workspace.show(file))
      }))
    const where = directory === workspace.cwd ? "the working directory" : workspace.show(directory)
    if (total === 0) return { text: `No files match ${parameters.pattern} in ${where}.` }
    const more = total - found.length
    return { text: found.join("\n") + (more === 0 ? "" : `\n[${more} more files. Narrow the pattern or raise limit.]`) }
  }, Effect.scoped)

  return runnable(description, { access: "read", handler: list })
}
