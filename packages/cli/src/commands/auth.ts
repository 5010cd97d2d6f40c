/** `weir auth`: keys and logins. This file says what can be asked; `Auth.ts` does it. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Address } from "../Address.js"
import * as Argv from "../Argv.js"
import * as Entry from "../Entry.js"
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

const words = Args.all({ provider })
const loginOptions = { issuer }

const login = Entry.make("auth login", {
  args: words,
  description: "Store a key, read from standard input, or log in to openai-codex with a browser.",
  handler: (given) =>
    Effect.gen(function*() {
      const name = yield* named(given.provider, "login")
      yield* (yield* auth).login(name, given.issuer)
      return 0
    }),
  options: Options.all(loginOptions),
  record: loginOptions
})

const logout = Entry.make("auth logout", {
  args: words,
  description: "Delete what is stored for a provider.",
  handler: (given) =>
    Effect.gen(function*() {
      const name = yield* named(given.provider, "logout")
      yield* (yield* auth).logout(name)
      return 0
    }),
  ...Entry.noOptions
})

const status = Entry.make("auth status", {
  args: words,
  description: "Tell where each provider's key or login comes from.",
  handler: (given) =>
    Effect.gen(function*() {
      const name = yield* one(given.provider)
      return yield* (yield* auth).status(name)
    }),
  ...Entry.noOptions
})

const group = Entry.make("auth", {
  args: Entry.noArgs,
  description: "Keep keys and the login to openai-codex; the environment comes before what is kept.",
  handler: () => Effect.as(Effect.flatMap(auth, ({ status }) => status(Option.none())), 0),
  ...Entry.noOptions
})

const commands = [login, logout, status] as const

export const entries = [group, ...commands]

export const command = (exit: Entry.Exit) =>
  group.command(exit).pipe(Command.withSubcommands(Arr.map(commands, (entry) => entry.command(exit))))
