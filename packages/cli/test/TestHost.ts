/** A host in memory, and the services of Node, for tests inside this process. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import type { LineEvent, Terminal, TerminalEvent } from "@weir/tui/Terminal"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Ref from "effect/Ref"
import * as Cli from "../src/Cli.js"
import { Host, type Output } from "../src/Host.js"

export class Written extends Context.Tag("@weir/cli/test/TestHost/Written")<Written, {
  readonly stdout: Effect.Effect<string>
  readonly stderr: Effect.Effect<string>
}>() {}

export const output = (isTerminal = false) =>
  Effect.map(Ref.make(""), (text) => {
    const self: Output = { isTerminal, write: (more) => Ref.update(text, (before) => before + more) }
    return { output: self, text: Ref.get(text) }
  })

/** For commands that never use it. */
export const noTerminal: Terminal = {
  lines: Queue.unbounded<LineEvent>(),
  open: Queue.unbounded<TerminalEvent>(),
  size: Effect.succeed({ columns: 80, rows: 24 }),
  suspend: Effect.void,
  write: () => Effect.void
}

/** Standard input is a terminal unless bytes are given. */
export const layer = (options: { readonly stdin?: Uint8Array; readonly terminal?: boolean } = {}) =>
  Layer.effectContext(Effect.gen(function*() {
    const stdout = yield* output(options.terminal)
    const stderr = yield* output(options.terminal)
    return Context.empty().pipe(
      Context.add(Host, {
        platform: "test x64",
        stderr: stderr.output,
        stdin: { isTerminal: options.stdin === undefined, read: Effect.succeed(options.stdin ?? new Uint8Array()) },
        stdout: stdout.output,
        terminal: noTerminal
      }),
      Context.add(Written, { stderr: stderr.text, stdout: stdout.text })
    )
  })).pipe(Layer.merge(NodeContext.layer))

/** A command as a process of its own would run it, nothing on its standard input. `home`: where it keeps its files. */
export const command = (home: string, args: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const code = yield* Cli.run(args, "0.0.0")
    const written = yield* Written
    return { code, stderr: yield* written.stderr, stdout: yield* written.stdout }
  }).pipe(
    Effect.provide(layer({ stdin: new Uint8Array() })),
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map([["WEIR_HOME", home]])))
  )
