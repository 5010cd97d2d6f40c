/** What the plain screen says of a change that is no finished block: lines that are true for good. */
import * as Columns from "./Columns.js"
import type { Item } from "./Overlay.js"
import { choices, type Question } from "./Question.js"
import { isCompacting, loader, type State } from "./State.js"
import { visible, visibleLine } from "./Visible.js"

/** Items of a list that are shown. */
const shownItems = 50

export const question = ({ detail, name }: Question): ReadonlyArray<string> => [
  `May ${visibleLine(name)} run?`,
  ...visible(detail).split("\n").map((line) => `  ${line}`),
  ...choices.map(({ label }, at) => `${at + 1}. ${label}`),
  answering
]

/** Said again to whoever types something else. */
export const answering = `Type a number from 1 to ${choices.length}.`

export const list = (title: string, items: ReadonlyArray<Item>): ReadonlyArray<string> => [
  visibleLine(title),
  ...items.slice(0, shownItems).map(({ detail, label }, at) =>
    `${at + 1}. ${visibleLine(label)}${detail === "" ? "" : ` (${visibleLine(detail)})`}`
  ),
  ...(items.length > shownItems ? [`and ${items.length - shownItems} more`] : []),
  items.length === 0 ? "There is nothing to choose." : "Type a number, or nothing to leave it as it is."
]

/** Said to whoever types the number of nothing. */
export const choosing = (items: ReadonlyArray<Item>): string =>
  `Type a number from 1 to ${items.length}, or nothing to leave it as it is.`

/** A question has come. */
export const isAsked = (before: State, after: State): boolean => {
  const asked = after.turn?.question
  return asked !== undefined && asked.callId !== before.turn?.question?.callId
}

const changed = (before: State, after: State): ReadonlyArray<string> => {
  const { notice, queue, status, turn } = after
  const asked = turn?.question
  return [
    ...(status.model === before.status.model
      ? []
      : [[status.model, status.directory, status.branch].filter((part) => part !== "").map(visibleLine).join(" · ")]),
    ...(isCompacting(after) && !isCompacting(before) ? [loader(after)] : []),
    ...(turn?.retry !== undefined && turn.retry !== before.turn?.retry ? [visibleLine(loader(after))] : []),
    ...(notice !== undefined && notice !== before.notice ? [visibleLine(notice.text)] : []),
    ...(queue.length > before.queue.length ? ["It is sent when the turn is over."] : []),
    ...(asked !== undefined && isAsked(before, after) ? question(asked) : []),
    ...(asked?.isExplaining === true && before.turn?.question?.isExplaining !== true
      ? ["Say why not, in one line."]
      : [])
  ]
}

/** Wrapped to the terminal's width. */
export const lines = (before: State, after: State, columns: number): ReadonlyArray<string> =>
  changed(before, after).flatMap((line) => Columns.wrap(line, columns))
