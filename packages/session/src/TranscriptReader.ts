/** The records of a transcript's file, in order. Reading changes nothing and needs no lock. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Refusal from "@weir/model/Refusal"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Fold from "./Fold.js"
import { forEachLine } from "./LineReader.js"
import * as Outline from "./Outline.js"
import { Line, type Record, type SessionStarted, type StepCompleted, version } from "./Record.js"
import { TranscriptError } from "./TranscriptError.js"

/** The records of one line; none when it is damaged. */
type Decode = (line: string) => ReadonlyArray<Record> | undefined

const decodeLine = Schema.decodeUnknownOption(Line)
const decode: Decode = (line) => Option.getOrUndefined(decodeLine(line))

/** What every version's first line says. */
const decodeAnyStart = Schema.decodeUnknownEither(
  Schema.parseJson(Schema.NonEmptyArray(Schema.Struct({
    _tag: Schema.Literal("SessionStarted"),
    version: Schema.Number
  })))
)

export interface Read {
  readonly start: SessionStarted
  /** Bytes of all complete lines. */
  readonly length: number
  /** A last line without its newline. */
  readonly torn: Uint8Array
  /** The numbers of the lines that could not be read. */
  readonly damaged: ReadonlyArray<number>
}

const reading = (file: string) => (error: { readonly message: string }) =>
  new TranscriptError({ reason: "read", subject: file, detail: Refusal.detail(error) })

/** A transcript begins with how its session started, in a format that this version knows. */
const startOf = (line: string, file: string): Either.Either<SessionStarted, TranscriptError> => {
  const [first] = decode(line) ?? []
  if (first?._tag === "SessionStarted") return Either.right(first)
  const other = decodeAnyStart(line)
  const isNewer = Either.isRight(other) && other.right[0].version > version
  return Either.left(
    isNewer
      ? new TranscriptError({
        reason: "newer",
        subject: file,
        detail: `format ${other.right[0].version}; this version reads up to ${version}`
      })
      : new TranscriptError({ reason: "corrupt", subject: file, detail: "its first line does not start a session" })
  )
}

/** Hands over each record as its line holds it: large texts as references. */
export const read = Effect.fnUntraced(
  function*(
    file: string,
    onRecord: (record: Record) => void,
    decodeWith: Decode = decode
  ): Effect.fn.Return<Read, TranscriptError, FileSystem.FileSystem> {
    const fs = yield* FileSystem.FileSystem
    const damaged: Array<number> = []
    let start: Either.Either<SessionStarted, TranscriptError> | undefined
    const { length, rest } = yield* fs.open(file, { flag: "r" }).pipe(
      Effect.flatMap((handle) =>
        forEachLine(handle, (line, number) => {
          if (number === 1) {
            start = startOf(line, file)
            if (Either.isLeft(start)) return false
          }
          const batch = decodeWith(line)
          if (batch) batch.forEach(onRecord)
          else damaged.push(number)
          return true
        })
      ),
      Effect.mapError(reading(file)),
      Effect.scoped
    )
    return { start: yield* start ?? startOf("", file), length, torn: rest, damaged }
  }
)

/** How a session started, from the first line of its file alone; none when the file does not say. */
export const readStart = Effect.fnUntraced(function*(file: string) {
  const fs = yield* FileSystem.FileSystem
  let start = Option.none<SessionStarted>()
  yield* fs.open(file, { flag: "r" }).pipe(
    Effect.flatMap((handle) =>
      forEachLine(handle, (line) => {
        start = Either.getRight(startOf(line, file))
        return false
      })
    ),
    Effect.mapError(reading(file)),
    Effect.scoped
  )
  return start
})

/** The fold of a file, without these compactions. Which ones are taken back is only known at its end. */
const foldWithout = (
  file: string,
  undone: ReadonlySet<string>,
  decodeWith: Decode
): Effect.Effect<Read & { readonly folded: Fold.Folded }, TranscriptError, FileSystem.FileSystem> =>
  Effect.gen(function*() {
    const found = new Set<string>()
    let folded = Fold.empty
    // Folded together: there are many, and each would copy what it is added to.
    let steps: Array<typeof StepCompleted.Type> = []
    const addSteps = () => {
      if (steps.length > 0) folded = Fold.withSteps(folded, steps)
      steps = []
    }
    const all = yield* read(file, (record) => {
      if (record._tag === "StepCompleted") return void steps.push(record)
      if (record._tag === "CompactionUndone") found.add(record.checkpoint)
      if (record._tag === "CompactionApplied" && undone.has(record.checkpoint.id)) return
      addSteps()
      folded = Fold.append(folded, record)
    }, decodeWith)
    addSteps()
    if (found.size > undone.size) return yield* foldWithout(file, found, decodeWith)
    return { ...all, folded }
  })

/** The fold of a file. When a step that it keeps turns out to be damaged, all are looked into. */
export const fold = Effect.fnUntraced(function*(file: string) {
  const { folded, ...all } = yield* foldWithout(file, new Set(), Outline.decode)
  return yield* Outline.complete(folded.projection).pipe(
    Effect.map((projection) => ({ ...all, folded: { ...folded, projection } })),
    Effect.catchTag("ParseError", () => foldWithout(file, new Set(), decode))
  )
})
