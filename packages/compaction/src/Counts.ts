/**
 * What the provider has counted of a conversation since it was last replaced: from this its estimate is drawn again
 * when the conversation is loaded.
 */
export interface Counts {
  /** How many entries the conversation has got since then. They are numbered from 0. */
  readonly entries: number
  /** The steps among them whose usage counts a pruned copy. */
  readonly pruned: ReadonlyArray<number>
  /** The input that refusals have named, in tokens, of the conversation before the entry `at`. */
  readonly refused: ReadonlyArray<{ readonly at: number; readonly tokens: number }>
}

export const none: Counts = { entries: 0, pruned: [], refused: [] }

export const withMessage = (self: Counts): Counts => ({ ...self, entries: self.entries + 1 })

/** With steps, whether pruned or not. */
export const withSteps = (self: Counts, pruned: ReadonlyArray<boolean>): Counts => ({
  ...self,
  entries: self.entries + pruned.length,
  pruned: [...self.pruned, ...pruned.flatMap((is, number) => is ? [self.entries + number] : [])]
})

export const withRefused = (self: Counts, tokens: number): Counts => ({
  ...self,
  refused: [...self.refused, { at: self.entries, tokens }]
})
