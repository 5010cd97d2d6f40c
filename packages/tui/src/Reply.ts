/**
 * The text of a reply while it streams. What is complete in it leaves as blocks: whole paragraphs and lists, and code a
 * few lines at a time, so that what remains to be drawn again and again stays small however long the reply is.
 */
import { Block } from "./Block.js"

export interface Reply {
  /** Not yet complete. */
  readonly pending: string
  /** The fenced block that `pending` is inside of. */
  readonly fence: Fence | undefined
  /** Whether blocks have left. */
  readonly isBegun: boolean
}

interface Fence {
  readonly marker: string
  readonly language: string
  /** Whether a part of it has left. */
  readonly isContinued: boolean
}

export const empty: Reply = { fence: undefined, isBegun: false, pending: "" }

/** Lines of open code that are kept, and characters of an open paragraph. */
const keptLines = 24
const keptLength = 4_000

const opening = /^ {0,3}(`{3,}|~{3,})[ \t]*([^\s`]*)[^`]*$/

const closes = (line: string, { marker }: Fence) => {
  const trimmed = line.trim()
  return trimmed.length >= marker.length && trimmed === (marker[0] ?? "`").repeat(trimmed.length)
}

const prose = (text: string): ReadonlyArray<Block> =>
  text.trim() === "" ? [] : [Block.Prose({ text: text.replace(/^(?:[ \t]*\n)+/, "").trimEnd() })]

const codeBlock = (text: string, { isContinued, language }: Fence) => Block.Code({ isContinued, language, text })

interface Cut {
  readonly blocks: ReadonlyArray<Block>
  readonly fence: Fence | undefined
  readonly rest: string
}

/** A line of code that does not end goes in parts, too. */
const cutCodeLine = (text: string, fence: Fence): Cut => {
  const part = text.slice(0, keptLength).replace(/[\ud800-\udbff]$/, "")
  return { blocks: [codeBlock(part, fence)], fence: { ...fence, isContinued: true }, rest: text.slice(part.length) }
}

/** The first part of open code that is complete. */
const cutCode = (text: string, fence: Fence): Cut | undefined => {
  const lines = text.split("\n")
  const complete = lines.slice(0, -1)
  const end = complete.findIndex((line) => closes(line, fence))
  if (end === -1 && complete.length === 0 && text.length > keptLength) return cutCodeLine(text, fence)
  if (end === -1 && complete.length <= keptLines && text.length <= keptLength) return undefined
  const taken = end === -1 ? complete.length : end
  const code = lines.slice(0, taken).join("\n")
  return {
    blocks: taken === 0 ? [] : [codeBlock(code, fence)],
    fence: end === -1 ? { ...fence, isContinued: true } : undefined,
    rest: lines.slice(end === -1 ? taken : taken + 1).join("\n")
  }
}

const longestHead = keptLength / 4

const isRule = (line: string) => /^[\s|:-]+$/.test(line) && line.includes("-")

/** The head of the table whose rows end the text and begin the rest: those are to be read under it, too. */
const tableHead = (text: string, rest: string): string => {
  const lines = text.split("\n")
  const rows = lines.slice(lines.findLastIndex((line) => !line.includes("|")) + 1)
  const rule = rows.findIndex(isRule)
  const isOpen = rule > 0 && rule < rows.length - 1 && /^[^\n]*\|/.test(rest)
  const head = isOpen ? `${rows[rule - 1]}\n${rows[rule]}\n` : ""
  return head.length > longestHead ? "" : head
}

/** The first part of prose that is complete: up to a fence, or a blank line after which no list or quote goes on. */
const cutProse = (text: string): Cut | undefined => {
  const lines = text.split("\n")
  const known = lines.length - 1
  for (let at = 0; at < known; at++) {
    const line = lines[at] ?? ""
    const open = opening.exec(line)
    if (open !== null) {
      const [, marker = "", language = ""] = open
      return {
        blocks: prose(lines.slice(0, at).join("\n")),
        fence: { isContinued: false, language, marker },
        rest: lines.slice(at + 1).join("\n")
      }
    }
    const next = lines[at + 1] ?? ""
    if (line.trim() === "" && /^\S/.test(next) && at > 0) {
      return { blocks: prose(lines.slice(0, at).join("\n")), fence: undefined, rest: lines.slice(at + 1).join("\n") }
    }
  }
  if (text.length <= keptLength) return undefined
  const kept = text.slice(0, keptLength).replace(/[\ud800-\udbff]$/, "")
  const end = Math.max(kept.lastIndexOf("\n"), 0) || Math.max(kept.lastIndexOf(" "), 0) || kept.length
  const [taken, rest] = [text.slice(0, end), text.slice(end).trimStart()]
  return { blocks: prose(taken), fence: undefined, rest: tableHead(taken, rest) + rest }
}

interface Taken {
  readonly blocks: ReadonlyArray<Block>
  readonly reply: Reply
}

/** Takes what is complete. */
const take = (reply: Reply): Taken => {
  const blocks: Array<Block> = []
  let { fence, pending } = reply
  for (;;) {
    const cut = fence === undefined ? cutProse(pending) : cutCode(pending, fence)
    if (cut === undefined) break
    blocks.push(...cut.blocks)
    fence = cut.fence
    pending = cut.rest
  }
  return { blocks, reply: { fence, isBegun: reply.isBegun || blocks.length > 0, pending } }
}

export const append = (self: Reply, text: string): Taken => {
  const reply = { ...self, pending: self.pending + text }
  return text.includes("\n") || reply.pending.length > keptLength ? take(reply) : { blocks: [], reply }
}

/** What is left, as it would be shown if nothing followed. */
export const open = ({ fence, pending }: Reply): ReadonlyArray<Block> => {
  if (fence === undefined) return prose(pending)
  const text = closes(pending, fence) ? "" : pending.replace(/\n$/, "")
  return text === "" ? [] : [codeBlock(text, fence)]
}

/** The end of the reply: everything left is complete. */
export const finish = (self: Reply): Taken => {
  const { blocks, reply } = take({ ...self, pending: `${self.pending}\n` })
  return { blocks: [...blocks, ...open(reply)], reply: empty }
}
