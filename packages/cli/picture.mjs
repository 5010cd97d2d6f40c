/**
 * Runs the interactive command in a pseudo-terminal on this repository, or the directory that is named, with the offline
 * helper, and draws the screen at
 * the moment of an automatic compaction as `packages/tui/screen.svg`.
 */
import * as pty from "@lydell/node-pty"
import xterm from "@xterm/headless"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { fileURLToPath } from "node:url"

const columns = 100
const rows = 30
const cell = { height: 19, width: 8.43 }
const margin = 16

const here = path.dirname(fileURLToPath(import.meta.url))
const root = process.argv[2] ?? path.join(here, "..", "..")
const home = fs.mkdtempSync(path.join(os.tmpdir(), "weir-picture-"))
const question = "Where is the context budget computed, and which tests pin its boundary?"

const palette = ["#3b4252", "#f0716f", "#8fce7c", "#e8c06a", "#7aa6f0", "#c792ea", "#6fd0d6", "#d8dee9"]

const escape = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

const styleOf = (drawn) =>
  [
    drawn.isFgPalette() ? `fill:${palette[drawn.getFgColor() % 8]}` : "",
    drawn.isBold() ? "font-weight:bold" : "",
    drawn.isDim() ? "opacity:.6" : "",
    drawn.isItalic() ? "font-style:italic" : ""
  ].filter((part) => part !== "").join(";")

/** Neighbours that look alike become one piece of text. */
const pieces = (line) => {
  const found = []
  for (let at = 0; at < columns; at++) {
    const drawn = line.getCell(at)
    if (drawn === undefined || drawn.getWidth() === 0) continue
    const style = styleOf(drawn)
    const text = drawn.getChars() || " "
    const last = found.at(-1)
    if (last?.style === style) last.text += text
    else found.push({ at, style, text })
  }
  return found.filter(({ text }) => text.trim() !== "")
}

const svg = (terminal) => {
  const { active } = terminal.buffer
  const lines = Array.from({ length: rows }, (_, row) => {
    const y = margin + (row + 1) * cell.height - 5
    return pieces(active.getLine(active.baseY + row)).map(({ at, style, text }) => {
      const trimmed = text.trimEnd()
      const x = (margin + at * cell.width).toFixed(1)
      const length = (trimmed.length * cell.width).toFixed(1)
      return `<text x="${x}" y="${y}" textLength="${length}" xml:space="preserve"${style && ` style="${style}"`}>${
        escape(trimmed)
      }</text>`
    }).join("")
  })
  const width = Math.ceil(columns * cell.width + 2 * margin)
  const height = rows * cell.height + 2 * margin
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<title>Weir in a terminal, compacting in the middle of a turn</title>
<rect width="100%" height="100%" rx="8" fill="#20242c"/>
<g font-family="ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="14" fill="#d8dee9">
${lines.filter((line) => line !== "").join("\n")}
</g>
</svg>
`
}

const terminal = new xterm.Terminal({ allowProposedApi: true, cols: columns, rows })
const child = pty.spawn(path.join(here, "dist", "weir"), ["--provider", "offline", question], {
  cols: columns,
  cwd: root,
  env: { HOME: path.dirname(root), PATH: process.env.PATH, TERM: "xterm-256color", WEIR_HOME: home },
  rows
})

const text = () =>
  Array.from(
    { length: rows },
    (_, at) => terminal.buffer.active.getLine(terminal.buffer.active.baseY + at)?.translateToString()
  )
    .join("\n")

/** The rest of a frame may still be on its way. */
const settleMillis = 200

const draw = () => {
  fs.writeFileSync(path.join(here, "..", "tui", "screen.svg"), svg(terminal))
  child.kill()
}

let isSeen = false
child.onData((data) =>
  terminal.write(data, () => {
    if (isSeen || !text().includes("Context compacted automatically.")) return
    isSeen = true
    setTimeout(draw, settleMillis)
  })
)
child.onExit(() => {
  fs.rmSync(home, { force: true, recursive: true })
  if (!isSeen) console.error("No compaction was seen.")
  process.exit(isSeen ? 0 : 1)
})
