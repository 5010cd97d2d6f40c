/** What a tool has put out, as a text to read. */
import { lookable, type State } from "@weir/tui/State"
import * as Option from "effect/Option"

export interface CallOutput {
  readonly title: string
  readonly text: string
}

/** `back`: 1, or empty, for the newest call, 2 for the one before it. None where there is no such call. */
export const find = (state: State, back: string): Option.Option<CallOutput> => {
  const call = /^(?:[1-9]\d*)?$/.test(back) ? lookable(state).at(-Number(back || 1)) : undefined
  return Option.map(Option.fromNullable(call), ({ argument, name, output, state }) => ({
    text: output.trim() === "" ? "nothing" : output.trimEnd(),
    title: `${name} ${argument} (${state})`
  }))
}
