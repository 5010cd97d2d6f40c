/** Reads a transcript's lines piece by piece, so that a large one is never in memory whole. */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"

const newline = 0x0a
const pieceBytes = 1 << 18

export interface Lines {
  /** Bytes of all complete lines. */
  readonly length: number
  /** What follows the last newline. */
  readonly rest: Uint8Array
}

const concat = (parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const [only] = parts
  if (only !== undefined && parts.length === 1) return only
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** Hands over every complete line without its newline, counted from 1. `onLine` may ask to stop by answering false. */
export const forEachLine = Effect.fnUntraced(function*(
  file: FileSystem.File,
  onLine: (line: string, number: number) => boolean | void
) {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
  const buffer = new Uint8Array(pieceBytes)
  let begun: Array<Uint8Array> = []
  let length = 0
  let number = 0
  while (true) {
    const count = Number(yield* file.read(buffer))
    if (count === 0) break
    let rest = buffer.subarray(0, count)
    for (let end = rest.indexOf(newline); end !== -1; end = rest.indexOf(newline)) {
      const line = concat([...begun, rest.subarray(0, end)])
      begun = []
      rest = rest.subarray(end + 1)
      length += line.length + 1
      if (onLine(decoder.decode(line), ++number) === false) return { length, rest: new Uint8Array() } satisfies Lines
    }
    // The buffer is used again.
    if (rest.length > 0) begun.push(rest.slice())
  }
  return { length, rest: concat(begun) } satisfies Lines
})
