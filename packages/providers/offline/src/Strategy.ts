/**
 * What to look at next. Everything follows from the question and the evidence, so the search goes on after a
 * compaction where it stood. Nothing is looked at twice and every step spends from fixed allowances: it ends.
 */
import type { Arguments, Evidence, Range } from "./Evidence.js"
import { searchKey } from "./Evidence.js"
import type { Part, Question } from "./Question.js"
import type { RankedFile } from "./Ranking.js"
import { rank } from "./Ranking.js"
import type { Term } from "./Term.js"

export interface Call {
  readonly name: "grep" | "glob" | "read_file"
  readonly arguments: Arguments
}

/** Searches for one question. */
export const maxSearches = 16
/** Chunks of files read for one question. */
export const maxChunks = 16
/** Lines of files read for one question. */
const maxLines = 1_000
/** Lines of one chunk: about what one recorded tool output holds in a small window. */
const chunkLines = 80
/** How much of a chunk lies before the line it is read for. */
const lead = 15
const chunksPerFile = 3
const searchesPerStep = 4
const chunksPerStep = 2
const hitsPerSearch = 30
/** Terms of a part that are searched for one by one. */
const wordsPerPart = 3
const enoughLines = 15

/** Files and folders named after tests. One level of braces: more is not understood everywhere. */
const testGlob = `{${["test", "Test", "spec", "Spec"].map((word) => `**/*${word}*,**/*${word}*/**`).join(",")}}`

const anyOf = (terms: ReadonlyArray<Term>) => terms.map((term) => term.pattern).join("|")

/** Lines that hold any two of the first three terms. */
const together = (terms: ReadonlyArray<Term>) =>
  terms.flatMap((a, index) =>
    terms.slice(index + 1).flatMap((b) => [`(${a.pattern}).*(${b.pattern})`, `(${b.pattern}).*(${a.pattern})`])
  ).join("|")

const definitionOf = (term: Term) =>
  `(function|class|interface|type|enum|const|let|var|def|fn|func|struct|trait|module) +\\w*(${term.pattern})`

const testOf = (terms: ReadonlyArray<Term>) =>
  `(it|test|describe|prop|def test|func Test|fn test)\\b.*(${anyOf(terms)})`

const namedAfter = (term: Term) => {
  const stem = term.word.replace(/[^\p{L}\p{N}]+/gu, "*").replace(/(ies|s|y|e)$/, "")
  const head = stem.slice(0, 1)
  return head.toUpperCase() === head.toLowerCase()
    ? `**/*${stem}*`
    : `**/*[${head.toLowerCase()}${head.toUpperCase()}]${stem.slice(1)}*`
}

/** Whether enough lines hold a term, so that a search for it alone would only add noise. */
const isCommon = (term: Term, evidence: Evidence): boolean => {
  let lines = 0
  for (const file of evidence.lines.values()) {
    for (const text of file.values()) if (term.regex.test(text) && ++lines >= enoughLines) return true
  }
  return false
}

/** The searches for a part, the most telling first. */
const searchesOf = (evidence: Evidence) => (part: Part): ReadonlyArray<Call> => {
  const terms = part.own.slice(0, wordsPerPart)
  const telling = terms.filter((term) => term.weight >= 1)
  const grep = (pattern: string): Call => ({
    name: "grep",
    arguments: { pattern, ...(part.tests ? { glob: testGlob } : {}), limit: hitsPerSearch }
  })
  const names = terms.map(namedAfter).join(",")
  return [
    ...(part.terms.length > 1 ? [grep(together(part.terms.slice(0, wordsPerPart)))] : []),
    ...(part.tests ? [grep(testOf(part.terms))] : telling.map((term) => grep(definitionOf(term)))),
    { name: "glob", arguments: { pattern: terms.length > 1 ? `{${names}}` : names, limit: hitsPerSearch } },
    ...terms.filter((term) => !isCommon(term, evidence)).map((term) => grep(term.pattern))
  ]
}

const interleave = <A>(lists: ReadonlyArray<ReadonlyArray<A>>): ReadonlyArray<A> =>
  Array.from(
    { length: Math.max(0, ...lists.map((list) => list.length)) },
    (_, index) => lists.flatMap((list) => list.slice(index, index + 1))
  ).flat()

/** Searches not yet made; none any more once reading has begun. */
const searches = (question: Question, evidence: Evidence, adapt: Adapt): ReadonlyArray<Call> => {
  if (evidence.reads.length > 0) return []
  const byFile = question.files.map((file): Call => ({
    name: "glob",
    arguments: { pattern: `**/${file.replace(/^[./]+/, "")}` }
  }))
  const planned = new Map<string, Call>()
  for (const wanted of [...byFile, ...interleave(question.parts.map(searchesOf(evidence)))]) {
    const call = adapt(wanted)
    if (!call) continue
    const key = searchKey(call.name, call.arguments)
    if (!evidence.searches.has(key)) planned.set(key, call)
  }
  return [...planned.values()]
}

interface Candidate {
  readonly call: Call
  readonly score: number
}

/** Lines from `from` on, but none that a later range already holds. */
const chunk = (path: string, from: number, own: ReadonlyArray<Range>): Call => {
  const later = Math.min(...own.filter((range) => range.from >= from).map((range) => range.from))
  return { name: "read_file", arguments: { path, offset: from, limit: Math.min(chunkLines, later - from) } }
}

/** The next chunk of a file: around its best unread finding, else the lines after those read. */
const candidate = (file: RankedFile, reads: ReadonlyArray<Range>): ReadonlyArray<Candidate> => {
  const own = reads.filter((range) => range.path === file.path)
  if (own.length >= chunksPerFile) return []
  const score = file.score / (1 + own.length)
  const isRead = (line: number) => own.some((range) => range.from <= line && line <= range.to)
  const unread = file.findings.find((finding) => !isRead(finding.line))
  if (unread) {
    const before = Math.max(0, ...own.filter((range) => range.to < unread.line).map((range) => range.to))
    return [{ call: chunk(file.path, Math.max(before + 1, unread.line - lead), own), score }]
  }
  const last = Math.max(0, ...own.map((range) => range.to))
  return own.some((range) => range.ended && range.to === last)
    ? []
    : [{ call: chunk(file.path, last + 1, own), score: score / 3 }]
}

const chunks = (question: Question, evidence: Evidence): ReadonlyArray<Call> => {
  const candidates = interleave(
    question.parts.map((part) =>
      rank(part, evidence).flatMap((file) => candidate(file, evidence.reads)).sort((a, b) => b.score - a.score)
    )
  )
  const distinct = new Map<string | undefined, Call>()
  for (const { call } of candidates) if (!distinct.has(call.arguments.path)) distinct.set(call.arguments.path, call)
  return [...distinct.values()]
}

const linesRead = (reads: ReadonlyArray<Range>) => reads.reduce((sum, range) => sum + range.to - range.from + 1, 0)

/** A tool as it is offered: takes out what it does not know of a call; nothing when it is not offered at all. */
export type Adapt = (call: Call) => Call | undefined

/** The calls of the next step; none when it is time to answer. */
export const next = (question: Question, evidence: Evidence, adapt: Adapt): ReadonlyArray<Call> => {
  const searchesLeft = Math.max(0, maxSearches - evidence.searches.size)
  const searching = searches(question, evidence, adapt).slice(0, Math.min(searchesPerStep, searchesLeft))
  if (searching.length > 0) return searching
  const chunksLeft = Math.max(0, maxChunks - evidence.reads.length - evidence.forgotten)
  if (linesRead(evidence.reads) >= maxLines) return []
  return chunks(question, evidence).slice(0, Math.min(chunksPerStep, chunksLeft)).flatMap((call) => adapt(call) ?? [])
}
