/**
 * A command, for both who read it: the tree of @effect/cli explains it and asks for what it needs; a command line that
 * asks for neither goes to it directly. The tree tries each option on each argument, which takes longer than all else
 * that a short command does.
 */
import * as Args from "@effect/cli/Args"
import * as CliConfig from "@effect/cli/CliConfig"
import * as Command from "@effect/cli/Command"
import * as HelpDoc from "@effect/cli/HelpDoc"
import * as Options from "@effect/cli/Options"
import * as ValidationError from "@effect/cli/ValidationError"
import * as Effect from "effect/Effect"
import * as Argv from "./Argv.js"

/** Is told a command's exit code. */
export type Exit = (code: number) => Effect.Effect<void>

/** Of a command that has none. */
export const noOptions = { options: Options.map(Options.none, () => ({})), record: {} }
export const noArgs = Args.map(Args.none, () => ({}))

/**
 * `name` has the words that call it; `record` holds the same options as `options`, each by itself. `handler` succeeds
 * with the exit code.
 */
export const make = <O, A, E, R>(name: string, entry: {
  readonly args: Args.Args<A>
  readonly description: string
  readonly handler: (given: O & A) => Effect.Effect<number, E, R>
  readonly options: Options.Options<O>
  readonly record: Readonly<Record<string, Options.Options<unknown>>>
}) => {
  const { args, description, handler, options } = entry
  return {
    name,
    table: Argv.optionTable(Object.values(entry.record)),
    command: (exit: Exit) =>
      Command.make(
        name === Argv.interactive ? "weir" : name.slice(name.lastIndexOf(" ") + 1),
        { args, options },
        (given) => Effect.flatMap(handler({ ...given.options, ...given.args }), exit)
      ).pipe(Command.withDescription(description)),
    run: (reading: Argv.Reading) =>
      Effect.gen(function*() {
        const given = yield* Options.parse(options, Argv.valuesByName(reading), CliConfig.defaultConfig)
        const [[more], words] = yield* Args.validate(args, reading.words, CliConfig.defaultConfig)
        if (more === undefined) return yield* handler({ ...given, ...words })
        return yield* Effect.fail(
          ValidationError.invalidValue(HelpDoc.p(`Received unknown argument: '${more}'`))
        )
      })
  }
}
