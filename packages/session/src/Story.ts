/**
 * What a session looked like: its records as the items that a reader sees, in order. Work before a compaction stays; an
 * automatic compaction leaves no item, one that was asked for leaves its line.
 */
import type * as Conversation from "@weir/model/Conversation"
import * as Data from "effect/Data"
import type { Record, TurnEnd } from "./Record.js"

interface Numbered {
  /** The number of the record, from 1. */
  readonly event: number
}

export type Item = Data.TaggedEnum<{
  User: Numbered & { readonly text: string; readonly images: ReadonlyArray<Conversation.Image> }
  Text: Numbered & { readonly text: string }
  Reasoning: Numbered & { readonly text: string }
  Tool: Numbered & { readonly call: Conversation.ToolCall; readonly result: Conversation.ToolResult }
  Notice: Numbered & { readonly text: string }
}>

export const Item = Data.taggedEnum<Item>()

const ends: { readonly [reason in Exclude<TurnEnd, "finished">]: string } = {
  interrupted: "Interrupted.",
  context_limit: "Stopped: the context limit was reached.",
  max_steps: "Stopped: the most steps of a turn were reached.",
  refused: "Stopped: the model refused.",
  failed: "Failed."
}

const stepItems = (event: number, step: Conversation.Step): ReadonlyArray<Item> =>
  step.parts.flatMap((part): ReadonlyArray<Item> => {
    switch (part._tag) {
      case "Exchange":
        return [Item.Tool({ event, call: part.call, result: part.result })]
      case "Text":
        return part.text === "" ? [] : [Item.Text({ event, text: part.text })]
      case "Reasoning":
        return part.text === "" ? [] : [Item.Reasoning({ event, text: part.text })]
    }
  })

const itemsOf = (record: Record, event: number): ReadonlyArray<Item> => {
  const notice = (text: string) => [Item.Notice({ event, text })]
  switch (record._tag) {
    case "TurnStarted":
      return [Item.User({ event, text: record.user.text, images: record.user.images })]
    case "StepCompleted":
      return stepItems(event, record.step)
    case "StepInterrupted":
      if (record.step) return stepItems(event, record.step)
      return record.partialText === "" ? [] : [Item.Text({ event, text: record.partialText })]
    case "CompactionApplied":
      return record.status === undefined ? [] : notice(record.status)
    case "CompactionUndone":
      return notice("A compaction was taken back.")
    case "TurnFinished":
      return record.reason === "finished" ? [] : notice(ends[record.reason])
    case "SessionStarted":
      if (record.origin === undefined) return []
      return notice(
        record.origin._tag === "Fork"
          ? `Forked from session ${record.origin.session} after its event ${record.origin.records}.`
          : `Imported from ${record.origin.program}: ${record.origin.file}`
      )
    case "CompactionFailed":
    case "CompactionCancelled":
    case "InputCounted":
    case "LimitLearned":
    case "ModelChanged":
    case "SessionRenamed":
      return []
  }
}

/** The items of a session's records, which begin with its start. */
export const items = (records: ReadonlyArray<Record>): ReadonlyArray<Item> =>
  records.flatMap((record, index) => itemsOf(record, index + 1))
