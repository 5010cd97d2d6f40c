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
import type { Finished, Options } from "./Process.js"

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

const finished = (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>>,
  stdin: string | Uint8Array
): Effect.Effect<Finished> =>
  Effect.gen(function*() {
    const code = yield* Cli.run(args, "0.0.0")
    const written = yield* Written
    return { code, stderr: yield* written.stderr, stdout: yield* written.stdout }
  }).pipe(
    Effect.provide(layer({ stdin: typeof stdin === "string" ? new TextEncoder().encode(stdin) : stdin })),
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(env))))
  )

/** A command as a process of its own would run it, nothing on its standard input. `home`: where it keeps its files. */
export const command = (home: string, args: ReadonlyArray<string>) => finished(args, { WEIR_HOME: home }, "")

/** The same for one that is started in a directory, for a fraction of what a process costs. */
export const run = (
  args: ReadonlyArray<string>,
  { cwd, env, stdin = "" }: Pick<Options, "cwd" | "env"> & { readonly stdin?: string | Uint8Array }
) => {
  const [name, ...rest] = args
  return finished(name === "run" ? [name, "--cwd", cwd, ...rest] : args, { WEIR_HOME: `${cwd}/.home`, ...env }, stdin)
}
