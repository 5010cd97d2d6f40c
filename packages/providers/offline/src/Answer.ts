/** What is said in the end: for each part of the question the best lines, word for word, with where they stand. */
import type { Evidence } from "./Evidence.js"
import type { Part, Question } from "./Question.js"
import * as Ranking from "./Ranking.js"

/** Said of itself, wherever it speaks. */
export const introduction =
  "I am Weir's offline helper: a deterministic text search, not a language model. I run inside this process and send nothing anywhere."

const advice =
  "For a real model choose one with `--provider openai-compatible --base-url URL --model ID`; its key is read from " +
  "OPENAI_API_KEY, and a local server needs none."

/** The answer to something that holds nothing to search for. */
export const greeting = `Hello. ${introduction}

Ask about this directory, for example "Where is the timeout set, and which tests cover it?": I search the files for the words of the question and quote the lines I find.

${advice}`

const list = (words: ReadonlyArray<string>) => words.map((word) => `"${word}"`).join(", ")

const linesPerPart = 6
const linesPerFile = 3

const paragraphs = (texts: ReadonlyArray<string>) => texts.filter((text) => text !== "").join("\n\n")

const partAnswer = (part: Part, findings: ReadonlyArray<Ranking.Finding>, evidence: Evidence): string => {
  const heading = `**${part.text}**`
  if (findings.length === 0) {
    const where = part.tests ? "No line in a test file holds" : "No line holds"
    return paragraphs([heading, `${where} ${list(part.terms.map((term) => term.word))}.`])
  }
  const { missing } = Ranking.words(part, evidence)
  const quotes = findings.map(({ line, path, text }) => `    ${path}:${line}:${text}`).join("\n")
  return paragraphs([heading, quotes, missing.length === 0 ? "" : `Not found: ${list(missing)}.`])
}

const nothingFound = (question: Question, evidence: Evidence): string => {
  const words = [...new Set(question.parts.flatMap((part) => part.terms.map((term) => term.word)))]
  const failures = evidence.failed ? " Some of my tool calls failed." : ""
  return paragraphs([
    `I searched the files for ${list(words)} and found no line that holds any of it.${failures}`,
    "Try a word that stands in the files themselves, the name of a function or a file, or another directory " +
    "(`--cwd`). I know words only, not their meaning.",
    advice
  ])
}

/** The answer, and what it lacks because a tool is not offered. */
export const answer = (question: Question, evidence: Evidence, lacking: ReadonlyArray<string>): string => {
  if (question.parts.length === 0) return greeting
  const found = question.parts.map((part) =>
    Ranking.best(Ranking.rank(part, evidence), { most: linesPerPart, perFile: linesPerFile })
  )
  const files = new Set(evidence.reads.map((range) => range.path)).size
  return paragraphs([
    question.change ? "I change nothing: here is only what I found on it." : "",
    lacking.length > 0 ? `I had to do without ${lacking.join(", ")}: not offered here.` : "",
    ...(found.every((findings) => findings.length === 0)
      ? [nothingFound(question, evidence)]
      : [
        ...question.parts.map((part, index) => partAnswer(part, found[index] ?? [], evidence)),
        `Found by searching for the words of the question and reading in ${files} ${files === 1 ? "file" : "files"}; ` +
        "no language model has judged it."
      ])
  ])
}
