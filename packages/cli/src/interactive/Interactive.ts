/** The interactive command: one screen, on which sessions follow one another until the user leaves. */
import * as Screen from "@weir/tui/Screen"
import { colours, plain } from "@weir/tui/Theme"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Host } from "../Host.js"
import * as TerminalText from "../TerminalText.js"
import { UsageError } from "../UsageError.js"
import * as Sitting from "./Sitting.js"
import type { Wanted } from "./Wanted.js"

export interface InteractiveOptions extends Wanted {
  /** The first message; may be empty. */
  readonly message: string
}

/** Succeeds with the id of the session that was left. */
const converse = Effect.fnUntraced(function*({ message, ...wanted }: InteractiveOptions) {
  const { stdout, terminal } = yield* Host
  const screen = yield* Screen.make({
    complete: () => Promise.resolve([]),
    history: [],
    terminal,
    theme: (yield* TerminalText.isStyled(stdout)) ? colours : plain
  })
  let left = yield* Sitting.sit(wanted, screen, message)
  while (Option.isSome(left.next)) left = yield* Sitting.sit(left.next.value, screen, "")
  return left.id
}, Effect.scoped)

/** Succeeds with the exit code. */
export const interactive = Effect.fn("interactive")(function*(options: InteractiveOptions) {
  const { stdin, stdout } = yield* Host
  if (!stdin.isTerminal || !stdout.isTerminal) {
    return yield* new UsageError({
      message: "An interactive session needs a terminal. Without one, ask one question: weir run \"your question\""
    })
  }
  const id = yield* converse(options)
  yield* stdout.write(`Go on with: weir resume ${id}\n`)
  return 0
})
