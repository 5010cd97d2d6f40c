/** What a check has found, and how it is told. */
import type { Theme } from "@weir/tui/Theme"
import { visibleLine } from "@weir/tui/Visible"
import * as Effect from "effect/Effect"

export interface Finding {
  readonly mark: "ok" | "warning" | "problem"
  readonly text: string
  /** What to do about it. */
  readonly advice?: string
}

export const ok = (text: string): Finding => ({ mark: "ok", text })

export const warning = (text: string, advice?: string): Finding => ({
  mark: "warning",
  text,
  ...(advice !== undefined && { advice })
})

export const problem = (text: string, advice: string): Finding => ({ advice, mark: "problem", text })

export interface Check<R = never> {
  readonly name: string
  readonly find: Effect.Effect<ReadonlyArray<Finding>, never, R>
}

/** No check takes longer than this. */
const patience = "20 seconds"

/** Whatever happens to a check, it finds something, and soon: also one that the system keeps waiting. */
export const guarded = <R>({ find }: Check<R>): Effect.Effect<ReadonlyArray<Finding>, never, R> =>
  find.pipe(
    Effect.disconnect,
    Effect.timeoutTo({
      duration: patience,
      onSuccess: (findings) => findings,
      onTimeout: () => [warning("took too long to look at", "Is a disk or the network slow? Try again.")]
    }),
    Effect.catchAllDefect(() => Effect.succeed([warning("could not be looked at", "Try again.")]))
  )

const nameWidth = 9
const markWidth = 7

/** A line, and one below it where there is something to do. */
export const line = (theme: Theme, name: string, { advice, mark, text }: Finding): string => {
  const style = { ok: theme.green, problem: theme.red, warning: theme.yellow }[mark]
  const indent = " ".repeat(markWidth + 2 + nameWidth + 2)
  const below = advice === undefined ? "" : `${indent}To do: ${visibleLine(advice)}\n`
  return `${style(mark.padEnd(markWidth))}  ${name.padEnd(nameWidth)}  ${visibleLine(text)}\n${below}`
}

const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? "" : "s"}`

/** The last line. */
export const verdict = (findings: ReadonlyArray<Finding>): string => {
  const count = (mark: Finding["mark"]) => findings.filter((finding) => finding.mark === mark).length
  const warnings = count("warning") > 0 ? `, ${counted(count("warning"), "warning")}` : ""
  return `${count("problem") === 0 ? "No problems" : counted(count("problem"), "problem")}${warnings}.\n`
}
