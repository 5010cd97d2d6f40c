/** Stored sessions as plain text. */
import { exchanges, text } from "@weir/model/Conversation"
import * as Overview from "@weir/session/Overview"
import type { Record } from "@weir/session/Record"
import type { Stored } from "@weir/session/SessionStore"
import * as Story from "@weir/session/Story"
import { grouped } from "@weir/tui/Figures"
import { mainArgument } from "@weir/tui/MainArgument"
import * as DateTime from "effect/DateTime"

const units: ReadonlyArray<readonly [name: string, millis: number]> = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000]
]

/** `3 h`, in the largest unit of which there is at least one. */
const age = (millis: number): string => {
  const unit = units.find(([, length]) => millis >= length)
  return unit === undefined ? "now" : `${Math.floor(millis / unit[1])} ${unit[0]}`
}

/** 1,234 as `1.2k`. */
const short = (count: number): string => {
  if (count < 1_000) return String(count)
  return count < 1_000_000 ? `${(count / 1_000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`
}

const cut = (line: string, length: number) => line.length <= length ? line : `${line.slice(0, length - 1)}…`

/** One line a session, then what was said last. */
export const table = (sessions: ReadonlyArray<Overview.Overview>, now: DateTime.Utc): string => {
  const rows = sessions.map((session) => [
    session.id,
    age(Math.abs(DateTime.distance(session.changedAt, now))),
    `${session.turns} ${session.turns === 1 ? "turn" : "turns"}`,
    `${short(session.tokens)} tokens`,
    cut(session.model, 24),
    cut(session.title === "" ? "(empty)" : session.title, 60)
  ])
  const widths = rows.reduce(
    (widest, row) => row.map((cell, column) => Math.max(cell.length, widest[column] ?? 0)),
    [0]
  )
  return rows.flatMap((row, at) => {
    const last = sessions[at]?.last ?? ""
    const line = row.map((cell, column) => column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))
    return [`  ${line.join("  ")}`, ...(last === sessions[at]?.title || last === "" ? [] : [`      ${cut(last, 100)}`])]
  }).join("\n")
}

const quoted = (words: string) => words === "" ? "" : ` "${Overview.line(words)}"`

/** An event in a line. */
const eventLine = (record: Record): string => {
  switch (record._tag) {
    case "SessionStarted":
      return "session started"
    case "TurnStarted":
      return `turn${quoted(record.user.text)}${record.user.images.map(() => " [image]").join("")}`
    case "StepCompleted":
    case "StepInterrupted": {
      const calls = record.step ? exchanges(record.step) : []
      const said = record._tag === "StepInterrupted" && !record.step ? record.partialText : text(record.step ?? nothing)
      const tools = calls.map(({ call, result }) =>
        ` ${call.name} ${mainArgument(call.arguments)}${result.isError ? " (failed)" : ""}`
      )
      return `${record._tag === "StepCompleted" ? "step" : "step interrupted"}${quoted(said)}${tools.join(";")}`
    }
    case "CompactionApplied":
      return `compaction ${grouped(record.before)} → ${grouped(record.after)} tokens (${record.reason})`
    case "CompactionUndone":
      return "compaction taken back"
    case "CompactionFailed":
      return `compaction failed: ${record.error}`
    case "CompactionCancelled":
      return "compaction cancelled"
    case "InputCounted":
      return `input counted by a refusal: ${grouped(record.tokens)} tokens`
    case "LimitLearned":
      return "limit learned"
    case "ModelChanged":
      return `model changed: ${record.model} (${record.provider})`
    case "SessionRenamed":
      return `renamed${quoted(record.title)}`
    case "TurnFinished":
      return `turn ended: ${record.reason}`
  }
}

const nothing = { parts: [] }

export const describe = ({ records, start }: Stored): string => {
  const { compactions, steps, title, tokens, turns } = records.reduce(Overview.append, Overview.empty)
  const digits = String(records.length).length
  return [
    `${start.id}  ${title}`,
    `started    ${DateTime.formatIso(start.at)}`,
    `directory  ${start.cwd}`,
    `model      ${start.model} (${start.provider})`,
    `size       ${turns} turns, ${steps} steps, ${compactions} compactions, ${grouped(tokens)} tokens`,
    "",
    ...records.map((record, index) => `${String(index + 1).padStart(digits)}  ${eventLine(record)}`)
  ].join("\n")
}

const indented = (words: string) => words.split("\n").map((line) => `> ${line}`).join("\n")

export const replay = ({ records }: Stored): string =>
  Story.items(records).flatMap((item) => {
    switch (item._tag) {
      case "User":
        return [indented(item.text + item.images.map(() => "\n[image]").join(""))]
      case "Text":
        return [item.text]
      case "Tool":
        return [`${item.call.name} ${mainArgument(item.call.arguments)} (${item.result.isError ? "failed" : "ok"})`]
      case "Notice":
        return [item.text]
      case "Reasoning":
        return []
    }
  }).join("\n\n")
