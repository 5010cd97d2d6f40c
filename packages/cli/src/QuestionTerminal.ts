/**
 * The terminal that @effect/cli asks its questions in. The library's own takes hold of standard input as soon as it is
 * made: this one makes it for each use.
 */
import * as NodeTerminal from "@effect/platform-node/NodeTerminal"
import * as Terminal from "@effect/platform/Terminal"
import * as Effect from "effect/Effect"

const own = NodeTerminal.make()

export const terminal: Terminal.Terminal = Terminal.Terminal.of({
  columns: Effect.scoped(Effect.flatMap(own, ({ columns }) => columns)),
  display: (text) => Effect.scoped(Effect.flatMap(own, ({ display }) => display(text))),
  isTTY: Effect.scoped(Effect.flatMap(own, ({ isTTY }) => isTTY)),
  readInput: Effect.flatMap(own, ({ readInput }) => readInput),
  readLine: Effect.scoped(Effect.flatMap(own, ({ readLine }) => readLine)),
  rows: Effect.scoped(Effect.flatMap(own, ({ rows }) => rows))
})
