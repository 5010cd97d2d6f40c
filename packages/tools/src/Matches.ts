/** Reads what ripgrep reports with `--json` and writes it as lines of `path:line:text`. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import * as Schema from "effect/Schema"
import * as Cut from "./Cut.js"
import { ToolError } from "./ToolError.js"

/** Text, or base64 where it is not UTF-8. */
const Data = Schema.Union(Schema.Struct({ text: Schema.String }), Schema.Struct({ bytes: Schema.String }))
type Data = typeof Data.Type

const Line = Schema.Struct({
  type: Schema.Literal("match", "context"),
  data: Schema.Struct({
    path: Data,
    lines: Data,
    line_number: Schema.Int,
    /** Offsets are bytes. */
    submatches: Schema.Array(Schema.Struct({ start: Schema.Int }))
  })
})

const End = Schema.Struct({
  type: Schema.Literal("end"),
  data: Schema.Struct({ path: Data, binary_offset: Schema.NullOr(Schema.Int) })
})

const Begin = Schema.Struct({ type: Schema.Literal("begin") })
const Summary = Schema.Struct({ type: Schema.Literal("summary") })

const Event = Schema.Union(Line, End, Begin, Summary)
export type Event = typeof Event.Type

const decodeEvent = Schema.decodeUnknown(Schema.parseJson(Event))

export const decode = (line: string): Effect.Effect<Event, ToolError> =>
  Effect.mapError(
    decodeEvent(line),
    () => new ToolError({ message: `This ripgrep is not understood; it said: ${Cut.line(line, 200)}` })
  )

const encoder = new TextEncoder()
const decoder = new TextDecoder("utf-8", { ignoreBOM: true })

const bytesOf = (data: Data): Uint8Array =>
  "text" in data
    ? encoder.encode(data.text)
    : Either.getOrElse(Encoding.decodeBase64(data.bytes), () => new Uint8Array())

/** UTF-16 units of one line. */
const maxLineLength = 400

const lineOf = ({ data: { lines, submatches } }: typeof Line.Type, clear: (text: string) => string): string => {
  const bytes = bytesOf(lines)
  const start = clear(decoder.decode(bytes.subarray(0, submatches[0]?.start ?? 0))).length
  return Cut.around(clear(decoder.decode(bytes).replace(/\r?\n$/, "")), start, maxLineLength)
}

export interface Matches {
  readonly push: (event: Event) => void
  /** Nothing more will be taken. */
  readonly full: () => boolean
  readonly text: () => string
}

/** Before the first line that is taken of a file: no line follows it. */
const noLine = -1

export const make = (options: {
  readonly limit: number
  readonly maxBytes: number
  /** Whether the blocks of lines that do not touch are to be told apart. */
  readonly separate: boolean
  /** The path to write for a path of ripgrep's; none when the file is not wanted. */
  readonly show: (path: string) => string | undefined
  /** What becomes of a line before it is cut. */
  readonly clear: (text: string) => string
}): Matches => {
  const { clear, limit, maxBytes, separate, show } = options
  const taken: Array<string> = []
  let matches = 0
  let bytes = 0
  let binaries = 0
  let more = false
  /** What the file being read has added: it goes when the file turns out to be binary. */
  let lines: Array<string> = []
  let hits = 0
  let last = noLine

  const add = (event: typeof Line.Type, shown: string) => {
    const isMatch = event.type === "match"
    const number = event.data.line_number
    const mark = isMatch ? ":" : "-"
    const line = `${shown}${mark}${number}${mark}${lineOf(event, clear)}`
    const size = Cut.byteLength(line) + 1
    more = (isMatch && matches + hits === limit) || (matches + hits > 0 && bytes + size > maxBytes)
    if (more) return end(false)
    if (separate && number !== last + 1 && taken.length + lines.length > 0) lines.push("--")
    lines.push(line)
    bytes += size
    hits += isMatch ? 1 : 0
    last = number
  }

  const end = (binary: boolean) => {
    if (binary) binaries += hits > 0 ? 1 : 0
    else {
      taken.push(...lines)
      matches += hits
    }
    lines = []
    hits = 0
    last = noLine
  }

  return {
    full: () => more,
    push: (event) => {
      if (event.type === "begin" || event.type === "summary") return
      const shown = show(decoder.decode(bytesOf(event.data.path)))
      if (shown === undefined) return
      if (event.type === "end") end(event.data.binary_offset !== null)
      else add(event, shown)
    },
    text: () =>
      [
        ...(matches === 0 ? ["No matches."] : taken),
        ...(more ? [`[${matches} matches shown, there are more. Narrow pattern, path or glob, or raise limit.]`] : []),
        ...(binaries > 0
          ? [`[Left out: ${binaries} binary ${binaries === 1 ? "file that matches" : "files that match"}.]`]
          : [])
      ].join("\n")
  }
}
