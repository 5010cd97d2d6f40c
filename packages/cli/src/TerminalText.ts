/** Text for terminals: when it may be styled, and how foreign text is kept from steering the terminal. */
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

const controls = /(?!\r\n)[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** Control characters shown instead of obeyed; line breaks and tabs stay. */
export const visible = (text: string): string =>
  text.replaceAll(controls, (character) => {
    const code = character.charCodeAt(0)
    if (code < 0x20) return String.fromCharCode(0x2400 + code)
    return code === 0x7f ? "\u2421" : `\\x${code.toString(16)}`
  })
