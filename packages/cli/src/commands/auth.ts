/** `weir auth`: keys and logins. This file says what can be asked; `Auth.ts` does it. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Address } from "../Address.js"
import * as Argv from "../Argv.js"
import { checked } from "../SettingOption.js"
import { UsageError } from "../UsageError.js"

const issuer = Options.text("issuer").pipe(
  Options.withPseudoName("URL"),
  checked(Address),
  Options.withDescription("Who gives the login to openai-codex: OpenAI, unless you test with the simulator."),
  Options.optional
)

const provider = Args.text({ name: "provider" }).pipe(
  Args.withDescription("The provider's name, as run --provider has it."),
  Args.repeated,
  Args.map((words) => words.map(Argv.unmark))
)

/** At most one. */
const one = (words: ReadonlyArray<string>): Effect.Effect<Option.Option<string>, UsageError> =>
  words.length > 1
    ? new UsageError({ message: `Expected one provider, found ${words.length}: ${words.join(" ")}` })
    : Effect.succeed(Option.fromNullable(words[0]))

const named = (words: ReadonlyArray<string>, command: string) =>
  Effect.flatMap(
    one(words),
    Effect.mapError(() => new UsageError({ message: `Name the provider: weir auth ${command} anthropic` }))
  )

const auth = Effect.promise(() => import("../Auth.js"))

/** The commands of the group and their options. */
export const optionTables: ReadonlyArray<readonly [string, Argv.OptionTable]> = [
  ["auth", new Map()],
  ["auth login", Argv.optionTable([issuer])],
  ["auth logout", new Map()],
  ["auth status", new Map()]
]

/** `exit` is told the exit code of a command that can have another than 0. */
export const command = <E, R>(exit: (code: number) => Effect.Effect<void, E, R>) =>
  Command.make("auth", {}, () => Effect.asVoid(Effect.flatMap(auth, ({ status }) => status(Option.none())))).pipe(
    Command.withDescription("Keep keys and the login to openai-codex; the environment comes before what is kept."),
    Command.withSubcommands([
      Command.make("login", { issuer, provider }, (given) =>
        Effect.gen(function*() {
          const name = yield* named(given.provider, "login")
          yield* (yield* auth).login(name, given.issuer)
        })).pipe(
          Command.withDescription("Store a key, read from standard input, or log in to openai-codex with a browser.")
        ),
      Command.make("logout", { provider }, (given) =>
        Effect.gen(function*() {
          const name = yield* named(given.provider, "logout")
          yield* (yield* auth).logout(name)
        })).pipe(
          Command.withDescription("Delete what is stored for a provider.")
        ),
      Command.make("status", { provider }, (given) =>
        Effect.gen(function*() {
          const name = yield* one(given.provider)
          yield* exit(yield* (yield* auth).status(name))
        })).pipe(
          Command.withDescription("Tell where each provider's key or login comes from.")
        )
    ])
  )
