/**
 * What is known of the searched tree: lines seen, ranges read, searches made. Read from tool results, whose
 * text is taken line by line and may be anything; what does not look like evidence is passed over.
 */
import * as Hash from "effect/Hash"
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
  /** How many more ranges were read that are no longer known. */
  readonly forgotten: number
  /** Keys of the searches that were made. */
  readonly searches: ReadonlySet<string>
  /** Paths found by name. */
  readonly paths: ReadonlySet<string>
  /** Words of the question that were found in lines that are no longer known. */
  readonly words: ReadonlySet<string>
  /** Whether a call failed. */
  readonly failed: boolean
}

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

/** A short name of a search, the same wherever it is made. */
export const searchKey = (tool: string, args: Arguments): string =>
  (Hash.string(`${tool} ${args.pattern ?? ""} ${args.glob ?? ""}`) >>> 0).toString(36)

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

/** The numbered lines of a result that lie in the range that was asked for. */
const numberedLines = (path: string, text: string, from: number, to: number): ReadonlyArray<Line> => {
  let last = from - 1
  return textLines(text).flatMap((line) => {
    const found = numbered.exec(line)
    const number = Number(found?.[1])
    if (found?.[2] === undefined || number <= last || number > to) return []
    last = number
    return [{ path, line: number, text: found[2] }]
  })
}

const looksLikePath = (line: string) => line !== "" && line.length < 400 && !/[:*?"<>|]|^[[(]|\s{2}/.test(line)

/** How a tool marks that it cut a line. */
export const cutMark = /^…|…$|… \[\d+ more characters\]$/

/** Collects evidence; `build` gives what was collected. What is heard twice counts once. */
export class Collector {
  private readonly lines = new Map<string, Map<number, string>>()
  private readonly reads = new Map<string, Range>()
  private readonly searches = new Set<string>()
  private readonly paths = new Set<string>()
  private forgotten = 0
  private readonly words = new Set<string>()
  private failed = false

  /** The first text of a line stays, unless it was cut: a result may have lost the middle of what it shows. */
  addLine = ({ line, path, text }: Line): void => {
    const file = this.lines.get(path) ?? new Map<number, string>()
    this.lines.set(path, file)
    const known = file.get(line)
    if (known === undefined || (cutMark.test(known) && text.includes(known.replace(cutMark, "")))) file.set(line, text)
  }

  addRead = (range: Range): void => {
    this.reads.set(`${range.from}:${range.path}`, range)
  }

  addForgotten = (ranges: number): void => {
    this.forgotten += ranges
  }

  addSearch = (key: string): void => {
    this.searches.add(key)
  }

  addWord = (word: string): void => {
    this.words.add(word)
  }

  addPath = (path: string): void => {
    this.paths.add(path)
  }

  addExchange = (exchanged: Exchanged): void => {
    const args = Option.getOrUndefined(decode(exchanged.arguments))
    if (exchanged.isError) this.failed = true
    if (!args) return
    const text = exchanged.isError ? "" : exchanged.text
    switch (exchanged.name) {
      case "grep": {
        hits(text).forEach(this.addLine)
        return this.addSearch(searchKey("grep", args))
      }
      case "glob": {
        textLines(text).map((line) => withoutDot(line.trim())).filter(looksLikePath).forEach(this.addPath)
        return this.addSearch(searchKey("glob", args))
      }
      case "read_file": {
        if (args.path === undefined) return
        const path = withoutDot(args.path)
        const from = args.offset ?? 1
        const asked = from + (args.limit ?? Infinity) - 1
        const seen = numberedLines(path, text, from, asked)
        seen.forEach(this.addLine)
        const last = seen.at(-1)?.line
        const total = Number(/\bof (\d+)\b[^\n]*$/.exec(text)?.[1])
        const ended = exchanged.isError || total === last || (last ?? asked) < asked
        const to = last ?? (asked === Infinity ? from : asked)
        return this.addRead({ path, from, to, ended })
      }
    }
  }

  build = (): Evidence => ({
    lines: this.lines,
    reads: [...this.reads.values()],
    forgotten: this.forgotten,
    searches: this.searches,
    paths: this.paths,
    words: this.words,
    failed: this.failed
  })
}
