/** The interactive command: one screen, on which sessions follow one another until the user leaves. */
import * as Path from "@effect/platform/Path"
import { Block, type Tone } from "@weir/tui/Block"
import { ScreenEvent } from "@weir/tui/Input"
import * as PlainScreen from "@weir/tui/PlainScreen"
import * as Screen from "@weir/tui/Screen"
import { colours, plain } from "@weir/tui/Theme"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import * as Home from "../Home.js"
import { Host } from "../Host.js"
import * as Settings from "../Settings.js"
import * as TerminalText from "../TerminalText.js"
import { UsageError } from "../UsageError.js"
import * as WorkingDirectory from "../WorkingDirectory.js"
import * as Completion from "./Completion.js"
import * as History from "./History.js"
import * as Sitting from "./Sitting.js"
import type { Wanted } from "./Wanted.js"

export interface InteractiveOptions extends Wanted {
  /** The first message; may be empty. */
  readonly message: string
}

/** Whether lines are added, or a screen is drawn. */
const isPlain = Effect.fnUntraced(function*({ cwd, flags }: Wanted) {
  const directory = yield* WorkingDirectory.choose(cwd)
  const { settings: { screen } } = yield* Settings.load({ cwd: directory, flags, home: yield* Home.locate })
  const term = yield* Effect.orElseSucceed(Config.string("TERM"), () => "")
  return screen === "plain" || (screen !== "full" && term === "dumb")
})

/** Succeeds with the id of the session that was left. */
const converse = Effect.fnUntraced(function*({ message, ...first }: InteractiveOptions, plainly: boolean) {
  const { stdout, terminal } = yield* Host
  const path = yield* Path.Path
  const home = yield* Home.locate
  const history = yield* History.make(path.join(home.data, "history"))
  const complete = yield* Completion.make(yield* WorkingDirectory.choose(first.cwd))
  const runtime = yield* Effect.runtime()
  const theme = (yield* TerminalText.isStyled(stdout)) ? colours : plain
  const screen = plainly ? yield* PlainScreen.make({ terminal, theme }) : yield* Screen.make({
    complete: (word) => Runtime.runPromise(runtime)(complete(word)),
    history: history.messages,
    terminal,
    theme
  })
  const sit = (wanted: Wanted, said = "") => Sitting.sit({ message: said, onMessage: history.add, screen, wanted })
  const note = (text: string, tone: Tone) =>
    screen.dispatch(ScreenEvent.Shown({ blocks: [Block.Note({ text, tone })] }))
  /** To the session that was left; to a new one when that is there no more. `told`: why. */
  const comeBack = (again: Wanted, told: string) =>
    sit(again).pipe(
      Effect.catchAll(({ message }) =>
        Effect.unless(note(message, "error"), () => message === told).pipe(
          Effect.zipRight(note("A new session.", "plain")),
          Effect.zipRight(sit({ cwd: again.cwd, flags: again.flags, isShown: true, resume: Option.none() }))
        )
      )
    )
  let left = yield* sit(first, message)
  while (Option.isSome(left.next)) {
    const { again, next } = left
    left = yield* sit(next.value).pipe(
      Effect.catchAll((error) => Effect.zipRight(note(error.message, "error"), comeBack(again, error.message)))
    )
  }
  return left.id
}, Effect.scoped)

/** Succeeds with the exit code. */
export const interactive = Effect.fn("interactive")(function*(options: InteractiveOptions) {
  const { stdin, stdout } = yield* Host
  const plainly = yield* isPlain(options)
  if (!plainly && (!stdin.isTerminal || !stdout.isTerminal)) {
    return yield* new UsageError({
      message: "The screen needs a terminal. Without one, ask one question: weir run \"your question\" " +
        "(or let it take messages by the line: --screen plain)"
    })
  }
  const id = yield* converse(options, plainly)
  yield* stdout.write(`Go on with: weir resume ${id}\n`)
  return 0
})
