/** Code with styles, line for line. The grammars are loaded when the first code is shown. */
import * as Effect from "effect/Effect"
import type { Style, Theme } from "./Theme.js"

interface Node {
  readonly type: string
  readonly value?: string
  readonly properties?: { readonly className?: unknown }
  readonly children?: ReadonlyArray<Node>
}

const styleOf = (
  { blue, cyan, dim, green, magenta, red, yellow }: Theme
): { readonly [token: string]: Style | undefined } => ({
  "attr-name": blue,
  "boolean": cyan,
  "builtin": cyan,
  "class-name": yellow,
  "comment": dim,
  "constant": cyan,
  "deleted": red,
  "function": blue,
  "inserted": green,
  "keyword": magenta,
  "number": cyan,
  "property": blue,
  "regex": green,
  "string": green,
  "tag": magenta,
  "template-string": green
})

/** Styles end with the line, so that a line can be shown alone. */
const styled = (text: string, style: Style | undefined) =>
  style === undefined ? text : text.split("\n").map((line) => style(line)).join("\n")

const write = (node: Node, styles: ReturnType<typeof styleOf>, outer: Style | undefined): string => {
  if (node.type === "text") return styled(node.value ?? "", outer)
  const classes = node.properties?.className
  const own = Array.isArray(classes) ? classes.map((name) => styles[String(name)]).find((style) => style) : undefined
  return (node.children ?? []).map((child) => write(child, styles, own ?? outer)).join("")
}

export type Highlight = (code: string, language: string) => string

export const none: Highlight = (code) => code

export const load = (theme: Theme): Effect.Effect<Highlight> =>
  Effect.map(Effect.promise(() => import("./Grammars.js")), ({ parse }) => {
    const styles = styleOf(theme)
    return (code, language) => {
      const parsed = parse(code, language)
      return parsed === undefined ? code : write(parsed, styles, undefined)
    }
  })
