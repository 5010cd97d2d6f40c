/** Markdown as styled lines. Links show where they lead: nothing here writes a control sequence but styles. */
import { Markdown } from "@mariozechner/pi-tui/dist/components/markdown.js"
import { setCapabilities } from "@mariozechner/pi-tui/dist/terminal-image.js"
import type { Theme } from "./Theme.js"

const fence = /^\s*(?:`{3,}|~{3,})/

/** The box of a task, and where a reference leads: the widget leaves them out. */
const unshown = /^((?:\s*>)*\s*(?:[-*+]|\d{1,9}[.)])\s+(?=\[[ xX]\]\s)|(?:\s*>)* {0,3}(?=\[[^\]]+\]:))\[/

/** What the widget would leave out is text to it. */
const kept = (text: string): string => {
  let isCode = false
  return text.split("\n").map((line) => {
    if (fence.test(line)) isCode = !isCode
    return isCode ? line : line.replace(unshown, "$1\\[")
  }).join("\n")
}

/** By this the widget knows a list inside of a list. */
const bullet = (text: string) => `\u001b[36m${text}\u001b[39m`

const styles = /\u001b\[\d+m/g

const isPlain = (theme: Theme) => theme.cyan("-") === "-"

/** `text` must have no control characters left. */
export const lines = (text: string, columns: number, theme: Theme): ReadonlyArray<string> => {
  setCapabilities({ hyperlinks: false, images: null, trueColor: false })
  const markdown = new Markdown(kept(text), 0, 0, {
    bold: theme.bold,
    code: theme.cyan,
    codeBlock: (line) => line,
    codeBlockBorder: theme.dim,
    heading: theme.blue,
    hr: theme.dim,
    italic: theme.italic,
    link: theme.underline,
    linkUrl: theme.dim,
    listBullet: bullet,
    quote: (line) => line,
    quoteBorder: theme.dim,
    strikethrough: theme.strike,
    underline: theme.underline
  })
  const rendered = markdown.render(columns)
  return (isPlain(theme) ? rendered.map((line) => line.replaceAll(styles, "")) : rendered).map((line) => line.trimEnd())
}
