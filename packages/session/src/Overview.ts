/** What a list shows of a session: a fold of its records, so small that an index can hold it. */
import * as Conversation from "@weir/model/Conversation"
import * as Usage from "@weir/model/Usage"
import type * as DateTime from "effect/DateTime"
import type { Record, SessionStarted } from "./Record.js"

export interface Overview {
  readonly id: string
  readonly cwd: string
  readonly provider: string
  readonly model: string
  readonly startedAt: DateTime.Utc
  /** When the session was last written to. */
  readonly changedAt: DateTime.Utc
  /** As the user named it, else the beginning of the first message; may be empty. */
  readonly title: string
  readonly turns: number
  readonly steps: number
  /** Applied ones. */
  readonly compactions: number
  /** Input and output of all requests, compactions included. */
  readonly tokens: number
  /** The beginning of what was said last, by whomever; may be empty. */
  readonly last: string
}

/** All that records tell. */
export type Counted =
  & Pick<Overview, "title" | "turns" | "steps" | "compactions" | "tokens" | "last">
  & Partial<Pick<Overview, "model" | "provider">>

export const empty: Counted = { title: "", turns: 0, steps: 0, compactions: 0, tokens: 0, last: "" }

const longest = 100

/** The beginning of a text as one line. */
export const line = (text: string): string => {
  const words = text.slice(0, 4 * longest).replaceAll(/\s+/g, " ").trim()
  return words.length <= longest ? words : `${words.slice(0, longest - 1)}…`
}

const total = (usage: Usage.Usage | undefined): number => usage ? Usage.input(usage) + usage.output : 0

const withStep = (self: Counted, step: Conversation.Step): Counted => {
  const said = Conversation.text(step)
  return {
    ...self,
    steps: self.steps + 1,
    tokens: self.tokens + total(step.usage),
    last: said === "" ? self.last : line(said)
  }
}

export const append = (self: Counted, record: Record): Counted => {
  switch (record._tag) {
    case "TurnStarted": {
      const said = line(record.user.text)
      return { ...self, turns: self.turns + 1, title: self.title === "" ? said : self.title, last: said }
    }
    case "StepCompleted":
      return withStep(self, record.step)
    case "StepInterrupted":
      return record.step
        ? withStep(self, record.step)
        : { ...self, last: record.partialText === "" ? self.last : line(record.partialText) }
    case "CompactionApplied":
      return { ...self, compactions: self.compactions + 1, tokens: self.tokens + total(record.usage) }
    case "CompactionFailed":
    case "CompactionCancelled":
      return { ...self, tokens: self.tokens + total(record.usage) }
    case "SessionRenamed":
      return { ...self, title: line(record.title) }
    case "ModelChanged":
      return { ...self, model: record.model, provider: record.provider }
    default:
      return self
  }
}

export const make = (start: SessionStarted, counted: Counted, changedAt: Overview["changedAt"]): Overview => {
  const { at, cwd, id, model, provider } = start
  return { id, cwd, provider, model, startedAt: at, changedAt, ...counted }
}
