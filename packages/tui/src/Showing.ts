/** What every reducer may do: put something into the transcript, or show a line for a while. */
import { Block, type Call, type Tone } from "./Block.js"
import type { Prices, Usage } from "./Input.js"
import type { State } from "./State.js"

/** How long a notice stays, in milliseconds. */
export const noticeMillis = 2_000

export const show = (...blocks: ReadonlyArray<Block>) => (state: State): State =>
  blocks.length === 0 ? state : { ...state, finished: [...state.finished, ...blocks] }

/** Finished calls that can still be looked into. */
const keptCalls = 50

export const lookInto = (...calls: ReadonlyArray<Call>) => (state: State): State => ({
  ...state,
  calls: [...state.calls, ...calls].slice(-keptCalls)
})

export const note = (tone: Tone, text: string) => show(Block.Note({ text, tone }))

export const notice = (text: string) => (state: State): State => ({
  ...state,
  notice: { text, until: state.now + noticeMillis }
})

const costOf = ({ cacheRead, cacheWrite, fresh, output }: Usage, prices: Prices) =>
  (fresh * prices.input + cacheRead * prices.cacheRead + cacheWrite * prices.cacheWrite + output * prices.output) /
  1_000_000

const isNothing = ({ cacheRead, cacheWrite, fresh, output }: Usage) => cacheRead + cacheWrite + fresh + output === 0

export const use = (usage: Usage) => (state: State): State => {
  const { status: { prices }, used } = state
  return {
    ...state,
    used: {
      cacheRead: used.cacheRead + usage.cacheRead,
      cacheWrite: used.cacheWrite + usage.cacheWrite,
      dollars: used.dollars + (prices === undefined ? 0 : costOf(usage, prices)),
      fresh: used.fresh + usage.fresh,
      isUnpriced: used.isUnpriced || (prices === undefined && !isNothing(usage)),
      output: used.output + usage.output
    }
  }
}
