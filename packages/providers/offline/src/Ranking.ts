/** Which lines and files say most about a part of the question. */
import * as Array from "effect/Array"
import type { Evidence, Line } from "./Evidence.js"
import { cutMark } from "./Evidence.js"
import type { Part } from "./Question.js"
import type { Term } from "./Term.js"

export interface Finding extends Line {
  readonly score: number
}

export interface RankedFile {
  readonly path: string
  readonly score: number
  /** Best first. */
  readonly findings: ReadonlyArray<Finding>
}

const testPath =
  /(^|\/)(tests?|specs?|__tests__|testing|e2e)\/|(^|[/._-])(tests?|spec)[._-]|[a-z](Test|Spec)s?\.|_test\./

export const isTest = (path: string): boolean => testPath.test(path)

const prose = /\.(md|mdx|txt|rst|adoc|html?)$|(^|\/)(LICENSE|NOTICE|CHANGELOG|AUTHORS)[^/]*$/i
const data = /\.(json|jsonl|lock|map|snap|svg|csv|ya?ml|toml|ini)$|\.min\.\w+$|(^|\/)[^/]*lock[^/]*\.(json|yaml)$/i

/** How far a file of this kind is trusted to answer: source before tests before prose, or tests alone. */
const trust = (path: string, tests: boolean): number => {
  if (tests) return isTest(path) && !data.test(path) ? 1 : 0
  if (data.test(path)) return 0.1
  if (prose.test(path)) return 0.35
  return isTest(path) ? 0.3 : 1
}

/** What a definition begins with in the usual languages; the rest of the match is the defined name. */
const definition =
  /^\s*(?:(?:export|default|public|private|protected|internal|static|async|abstract|declare|final|readonly|override|pub(?:\([a-z]+\))?)\s+)*(?:function\*?|class|interface|type|enum|const|let|var|def|fn|func|struct|trait|module|namespace|macro|record|object)\s+[\w$]*/

const testCase = /^\s*(?:it|test|describe|scenario|suite|context|def test|func Test|fn test)\b.*/
const destructured = /^\s*(?:const|let|var)\s*[{[]/
const imported =
  /^\s*(?:import|from|use|using|require|include|#include|export\s*[{*])|^\s*\}?\s*from\s+["']|\brequire\(/
const bareString = /^\s*(["'`]).*\1[,;)]*$/
const comment = /^\s*(?:\/\/|\/?\*|#|--|;;|<!--)/

/** More for the line that defines a term, or names a test after it; less for one that only passes it on. */
const emphasis = (text: string, matched: ReadonlyArray<Term>): number => {
  if (imported.test(text)) return 0.3
  if (destructured.test(text)) return 0.8
  const defined = definition.exec(text)?.[0] ?? testCase.exec(text)?.[0]
  if (defined !== undefined) return matched.some((term) => term.regex.test(defined)) ? 2.5 : 1.2
  if (bareString.test(text)) return 0.5
  return comment.test(text) ? 0.8 : 1
}

/** The longest line that is quoted whole, in UTF-16 units; longer ones stand in generated files. */
const maxLength = 240
const beforeTerm = 40

const halfCharacter = /^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g

/** A long line around its first term, marked where it is cut. */
const quotable = (text: string, matched: ReadonlyArray<Term>): string => {
  if (text.length <= maxLength) return text
  const first = Math.min(...matched.map((term) => Math.max(0, text.search(term.regex))))
  const from = Math.max(0, first - beforeTerm)
  const to = from + maxLength / 2
  return `${from > 0 ? "…" : ""}${text.slice(from, to).replace(halfCharacter, "")}${to < text.length ? "…" : ""}`
}

/** Lines that cannot be quoted whole are a last resort. */
const lastResort = 0.05

/** A line that quotes the question, as examples and notes do, is no answer to it. */
const repeats = (text: string, part: Part) => part.text.split(" ").length >= 4 && text.includes(part.text)

const baseName = (path: string) => path.slice(path.lastIndexOf("/") + 1)

/** How often a term counts that stands in a file's name: four times as much where it is the whole name, as in `Budget.ts`. */
const naming = (term: Term, name: string): number => {
  const found = term.regex.exec(name)
  if (!found) return 0
  return found.index === 0 && /^(\w{0,3}\.|$)/.test(name.slice(found[0].length)) ? 8 : 2
}

/** The files that hold terms of this part, best first, each with its findings. */
export const rank = (part: Part, evidence: Evidence): ReadonlyArray<RankedFile> => {
  const all = [...part.terms, ...part.phrases]
  const spread = new Map<Term, number>()
  const matches: Array<Line & { readonly matched: ReadonlyArray<Term> }> = []
  for (const [path, lines] of evidence.lines) {
    for (const [line, text] of lines) {
      if (repeats(text, part)) continue
      const matched = all.filter((term) => term.regex.test(text))
      if (!part.terms.some((term) => matched.includes(term))) continue
      for (const term of matched) spread.set(term, (spread.get(term) ?? 0) + 1)
      matches.push({ path, line, text: quotable(text, matched), matched })
    }
  }
  const worth = (term: Term) => term.weight / (1 + Math.log10(1 + (spread.get(term) ?? 0)))
  const sum = (terms: Iterable<Term>) => [...terms].reduce((total, term) => total + worth(term), 0)

  const files = new Map<string, { readonly terms: Set<Term>; readonly findings: Array<Finding> }>()
  for (const path of evidence.paths) files.set(path, { terms: new Set(), findings: [] })
  for (const { line, matched, path, text } of matches) {
    const file = files.get(path) ?? { terms: new Set(), findings: [] }
    files.set(path, file)
    for (const term of matched) file.terms.add(term)
    const whole = cutMark.test(text) ? lastResort : 1
    file.findings.push({ path, line, text, score: sum(matched) * emphasis(text, matched) * whole })
  }
  return [...files].flatMap(([path, { findings, terms }]) => {
    const name = baseName(path)
    const named = part.terms.reduce((total, term) => total + naming(term, name) * worth(term), 0)
    const trusted = trust(path, part.tests)
    const score = trusted * (sum(terms) * (1 + Math.log10(1 + findings.length) / 2) + named)
    return score <= 0 ? [] : [{ path, score, findings: findings.sort(bestFinding) }]
  }).sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
}

const bestFinding = (a: Finding, b: Finding) => b.score - a.score || a.line - b.line

/** The best lines of the best files: at most `perFile` of each, `most` in all, best first. */
export const best = (
  files: ReadonlyArray<RankedFile>,
  options: { readonly most: number; readonly perFile: number }
): ReadonlyArray<Finding> => {
  const top = files[0]?.score ?? 1
  return files.flatMap((file) =>
    file.findings.slice(0, options.perFile).map((finding) => ({
      ...finding,
      score: finding.score * (file.score / top) ** 2
    }))
  ).sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line))
    .slice(0, options.most)
}

const isFound = (term: Term, evidence: Evidence): boolean => {
  if (evidence.words.has(term.word)) return true
  for (const lines of evidence.lines.values()) {
    for (const text of lines.values()) if (term.regex.test(text)) return true
  }
  return false
}

/** Words of the part that were found, and those that no seen line holds. */
export const words = (part: Part, evidence: Evidence) => {
  const [missing, found] = Array.partition(part.own, (term) => isFound(term, evidence))
  return { found: found.map((term) => term.word), missing: missing.map((term) => term.word) }
}
