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
      ...Ranking.best(files, { most: 6, perFile: 3 }),
      ...Ranking.best(files, { most: 15, perFile: 1 }),
      ...Ranking.best(files, { most: 40, perFile: 6 })
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

/** The files found by name of which nothing is read, those that say most first: no more than a few fit. */
const byName = (question: Question.Question, evidence: Evidence): ReadonlyArray<string> => {
  const unread = new Set(evidence.paths)
  for (const { path } of evidence.reads) unread.delete(path)
  const ranked = question.parts.flatMap((part) => Ranking.rank(part, evidence))
  const best = ranked.sort((a, b) => b.score - a.score).map(({ path }) => path).filter((path) => unread.has(path))
  return [...new Set([...best, ...unread])]
}

/** As many of the lines, from the first, as fit into `tokens`. */
const fitting = (lines: ReadonlyArray<string>, tokens: number): ReadonlyArray<string> => {
  let left = tokens
  return lines.filter((line) => (left -= Tokens.count(line) + 1) >= 0)
}

const describe = (call: Call): string =>
  call.name === "read_file"
    ? `read ${call.arguments.path} from line ${call.arguments.offset ?? 1}`
    : `${call.name} ${call.arguments.pattern ?? ""}`

const nextAction = (history: History, next: ReadonlyArray<Call>): string => {
  if (history.answer !== "") return "wait for the next question"
  return next.length === 0 ? "answer" : oneLine(next.map(describe).join("; "), 300)
}

/** The summary, of at most `tokens` tokens. */
export const render = (
  history: History,
  question: Question.Question,
  evidence: Evidence,
  options: { readonly tokens: number; readonly next: ReadonlyArray<Call>; readonly focus: string }
): string => {
  const share = (part: number) => Math.floor(options.tokens * part)
  const words = question.parts.map((part) => Ranking.words(part, evidence))
  const found = [...new Set(words.flatMap((part) => part.found))]
  const missing = [...new Set(words.flatMap((part) => part.missing))]
  const done = history.answer === "" ? [] : [{ question: history.question, answer: history.answer }]
  const earlier = [...history.answered, ...done].slice(-3).map(({ answer, question: asked }) =>
    `- Earlier question: ${oneLine(asked, 200)} Answer: ${oneLine(answer, 500)}`
  )
  const reads = fitting(
    evidence.reads.map((range) => `- ${range.path} lines ${range.from}-${range.to}${range.ended ? endMark : ""}`),
    share(0.35)
  )
  const forgotten = evidence.forgotten + evidence.reads.length - reads.length
  const named = fitting(byName(question, evidence).map((path) => `- ${path} (found by name)`), share(0.1))
  const start = [
    section("Goal", [goal(question)]),
    section("Key Instructions", [
      "- Quote only lines that were seen, word for word, as path:line. Look at nothing twice. Change nothing.",
      ...(options.focus === "" ? [] : [`- Focus: ${oneLine(options.focus, 300)}`])
    ])
  ]
  const end = [
    section("Accomplished", [
      `- Searches made: ${[...evidence.searches].join(" ") || "none"}`,
      ...fitting(earlier, share(0.25)),
      `- Next action: ${nextAction(history, options.next)}`
    ]),
    section("Relevant Files", [
      ...reads,
      ...(forgotten > 0 ? [`- ${forgotten} more ranges were read`] : []),
      ...named
    ])
  ]
  const discoveries = (lines: ReadonlyArray<string>) =>
    section("Discoveries", [
      ...lines,
      ...(found.length === 0 ? [] : [`- Words found: ${found.join(", ")}`]),
      ...(missing.length === 0 ? [] : [`- Words not found so far: ${missing.join(", ")}`])
    ])
  const whole = (lines: ReadonlyArray<string>) => [...start, discoveries(lines), ...end].join("\n\n")
  const quotes = findings(question, evidence).map(({ line, path, text }) => `- ${path}:${line}:${text}`)
  return whole(fitting(quotes, options.tokens - Tokens.count(whole([]))))
}

const section = (heading: string, lines: ReadonlyArray<string>) =>
  `## ${heading}\n${lines.length === 0 ? "- None yet." : lines.join("\n")}`

const endMark = " to its end"

const oneLine = (text: string, length: number) => {
  const line = text.replace(/<\/?(?:compacted_context|last_user_message)>/g, "").replace(/\s+/g, " ").trim()
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`
}

/** Reads progress back into `collector`, if the summary was made for this question. */
export const recall = (summary: string, question: Question.Question, collector: Evidences.Collector): void => {
  const lines = summary.split("\n")
  if (!lines.includes(goal(question))) return
  let section = ""
  for (const line of lines) {
    if (line.startsWith("## ")) section = line.slice(3)
    const item = line.startsWith("- ") ? line.slice(2) : ""
    switch (section) {
      case "Discoveries": {
        const hit = Evidences.parseHit(item)
        const words = /^Words found: (.+)$/.exec(item)?.[1]
        if (words !== undefined) words.split(", ").forEach(collector.addWord)
        else if (hit) collector.addLine(hit)
        break
      }
      case "Accomplished": {
        const searches = /^Searches made: ([a-z0-9 ]+)$/.exec(item)?.[1] ?? "none"
        if (searches !== "none") searches.split(" ").forEach(collector.addSearch)
        break
      }
      case "Relevant Files": {
        const read = /^(.+) lines (\d+)-(\d+)( to its end)?$/.exec(item)
        const named = /^(.+) \(found by name\)$/.exec(item)
        const forgotten = /^(\d+) more ranges were read$/.exec(item)
        if (forgotten) collector.addForgotten(Number(forgotten[1]))
        if (named?.[1]) collector.addPath(named[1])
        if (read?.[1]) {
          collector.addRead({ path: read[1], from: Number(read[2]), to: Number(read[3]), ended: read[4] !== undefined })
        }
      }
    }
  }
}
