/** Text cut into the pieces in which a stream delivers it. */

const smallest = 16
const most = 400

/** At least two pieces of any text longer than one character, at most about 400; no character is cut in half. */
export const split = (text: string): ReadonlyArray<string> => {
  const size = Math.min(Math.max(smallest, Math.ceil(text.length / most)), Math.max(1, Math.ceil(text.length / 2)))
  const pieces: Array<string> = []
  let start = 0
  while (start < text.length) {
    let end = Math.min(start + size, text.length)
    const before = text.charCodeAt(end - 1)
    if (before >= 0xd800 && before <= 0xdbff && end < text.length) end += 1
    pieces.push(text.slice(start, end))
    start = end
  }
  return pieces
}
