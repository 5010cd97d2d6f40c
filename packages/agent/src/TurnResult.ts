/** What a turn came to, and how it is counted while it runs. */
import type { Step } from "@weir/model/Conversation"
import * as Conversation from "@weir/model/Conversation"
import * as Usage from "@weir/model/Usage"
import type { TurnEnd } from "@weir/session/Record"
import type { Outcome } from "./AutoCompaction.js"
import type { TurnError } from "./TurnError.js"

/** What has become of a turn so far. */
export interface Progress {
  /** Visible text of each step that has any, oldest first. */
  readonly texts: ReadonlyArray<string>
  /** Completed steps. */
  readonly steps: number
  /** Of the steps; compaction requests apart. */
  readonly usage: Usage.Usage
  readonly compaction: {
    /** Applied ones. */
    readonly count: number
    /** Of all compaction requests, failed ones included. */
    readonly usage: Usage.Usage
  }
  /** Whether a faulty summary has been asked for a second time, which happens once a turn. */
  readonly askedAgain: boolean
}

export interface TurnResult extends Omit<Progress, "texts" | "askedAgain"> {
  readonly reason: TurnEnd
  /** All visible text of the turn in order, steps joined by a blank line; partial text included. */
  readonly text: string
  readonly error?: TurnError
}

export const started: Progress = {
  texts: [],
  steps: 0,
  usage: Usage.zero,
  compaction: { count: 0, usage: Usage.zero },
  askedAgain: false
}

/** What has arrived of a reply, also of one that was cut off. */
export const addReply =
  (reply: Pick<Step, "usage"> & Parameters<typeof Conversation.text>[0]) => (self: Progress): Progress => {
    const text = Conversation.text(reply)
    return {
      ...self,
      texts: text === "" ? self.texts : [...self.texts, text],
      usage: reply.usage ? Usage.add(self.usage, reply.usage) : self.usage
    }
  }

export const addStep = (step: Step) => (self: Progress): Progress => ({
  ...addReply(step)(self),
  steps: self.steps + 1
})

export const addCompaction = ({ askedAgain, outcome, usage }: Outcome) => (self: Progress): Progress => ({
  ...self,
  compaction: {
    count: self.compaction.count + (outcome === "applied" ? 1 : 0),
    usage: Usage.add(self.compaction.usage, usage)
  },
  askedAgain: self.askedAgain || askedAgain
})

export const finish = (self: Progress, reason: TurnEnd, error?: TurnError): TurnResult => {
  const { askedAgain: _, texts, ...counts } = self
  return { ...counts, reason, text: texts.join("\n\n"), ...(error && { error }) }
}
