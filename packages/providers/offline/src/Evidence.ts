/**
 * What is known of the searched tree: lines seen, ranges read, searches made. Read from tool results, whose
 * text is taken line by line and may be anything; what does not look like evidence is passed over.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** A call with its result, wherever it was found. */
export interface Exchanged {
  readonly name: string
  /** JSON text. */
  readonly arguments: string
  readonly text: string
  readonly isError: boolean
}

/** Lines `from` to `to` of a file, counted from 1; `ended` when the file has no more. */
export interface Range {
  readonly path: string
  readonly from: number
  readonly to: number
  readonly ended: boolean
}

export interface Evidence {
  /** Path → line number → the line's text. */
  readonly lines: ReadonlyMap<string, ReadonlyMap<number, string>>
  readonly reads: ReadonlyArray<Range>
  /** Search → how many lines or paths it found. */
  readonly searches: ReadonlyMap<string, number>
  /** Paths found by name. */
  readonly paths: ReadonlySet<string>
  /** Steps with tool calls that were taken for this question. */
  readonly steps: number
}

export const empty: Evidence = { lines: new Map(), reads: [], searches: new Map(), paths: new Set(), steps: 0 }

const Arguments = Schema.parseJson(Schema.Struct({
  path: Schema.optional(Schema.String),
  pattern: Schema.optional(Schema.String),
  glob: Schema.optional(Schema.String),
  offset: Schema.optional(Schema.Number),
  limit: Schema.optional(Schema.Number)
}))
export type Arguments = typeof Arguments.Type

const decode = Schema.decodeUnknownOption(Arguments)

/** The JSON text of a call's arguments. */
export const encode = Schema.encodeSync(Arguments)

/** How a search is called in `searches`, in summaries and to the reader. */
export const searchName = (tool: string, args: Arguments): string =>
  `${tool} ${args.pattern ?? ""}${args.glob === undefined ? "" : ` in ${args.glob}`}`

const withoutDot = (path: string) => path.replace(/^(\.\/)+/, "")

/** `path:line:text`, as grep writes it. */
const hit = /^([^\s:][^:]*):([1-9]\d{0,8}):(.*)$/

/** `12<tab>text`, `12→text`, `12| text` or `12: text`, indented or not. */
const numbered = /^ *([1-9]\d{0,8})(?:\t|→|\| ?|: ?)(.*)$/

const textLines = (text: string) => text.split("\n").map((line) => line.endsWith("\r") ? line.slice(0, -1) : line)

export interface Line {
  readonly path: string
  readonly line: number
  readonly text: string
}

export const parseHit = (text: string): Line | undefined => {
  const found = hit.exec(text)
  return found?.[1] === undefined || found[3] === undefined
    ? undefined
    : { path: withoutDot(found[1]), line: Number(found[2]), text: found[3] }
}

const hits = (text: string): ReadonlyArray<Line> => textLines(text).flatMap((line) => parseHit(line) ?? [])

const numberedLines = (path: string, text: string): ReadonlyArray<Line> => {
  let last = 0
  return textLines(text).flatMap((line) => {
    const found = numbered.exec(line)
    const number = Number(found?.[1])
    if (found?.[2] === undefined || number <= last) return []
    last = number
    return [{ path, line: number, text: found[2] }]
  })
}

const looksLikePath = (line: string) => line !== "" && line.length < 400 && !/[:*?"<>|]|^[[(]|\s{2}/.test(line)

/** Collects evidence; `build` gives what was collected. */
export class Collector {
  private readonly lines = new Map<string, Map<number, string>>()
  private readonly reads: Array<Range> = []
  private readonly searches = new Map<string, number>()
  private readonly paths = new Set<string>()

  addLine = ({ line, path, text }: Line): void => {
    const known = this.lines.get(path)
    if (known) known.set(line, text)
    else this.lines.set(path, new Map([[line, text]]))
  }

  addRead = (range: Range): void => {
    this.reads.push(range)
  }

  addSearch = (name: string, found: number): void => {
    this.searches.set(name, found)
  }

  addPath = (path: string): void => {
    this.paths.add(path)
  }

  addExchange = (exchanged: Exchanged): void => {
    const args = Option.getOrUndefined(decode(exchanged.arguments))
    if (!args) return
    const text = exchanged.isError ? "" : exchanged.text
    switch (exchanged.name) {
      case "grep": {
        const found = hits(text)
        found.forEach(this.addLine)
        return this.addSearch(searchName("grep", args), found.length)
      }
      case "glob": {
        const found = textLines(text).map((line) => withoutDot(line.trim())).filter(looksLikePath)
        found.forEach(this.addPath)
        return this.addSearch(searchName("glob", args), found.length)
      }
      case "read_file": {
        if (args.path === undefined) return
        const path = withoutDot(args.path)
        const seen = numberedLines(path, text)
        seen.forEach(this.addLine)
        const from = args.offset ?? 1
        const last = seen.at(-1)?.line ?? from
        const ended = args.limit === undefined || last < from + args.limit - 1
        return this.addRead({ path, from, to: last, ended })
      }
    }
  }

  build = (steps: number): Evidence => ({
    lines: this.lines,
    reads: this.reads,
    searches: this.searches,
    paths: this.paths,
    steps
  })
}
