/** How text is styled: sixteen colours of the terminal's own, or nothing at all. */
export type Style = (text: string) => string

export interface Theme {
  readonly bold: Style
  readonly dim: Style
  readonly italic: Style
  readonly underline: Style
  readonly strike: Style
  readonly inverse: Style
  readonly red: Style
  readonly green: Style
  readonly yellow: Style
  readonly blue: Style
  readonly magenta: Style
  readonly cyan: Style
}

const sgr = (open: number, close: number): Style => (text) =>
  text === "" ? "" : `\u001b[${open}m${text}\u001b[${close}m`

const same: Style = (text) => text

export const plain: Theme = {
  blue: same,
  bold: same,
  cyan: same,
  dim: same,
  green: same,
  inverse: same,
  italic: same,
  magenta: same,
  red: same,
  strike: same,
  underline: same,
  yellow: same
}

export const colours: Theme = {
  blue: sgr(34, 39),
  bold: sgr(1, 22),
  cyan: sgr(36, 39),
  dim: sgr(2, 22),
  green: sgr(32, 39),
  inverse: sgr(7, 27),
  italic: sgr(3, 23),
  magenta: sgr(35, 39),
  red: sgr(31, 39),
  strike: sgr(9, 29),
  underline: sgr(4, 24),
  yellow: sgr(33, 39)
}

/** Neighbours of one style as one piece. */
export const joined = (line: string): string => line.replaceAll("\u001b[22m\u001b[2m", "")
