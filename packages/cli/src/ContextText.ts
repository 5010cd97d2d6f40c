/** What fills the window of a session, as lines: the same for a stored one and for the one on the screen. */
import type { ContextReport } from "@weir/agent/ContextReport"
import type { Folded } from "@weir/session/Fold"
import { grouped } from "@weir/tui/Figures"

const columns = 50

/** The estimate as a part of the window, with the trigger marked. */
const bar = ({ estimate, trigger, window }: ContextReport): string => {
  const at = (tokens: number) => Math.min(columns, Math.round(columns * tokens / window))
  const cells = Array.from({ length: columns }, (_, index) => {
    if (index === at(trigger)) return "|"
    return index < at(estimate) ? "█" : "·"
  })
  return `[${cells.join("")}] ${Math.round(100 * estimate / window)} % of the window`
}

/** A name and a number of tokens. */
export const row = (name: string, tokens: number) => `  ${name.padEnd(26)}${grouped(tokens).padStart(10)}`

const history = (compactions: Folded["compactions"]): ReadonlyArray<string> =>
  compactions.length === 0 ? [] : [
    "",
    "Compactions so far:",
    ...compactions.map(({ after, before, reason }) => `  ${grouped(before)} to ${grouped(after)} tokens (${reason})`)
  ]

export const lines = (report: ContextReport, compactions: Folded["compactions"]): ReadonlyArray<string> => [
  bar(report),
  "",
  row("system prompt", report.system),
  row("tools", report.tools),
  ...(report.summary > 0 ? [row("summary", report.summary)] : []),
  row(`messages of ${report.turns} ${report.turns === 1 ? "turn" : "turns"}`, report.messages),
  ...report.results.map(({ tokens, tool }) => row(`results of ${tool}`, tokens)),
  row("estimate, with its margin", report.estimate),
  row("compaction is due at", report.trigger),
  row("input budget", report.budget),
  row("window", report.window),
  ...history(compactions)
]
