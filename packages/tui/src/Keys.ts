/** Bytes of the terminal as keys and pastes, however they are cut into pieces. */
import { parseKey } from "@mariozechner/pi-tui/dist/keys.js"
import { StdinBuffer } from "@mariozechner/pi-tui/dist/stdin-buffer.js"

export interface Keys {
  readonly feed: (data: string) => void
  readonly close: () => void
}

/** `data` is what an editor understands; `key` is the name, or the character itself. */
export interface Key {
  readonly key: string
  readonly data: string
}

const isHighHalf = (data: string) => /^[\ud800-\udbff]$/.test(data)

/** Two of them in quick succession. */
const doubleEscape = "\u001b\u001b"

export const make = (on: {
  readonly key: (key: Key) => void
  readonly paste: (text: string) => void
}): Keys => {
  const buffer = new StdinBuffer({ timeout: 20 })
  let half = ""
  buffer.on("data", (piece) => {
    if (isHighHalf(piece)) {
      half = piece
      return
    }
    const data = half + (piece === doubleEscape ? "\u001b" : piece)
    half = ""
    if (data !== "") on.key({ data, key: parseKey(data) ?? data })
  })
  buffer.on("paste", on.paste)
  return { close: () => buffer.destroy(), feed: (data) => buffer.process(data) }
}
