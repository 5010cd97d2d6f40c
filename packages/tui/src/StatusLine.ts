/** The line under the editor: model, directory, branch, how full the context is, tokens, cost. */
import * as Columns from "./Columns.js"
import * as Figures from "./Figures.js"
import { cost, type State } from "./State.js"
import type { Theme } from "./Theme.js"
import { visibleLine } from "./Visible.js"

const cells = 12

/** The input budget as a bar; a mark stands where compaction begins. */
export const bar = (estimate: number, budget: number, trigger: number): string => {
  const cellOf = (tokens: number) => Math.min(cells, Math.round(tokens * cells / budget))
  const full = cellOf(estimate)
  const mark = trigger > 0 && trigger <= budget ? Math.min(cellOf(trigger), cells - 1) : -1
  return Array.from({ length: cells }, (_, at) => at === mark ? "╎" : at < full ? "█" : "░").join("")
}

const context = ({ status: { budget, estimate, trigger } }: State, { dim, red, yellow }: Theme): string => {
  if (budget === 0) return dim("context –")
  const percent = Math.round(estimate * 100 / budget)
  const style = percent >= 90 ? red : trigger > 0 && estimate >= trigger ? yellow : dim
  return style(`${bar(estimate, budget, trigger)} ${percent}%`)
}

/** Parts that find no room are left out, the least telling first. */
export const line = (state: State, columns: number, theme: Theme): string => {
  const { status, used } = state
  const input = used.fresh + used.cacheRead + used.cacheWrite
  const tokens = input === 0 ? "" : `${Figures.short(input)} in ${Figures.short(used.output)} out`
  const spent = cost(state)
  const right = context(state, theme)
  const left = [
    status.model,
    status.directory,
    status.branch,
    tokens,
    spent === undefined || spent === 0 ? "" : Figures.dollars(spent)
  ].map(visibleLine)
  const fitting = (parts: ReadonlyArray<string>): string => {
    const text = parts.filter((part) => part !== "").join(" · ")
    return parts.length <= 1 || Columns.width(text) + Columns.width(right) + 2 <= columns
      ? text
      : fitting(parts.slice(0, -1))
  }
  const shown = Columns.clip(fitting(left), Math.max(1, columns - Columns.width(right) - 2))
  return Columns.ends(theme.dim(shown), right, columns)
}
