/**
 * What is kept by rule, not by the model: files touched, commands run, and what the user typed. A fold: whatever was
 * compacted in between, the same history gives the same ledger.
 */
import { Fact } from "@weir/model/Conversation"
import * as Schema from "effect/Schema"
import type { Budget } from "./Budget.js"
import * as Cut from "./Cut.js"
import * as TokenScan from "./TokenScan.js"

/** A typed instruction: verbatim in `head`, or its head and tail where it is larger than its cap. */
export const Instruction = Schema.Struct({
  head: Schema.String,
  /** Characters left out between head and tail. */
  omitted: Schema.NonNegativeInt,
  tail: Schema.String
})
export type Instruction = typeof Instruction.Type

export const Ledger = Schema.Struct({
  /** One for each file (its last action) and each command (its last exit code), newest first. */
  facts: Schema.Array(Fact),
  /** Earlier typed instructions, newest first. */
  instructions: Schema.Array(Instruction)
})
export type Ledger = typeof Ledger.Type

export const empty: Ledger = { facts: [], instructions: [] }

/** The ledger after more history, given oldest first. */
export const add = (
  self: Ledger,
  added: { readonly facts: ReadonlyArray<Fact>; readonly instructions: ReadonlyArray<string> },
  caps: Budget["caps"]
): Ledger => {
  const typed = added.instructions.filter((text) => text.trim() !== "").toReversed()
  return {
    facts: newestFacts([...added.facts.toReversed().map(oneLine), ...self.facts], caps.ledger),
    instructions: newestInstructions(
      [...typed.map((head) => ({ head, omitted: 0, tail: "" })), ...self.instructions],
      caps.instructions
    )
  }
}

/** A fact as the model reads it. */
export const describe = (fact: Fact): string => {
  if (fact._tag === "File") return `${fact.action} ${fact.path}`
  const ended = fact.exitCode === null ? "did not finish" : `exit code ${fact.exitCode}`
  const failing = fact.failing === undefined ? "" : ` (failing: ${fact.failing.join("; ")})`
  return `${ended}: ${fact.command}${failing}`
}

const longestCommand = 160
const longestName = 100
const mostNames = 5

const shortened = (text: string, length: number): string => {
  const line = text.slice(0, 2 * length).replace(/\s+/g, " ").trim()
  return line.length <= length ? line : `${line.slice(0, length)}…`
}

/** Commands may hold whole files, and many tests may fail; the ledger wants a line. */
const oneLine = (fact: Fact): Fact => {
  if (fact._tag === "File") return fact
  const { failing = [] } = fact
  const names = failing.slice(0, mostNames).map((name) => shortened(name, longestName))
  const more = failing.length > mostNames ? [`${failing.length - mostNames} more`] : []
  return {
    ...fact,
    command: shortened(fact.command, longestCommand),
    ...(fact.failing && { failing: [...names, ...more] })
  }
}

/** What a fact takes, its line's frame included. */
const tokensOf = (fact: Fact): number => TokenScan.count(describe(fact)) + 2

/** Without the names of its failing tests where they would take more than a quarter of the cap. */
const within = (fact: Fact, cap: number): Fact => {
  if (fact._tag === "File" || fact.failing === undefined || 4 * tokensOf(fact) <= cap) return fact
  const { failing: _, ...rest } = fact
  return rest
}

const subject = (fact: Fact): string => fact._tag === "File" ? `file ${fact.path}` : `command ${fact.command}`

/** The newest fact of each subject, as many as fit. One that takes more than a quarter of the cap never does. */
const newestFacts = (facts: ReadonlyArray<Fact>, cap: number): ReadonlyArray<Fact> => {
  const seen = new Set<string>()
  const kept: Array<Fact> = []
  let room = cap
  for (const fact of facts.map((fact) => within(fact, cap))) {
    const tokens = tokensOf(fact)
    if (seen.has(subject(fact)) || 4 * tokens > cap) continue
    room -= tokens
    if (room < 0) break
    seen.add(subject(fact))
    kept.push(fact)
  }
  return kept
}

/** What an instruction takes beside its text: its number, and the note about what is left out. */
const overhead = 16

/** The newest instructions that fit; the first that does not keeps head and tail of what room is left. */
const newestInstructions = (instructions: ReadonlyArray<Instruction>, cap: number): ReadonlyArray<Instruction> => {
  const kept: Array<Instruction> = []
  let room = cap
  for (const instruction of instructions) {
    const tokens = TokenScan.count(instruction.head) + overhead
    if (instruction.omitted > 0 || tokens > room) {
      const part = Math.floor((room - overhead) / 2)
      return part < overhead ? kept : [...kept, shorten(instruction, part)]
    }
    kept.push(instruction)
    room -= tokens
  }
  return kept
}

/** Head and tail of at most `tokens` each. Shortening twice gives what shortening once to the smaller size gives. */
const shorten = ({ head, omitted, tail }: Instruction, tokens: number): Instruction => {
  const first = Cut.longest(head, tokens, "head")
  const last = Cut.longest(omitted === 0 ? head : tail, tokens, "tail")
  return { head: first, omitted: head.length + omitted + tail.length - first.length - last.length, tail: last }
}
