/** Takes the secrets that are known out of texts, whole ones and such as come in pieces. */
import * as Redacted from "effect/Redacted"

export const replacement = "[redacted]"

/** Clears a text that comes in pieces, between which a secret may be split. */
export interface Pieces {
  /** What is settled by now: the beginning of a secret waits for the next piece. */
  readonly push: (piece: string) => string
  /** What was still waiting. */
  readonly finish: () => string
}

export interface Redaction {
  readonly holds: (text: string) => boolean
  readonly clear: (text: string) => string
  readonly pieces: () => Pieces
}

export const none: Redaction = {
  holds: () => false,
  clear: (text) => text,
  pieces: () => ({ push: (piece) => piece, finish: () => "" })
}

/** A secret as it is written, and as it stands in an address. */
const spellings = (secret: Redacted.Redacted) => {
  const value = Redacted.value(secret)
  return [value, encodeURIComponent(value)]
}

const literal = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")

/** One may be the beginning of another: the longest comes first. */
const pattern = (secrets: ReadonlyArray<string>) => new RegExp(secrets.map(literal).join("|"), "g")

const holdsAny = (secrets: ReadonlyArray<string>, text: string) => secrets.some((secret) => text.includes(secret))

const clearOf = (secrets: ReadonlyArray<string>, text: string) =>
  holdsAny(secrets, text) ? text.replaceAll(pattern(secrets), replacement) : text

/** Where the longest end of `text` begins with which `secret` begins, too. */
const begun = (text: string, secret: string): number => {
  const first = secret.charAt(0)
  let at = text.indexOf(first, Math.max(0, text.length - secret.length + 1))
  while (at >= 0 && !secret.startsWith(text.slice(at))) at = text.indexOf(first, at + 1)
  return at < 0 ? text.length : at
}

/** Up to where `text`, which `holds` secrets or none, is settled, whatever comes after it. None is cut in two. */
const settledOf = (secrets: ReadonlyArray<string>, text: string, holds: boolean): number => {
  const end = secrets.reduce((end, secret) => Math.min(end, begun(text, secret)), text.length)
  if (end === text.length || !holds) return end
  for (const { 0: found, index } of text.matchAll(pattern(secrets))) {
    if (index < end && end < index + found.length) return index
  }
  return end
}

/** Of these secrets; more of them may come later. Anything shorter than `shortest` could be a word. */
export const of = (known: Iterable<Redacted.Redacted>, shortest = 8): Redaction => {
  let size = 0
  let secrets: ReadonlyArray<string> = []
  /** None is ever forgotten. */
  const current = () => {
    const all = Array.from(known)
    if (all.length !== size) {
      size = all.length
      secrets = [...new Set(all.flatMap(spellings))].filter(({ length }) => length >= shortest)
        .sort((a, b) => b.length - a.length)
    }
    return secrets
  }
  return {
    holds: (text) => holdsAny(current(), text),
    clear: (text) => clearOf(current(), text),
    pieces: () => {
      let waiting = ""
      return {
        push: (piece) => {
          const all = waiting + piece
          const holds = holdsAny(current(), all)
          const end = settledOf(secrets, all, holds)
          waiting = all.slice(end)
          const settled = all.slice(0, end)
          return holds ? clearOf(secrets, settled) : settled
        },
        finish: () => {
          const rest = waiting
          waiting = ""
          return clearOf(current(), rest)
        }
      }
    }
  }
}
