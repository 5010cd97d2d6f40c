/** `write_file`: a file with the given content, new or in place of what it held. */
import * as AiTool from "@effect/ai/Tool"
import type { Tool } from "@weir/model/Tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Outcome } from "./Runnable.js"
import { runnable } from "./Runnable.js"
import { encode, measure, replace } from "./TextFile.js"
import type { ToolError } from "./ToolError.js"
import { fromPlatform } from "./ToolError.js"
import type { Workspace } from "./Workspace.js"

const description = AiTool.make("write_file", {
  description: "Creates or overwrites a file, and the directories above it.",
  parameters: { path: Schema.String, content: Schema.String }
})

type Parameters = typeof description.parametersSchema.Type

export const make = (workspace: Workspace): Tool => {
  const { fs, path } = workspace

  const write = Effect.fnUntraced(function*(parameters: Parameters): Effect.fn.Return<Outcome, ToolError> {
    const file = yield* workspace.resolve(parameters.path)
    yield* workspace.check
    const shown = workspace.show(file)
    const existed = yield* Effect.orElseSucceed(fs.exists(file), () => false)
    yield* Effect.mapError(
      fs.makeDirectory(path.dirname(file), { recursive: true }),
      fromPlatform(`create the directory of ${shown}`)
    )
    yield* replace(workspace, file, encode({ bom: false, text: parameters.content }))
    return {
      facts: [{ _tag: "File", path: shown, action: "written" }],
      text: `${existed ? "Overwrote" : "Created"} ${shown} (${measure(parameters.content)}).`
    }
  })

  return runnable(description, { access: "write", handler: write })
}
