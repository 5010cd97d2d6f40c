/** What is said in the end: for each part of the question the best lines, word for word, with where they stand. */
import type { Evidence } from "./Evidence.js"
import type { Part, Question } from "./Question.js"
import * as Ranking from "./Ranking.js"

/** Said of itself, wherever it speaks. */
export const introduction =
  "I am Weir's offline helper: a deterministic text search, not a language model. I run inside this process and send nothing anywhere."

const advice =
  "For a real model set a key (ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY), or choose a provider with " +
  "`--provider` and `--model`; a local server works with `--provider openai-compatible --base-url URL`."

/** The answer to something that holds nothing to search for. */
export const greeting = `Hello. ${introduction}

Ask about this directory, for example "Where is the timeout set, and which tests cover it?": I search the files for the words of the question and quote the lines I find.

${advice}`

const list = (words: ReadonlyArray<string>) => words.map((word) => `"${word}"`).join(", ")

const linesPerPart = 6
const linesPerFile = 3

const partAnswer = (part: Part, evidence: Evidence): string => {
  const files = Ranking.rank(part, evidence)
  const findings = Ranking.best(files, { most: linesPerPart, perFile: linesPerFile })
  const missing = Ranking.missing(part, evidence)
  const absent = missing.length === 0 ? [] : [`Not found anywhere: ${list(missing.map((term) => term.word))}.`]
  if (findings.length === 0) {
    const where = part.tests ? "No line in a test file holds" : "No line holds"
    return [`**${part.text}**`, `${where} ${list(part.terms.map((term) => term.word))}.`].join("\n\n")
  }
  const quotes = findings.map((finding) => `    ${finding.path}:${finding.line}:${finding.text}`).join("\n")
  return [`**${part.text}**`, quotes, ...absent].join("\n\n")
}

const nothingFound = (question: Question, evidence: Evidence): string => {
  const words = [...new Set(question.parts.flatMap((part) => part.terms.map((term) => term.word)))]
  return `I searched the files for ${
    list(words)
  } in ${evidence.searches.size} ways and found no line that holds any of it.

Try a word that stands in the files themselves, the name of a function or a file, or another directory (\`--cwd\`). I only know words, not their meaning. ${advice}`
}

/** The answer, and what it lacks because a tool is not offered. */
export const answer = (question: Question, evidence: Evidence, lacking: ReadonlyArray<string>): string => {
  if (question.parts.length === 0) return greeting
  const notes = [
    ...(question.change ? ["I change nothing: here is only what I found on it."] : []),
    ...(lacking.length > 0 ? [`I had to do without ${lacking.join(", ")}: not offered here.`] : [])
  ]
  const found = question.parts.some((part) => Ranking.rank(part, evidence).some((file) => file.findings.length > 0))
  if (!found) return [...notes, nothingFound(question, evidence)].join("\n\n")
  const files = new Set(evidence.reads.map((range) => range.path)).size
  return [
    ...notes,
    ...question.parts.map((part) => partAnswer(part, evidence)),
    `Found by searching for the words of the question and reading in ${files} ${files === 1 ? "file" : "files"}; ` +
    "no language model has judged it."
  ].join("\n\n")
}
