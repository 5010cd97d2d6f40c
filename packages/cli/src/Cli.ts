/** The `weir` command: its tree, and how an argument vector becomes an exit code. */
import * as Command from "@effect/cli/Command"
import * as HelpDoc from "@effect/cli/HelpDoc"
import * as ValidationError from "@effect/cli/ValidationError"
import type { LoginError } from "@weir/openai/CodexOAuth"
import type { TranscriptError } from "@weir/session/TranscriptError"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as MutableHashSet from "effect/MutableHashSet"
import * as Ref from "effect/Ref"
import * as Argv from "./Argv.js"
import * as Auth from "./commands/auth.js"
import * as Config from "./commands/config.js"
import * as Context from "./commands/context.js"
import * as Doctor from "./commands/doctor.js"
import * as Interactive from "./commands/interactive.js"
import * as Models from "./commands/models.js"
import * as Resume from "./commands/resume.js"
import * as Run from "./commands/run.js"
import * as Sessions from "./commands/sessions.js"
import * as Simulate from "./commands/simulate.js"
import type { CredentialsFailed } from "./Credentials.js"
import type * as Entry from "./Entry.js"
import { Host } from "./Host.js"
import { KnownSecrets } from "./KnownSecrets.js"
import type { SettingsUnwritten } from "./SettingsFile.js"
import * as TerminalText from "./TerminalText.js"
import { UsageError } from "./UsageError.js"

const failed = 1
const wrongUsage = 2

/** Errors of what was asked for rightly. */
const failures: ReadonlySet<string> = new Set([
  "CredentialsFailed",
  "LoginRejected",
  "LoginUnavailable",
  "SettingsUnwritten",
  "TranscriptError"
])

const entries = [
  Run.entry,
  ...Auth.entries,
  Resume.entry,
  Models.entry,
  ...Sessions.entries,
  Context.compact,
  Context.context,
  ...Config.entries,
  Doctor.entry,
  Simulate.entry,
  Interactive.entry
]

const optionTables = new Map(entries.map(({ name, table }) => [name, table]))

/** What `--help` explains, and the wizard asks for. */
const tree = (exit: Entry.Exit) =>
  Command.make("weir").pipe(
    Command.withDescription(
      "A coding agent that keeps its context below the model's window. Without a command it talks: weir [prompt]"
    ),
    Command.withSubcommands([
      Run.entry.command(exit),
      Auth.command(exit),
      Resume.entry.command(exit),
      Models.entry.command(exit),
      Sessions.command(exit),
      Context.compact.command(exit),
      Context.context.command(exit),
      Config.command(exit),
      Doctor.entry.command(exit),
      Simulate.entry.command(exit)
    ])
  )

const throughTree = (reading: Argv.Reading, version: string) =>
  Effect.gen(function*() {
    const code = yield* Ref.make(0)
    const exit = (value: number) => Ref.set(code, value)
    const info = { name: "weir", version }
    const args = ["node", "weir", ...Argv.canonical(reading)]
    yield* reading.command === Argv.interactive
      ? Command.run(Interactive.entry.command(exit), info)(args)
      : Command.run(tree(exit), info)(args)
    return yield* Ref.get(code)
  })

const execute = (reading: Argv.Reading, version: string) => {
  const entry = Argv.asksCli(reading) ? undefined : entries.find(({ name }) => name === reading.command)
  return entry === undefined ? throughTree(reading, version) : entry.run(reading)
}

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

/** All that is told as it says itself. What the system says of a file is none of them: whoever asked for it explains it. */
type Told = CredentialsFailed | LoginError | SettingsUnwritten | TranscriptError | UsageError

const explain = (error: Told | ValidationError.ValidationError) =>
  ValidationError.isValidationError(error)
    ? TerminalText.plain(HelpDoc.toAnsiText(error.error)).replaceAll("\0", "")
    : error.message

/** The wizard asks questions; without a terminal it would wait for ever. */
const wizardNeedsTerminal = ({ options }: Argv.Reading) =>
  Effect.gen(function*() {
    const { stdin, stdout } = yield* Host
    if (!options.some(([name]) => name === "--wizard") || (stdin.isTerminal && stdout.isTerminal)) return
    return yield* new UsageError({ message: "--wizard needs a terminal. Try --help." })
  })

/** Runs one command line, which begins after the program's name; succeeds with the exit code. */
export const run = (args: ReadonlyArray<string>, version: string) =>
  Effect.gen(function*() {
    const { stderr } = yield* Host
    return yield* Argv.reading(args, optionTables).pipe(
      Effect.tap(wizardNeedsTerminal),
      Effect.flatMap((reading) => execute(reading, version)),
      withOwnConsole,
      Effect.provideServiceEffect(KnownSecrets, Effect.sync(() => MutableHashSet.empty())),
      Effect.catchAll((error) =>
        stderr.write(`weir: ${explain(error).trim()}\n`).pipe(
          Effect.as(failures.has(error._tag) ? failed : wrongUsage)
        )
      )
    )
  })
