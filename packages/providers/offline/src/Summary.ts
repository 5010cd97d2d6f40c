/**
 * The summary that stands for compacted history, and what can be read back from it: enough to go on with the same
 * question where it stood.
 */
import type { Evidence, Line } from "./Evidence.js"
import * as Evidences from "./Evidence.js"
import type { History } from "./History.js"
import type * as Question from "./Question.js"
import * as Ranking from "./Ranking.js"
import type { Call } from "./Strategy.js"
import * as Tokens from "./Tokens.js"

/** Names the question by its terms: progress is taken over only by the question that made it. */
const goal = (question: Question.Question): string => {
  const parts = question.parts.map((part) =>
    `${part.tests ? "tests on " : ""}${part.terms.map((term) => term.word).join(", ")}`
  )
  return `- Quote passages about: ${parts.join("; ").replace(/\s+/g, " ").slice(0, 400) || "nothing asked yet"}`
}

const reserved = /<\/?(?:compacted_context|last_user_message)>/

/** Findings for all parts in turn, each once; the best lines of many files, so that reading can go on. */
const findings = (question: Question.Question, evidence: Evidence): ReadonlyArray<Line> => {
  const lists = question.parts.map((part) => {
    const files = Ranking.rank(part, evidence)
    return [
      ...Ranking.best(files, { most: 15, perFile: 4 }),
      ...Ranking.best(files.slice(0, 30), { most: 30, perFile: 1 })
    ]
  })
  const distinct = new Map<string, Line>()
  for (let index = 0; lists.some((list) => index < list.length); index++) {
    for (const list of lists) {
      const finding = list[index]
      if (finding && !reserved.test(finding.text)) distinct.set(`${finding.path}:${finding.line}`, finding)
    }
  }
  return [...distinct.values()]
}

/** As many of the lines, from the first, as fit into `tokens`. */
const fitting = (lines: ReadonlyArray<string>, tokens: number): ReadonlyArray<string> => {
  let left = tokens
  return lines.filter((line) => (left -= Tokens.count(line) + 1) >= 0)
}

const describe = (call: Call): string =>
  call.name === "read_file"
    ? `read ${call.arguments.path} from line ${call.arguments.offset ?? 1}`
    : Evidences.searchName(call.name, call.arguments)

/** The summary, of at most `tokens` tokens. */
export const render = (
  history: History,
  question: Question.Question,
  evidence: Evidence,
  options: { readonly tokens: number; readonly next: ReadonlyArray<Call>; readonly focus: string }
): string => {
  const share = (part: number) => Math.floor(options.tokens * part)
  const discoveries = fitting(
    findings(question, evidence).map((finding) => `- ${finding.path}:${finding.line}:${finding.text}`),
    share(0.55)
  )
  const missing = [
    ...new Set(question.parts.flatMap((part) => Ranking.missing(part, evidence).map((term) => term.word)))
  ]
  const searches = [...evidence.searches].map(([name, found]) => `- Searched ${name} (${found})`)
  const earlier = history.answered.slice(-3).map(({ answer, question: asked }) =>
    `- Earlier question: ${oneLine(asked, 160)} Answer: ${oneLine(answer, 240)}`
  )
  const reads = evidence.reads.map((range) =>
    `- ${range.path} lines ${range.from}-${range.to}${range.ended ? endMark : ""}`
  )
  const named = [...evidence.paths].map((path) => `- ${path} (found by name)`)
  const sections: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
    ["Goal", [goal(question)]],
    ["Key Instructions", [
      "- Quote only lines that were seen, word for word, as path:line. Look at nothing twice. Change nothing.",
      ...(options.focus === "" ? [] : [`- Focus: ${oneLine(options.focus, 300)}`])
    ]],
    ["Discoveries", [
      ...discoveries,
      ...(missing.length === 0 ? [] : [`- Not found so far: ${oneLine(missing.join(", "), 300)}`]),
      ...(discoveries.length + missing.length === 0 ? ["- None yet."] : [])
    ]],
    ["Accomplished", [
      `- Steps taken: ${evidence.steps}`,
      ...fitting(
        evidence.reads.length > 0 ? [`- Searches finished: ${evidence.searches.size}`] : searches,
        share(0.15)
      ),
      ...fitting(earlier, share(0.1)),
      `- Next action: ${options.next.length === 0 ? "answer" : oneLine(options.next.map(describe).join("; "), 300)}`
    ]],
    ["Relevant Files", reads.length + named.length === 0 ? ["- None yet."] : fitting([...reads, ...named], share(0.2))]
  ]
  return sections.map(([heading, lines]) => `## ${heading}\n${lines.join("\n")}`).join("\n\n")
}

const endMark = " to its end"

const oneLine = (text: string, length: number) => {
  const line = text.replace(/<\/?(?:compacted_context|last_user_message)>/g, "").replace(/\s+/g, " ").trim()
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`
}

/** Reads progress back into `collector`, if the summary was made for this question. Gives the steps taken. */
export const recall = (summary: string, question: Question.Question, collector: Evidences.Collector): number => {
  const lines = summary.split("\n")
  if (!lines.includes(goal(question))) return 0
  let steps = 0
  let section = ""
  for (const line of lines) {
    if (line.startsWith("## ")) section = line.slice(3)
    const item = line.startsWith("- ") ? line.slice(2) : ""
    switch (section) {
      case "Discoveries": {
        const hit = Evidences.parseHit(item)
        if (hit) collector.addLine(hit)
        break
      }
      case "Accomplished": {
        const taken = /^Steps taken: (\d+)$/.exec(item)
        const searched = /^Searched (.*) \((\d+)\)$/.exec(item)
        if (taken) steps = Number(taken[1])
        if (searched?.[1]) collector.addSearch(searched[1], Number(searched[2]))
        break
      }
      case "Relevant Files": {
        const read = /^(.+) lines (\d+)-(\d+)( to its end)?$/.exec(item)
        const named = /^(.+) \(found by name\)$/.exec(item)
        if (named?.[1]) collector.addPath(named[1])
        if (read?.[1]) {
          collector.addRead({ path: read[1], from: Number(read[2]), to: Number(read[3]), ended: read[4] !== undefined })
        }
      }
    }
  }
  return steps
}
