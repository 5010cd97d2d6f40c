/** When text may be styled, and how styles are taken away. */
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import type { Output } from "./Host.js"

/** Styles are for terminals that can show them, unless NO_COLOR asks for none. */
export const isStyled = (output: Output) =>
  Effect.gen(function*() {
    if (!output.isTerminal) return false
    const noColor = yield* Config.withDefault(Config.string("NO_COLOR"), "")
    const term = yield* Config.withDefault(Config.string("TERM"), "")
    return noColor === "" && term !== "dumb"
  }).pipe(Effect.orElseSucceed(() => false))

const styles = /\u001b\[[0-9;]*m/g

/** Without styles. */
export const plain = (text: string): string => text.replaceAll(styles, "")
