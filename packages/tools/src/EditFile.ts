/** `edit_file`: replaces one exact passage of a file, or each of its occurrences. */
import * as AiTool from "@effect/ai/Tool"
import type { Tool } from "@weir/model/Tool"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Cut from "./Cut.js"
import * as Nearest from "./Nearest.js"
import * as Passage from "./Passage.js"
import type { Outcome } from "./Runnable.js"
import { optional, runnable } from "./Runnable.js"
import { binaryAdvice, binaryKind, decode, encode, replace, showSize } from "./TextFile.js"
import { fromPlatform, ToolError } from "./ToolError.js"
import type { Workspace } from "./Workspace.js"

/** Bytes of the largest file that is edited. */
const maxBytes = 10_000_000
/** Changed lines beyond which no diff is made. */
const maxEditLength = 1000
const maxDiffBytes = 20_000
/** How much of a file an error shows. */
const maxShownLines = 20
const maxShownLength = 300

const description = AiTool.make("edit_file", {
  description: "Replaces old_text in a file by new_text and returns the diff. old_text must match exactly, without " +
    "line numbers, and occur once unless replace_all.",
  parameters: {
    path: Schema.String,
    old_text: Schema.String,
    new_text: Schema.String,
    replace_all: optional(Schema.Boolean)
  }
})

type Parameters = typeof description.parametersSchema.Type

const notFound = (shown: string, text: string, wanted: string) => {
  const nearest = Nearest.find(text, wanted)
  if (!nearest) {
    return new ToolError({ message: `old_text does not occur in ${shown}, nor anything like it. Read the file again.` })
  }
  const lines = nearest.lines.slice(0, maxShownLines)
    .map((line, index) => `${nearest.line + index}\t${Cut.line(line, maxShownLength)}`)
  const what = nearest.onlySpace
    ? "Only the white space differs"
    : "The nearest place is"
  return new ToolError({
    message: `old_text does not occur in ${shown}. ${what} at line ${nearest.line}:\n${lines.join("\n")}`
  })
}

const maxPlaces = 20

const edited = (shown: string, text: string, parameters: Parameters): Effect.Effect<string, ToolError> => {
  const places = Passage.find(text, parameters.old_text)
  if (places.length === 0) return Effect.fail(notFound(shown, text, parameters.old_text))
  if (places.length > 1 && !parameters.replace_all) {
    const lines = places.slice(0, maxPlaces).map(({ line }) => line).join(", ")
    return Effect.fail(
      new ToolError({
        message: `old_text occurs ${places.length} times in ${shown}, at lines ${lines}` +
          `${places.length > maxPlaces ? ", ..." : ""}. Add lines around it until it is unique, or set replace_all.`
      })
    )
  }
  const result = Passage.replace(text, places, parameters.new_text)
  return result === text
    ? Effect.fail(new ToolError({ message: "old_text and new_text are the same: nothing was changed." }))
    : Effect.succeed(result)
}

/** A unified diff, or why there is none. The library is loaded on first use. */
const diff = (shown: string, before: string, after: string) =>
  Effect.map(Effect.promise(() => import("diff")), ({ createTwoFilesPatch }) => {
    const patch = createTwoFilesPatch(shown, shown, before, after, undefined, undefined, {
      context: 3,
      maxEditLength,
      stripTrailingCr: true
    })
    return patch === undefined
      ? "(Too many lines changed to show a diff.)"
      : Cut.middle(patch.replace(/^Index: .*\n=+\n/, ""), maxDiffBytes)
  })

export const make = (workspace: Workspace): Tool => {
  const edit = Effect.fnUntraced(function*(given: Parameters): Effect.fn.Return<Outcome, ToolError> {
    // Half a character must not match half of another.
    const parameters = { ...given, new_text: Cut.wellFormed(given.new_text), old_text: Cut.wellFormed(given.old_text) }
    if (parameters.old_text === "") {
      return yield* new ToolError({ message: "old_text is empty. Use write_file to create a file." })
    }
    const file = yield* workspace.resolve(parameters.path)
    const shown = workspace.show(file)
    const info = yield* workspace.stat(file)
    if (info.type !== "File") return yield* new ToolError({ message: `${shown} is not a regular file.` })
    if (info.size > maxBytes) {
      return yield* new ToolError({ message: `${shown} has ${showSize(info.size)}: too large. Use sed in bash.` })
    }
    const bytes = yield* Effect.mapError(workspace.fs.readFile(file), fromPlatform(`read ${shown}`))
    const kind = binaryKind(bytes)
    if (Option.isSome(kind)) return yield* binaryAdvice(shown, kind.value)
    const before = yield* Effect.mapError(
      decode(bytes),
      () => new ToolError({ message: `${shown} is not valid UTF-8: editing would damage it. Use sed or perl in bash.` })
    )
    const after = yield* edited(shown, before.text, parameters)
    yield* replace(workspace, file, encode({ ...before, text: after }))
    return {
      facts: [{ _tag: "File", path: shown, action: "edited" }],
      text: `Edited ${shown}.\n${yield* diff(shown, before.text, after)}`
    }
  })

  return runnable(description, { access: "write", handler: edit })
}
