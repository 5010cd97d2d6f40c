/** Foreign text as lines of a width. A long one takes longer to fold than a frame may, and is shown again and again. */
import * as Columns from "./Columns.js"
import { visible } from "./Visible.js"

interface Kept {
  readonly text: string
  readonly columns: number
  readonly lines: ReadonlyArray<string>
}

/** Characters from which on the lines are kept, and of how many texts. */
const long = 4_000
const most = 2

/** The newest first. */
let kept: ReadonlyArray<Kept> = []

const fold = (text: string, columns: number) => visible(text).split("\n").flatMap((line) => Columns.wrap(line, columns))

export const lines = (text: string, columns: number): ReadonlyArray<string> => {
  if (text.length < long) return fold(text, columns)
  const found = kept.find((one) => one.columns === columns && one.text === text)
  const known = found ?? { columns, lines: fold(text, columns), text }
  kept = [known, ...kept.filter((one) => one !== found)].slice(0, most)
  return known.lines
}
