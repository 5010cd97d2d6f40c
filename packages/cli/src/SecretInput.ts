/** A secret from standard input: the line that is typed at a terminal, which does not show it, or all that is piped. */
import * as Terminal from "@effect/platform/Terminal"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Host } from "./Host.js"

type Keys = Effect.Effect.Success<Terminal.Terminal["readInput"]>

/** What is typed up to the next line break. Ctrl+C and Ctrl+D end the program as they do elsewhere. */
const typed = (keys: Keys, soFar = ""): Effect.Effect<string> =>
  Effect.matchEffect(keys.take, {
    onFailure: () => Effect.interrupt,
    onSuccess: ({ input, key }) => {
      if (key.name === "return" || key.name === "enter") return Effect.succeed(soFar)
      if (key.name === "backspace") return typed(keys, soFar.slice(0, -1))
      const text = key.ctrl || key.meta ? "" : Option.getOrElse(input, () => "")
      return typed(keys, text.startsWith("\u001b") ? soFar : soFar + text)
    }
  })

/** Without white space around it; empty when there is none. `question` is only put at a terminal. */
export const read = Effect.fnUntraced(function*(question: string) {
  const { stderr, stdin } = yield* Host
  if (!stdin.isTerminal) return new TextDecoder().decode(yield* stdin.read).trim()
  const terminal = yield* Terminal.Terminal
  yield* stderr.write(question)
  return yield* terminal.readInput.pipe(
    Effect.flatMap((keys) => typed(keys)),
    Effect.scoped,
    Effect.map((text) => text.trim()),
    Effect.ensuring(stderr.write("\n"))
  )
})
