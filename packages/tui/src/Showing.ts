/** What every reducer may do: put something into the transcript, or show a line for a while. */
import { Block, type Call, type Tone } from "./Block.js"
import type { Usage } from "./Input.js"
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

export const use = ({ cacheRead, cacheWrite, fresh, output }: Usage) => (state: State): State => ({
  ...state,
  used: {
    cacheRead: state.used.cacheRead + cacheRead,
    cacheWrite: state.used.cacheWrite + cacheWrite,
    fresh: state.used.fresh + fresh,
    output: state.used.output + output
  }
})
