/** Terminal output as plain text: without escape sequences and control characters, whatever the pieces it comes in. */
import stripAnsi from "strip-ansi"

/** An escape sequence at the end of a piece that the next piece may complete. */

const unfinished = /\u001b(?:\[[0-?]*[ -/]*|[\]PX^_][^\u0007\u001b]{0,4096}\u001b?|[ -/]*)$/

/** All but tab, line feed and carriage return. */

const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g

const clean = (text: string) => stripAnsi(text).replace(controls, "")

/** Takes pieces of bytes, gives pieces of text. */
export const make = () => {
  const decoder = new TextDecoder()
  let held = ""
  const take = (text: string) => {
    const all = held + text
    held = unfinished.exec(all)?.[0] ?? ""
    return clean(all.slice(0, all.length - held.length))
  }
  return {
    push: (bytes: Uint8Array) => take(decoder.decode(bytes, { stream: true })),
    finish: () => clean(take(decoder.decode()) + held)
  }
}

/** What a terminal would show at last: of a line that was written over, only the last writing. */
export const settled = (text: string): string =>
  text.split("\n").map((line) => {
    let end = line.length
    while (line[end - 1] === "\r") end--
    return line.slice(line.lastIndexOf("\r", end - 1) + 1, end)
  }).join("\n")
