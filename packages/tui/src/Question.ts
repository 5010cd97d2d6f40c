/** Whether a tool may run: asked inline, under the call, while the input stays live. */
export type Choice = "once" | "session" | "project" | "no" | "explain"

export interface Question {
  readonly callId: string
  readonly name: string
  readonly argument: string
  /** What would be done, in full: the arguments of the call. */
  readonly detail: string
  readonly openedAt: number
  /** Index in `choices`. */
  readonly selected: number
  /** The user is writing why not. */
  readonly isExplaining: boolean
}

export const choices: ReadonlyArray<{ readonly choice: Choice; readonly label: string }> = [
  { choice: "once", label: "Yes, this once" },
  { choice: "session", label: "Yes, and calls like it for this session" },
  { choice: "project", label: "Yes, and calls like it always in this project" },
  { choice: "no", label: "No" },
  { choice: "explain", label: "No, and say why" }
]

/** Keys that were meant for what was there before are not taken for an answer, in milliseconds. */
const guard = 250

/** What a key does to the question: another selection, a choice, or nothing of its own. */
export const press = (self: Question, key: string, now: number): Question | Choice | undefined => {
  const digit = /^[1-5]$/.test(key) ? Number(key) - 1 : undefined
  if (!["down", "enter", "up"].includes(key) && digit === undefined) return undefined
  if (now - self.openedAt < guard) return self
  const count = choices.length
  if (key === "up") return { ...self, selected: (self.selected + count - 1) % count }
  if (key === "down") return { ...self, selected: (self.selected + 1) % count }
  return choices[digit ?? self.selected]?.choice
}
