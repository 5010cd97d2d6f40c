/**
 * One thing to search for, with a pattern that means the same to JavaScript and to ripgrep. Patterns are
 * case-sensitive and spell the three usual forms (`retryDelay`, `RetryDelay`, `RETRY_DELAY`), so that a short
 * word is found inside an identifier but not inside another word.
 */

export interface Term {
  /** As it was asked. */
  readonly word: string
  /** Source of the regular expression. */
  readonly pattern: string
  readonly regex: RegExp
  /** How much a hit says, before its rarity is known: 1 for a plain word. */
  readonly weight: number
}

const escape = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")

const capitalized = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1)

/** `name` as `[nN]ame`. */
const eitherCase = (word: string) => {
  const head = word.slice(0, 1)
  return head.toUpperCase() === head.toLowerCase()
    ? escape(word)
    : `[${head}${head.toUpperCase()}]${escape(word.slice(1))}`
}

const make = (word: string, pattern: string, weight: number): Term => ({
  word,
  pattern,
  regex: new RegExp(pattern),
  weight
})

const doubled = /([bdfgklmnprt])\1$/

/** A word without the endings of English plurals and verbs; never shorter than three letters. */
export const stem = (word: string): string => {
  const lower = word.toLowerCase()
  const cut = (ending: string, least: number, rest = (base: string) => base) =>
    lower.endsWith(ending) && lower.length - ending.length >= least
      ? rest(lower.slice(0, -ending.length))
      : undefined
  const undouble = (base: string) => doubled.test(base) && base.length > 3 ? base.slice(0, -1) : base
  const withoutE = (base: string) => base.endsWith("e") && base.length > 3 ? base.slice(0, -1) : base
  const singular = /(ss|us|is)$/.test(lower) ? undefined : cut("s", 3, withoutE)
  return cut("ations", 4) ?? cut("ation", 4) ?? cut("ies", 3) ??
    (/tions?$/.test(lower) ? cut("ions", 4) ?? cut("ion", 4) : undefined) ??
    (/(ss|x|ch|sh|z)es$/.test(lower) ? cut("es", 3) : undefined) ??
    cut("ing", 3, undouble) ?? cut("ed", 3, undouble) ?? singular ?? cut("y", 4) ?? cut("e", 3) ?? lower
}

/** A plain word: by its stem; a short stem only as a whole word or a whole part of an identifier. */
export const word = (asked: string, weight: number): Term => {
  const base = stem(asked)
  if (!/^[a-z]+$/.test(base)) return make(asked, `${escape(base)}|${escape(asked)}`, weight)
  const upper = base.toUpperCase()
  if (base.length >= 5) return make(asked, `${eitherCase(base)}|${upper}`, weight)
  const ending = `(${base.slice(-1)}?(e?s|e|e?d|ing|e?rs?|y|ies|ions?))?(\\b|[A-Z0-9_])`
  return make(asked, `((\\b|_)${base}|${capitalized(base)})${ending}|(\\b|_)${upper}`, weight)
}

/** Words that belong together, however code joins them: camel, snake, kebab, dotted or spaced. */
export const compound = (asked: string, parts: ReadonlyArray<string>, weight: number): Term => {
  const bases = parts.map((part, index) => index === parts.length - 1 ? stem(part) : part.toLowerCase())
  const upper = bases.map((base) => escape(base.toUpperCase())).join("[-_ ]?")
  return make(asked, `${bases.map(eitherCase).join("[-_ ./]?")}|${upper}`, weight)
}

/** Exactly this text. */
export const literal = (asked: string, weight: number): Term => make(asked, escape(asked), weight)
