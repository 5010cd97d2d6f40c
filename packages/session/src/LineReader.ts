/** Reads a transcript's lines piece by piece, so that a large one is never in memory whole. */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

const newline = 0x0a

/** Most files are small: pieces grow with what is read. */
const firstBytes = 1 << 14
const mostBytes = 1 << 20

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
  let current = new Uint8Array(firstBytes)
  let spare = new Uint8Array(firstBytes)
  let begun: Array<Uint8Array> = []
  let length = 0
  let number = 0
  const read = (into: Uint8Array) => Effect.fork(Effect.map(file.read(into), Number))
  let reading = yield* read(current)
  while (true) {
    const count = yield* Fiber.join(reading)
    if (count === 0) return { length, rest: concat(begun) } satisfies Lines
    // The next piece is read while the lines of this one are handed over.
    reading = yield* read(spare)
    yield* Effect.yieldNow()
    const piece = current.subarray(0, count)
    const first = piece.indexOf(newline)
    const last = piece.lastIndexOf(newline)
    const texts = first === -1 ? [] : [decoder.decode(concat([...begun, piece.subarray(0, first)]))]
    if (last > first) texts.push(...decoder.decode(piece.subarray(first + 1, last)).split("\n"))
    if (first !== -1) {
      length += begun.reduce((sum, part) => sum + part.length, last + 1)
      begun = []
    }
    for (const text of texts) {
      if (onLine(text, ++number) === false) {
        yield* Fiber.await(reading)
        return { length, rest: new Uint8Array() } satisfies Lines
      }
    }
    // The buffer is used again.
    begun.push(piece.slice(last + 1))
    if (count === current.length && count < mostBytes) current = new Uint8Array(4 * count)
    ;[current, spare] = [spare, current]
  }
})
