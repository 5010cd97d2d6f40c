/** Markdown as styled lines. Links show where they lead: nothing here writes a control sequence but styles. */
import { Markdown } from "@mariozechner/pi-tui/dist/components/markdown.js"
import { setCapabilities } from "@mariozechner/pi-tui/dist/terminal-image.js"
import type { Theme } from "./Theme.js"

/** `text` must have no control characters left. */
export const lines = (text: string, columns: number, theme: Theme): ReadonlyArray<string> => {
  setCapabilities({ hyperlinks: false, images: null, trueColor: false })
  const markdown = new Markdown(text, 0, 0, {
    bold: theme.bold,
    code: theme.cyan,
    codeBlock: (line) => line,
    codeBlockBorder: theme.dim,
    heading: theme.blue,
    hr: theme.dim,
    italic: theme.italic,
    link: theme.underline,
    linkUrl: theme.dim,
    listBullet: theme.cyan,
    quote: (line) => line,
    quoteBorder: theme.dim,
    strikethrough: theme.strike,
    underline: theme.underline
  })
  return markdown.render(columns).map((line) => line.trimEnd())
}
