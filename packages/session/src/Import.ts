/** Another program's transcript as the records of a session: its turns, steps, calls and results; nothing else of it. */
import { type Exchange, type Image, type Step, TurnId, userMessage } from "@weir/model/Conversation"
import * as Usage from "@weir/model/Usage"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { type Piece, type Program, programs } from "./ForeignLines.js"
import type { Record } from "./Record.js"

export class ImportFailed extends Schema.TaggedError<ImportFailed>("@weir/session/Import/ImportFailed")(
  "ImportFailed",
  { file: Schema.String }
) {
  override get message() {
    return `${this.file} is no transcript that can be imported: JSON lines of Claude Code, Codex or pi are.`
  }
}

export interface Imported {
  readonly program: Program["name"]
  readonly cwd?: string
  readonly model?: string
  readonly records: ReadonlyArray<Record>
}

interface Result {
  readonly text: string
  readonly isError: boolean
  readonly images: ReadonlyArray<Image>
}

const missing: Result = { text: "No result was recorded.", isError: true, images: [] }

/** A step ends where the model speaks again after a result, or the user does. */
const assemble = (pieces: ReadonlyArray<Piece>, at: DateTime.Utc): ReadonlyArray<Record> => {
  const records: Array<Record> = []
  let parts: Array<Exclude<Piece, { _tag: "User" | "Result" }>> = []
  let results = new Map<string, Result>()
  let turns = 0
  const endStep = () => {
    if (parts.length > 0 && turns > 0) {
      const step: Step = {
        _tag: "Step",
        parts: parts.map((part) => {
          if (part._tag !== "Call") return part
          const { args, id, name } = part
          const exchange: Exchange = {
            _tag: "Exchange",
            call: { _tag: "ToolCall", id, name, arguments: args },
            result: { ...(results.get(id) ?? missing), facts: [] }
          }
          return exchange
        })
      }
      records.push({ _tag: "StepCompleted", step })
    }
    parts = []
    results = new Map()
  }
  const endTurn = () => {
    endStep()
    if (turns > 0) records.push({ _tag: "TurnFinished", reason: "finished", usage: Usage.zero })
  }
  for (const piece of pieces) {
    switch (piece._tag) {
      case "User":
        endTurn()
        turns += 1
        records.push({
          _tag: "TurnStarted",
          turnId: TurnId.make(`imported-${turns}`),
          user: userMessage(piece.text, piece.images),
          at
        })
        break
      case "Result":
        results.set(piece.id, piece)
        break
      default:
        if (results.size > 0) endStep()
        parts.push(piece)
    }
  }
  endTurn()
  return records
}

const decodeLine = Schema.decodeUnknownEither(
  Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
)

/** `file` names the text in errors. */
export const parse = Effect.fnUntraced(function*(text: string, file: string) {
  const lines = text.split("\n").flatMap((line) =>
    Either.match(decodeLine(line), { onLeft: () => [], onRight: (all) => [all] })
  )
  const at = yield* DateTime.now
  for (const program of programs) {
    const read = program.read(lines)
    if (read === undefined || !read.pieces.some(({ _tag }) => _tag === "User")) continue
    const { cwd, model, pieces } = read
    const imported: Imported = {
      program: program.name,
      records: assemble(pieces, at),
      ...(cwd !== undefined && { cwd }),
      ...(model !== undefined && { model })
    }
    return imported
  }
  return yield* new ImportFailed({ file })
})
