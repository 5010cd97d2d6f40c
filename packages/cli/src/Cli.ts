/** The `weir` command: its tree, and how an argument vector becomes an exit code. */
import * as Command from "@effect/cli/Command"
import * as HelpDoc from "@effect/cli/HelpDoc"
import * as ValidationError from "@effect/cli/ValidationError"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as MutableHashSet from "effect/MutableHashSet"
import * as Ref from "effect/Ref"
import * as Argv from "./Argv.js"
import * as Auth from "./commands/auth.js"
import * as Context from "./commands/context.js"
import * as Interactive from "./commands/interactive.js"
import * as Models from "./commands/models.js"
import * as Resume from "./commands/resume.js"
import * as Run from "./commands/run.js"
import * as Sessions from "./commands/sessions.js"
import * as Simulate from "./commands/simulate.js"
import { Host } from "./Host.js"
import { KnownSecrets } from "./KnownSecrets.js"
import * as TerminalText from "./TerminalText.js"
import { UsageError } from "./UsageError.js"

const failed = 1
const wrongUsage = 2

/** Errors of what was asked for rightly. */
const failures: ReadonlySet<string> = new Set([
  "CredentialsFailed",
  "LoginRejected",
  "LoginUnavailable",
  "TranscriptError"
])

const optionTables = new Map([
  ...Auth.optionTables,
  ...Sessions.optionTables,
  [Argv.interactive, Interactive.optionTable],
  ["compact", Context.compactTable],
  ["context", Context.contextTable],
  ["models", Models.optionTable],
  ["resume", Resume.optionTable],
  ["run", Run.optionTable],
  ["simulate", Simulate.optionTable]
])

/** The tree; a command that has run tells its exit code. */
const tree = (exit: (code: number) => Effect.Effect<void>) =>
  Command.make("weir").pipe(
    Command.withDescription(
      "A coding agent that keeps its context below the model's window. Without a command it talks: weir [prompt]"
    ),
    Command.withSubcommands([
      Command.make("run", Run.config, (options) => Effect.flatMap(Run.handler(options), exit)).pipe(
        Command.withDescription("Give one task or ask one question, without a screen.")
      ),
      Auth.command(exit),
      Command.make("resume", Resume.config, (options) => Effect.flatMap(Resume.handler(options), exit)).pipe(
        Command.withDescription("Go on with the newest session of this directory, or with any other.")
      ),
      Command.make("models", Models.config, Models.handler).pipe(
        Command.withDescription("List known models with their windows, output limits and prices.")
      ),
      Sessions.command,
      Command.make("compact", Context.compactConfig, (options) => Effect.flatMap(Context.compact(options), exit)).pipe(
        Command.withDescription("Compact a stored session now.")
      ),
      Command.make("context", Context.contextConfig, Context.context).pipe(
        Command.withDescription("Show what fills a stored session's window.")
      ),
      Command.make("simulate", Simulate.config, Simulate.handler).pipe(
        Command.withDescription("Serve a simulated model provider, for testing agents.")
      )
    ])
  )

/** `weir [prompt]`, which has no name to stand in the tree. */
const unnamed = (exit: (code: number) => Effect.Effect<void>) =>
  Command.make("weir", Interactive.config, (options) => Effect.flatMap(Interactive.handler(options), exit)).pipe(
    Command.withDescription("Work on this directory's project together, in the terminal.")
  )

/** @effect/cli prints to the console: its help goes to standard output, its errors are told in our own way. */
const withOwnConsole = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const { stdout } = yield* Host
    const styled = yield* TerminalText.isStyled(stdout)
    const log = (text: unknown = "") => stdout.write(`${styled ? text : TerminalText.plain(String(text))}\n`)
    return yield* Console.consoleWith((console) =>
      Effect.withConsole(self, { ...console, error: () => Effect.void, log })
    )
  })

const explain = (error: { readonly message: string } | ValidationError.ValidationError) =>
  ValidationError.isValidationError(error)
    ? TerminalText.plain(HelpDoc.toAnsiText(error.error)).replaceAll("\0", "")
    : error.message

/** The wizard asks questions; without a terminal it would wait for ever. */
const wizardNeedsTerminal = (canonical: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const { stdin, stdout } = yield* Host
    if (!canonical.includes("--wizard") || (stdin.isTerminal && stdout.isTerminal)) return
    return yield* new UsageError({ message: "--wizard needs a terminal. Try --help." })
  })

/** Runs one command line, which begins after the program's name; succeeds with the exit code. */
export const run = (args: ReadonlyArray<string>, version: string) =>
  Effect.gen(function*() {
    const { stderr } = yield* Host
    const code = yield* Ref.make(0)
    const exit = (value: number) => Ref.set(code, value)
    const info = { name: "weir", version }
    const execute = ([first = "", ...rest]: ReadonlyArray<string>) =>
      first === Argv.interactive
        ? Command.run(unnamed(exit), info)(["node", "weir", ...rest])
        : Command.run(tree(exit), info)(["node", "weir", first, ...rest])
    return yield* Argv.normalize(args, optionTables).pipe(
      Effect.tap(wizardNeedsTerminal),
      Effect.flatMap(execute),
      withOwnConsole,
      Effect.zipRight(Ref.get(code)),
      Effect.provideServiceEffect(KnownSecrets, Effect.sync(() => MutableHashSet.empty())),
      Effect.catchAll((error) =>
        stderr.write(`weir: ${explain(error).trim()}\n`).pipe(
          Effect.as(failures.has(error._tag) ? failed : wrongUsage)
        )
      )
    )
  })
