/** Cuts text without ever splitting a character. Sizes are bytes of UTF-8 unless said otherwise. */

const encoder = new TextEncoder()
const decoder = new TextDecoder("utf-8", { ignoreBOM: true })

/** The most text of any tool result; the agent may record less. */
export const maxResultBytes = 100_000

export const byteLength = (text: string): number => encoder.encode(text).length

/** The text with every lone surrogate replaced by U+FFFD. */
export const wellFormed = (text: string): string => decoder.decode(encoder.encode(text))

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80

/** The longest beginning of `text` that has at most `bytes` bytes. */
export const head = (text: string, bytes: number): string => {
  const encoded = encoder.encode(text)
  if (encoded.length <= bytes) return decoder.decode(encoded)
  let end = Math.max(0, bytes)
  while (isContinuation(encoded[end])) end--
  return decoder.decode(encoded.subarray(0, end))
}

/** The longest end of `text` that has at most `bytes` bytes. */
export const tail = (text: string, bytes: number): string => {
  const encoded = encoder.encode(text)
  if (encoded.length <= bytes) return decoder.decode(encoded)
  let start = encoded.length - Math.max(0, bytes)
  while (isContinuation(encoded[start])) start++
  return decoder.decode(encoded.subarray(start))
}

/** `text` when it fits, else its head and its tail around a note of what was left out. */
export const middle = (text: string, bytes: number = maxResultBytes): string => {
  const size = byteLength(text)
  if (size <= bytes) return wellFormed(text)
  const first = head(text, Math.floor(bytes / 2))
  const last = tail(text, bytes - Math.floor(bytes / 2))
  const left = size - byteLength(first) - byteLength(last)
  return `${first}\n[... ${left} bytes left out ...]\n${last}`
}

/** An index at or before `index` that is not inside a surrogate pair. */
const boundary = (text: string, index: number): number => {
  const code = text.charCodeAt(index)
  const before = text.charCodeAt(index - 1)
  return code >= 0xdc00 && code <= 0xdfff && before >= 0xd800 && before <= 0xdbff ? index - 1 : index
}

/**
 * The first `length` UTF-16 units of a line, or one less, with a mark when something was cut away.
 * `text` may itself be only the beginning of a line that has `total` units.
 */
export const line = (text: string, length: number, total: number = text.length): string => {
  if (total <= length) return text
  const end = boundary(text, length)
  return `${text.slice(0, end)}… [${total - end} more characters]`
}

/** About `length` UTF-16 units of a line around its part from `start`, with a mark at each cut. */
export const around = (text: string, start: number, length: number): string => {
  if (text.length <= length) return text
  const from = boundary(text, Math.max(0, Math.min(start - Math.floor(length / 4), text.length - length)))
  const to = boundary(text, Math.min(text.length, from + length))
  return `${from > 0 ? "…" : ""}${text.slice(from, to)}${to < text.length ? "…" : ""}`
}
