/** Keeps the head and the tail of a tool output that is too large to record, and says where the whole of it is. */
import * as Option from "effect/Option"
import * as TokenScan from "./TokenScan.js"

const isLowSurrogate = (text: string, index: number) => {
  const code = text.charCodeAt(index)
  return code >= 0xdc00 && code <= 0xdfff
}

/** The end of a head of about `length` characters: after a line break when one is near, never inside a character. */
const headEnd = (text: string, length: number) => {
  const newline = text.lastIndexOf("\n", length - 1)
  if (newline >= length / 2) return newline + 1
  return isLowSurrogate(text, length) ? length - 1 : length
}

/** The start of a tail of about `length` characters, by the same rules. */
const tailStart = (text: string, length: number) => {
  const from = text.length - length
  const newline = text.indexOf("\n", from)
  if (newline >= 0 && newline < text.length - length / 2) return newline + 1
  return isLowSurrogate(text, from) ? from + 1 : from
}

const gap = (omitted: number, saved: Option.Option<string>) =>
  `\n[... ${omitted} characters left out. ` + Option.match(saved, {
    onNone: () => "Ask for less: a narrower range, pattern or command.",
    onSome: (file) => `The whole output is in ${file}: search it with grep or read a range of it with read_file.`
  }) + " ...]\n"

/** `text` itself when it has at most `cap` tokens, else its head and its tail around a note. */
export const capOutput = (text: string, cap: number, saved: Option.Option<string>): string => {
  const tokens = TokenScan.count(text)
  if (tokens <= cap) return text
  for (let length = Math.floor(text.length * cap / tokens);; length = Math.floor(length * 0.9)) {
    const head = headEnd(text, Math.floor(length / 2))
    const tail = Math.max(head, tailStart(text, Math.floor(length / 2)))
    const capped = text.slice(0, head) + gap(tail - head, saved) + text.slice(tail)
    if (length < 2 || TokenScan.count(capped) <= cap) return capped
  }
}
