/** A question turned into terms to search for: one part for each thing that is asked. */
import * as Term from "./Term.js"

export interface Part {
  /** The asked words of this part. */
  readonly text: string
  readonly terms: ReadonlyArray<Term.Term>
  /** Those of the terms that stand in this part; the others are what its pronoun stands for. */
  readonly own: ReadonlyArray<Term.Term>
  /** Neighbouring terms as one: never searched for alone, but a line that has one says more. */
  readonly phrases: ReadonlyArray<Term.Term>
  /** Whether tests are asked for. */
  readonly tests: boolean
}

export interface Question {
  readonly text: string
  /** Parts with at least one term; none for a greeting. */
  readonly parts: ReadonlyArray<Part>
  /** Files named in the question. */
  readonly files: ReadonlyArray<string>
  /** Whether something other than an answer is asked for, such as a change. */
  readonly change: boolean
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter((word) => word !== ""))

/** Words that carry grammar, and courtesies. */
const grammar = words(`
  a about above after again all also am back came come comes lot an and any anything are around as ask asked at away be because been before being
  below between both but by bye can cannot could did do does doing done down during each either else etc ever every
  everything few for from get gets give given go goes going good got had has have having hello help her here hers hey hi
  him his how i if in instead into is it its itself just kind know let lets like list look made make makes many may me
  mean means might mine more most much must my name named near need needed needs neither no nor not nothing now of off
  on once one ones only onto or other our ours out over own per please really same say says see seem shall she should
  show so some somebody something such tell than thank thanks that the their theirs them then there these they thing
  things this those though through thus to together too two under unless until up upon us very via want was way ways we
  well were what when where whether which while who whole whom whose why will with within without would yes yet you your
  yours cheers morning evening afternoon sir dear everyone`)

/** Words that speak of code as such: searched for only where nothing else is asked. */
const generic = words(`
  call called calls code codebase contain contained contains declaration declare declared declares define defined
  defines definition describe described directory exist exists explain explained file files find found folder function
  functions happen happens implement implementation implemented implements job library line lines located location
  locations method methods module modules overview package part parts place places program project purpose question
  repo repository source sources story use used uses using usage work working works written`)

/** An order to change something. */
const changing =
  /^(?:(?:please|now|just|(?:can|could|would|will) you|i want you to|let'?s)\s+)*(add|change|correct|create|delete|edit|fix|implement|improve|migrate|move|refactor|remove|rename|replace|rewrite|update|upgrade|write)\b/i

const pronoun = /\b(it|its|they|them|their|this|that|these|those|he|she)\b/i
const asksForTests = /\b(tests?|specs?|tested|testing|unit-tests?|test-cases?)\b/i
const testWord = /^(tests?|specs?|tested|testing)$/i

const maxTerms = 6
const maxPhrases = 4
const maxParts = 4

/** Ends of sentences, and conjunctions that begin a new question. */
const split = (text: string): ReadonlyArray<string> =>
  text.split(
    /[?;!]+\s*|\.\s+|\n+|,?\s+(?:and|or|but)\s+(?=(?:which|where|what|who|how|when|why|whose|is|are|does|do)\b)|,\s+(?=(?:which|where|what|who|how|when|why|whose)\b)/i
  ).map((part) => part.trim()).filter((part) => part !== "")

const quotations = /"([^"\n]{2,80})"|`([^`\n]{2,80})`|(?:^|[\s(])'([^'\n]{2,80})'(?=$|[\s).,;:?!])/g

const tokens = /[\p{L}\p{N}_$@][\p{L}\p{N}_$@./:#-]*/gu

const extensions = words(`
  bat c cc cfg clj conf cpp cs css csv cts dart ex go gradle h hpp hs html ini java jl js json jsx kt less lock log lua
  md mdx mjs cjs ml mts php pl properties proto ps1 py r rb rs rst sass scala scss sh sql svelte svg swift toml ts tsx
  txt vue xml yaml yml zig`)

const isFile = (token: string) => {
  const dot = token.lastIndexOf(".")
  return dot > 0 && extensions.has(token.slice(dot + 1).toLowerCase()) && !token.includes(":")
}

/** `src/fooBar.ts` is spoken of as `fooBar`. */
const fileStem = (token: string) => token.slice(token.lastIndexOf("/") + 1).replace(/\.[^.]*$/, "")

const pieces = (token: string): ReadonlyArray<string> =>
  token.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2").split(/[^\p{L}\p{N}]+/u).filter((piece) => piece !== "")

const toTerm = (token: string, first: boolean): Term.Term => {
  const parts = pieces(token)
  if (parts.length > 1) return Term.compound(token, parts, 3)
  const bare = parts[0] ?? token
  if (bare !== token) return Term.literal(token, 3)
  const isName = !first && /^\p{Lu}/u.test(bare)
  const isVerb = /(ed|ing)$/.test(bare) && bare.length > 5
  return Term.word(bare, isName ? 2 : isVerb ? 0.6 : 1)
}

/** The weightiest of the terms, each once. */
const weightiest = (terms: ReadonlyArray<Term.Term>, most: number): ReadonlyArray<Term.Term> => {
  const seen = new Map<string, Term.Term>()
  for (const term of terms) if (!seen.has(term.pattern)) seen.set(term.pattern, term)
  return [...seen.values()].sort((a, b) => b.weight - a.weight).slice(0, most)
}

interface Raw {
  readonly text: string
  readonly terms: ReadonlyArray<Term.Term>
  readonly phrases: ReadonlyArray<Term.Term>
  readonly spare: ReadonlyArray<Term.Term>
  readonly files: ReadonlyArray<string>
}

const read = (text: string): Raw => {
  const terms: Array<Term.Term> = []
  const phrases: Array<Term.Term> = []
  const spare: Array<Term.Term> = []
  const files: Array<string> = []
  const rest = text.replace(quotations, (_, ...groups: ReadonlyArray<unknown>) => {
    const inner = groups.slice(0, 3).find((group) => typeof group === "string")
    if (typeof inner === "string" && inner.trim() !== "") {
      if (isFile(inner)) files.push(inner)
      terms.push(Term.literal(inner, 3))
    }
    return " , "
  }).replace(changing, "")
  let before: { readonly word: string; readonly end: number } | undefined
  for (const match of rest.matchAll(tokens)) {
    const token = match[0].replace(/[./:#-]+$/, "")
    const lower = token.toLowerCase()
    if (token === "" || grammar.has(lower) || testWord.test(token)) continue
    const term = toTerm(isFile(token) ? fileStem(token) : token, match.index === 0)
    if (isFile(token)) files.push(token)
    if (generic.has(lower)) {
      spare.push(term)
      continue
    }
    terms.push(term)
    const plain = pieces(token).length === 1
    if (plain && before && rest.slice(before.end, match.index) === " ") {
      phrases.push(Term.compound(`${before.word} ${token}`, [before.word, token], 1.5))
    }
    before = plain ? { word: token, end: match.index + token.length } : undefined
  }
  return { text, terms, phrases, spare, files }
}

const half = (term: Term.Term): Term.Term => ({ ...term, weight: term.weight / 2 })

/** The terms and parts of what a user wrote. */
export const parse = (text: string): Question => {
  const sentences = split(text.slice(0, 4_000))
  const raws = sentences.map(read)
  const parts: Array<Part> = []
  let earlier: Raw | undefined
  for (const raw of raws) {
    const tests = asksForTests.test(raw.text)
    const inherited = pronoun.test(raw.text) || (tests && raw.terms.length === 0) ? earlier : undefined
    const terms = weightiest([...raw.terms, ...inherited?.terms.map(half) ?? []], maxTerms)
    const own = raw.terms.length === 0 ? terms : terms.filter((term) => raw.terms.includes(term))
    const phrases = weightiest([...raw.phrases, ...inherited?.phrases.map(half) ?? []], maxPhrases)
    if (terms.length > 0 && parts.length < maxParts) parts.push({ text: raw.text, terms, own, phrases, tests })
    if (raw.terms.length > 0) earlier = raw
  }
  const spare = weightiest(raws.flatMap((raw) => raw.spare), maxTerms)
  const fallback: ReadonlyArray<Part> = spare.length === 0
    ? []
    : [{ text: text.trim(), terms: spare, own: spare, phrases: [], tests: asksForTests.test(text) }]
  return {
    text,
    parts: parts.length > 0 ? parts : fallback,
    files: [...new Set(raws.flatMap((raw) => raw.files))],
    change: sentences.some((sentence) => changing.test(sentence))
  }
}
